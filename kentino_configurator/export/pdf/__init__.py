"""The document as PDF."""

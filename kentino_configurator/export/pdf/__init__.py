"""Content to PDF pages."""

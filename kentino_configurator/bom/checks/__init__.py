"""Compatibility rules: small functions with an id. Without data a rule answers unknown, never pass."""

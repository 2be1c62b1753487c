"""What can be wrong with catalogue files."""

from __future__ import annotations


class CatalogError(Exception):
    """A catalogue file cannot be used; the message is one sentence: where, what, what would be right."""


class ModelError(Exception):
    """A model description cannot be used; the message is one sentence: where, what, what would be right."""

"""Where one can be in the window: keys of pages and views."""

from __future__ import annotations

PAGE = "page:"
VIEW = "view:"
EXPERT_ID = "expert"


def page_key(page_id: str) -> str:
    """The rail's key of a page."""
    return PAGE + page_id


def view_key(view_id: str) -> str:
    """The rail's key of a view."""
    return VIEW + view_id

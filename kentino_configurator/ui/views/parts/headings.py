"""Titles of views and of their blocks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.label import label


def column(
    *widgets: QWidget, spacing_px: float = 0, margins_px: tuple[int, int, int, int] = (0, 0, 0, 0)
) -> QWidget:
    """Widgets under each other."""
    result = QWidget()
    rows = QVBoxLayout(result)
    rows.setContentsMargins(*(theme.px(margin) for margin in margins_px))
    rows.setSpacing(theme.px(spacing_px))
    for widget in widgets:
        rows.addWidget(widget)
    return result


def line(*widgets: QWidget, spacing_px: float = 8, stretch: int | None = None) -> QWidget:
    """Widgets beside each other; ``stretch`` is the index of the one that takes the rest, ``None``: room at the end."""
    result = QWidget()
    items = QHBoxLayout(result)
    items.setContentsMargins(0, 0, 0, 0)
    items.setSpacing(theme.px(spacing_px))
    for index, widget in enumerate(widgets):
        items.addWidget(widget, 1 if index == stretch else 0)
    if stretch is None:
        items.addStretch(1)
    return result


def view_title(title: str, lead: str, *actions: QWidget) -> QWidget:
    """The title of a view with one sentence below it and what can be done at the right."""
    words = column(label(title, "title", wrap=True), label(lead, "body", "ink2", wrap=True), spacing_px=3)
    result = QWidget()
    items = QHBoxLayout(result)
    items.setContentsMargins(0, 0, 0, 0)
    items.setSpacing(theme.px(8))
    items.addWidget(words, 1)
    for action in actions:
        items.addWidget(action, 0, Qt.AlignmentFlag.AlignTop)
    return result


def block_title(title: str, remark: str = "") -> QWidget:
    """The heading of a block with a remark at the right edge."""
    result = QWidget()
    items = QHBoxLayout(result)
    items.setContentsMargins(0, 0, 0, 0)
    items.setSpacing(theme.px(16))
    items.addWidget(label(title, "section", wrap=True), 1, Qt.AlignmentFlag.AlignBottom)
    if remark:
        items.addWidget(label(remark, "small", "ink3"), 0, Qt.AlignmentFlag.AlignBottom)
    return result

"""Text on the page, and the ground it stands on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QSizePolicy, QWidget

from kentino_configurator.ui import theme


def label(text: str, type_role: str = "body", ink: str = "ink", *, wrap: bool = False) -> QLabel:
    """Plain text (markup in it is shown, not obeyed) in a type role and an ink role."""
    result = QLabel(text)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setFont(theme.font(type_role))
    result.setWordWrap(wrap)
    if wrap:
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        result.setSizePolicy(policy)
    set_ink(result, ink)
    return result


def set_ink(widget: QWidget, ink: str) -> None:
    """Change the colour role of a label."""
    if widget.property("ink") == ink:
        return
    widget.setProperty("ink", ink)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def set_ground(widget: QWidget, role: str) -> None:
    """Fill a widget's background with ``bg``, ``surface`` or ``panel``."""
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    widget.setProperty("ground", role)


def clear_layout(layout: QLayout) -> None:
    """Remove and delete every widget of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.setParent(None)
            widget.deleteLater()


class Hairline(QFrame):
    """A decorative 1-px rule."""

    def __init__(self, *, vertical: bool = False, role: str = "line") -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("rule", role)
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

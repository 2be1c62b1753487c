"""What every field can do, and the frame most of them are drawn in."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kentino_configurator.ui import theme

NARROW_PX = 168
WIDE_PX = 416


class Field(QWidget):
    """Takes one answer.

    ``entered`` carries what the person gave when the field is left: text as typed, or the value of a choice.
    """

    entered = Signal(object)
    typing = Signal(object)
    """What stands in a typed field while it has the keyboard; in the form of ``entered``."""
    wide = True

    def show_value(self, value: Any) -> None:
        """Show a value (of a choice) or finished text (of a typed field) without telling."""
        raise NotImplementedError

    def set_invalid(self, invalid: bool) -> None:
        """Mark the field as not usable."""

    def describe(self, name: str, description: str) -> None:
        """Name and help for assistive tools, on the widget that takes the keyboard."""
        target = self.focus_target()
        target.setAccessibleName(name)
        target.setAccessibleDescription(description)

    def natural_width(self) -> int:
        """How wide the field would be with all the room of a page."""
        return theme.px(WIDE_PX if self.wide else NARROW_PX)

    def focus_target(self) -> QWidget:
        """The widget that takes the keyboard."""
        return self

    def flush(self) -> None:
        """Hand over what was typed and not yet handed over, before the page goes away."""


class Frame(QWidget):
    """A rounded control edge around what takes the keyboard: 1 px, or a 2-px ring in focus or not usable."""

    def __init__(self, content: QWidget, *trailing: QWidget) -> None:
        super().__init__()
        self._content = content
        self._invalid = False
        content.installEventFilter(self)
        self._layout = layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(13), 0, theme.px(13), 0)
        layout.setSpacing(theme.px(8))
        layout.addWidget(content, 1)
        for widget in trailing:
            layout.addWidget(widget)
        self.setFixedHeight(theme.px(36))
        self.setFocusProxy(content)

    def set_padding(self, left: int, top: int, right: int, bottom: int) -> None:
        """Room between edge and content, in design pixels."""
        self._layout.setContentsMargins(*map(theme.px, (left, top, right, bottom)))

    def set_invalid(self, invalid: bool) -> None:
        """Draw the ring of a value that is not usable."""
        self._invalid = invalid
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw again when the focus comes or goes."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and edge."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self._content.hasFocus()
        role = "block" if self._invalid else "accent" if focused else "border"
        width = 2 if self._invalid or focused else 1
        inset = width / 2
        painter.setPen(QPen(theme.colour(role), width))
        painter.setBrush(theme.colour("surface"))
        radius = theme.px(6)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)


def fill_row(parent: QWidget, *widgets: QWidget, stretch_last: bool = False) -> QHBoxLayout:
    """Put widgets side by side into a field, without margins."""
    layout = QHBoxLayout(parent)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(theme.px(8))
    for widget in widgets:
        layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
    if stretch_last:
        layout.addStretch(1)
    return layout

"""A line to narrow a table down while typing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.field import Frame
from kentino_configurator.ui.widgets.icon_label import IconLabel

WIDTH_PX = 240


class _Line(QLineEdit):
    """Esc empties it."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class SearchBox(QWidget):
    """Tells every change of its text."""

    changed = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.edit = _Line()
        self.edit.setFrame(False)
        self.edit.setProperty("bare", True)
        self.edit.setFont(theme.font("body"))
        self.edit.setPlaceholderText(name)
        self.edit.setAccessibleName(name)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Frame(self.edit, IconLabel("search", "ink3")))
        self.setFixedWidth(theme.px(WIDTH_PX))
        self.edit.textChanged.connect(self.changed)

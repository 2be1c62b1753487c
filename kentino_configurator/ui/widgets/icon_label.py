"""A small icon alone, coloured by role; its words stand beside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kentino_configurator.ui import icons, theme
from kentino_configurator.ui.widgets.label import label, set_ink


class IconLabel(QWidget):
    """An icon of the shipped set."""

    def __init__(self, name: str, role: str, size_px: int = 14) -> None:
        super().__init__()
        self._name, self._role = name, role
        self._side = theme.px(size_px)
        self.setFixedSize(self._side, theme.px(max(size_px, 18)))

    def show_icon(self, name: str, role: str) -> None:
        """Another icon or another colour; an empty name shows nothing."""
        self._name, self._role = name, role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The icon, centred on its line."""
        if self._name:
            place = QRectF(0, (self.height() - self._side) / 2, self._side, self._side)
            icons.paint(QPainter(self), self._name, place, self._role)


STATE_ICONS = {"block": "octagon-alert", "warn": "triangle-alert", "ok": "check"}


class StateLine(QWidget):
    """A severity icon with its words, in the colour of the severity."""

    def __init__(
        self, text: str = "", role: str = "ink2", *, icon: str = "", type_role: str = "small"
    ) -> None:
        super().__init__()
        self._fixed_icon = icon
        self._icon = IconLabel("", role)
        self._words: QLabel = label("", type_role, role, wrap=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(6))
        layout.addWidget(self._icon)
        layout.addWidget(self._words, 1)
        self.show_state(text, role)

    def show_state(self, text: str, role: str) -> None:
        """Other words, in another colour role."""
        self._words.setText(text)
        set_ink(self._words, role)
        self._icon.show_icon(self._fixed_icon or STATE_ICONS.get(role, ""), role)

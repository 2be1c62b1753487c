"""A wide column and a narrow one, under each other where there is no room for both."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from kentino_configurator.ui import theme


class TwoColumns(QWidget):
    """``side`` keeps its width while ``main`` has at least ``least_px``."""

    def __init__(
        self, main: QWidget, side: QWidget, *, side_px: int, gap_px: int = 56, least_px: int = 440
    ) -> None:
        super().__init__()
        self._side = side
        self._side_width = theme.px(side_px)
        self._gap = theme.px(gap_px)
        self._needed = theme.px(side_px + 32 + least_px)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(main, 1, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(side, 0, Qt.AlignmentFlag.AlignTop)
        self._arrange(stacked=False, width=self._needed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other or under each other."""
        width = event.size().width()
        self._arrange(stacked=width < self._needed, width=width)

    def _arrange(self, *, stacked: bool, width: int) -> None:
        direction = QBoxLayout.Direction.TopToBottom if stacked else QBoxLayout.Direction.LeftToRight
        self._layout.setDirection(direction)
        self._layout.setSpacing(theme.px(32) if stacked else min(self._gap, self._room(width)))
        self._side.setMinimumWidth(0 if stacked else self._side_width)
        self._side.setMaximumWidth(self._WIDEST if stacked else self._side_width)

    def _room(self, width: int) -> int:
        """Between 32 and the wanted gap."""
        return max(theme.px(32), width - self._needed + theme.px(32))

    _WIDEST = 16_777_215

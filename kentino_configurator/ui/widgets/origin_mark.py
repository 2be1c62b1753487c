"""Where a value comes from: filled dot (customer), open dot (default), square (computed)."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from kentino_configurator.ui import theme

CUSTOMER = "customer"
DEFAULT = "default"
COMPUTED = "computed"


class OriginMark(QWidget):
    """The small shape alone; the words stand beside it."""

    def __init__(self, origin: str = DEFAULT) -> None:
        super().__init__()
        self._origin = origin
        self.setFixedSize(theme.px(10), theme.px(18))

    def set_origin(self, origin: str) -> None:
        """One of ``customer``, ``default``, ``computed``."""
        self._origin = origin
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The shape, centred on its line."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._origin != COMPUTED)
        side = theme.px(8)
        rect = QRectF(1, round((self.height() - side) / 2), side, side)
        painter.setPen(Qt.PenStyle.NoPen if self._origin == CUSTOMER else QPen(theme.colour("ink2"), 1.25))
        painter.setBrush(theme.colour("ink2") if self._origin == CUSTOMER else Qt.BrushStyle.NoBrush)
        if self._origin == COMPUTED:
            painter.setPen(QPen(theme.colour("ink2"), 1))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        else:
            painter.drawEllipse(rect.adjusted(0.5, 0.5, -0.5, -0.5))

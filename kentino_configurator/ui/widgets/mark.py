"""The mark of the program: eight bars in two rows, the eight slots of a node."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from kentino_configurator.ui import theme

PRODUCT_NAME = "Kentino Configurator"


def paint_mark(painter: QPainter, rect: QRectF, role: str = "accentfill") -> None:
    """Draw the mark into ``rect``."""
    bar = QSize(round(rect.width() * 0.19), round(rect.height() * 0.46))
    step_x = (rect.width() - bar.width()) / 3
    step_y = rect.height() - bar.height()
    for row in range(2):
        for column in range(4):
            x = round(rect.left() + column * step_x)
            painter.fillRect(
                x, round(rect.top() + row * step_y), bar.width(), bar.height(), theme.colour(role)
            )


def mark_icon() -> QIcon:
    """The mark as window icon."""
    result = QIcon()
    for size in (16, 32, 64, 256):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        margin = size / 16
        paint_mark(painter, QRectF(margin, margin, size - 2 * margin, size - 2 * margin))
        painter.end()
        result.addPixmap(pixmap)
    return result


class Mark(QWidget):
    """The mark, 22 by 20; the name stands beside it, so it says nothing itself."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(theme.px(22), theme.px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Eight bars."""
        paint_mark(QPainter(self), QRectF(self.rect()))

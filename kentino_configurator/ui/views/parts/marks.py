"""Small marks before words: how firm a price is, the fillings of the memory bar, icons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.ui import icons, theme
from kentino_configurator.ui.views.models.table import Mark, MarkKind
from kentino_configurator.ui.widgets.memory_bar import Filling, paint_filling

SIDE_PX: Final = 12
_ICON_SIDE_PX: Final = 14


def paint_mark(painter: QPainter, mark: Mark, rect: QRectF) -> None:
    """Draw a mark in the middle of ``rect``."""
    painter.save()
    if mark.kind is MarkKind.FILLING:
        paint_filling(painter, _square(rect, theme.px(SIDE_PX)).toAlignedRect().toRectF(), Filling(mark.name))
    elif mark.kind is MarkKind.PRICE:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _PRICE[PriceStatus(mark.name)](painter, _square(rect, theme.px(SIDE_PX - 2)), mark.role)
    else:
        icons.paint(painter, mark.name, _square(rect, theme.px(_ICON_SIDE_PX)), mark.role)
    painter.restore()


def _square(rect: QRectF, side: float) -> QRectF:
    return QRectF(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side)


def _quoted(painter: QPainter, place: QRectF, role: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(role))
    painter.drawEllipse(place)


def _dated(painter: QPainter, place: QRectF, role: str) -> None:
    _budgetary(painter, place, role)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(role))
    painter.drawPie(place, 90 * 16, 180 * 16)


def _budgetary(painter: QPainter, place: QRectF, role: str) -> None:
    painter.setPen(QPen(theme.colour(role), 1.25))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(place.adjusted(0.5, 0.5, -0.5, -0.5))


def _placeholder(painter: QPainter, place: QRectF, role: str) -> None:
    pen = QPen(theme.colour(role), 1.25)
    pen.setDashPattern([2.0, 1.6])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))


def _missing(painter: QPainter, place: QRectF, role: str) -> None:
    """No mark: the words say it."""


_PRICE: Final[dict[PriceStatus, Callable[[QPainter, QRectF, str], None]]] = {
    PriceStatus.KENTINO_LIST: _quoted,
    PriceStatus.OBSERVED: _dated,
    PriceStatus.ESTIMATED: _budgetary,
    PriceStatus.PLACEHOLDER: _placeholder,
    PriceStatus.MISSING: _missing,
}


class MarkSign(QWidget):
    """A mark alone; its words stand beside it."""

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self._mark = mark
        self.setFixedSize(theme.px(_ICON_SIDE_PX), theme.px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The mark, centred on its line."""
        paint_mark(QPainter(self), self._mark, QRectF(self.rect()))

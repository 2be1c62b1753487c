"""The capacity curve: a band from low to high, the expected line, what is asked, and the limits by name."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.views.words.curve import CurvePicture, MarkLine

HEIGHT_PX = 300
_TOP_PX = 40
_BOTTOM_PX = 44
_RIGHT_PX = 8
_DEMAND_NAME_AT = 0.2


class CurveChart(QWidget):
    """One focusable picture; its sentence says the same."""

    def __init__(self, picture: CurvePicture) -> None:
        super().__init__()
        self._picture = picture
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(picture.sentence)
        self.setToolTip(picture.sentence)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Wide and flat."""
        return QSize(theme.px(640), theme.px(HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        """As wide as a column."""
        return QSize(theme.px(320), theme.px(HEIGHT_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Grid, band, lines, marks, words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        field = self._field()
        self._paint_grid(painter, field)
        self._paint_band(painter, field)
        self._paint_demand(painter, field)
        self._paint_marks(painter, field)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _field(self) -> QRectF:
        metrics = QFontMetrics(theme.font("micro"))
        left = max(metrics.horizontalAdvance(tick.words) for tick in self._picture.y_ticks) + theme.px(10)
        whole = QRectF(self.rect())
        return whole.adjusted(left, theme.px(_TOP_PX), -theme.px(_RIGHT_PX), -theme.px(_BOTTOM_PX))

    def _at(self, field: QRectF, x: float, y: float) -> QPointF:
        return QPointF(field.left() + x * field.width(), field.bottom() - y * field.height())

    def _paint_grid(self, painter: QPainter, field: QRectF) -> None:
        painter.setFont(theme.font("micro"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for tick in self._picture.y_ticks:
            y = self._at(field, 0, tick.share).y()
            painter.setPen(QPen(theme.colour("border" if tick.share == 0 else "line"), 1))
            painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))
            painter.setPen(theme.colour("ink3"))
            painter.drawText(QRectF(0, y - 8, field.left() - theme.px(8), 16), right, tick.words)
        for tick in self._picture.x_ticks:
            x = self._at(field, tick.share, 0).x()
            place = QRectF(x - 40, field.bottom() + theme.px(6), 80, theme.px(16))
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, tick.words)
        painter.setFont(theme.font("small"))
        below = QRectF(field.left(), field.bottom() + theme.px(24), field.width(), theme.px(18))
        painter.drawText(below, right, self._picture.x_name)

    def _paint_band(self, painter: QPainter, field: QRectF) -> None:
        points = self._picture.points
        lows = [self._at(field, x, low) for x, low, _, _ in points]
        highs = [self._at(field, x, high) for x, _, _, high in points]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("c3"))
        painter.drawPolygon(QPolygonF([*lows, *reversed(highs)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("c1"), 2))
        painter.drawPolyline(QPolygonF([self._at(field, x, expected) for x, _, expected, _ in points]))

    def _paint_demand(self, painter: QPainter, field: QRectF) -> None:
        picture = self._picture
        if picture.demand is None:
            return
        painter.setPen(QPen(theme.colour("ink"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(self._at(field, 0, 0), self._at(field, 1, picture.demand))
        painter.setFont(theme.font("small.label"))
        painter.setPen(theme.colour("ink"))
        width = painter.fontMetrics().horizontalAdvance(picture.demand_words)
        start = self._at(field, _DEMAND_NAME_AT, picture.demand * _DEMAND_NAME_AT)
        place = QRectF(start.x(), start.y() + theme.px(6), width + 2, theme.px(18))
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft, picture.demand_words)

    def _paint_marks(self, painter: QPainter, field: QRectF) -> None:
        """Names stand over the field, beside their line; neighbours take turns in height."""
        for index, mark in enumerate(self._picture.marks):
            x = round(self._at(field, mark.share, 0).x()) + 0.5
            style = Qt.PenStyle.SolidLine if mark.now else Qt.PenStyle.DotLine
            painter.setPen(QPen(theme.colour("ink"), 1, style))
            top = theme.px(20 if index % 2 else 2)
            painter.drawLine(QPointF(x, top), QPointF(x, field.bottom()))
            self._paint_name(painter, mark, x, top)

    def _paint_name(self, painter: QPainter, mark: MarkLine, x: float, top: float) -> None:
        painter.setFont(theme.font("small.strong" if mark.now else "small.label"))
        width = painter.fontMetrics().horizontalAdvance(mark.words)
        fits = x + theme.px(6) + width < self.width()
        left = x + theme.px(6) if fits else x - theme.px(6) - width
        painter.drawText(QRectF(left, top, width + 2, theme.px(16)), Qt.AlignmentFlag.AlignLeft, mark.words)

"""An estimate with its range on an axis from zero, and the target it is judged by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import icons, theme


class TargetState(StrEnum):
    """How the promise (the weak end) stands to what was asked."""

    MET = "met"
    MISSED = "missed"
    NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What was asked: its place on the axis (0 to 1), the good side, and the words beside the axis."""

    share: float
    at_most: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatePicture:
    """Finished words of one estimate and shares of the axis. No ``span``: nothing can be said."""

    name: str
    low: str
    expected: str
    high: str
    unit: str
    span: tuple[float, float, float] | None
    target: Target | None
    state: TargetState
    note: str
    sentence: str


_ICON = {TargetState.MET: ("check", "ok"), TargetState.MISSED: ("triangle-alert", "warn")}
HIGH_COLUMN_PX = 44
EXPECTED_COLUMN_PX = 104
LOW_COLUMN_PX = 168


class EstimateBar(QWidget):
    """Two lines: name with low, expected, high and unit; axis with the range and the judgement."""

    def __init__(self) -> None:
        super().__init__()
        self._picture: EstimatePicture | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_picture(self, picture: EstimatePicture) -> None:
        """Show another estimate."""
        self._picture = picture
        self.setAccessibleName(picture.sentence)
        self.setToolTip(picture.sentence)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as the wide panel."""
        return QSize(theme.px(400), self.heightForWidth(theme.px(400)))

    def minimumSizeHint(self) -> QSize:
        """As wide as the narrow panel."""
        return QSize(theme.px(240), theme.px(52))

    def hasHeightForWidth(self) -> bool:
        """A long name takes a line of its own."""
        return True

    def heightForWidth(self, width: int) -> int:
        """52, or 72 when the name stands above the numbers."""
        return theme.px(72 if self._name_collides(width) else 52)

    def _name_collides(self, width: int) -> bool:
        if self._picture is None or self._picture.span is None:
            return False
        metrics = QFontMetrics(theme.font("body"))
        low = metrics.horizontalAdvance(self._picture.low)
        return metrics.horizontalAdvance(self._picture.name) + low + theme.px(12) > width - theme.px(
            LOW_COLUMN_PX
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Name and numbers, axis, judgement."""
        if self._picture is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = theme.px(20)
        top = float(line if self._name_collides(self.width()) else 0)
        self._text(painter, QRectF(0, 0, self.width(), line), self._picture.name, "body", "ink", left=True)
        self._paint_numbers(painter, top, line)
        axis_y = top + theme.px(31) + 0.5
        end = self._axis_end()
        self._paint_axis(painter, axis_y, end)
        self._paint_note(painter, axis_y, end + theme.px(20))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _axis_end(self) -> int:
        """The same for every bar of a width, shorter only where nothing can be said and the reason is long."""
        assert self._picture is not None
        room = theme.px(LOW_COLUMN_PX)
        if self._picture.span is None:
            words = QFontMetrics(theme.font("small")).horizontalAdvance(self._picture.note)
            room = max(room, words + theme.px(24))
        return max(0, self.width() - room)

    def _paint_numbers(self, painter: QPainter, top: float, line: float) -> None:
        assert self._picture is not None
        if self._picture.span is None:
            whole = QRectF(0, top, self.width(), line)
            self._text(painter, whole, self._picture.expected, "strong", "ink")
            return
        columns = (
            (self._picture.low, LOW_COLUMN_PX, "body", "ink2"),
            (self._picture.expected, EXPECTED_COLUMN_PX, "section", "ink"),
            (self._picture.high, HIGH_COLUMN_PX, "body", "ink2"),
            (self._picture.unit, 0, "small", "ink3"),
        )
        for text, from_right, type_role, ink in columns:
            place = QRectF(0, top, self.width() - theme.px(from_right), line)
            self._text(painter, place, text, type_role, ink)

    def _text(
        self, painter: QPainter, rect: QRectF, text: str, type_role: str, ink: str, *, left: bool = False
    ) -> None:
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        painter.setFont(theme.font(type_role))
        painter.setPen(theme.colour(ink))
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_axis(self, painter: QPainter, y: float, end: float) -> None:
        assert self._picture is not None
        paint_range(painter, y, end, self._picture.span, self._picture.target)

    def _paint_note(self, painter: QPainter, y: float, left: float) -> None:
        assert self._picture is not None
        mark = _ICON.get(self._picture.state)
        ink = "warn" if self._picture.state is TargetState.MISSED else "ink2"
        line = theme.px(20)
        if mark:
            side = theme.px(12)
            icons.paint(painter, mark[0], QRectF(left, y - side / 2, side, side), mark[1])
            left += theme.px(17)
        place = QRectF(left, y - line / 2, self.width() - left, line)
        self._text(painter, place, self._picture.note, "small", ink, left=True)


def paint_range(
    painter: QPainter,
    y: float,
    end: float,
    span: tuple[float, float, float] | None,
    target: Target | None,
) -> None:
    """The axis from 0 to ``end`` at height ``y`` with the range, the expected value and what was asked."""
    if span is None:
        painter.setPen(QPen(theme.colour("border"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(0, y), QPointF(end, y))
        return
    tick = theme.px(4)
    painter.setPen(QPen(theme.colour("border"), 1))
    painter.drawLine(QPointF(0, y), QPointF(end, y))
    painter.drawLine(QPointF(0.5, y - tick), QPointF(0.5, y + tick))
    low, expected, high = (share * end for share in span)
    half = theme.px(4)
    painter.fillRect(QRectF(low, y - half, max(high - low, 2), 2 * half), theme.colour("c2"))
    painter.fillRect(QRectF(expected - 1.5, y - 2 * half, 3, 4 * half), theme.colour(_expected_role()))
    if target is not None:
        _paint_target(painter, y, end, target)


def _expected_role() -> str:
    return "ink" if theme.active().scheme is theme.Scheme.DARK else "c1"


def _paint_target(painter: QPainter, y: float, end: float, target: Target) -> None:
    x = round(min(target.share, 1.0) * end) + 0.5
    painter.setPen(QPen(theme.colour("ink"), 1, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(x, y - theme.px(8)), QPointF(x, y + theme.px(7)))
    side = -1 if target.at_most else 1
    foot, size = y + theme.px(10), theme.px(5)
    flag = QPolygonF(
        [QPointF(x, foot - size / 1.6), QPointF(x, foot + size / 1.6), QPointF(x + side * size, foot)]
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("ink"))
    painter.drawPolygon(flag)

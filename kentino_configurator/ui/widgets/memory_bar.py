"""The memory of one GPU as a bar that always adds up, with the two limits of the weights."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import theme


class Filling(StrEnum):
    """How a part is filled; five fillings survive a grey printer."""

    STRONG = "strong"
    MIDDLE = "middle"
    GREY = "grey"
    CLOSE_HATCH = "close_hatch"
    OPEN = "open"
    WIDE_HATCH = "wide_hatch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part: its name, its value in words and its share of the bar (0 to 1)."""

    name: str
    value: str
    share: float
    filling: Filling


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A stroke over the bar at a share, with its words; the words stand left or right of it."""

    share: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPicture:
    """Everything the bar shows. ``sentence`` says the same in words."""

    parts: tuple[Part, ...]
    comfortable: Limit
    ceiling: Limit
    sentence: str


_GAP = 2


class MemoryBar(QWidget):
    """Words of the limits, bar, legend in two columns; ``values`` also stand inside parts that are wide enough."""

    def __init__(self, *, legend: bool = True, values: bool = False) -> None:
        super().__init__()
        self._picture: MemoryPicture | None = None
        self._legend = legend
        self._values = values
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_picture(self, picture: MemoryPicture) -> None:
        """Show another memory."""
        self._picture = picture
        self.setAccessibleName(picture.sentence)
        self.setToolTip(picture.sentence)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for the legend."""
        width = theme.px(400)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """The narrowest panel."""
        return QSize(theme.px(240), self.heightForWidth(theme.px(400)))

    def heightForWidth(self, width: int) -> int:
        """One or two lines of words, the bar, the legend."""
        return self._bar_top(width) + theme.px(24) + theme.px(6) + self._legend_height()

    def hasHeightForWidth(self) -> bool:
        """Narrow bars need two lines of words."""
        return True

    def _legend_height(self) -> int:
        if not self._legend or self._picture is None:
            return 0
        return theme.px(12) + theme.px(20) * ((len(self._picture.parts) + 1) // 2)

    def _words_collide(self, width: int) -> bool:
        if self._picture is None:
            return False
        metrics = QFontMetrics(theme.font("micro"))
        comfortable, ceiling = self._picture.comfortable, self._picture.ceiling
        left = metrics.horizontalAdvance(comfortable.words) + 6 > comfortable.share * width
        right = metrics.horizontalAdvance(ceiling.words) + 6 > (1 - ceiling.share) * width
        return left or right

    def _bar_top(self, width: int) -> int:
        return theme.px(36 if self._words_collide(width) else 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Words, bar, strokes, legend."""
        if self._picture is None:
            return
        painter = QPainter(self)
        bar = QRectF(0, self._bar_top(self.width()), self.width(), theme.px(24))
        self._paint_words(painter, bar)
        self._paint_bar(painter, bar)
        for limit in (self._picture.comfortable, self._picture.ceiling):
            self._paint_stroke(painter, bar, limit)
        if self._legend:
            self._paint_legend(painter, bar.bottom() + theme.px(18))
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(bar.adjusted(1, -1, -1, 1))

    def _paint_words(self, painter: QPainter, bar: QRectF) -> None:
        assert self._picture is not None
        painter.setFont(theme.font("micro"))
        painter.setPen(theme.colour("ink2"))
        line = theme.px(16)
        single = self.width(), bar.top() - theme.px(5) - line
        comfortable, ceiling = self._picture.comfortable, self._picture.ceiling
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if self._words_collide(self.width()):
            painter.drawText(QRectF(0, single[1] - line, single[0], line), right, comfortable.words)
            painter.drawText(QRectF(0, single[1], single[0], line), right, ceiling.words)
            return
        painter.drawText(
            QRectF(0, single[1], comfortable.share * bar.width() - 5, line), right, comfortable.words
        )
        after = ceiling.share * bar.width() + 5
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(after, single[1], bar.width() - after, line), left, ceiling.words)

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        assert self._picture is not None
        x = 0.0
        total = sum(part.share for part in self._picture.parts) or 1.0
        for part in self._picture.parts:
            width = part.share / total * bar.width()
            if width >= 1:
                cell = QRectF(round(x), bar.top(), max(2, round(x + width) - round(x) - _GAP), bar.height())
                paint_filling(painter, cell, part.filling)
                if self._values:
                    _paint_value(painter, cell, part)
            x += width

    def _paint_stroke(self, painter: QPainter, bar: QRectF, limit: Limit) -> None:
        x = round(limit.share * bar.width()) + 0.5
        painter.setPen(QPen(theme.colour("ink"), 1))
        overshoot = theme.px(5)
        painter.drawLine(QPointF(x, bar.top() - overshoot), QPointF(x, bar.bottom() + overshoot))

    def _paint_legend(self, painter: QPainter, top: float) -> None:
        assert self._picture is not None
        gap = theme.px(24)
        column = (self.width() - gap) / 2
        for index, part in enumerate(self._picture.parts):
            left = (index % 2) * (column + gap)
            line = QRectF(left, top + (index // 2) * theme.px(20), column, theme.px(20))
            self._paint_legend_line(painter, line, part)

    def _paint_legend_line(self, painter: QPainter, line: QRectF, part: Part) -> None:
        side = theme.px(10)
        swatch = QRectF(line.left(), round(line.center().y() - side / 2), side, side)
        paint_filling(painter, swatch, part.filling)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink2"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line.adjusted(theme.px(18), 0, 0, 0), Qt.AlignmentFlag.AlignLeft | middle, part.name)
        painter.setFont(theme.font("small.label"))
        painter.setPen(theme.colour("ink"))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | middle, part.value)


def _paint_value(painter: QPainter, cell: QRectF, part: Part) -> None:
    """The value inside its part, where the filling lets it be read."""
    ink = _INSIDE.get(part.filling, "")
    if not ink or (part.filling is Filling.MIDDLE and theme.active().scheme is theme.Scheme.DARK):
        return
    painter.setFont(theme.font("small.label"))
    if painter.fontMetrics().horizontalAdvance(part.value) + 8 > cell.width():
        return
    painter.setPen(theme.colour(ink))
    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, part.value)


_INSIDE = {Filling.STRONG: "onaccent", Filling.MIDDLE: "ink", Filling.OPEN: "ink2"}


def paint_filling(painter: QPainter, rect: QRectF, filling: Filling) -> None:
    """Fill a rectangle in one of the fillings."""
    solid = {Filling.STRONG: "c1", Filling.MIDDLE: "c2", Filling.GREY: "ink3"}.get(filling)
    if solid:
        painter.fillRect(rect, theme.colour(solid))
        return
    painter.save()
    painter.fillRect(rect, theme.colour("panel"))
    if filling in (Filling.CLOSE_HATCH, Filling.WIDE_HATCH):
        _paint_hatch(painter, rect, 3.5 if filling is Filling.CLOSE_HATCH else 7.0, filling)
    painter.setPen(QPen(theme.colour("ink3" if filling is Filling.CLOSE_HATCH else "border"), 1))
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


def _paint_hatch(painter: QPainter, rect: QRectF, step: float, filling: Filling) -> None:
    painter.save()
    painter.setClipRect(rect)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("ink3" if filling is Filling.CLOSE_HATCH else "border"), 1))
    x = rect.left() - rect.height()
    while x < rect.right():
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()))
        x += step
    painter.restore()

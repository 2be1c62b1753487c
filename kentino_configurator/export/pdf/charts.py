"""Estimates on an axis and the capacity curve: axes from zero, limits named on their lines."""

from __future__ import annotations

from math import floor, log10

from reportlab.platypus import Flowable

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.fonts import width_of
from kentino_configurator.export.pdf.marks import draw_sign
from kentino_configurator.export.pdf.structure import Tag, TaggedCanvas
from kentino_configurator.export.pdf.theme import mm
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.blocks import Curve, CurveMark, EstimateRow, Sign

_ROOM = 1.18


class RangePicture(Flowable):  # type: ignore[misc]
    """One estimate on its axis: block from low to high, a strong stroke at the expected value, the target dashed."""

    _AXIS_Y = 6.2 * mm

    def __init__(self, row: EstimateRow, words: Words, width: float) -> None:
        super().__init__()
        self._row = row
        self._words = words
        self.width = width

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """Axis above, the asked value below it."""
        self.height = 9.6 * mm if self._row.target_words or self._row.estimate is None else 8 * mm
        return self.width, self.height

    def draw(self) -> None:
        """Axis, block, target, words."""
        canvas: TaggedCanvas = self.canv
        with canvas.artifact():
            self._axis(canvas)
        if self._row.estimate is not None and self._row.target_words:
            with canvas.element(Tag.P):
                self._asked(canvas)

    def _axis(self, canvas: TaggedCanvas) -> None:
        """The numbers beside it say the same."""
        y = self.height - 3.2 * mm
        estimate = self._row.estimate
        canvas.setStrokeColor(theme.colour("border"))
        canvas.setLineWidth(0.7)
        if estimate is None:
            canvas.setDash(1, 2)
            canvas.line(0, y, self.width, y)
            canvas.setDash()
            return
        canvas.line(0, y, self.width, y)
        canvas.line(0, y - 1.3 * mm, 0, y + 1.3 * mm)
        end = max(estimate.high, self._row.target or 0.0) * _ROOM or 1.0
        self._block(canvas, estimate, y, self.width / end)
        if self._row.target is not None:
            self._target(canvas, self._row.target * self.width / end, y)

    def _block(self, canvas: TaggedCanvas, estimate: Estimate, y: float, scale: float) -> None:
        canvas.setFillColor(theme.colour("c2"))
        length = max((estimate.high - estimate.low) * scale, 0.8)
        canvas.rect(estimate.low * scale, y - 1.1 * mm, length, 2.2 * mm, stroke=0, fill=1)
        canvas.setStrokeColor(theme.colour("c1"))
        canvas.setLineWidth(2)
        x = estimate.expected * scale
        canvas.line(x, y - 2 * mm, x, y + 2 * mm)

    def _target(self, canvas: TaggedCanvas, x: float, y: float) -> None:
        canvas.setStrokeColor(theme.colour("ink"))
        canvas.setFillColor(theme.colour("ink"))
        canvas.setLineWidth(0.8)
        canvas.setDash(1.6, 1.1)
        canvas.line(x, y - 2.9 * mm, x, y + 2.4 * mm)
        canvas.setDash()
        side = -1 if self._row.at_most else 1
        flag = canvas.beginPath()
        flag.moveTo(x, y - 3.2 * mm)
        flag.lineTo(x + side * 1.5 * mm, y - 2.5 * mm)
        flag.lineTo(x, y - 1.8 * mm)
        flag.close()
        canvas.drawPath(flag, stroke=0, fill=1)

    def _asked(self, canvas: TaggedCanvas) -> None:
        text = self._words.plain(self._row.target_words)
        canvas.setFillColor(theme.colour("ink2"))
        canvas.setFont(theme.REGULAR, 7.2)
        canvas.drawString(0, 0.8 * mm, text)
        x = width_of(text, theme.REGULAR, 7.2) + 1.6 * mm
        met = self._row.met
        if met is None:
            return
        draw_sign(canvas, Sign.TICK if met else Sign.WARN, x, 0.5 * mm, 2.5 * mm)
        if not met:
            canvas.setFillColor(theme.colour("warn"))
            canvas.setFont(theme.REGULAR, 7.2)
            canvas.drawString(x + 3.4 * mm, 0.8 * mm, self._words.say("doc.missed"))


def nice_step(most: float, lines: int = 3) -> float:
    """A round distance for about ``lines`` grid lines up to ``most``: 1, 2 or 5 times a power of ten."""
    if most <= 0:
        return 1.0
    raw = most / lines
    power = 10.0 ** floor(log10(raw))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= raw * 0.999)


class CurvePicture(Flowable):  # type: ignore[misc]
    """A band with its expected line over the number of requests, the demand dashed, limits named on their lines."""

    HEIGHT = 62 * mm
    _LEFT = 13 * mm
    _BOTTOM = 9 * mm
    _TOP = 4 * mm

    def __init__(self, curve: Curve, words: Words, width: float) -> None:
        super().__init__()
        self._curve = curve
        self._words = words
        self.width = width
        points = curve.points
        self._most_x = points[-1].x * 1.08
        self._most_y = max(point.y.high for point in points) * 1.04

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """Fixed height, whole width."""
        self.height = self.HEIGHT
        return self.width, self.height

    def _x(self, value: float) -> float:
        return self._LEFT + value / self._most_x * (self.width - self._LEFT)

    def _y(self, value: float) -> float:
        return self._BOTTOM + value / self._most_y * (self.height - self._BOTTOM - self._TOP)

    def draw(self) -> None:
        """Grid, band, line, demand, marks."""
        self._grid(self.canv)
        self._band(self.canv)
        self._line(self.canv)
        self._demand(self.canv)
        for number, mark in enumerate(sorted(self._curve.marks, key=lambda m: m.x)):
            self._mark(self.canv, mark, number)

    def _grid(self, canvas: TaggedCanvas) -> None:
        canvas.setFont(theme.REGULAR, 7.2)
        step = nice_step(self._most_y)
        value = 0.0
        while value <= self._most_y:
            y = self._y(value)
            canvas.setStrokeColor(theme.colour("border" if value == 0 else "line"))
            canvas.setLineWidth(0.6)
            canvas.line(self._LEFT, y, self.width, y)
            canvas.setFillColor(theme.colour("ink2"))
            canvas.drawRightString(self._LEFT - 1.6 * mm, y - 2.4, self._words.texts.numbers.plain(value))
            value += step
        self._ticks(canvas)

    def _ticks(self, canvas: TaggedCanvas) -> None:
        step = max(1.0, nice_step(self._most_x, 6))
        value = 0.0
        while value <= self._most_x:
            canvas.drawCentredString(
                self._x(value), self._BOTTOM - 4 * mm, self._words.texts.numbers.plain(value)
            )
            value += step
        canvas.setFillColor(theme.colour("ink3"))
        canvas.drawRightString(self.width, self._BOTTOM - 7.6 * mm, self._words.plain(self._curve.x_name))

    def _band(self, canvas: TaggedCanvas) -> None:
        points = self._curve.points
        path = canvas.beginPath()
        path.moveTo(self._x(points[0].x), self._y(points[0].y.low))
        for point in points[1:]:
            path.lineTo(self._x(point.x), self._y(point.y.low))
        for point in reversed(points):
            path.lineTo(self._x(point.x), self._y(point.y.high))
        path.close()
        canvas.setFillColor(theme.colour("c3"))
        canvas.drawPath(path, stroke=0, fill=1)

    def _line(self, canvas: TaggedCanvas) -> None:
        path = canvas.beginPath()
        for index, point in enumerate(self._curve.points):
            (path.lineTo if index else path.moveTo)(self._x(point.x), self._y(point.y.expected))
        canvas.setStrokeColor(theme.colour("c1"))
        canvas.setLineWidth(1.6)
        canvas.setLineJoin(1)
        canvas.drawPath(path, stroke=1, fill=0)

    def _demand(self, canvas: TaggedCanvas) -> None:
        demand = self._curve.demand_per_x
        if demand is None:
            return
        most = min(self._most_x, self._most_y / demand)
        canvas.setStrokeColor(theme.colour("ink"))
        canvas.setLineWidth(0.9)
        canvas.setDash(2.4, 1.6)
        canvas.line(self._x(0), self._y(0), self._x(most), self._y(most * demand))
        canvas.setDash()
        text = self._words.plain(self._curve.demand_name)
        at = 0.3 * most
        canvas.setFillColor(theme.colour("ink"))
        canvas.setFont(theme.MEDIUM, 7.2)
        y = self._y(at * demand) - 4 * mm
        below = y > self._y(0) + 0.8 * mm
        canvas.drawString(self._x(at) + 1.5 * mm, y if below else self._y(at * demand) + 3 * mm, text)

    def _mark(self, canvas: TaggedCanvas, mark: CurveMark, number: int) -> None:
        x = self._x(mark.x)
        canvas.setStrokeColor(theme.colour("ink"))
        canvas.setLineWidth(0.8)
        if not mark.now:
            canvas.setDash(1.4, 1.4)
        canvas.line(x, self._BOTTOM, x, self.height)
        canvas.setDash()
        text = self._words.plain(mark.name)
        canvas.setFillColor(theme.colour("ink"))
        canvas.setFont(theme.SEMIBOLD if mark.now else theme.MEDIUM, 7.2)
        y = self.height - 2.6 * mm if mark.now else self._BOTTOM + 2.2 * mm + number * 3.6 * mm
        if x + width_of(text, theme.SEMIBOLD, 7.2) + 2 * mm > self.width:
            canvas.drawRightString(x - 1.4 * mm, y, text)
        else:
            canvas.drawString(x + 1.4 * mm, y, text)

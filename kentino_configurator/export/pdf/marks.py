"""Small drawn marks: severities, ticks, boxes, price states, the fillings of the memory bar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Final

from reportlab.pdfgen.canvas import Canvas

from kentino_configurator.export.pdf.theme import SEMIBOLD, colour
from kentino_configurator.proposal.blocks import Sign

Draw = Callable[[Canvas, float, float, float], None]


def draw_sign(canvas: Canvas, sign: Sign, x: float, y: float, size: float) -> None:
    """Draws a mark into the square of ``size`` points whose lower left corner is (x, y)."""
    canvas.saveState()
    canvas.setLineWidth(0.9)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    _DRAW[sign](canvas, x, y, size)
    canvas.restoreState()


def fill_area(canvas: Canvas, sign: Sign, x: float, y: float, width: float, height: float) -> None:
    """Fills a rectangle with one of the memory bar's five fillings; they survive a grey printer."""
    canvas.saveState()
    fills = {Sign.FILL_STRONG: "c1", Sign.FILL_MIDDLE: "c2", Sign.FILL_GREY: "ink3"}
    if sign in fills:
        canvas.setFillColor(colour(fills[sign]))
        canvas.rect(x, y, width, height, stroke=0, fill=1)
    else:
        _outlined(canvas, sign, x, y, width, height)
    canvas.restoreState()


def _outlined(canvas: Canvas, sign: Sign, x: float, y: float, width: float, height: float) -> None:
    canvas.setStrokeColor(colour("border"))
    canvas.setLineWidth(0.6)
    canvas.setFillColor(colour("surface"))
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    steps = {Sign.FILL_CLOSE: 1.7, Sign.FILL_WIDE: 4.2}
    if sign in steps:
        _hatch(canvas, x, y, width, height, steps[sign])
    inset = 0.3
    canvas.rect(x + inset, y + inset, max(width - 2 * inset, 0.1), height - 2 * inset, stroke=1, fill=0)


def _hatch(canvas: Canvas, x: float, y: float, width: float, height: float, step: float) -> None:
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(x, y, width, height)
    canvas.clipPath(clip, stroke=0)
    canvas.setStrokeColor(colour("ink3"))
    canvas.setLineWidth(0.45)
    start = x - height
    while start < x + width:
        canvas.line(start, y, start + height, y + height)
        start += step
    canvas.restoreState()


def _tick(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("ok"))
    canvas.setLineWidth(1.3)
    path = canvas.beginPath()
    path.moveTo(x + 0.1 * size, y + 0.5 * size)
    path.lineTo(x + 0.38 * size, y + 0.2 * size)
    path.lineTo(x + 0.9 * size, y + 0.82 * size)
    canvas.drawPath(path, stroke=1, fill=0)


def _triangle(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("warn"))
    canvas.setFillColor(colour("warnbg"))
    _polygon(canvas, ((x + 0.5 * size, y + 0.95 * size), (x + size, y + 0.06 * size), (x, y + 0.06 * size)))
    _letter(canvas, "!", x, y + 0.14 * size, size, "warn", 0.62)


def _octagon(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("block"))
    canvas.setFillColor(colour("blockbg"))
    radius, middle = size / 2, (x + size / 2, y + size / 2)
    corners = tuple(
        (middle[0] + radius * cos(pi / 8 + i * pi / 4), middle[1] + radius * sin(pi / 8 + i * pi / 4))
        for i in range(8)
    )
    _polygon(canvas, corners)
    _letter(canvas, "!", x, y + 0.24 * size, size, "block", 0.68)


def _circle_i(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("ink3"))
    canvas.circle(x + size / 2, y + size / 2, size / 2 - 0.3, stroke=1, fill=0)
    _letter(canvas, "i", x, y + 0.25 * size, size, "ink3", 0.66)


def _question(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("ink3"))
    canvas.setDash(1.2, 1.2)
    canvas.circle(x + size / 2, y + size / 2, size / 2 - 0.3, stroke=1, fill=0)
    _letter(canvas, "?", x, y + 0.25 * size, size, "ink2", 0.68)


def _box(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("ink"))
    canvas.setLineJoin(0)
    canvas.rect(x + 0.3, y + 0.3, size - 0.6, size - 0.6, stroke=1, fill=0)


def _dash(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("ink3"))
    canvas.line(x + 0.3 * size, y + 0.5 * size, x + 0.7 * size, y + 0.5 * size)


def _full_dot(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setFillColor(colour("ink2"))
    canvas.circle(x + size / 2, y + size / 2, size / 2 - 0.4, stroke=0, fill=1)


def _half_dot(canvas: Canvas, x: float, y: float, size: float) -> None:
    _ring(canvas, x, y, size)
    canvas.setFillColor(colour("ink2"))
    path = canvas.beginPath()
    path.arc(x + 0.4, y + 0.4, x + size - 0.4, y + size - 0.4, startAng=90, extent=180)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def _ring(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("ink2"))
    canvas.circle(x + size / 2, y + size / 2, size / 2 - 0.5, stroke=1, fill=0)


def _dashed_square(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("warn"))
    canvas.setDash(1.5, 1.1)
    canvas.rect(x + 0.5, y + 0.5, size - 1, size - 1, stroke=1, fill=0)


def _cross(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.setStrokeColor(colour("warn"))
    canvas.line(x + 0.2 * size, y + 0.2 * size, x + 0.8 * size, y + 0.8 * size)
    canvas.line(x + 0.2 * size, y + 0.8 * size, x + 0.8 * size, y + 0.2 * size)


def _nothing(canvas: Canvas, x: float, y: float, size: float) -> None:
    """No mark."""


def _swatch(sign: Sign) -> Draw:
    def draw(canvas: Canvas, x: float, y: float, size: float) -> None:
        fill_area(canvas, sign, x, y, size, size)

    return draw


def _polygon(canvas: Canvas, points: tuple[tuple[float, float], ...]) -> None:
    path = canvas.beginPath()
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    path.close()
    canvas.drawPath(path, stroke=1, fill=1)


def _letter(canvas: Canvas, text: str, x: float, y: float, size: float, role: str, share: float) -> None:
    canvas.setFillColor(colour(role))
    canvas.setFont(SEMIBOLD, size * share)
    canvas.drawCentredString(x + size / 2, y, text)


_DRAW: Final[Mapping[Sign, Draw]] = {
    Sign.NONE: _nothing,
    Sign.TICK: _tick,
    Sign.WARN: _triangle,
    Sign.BLOCK: _octagon,
    Sign.NOTE: _circle_i,
    Sign.UNKNOWN: _question,
    Sign.BOX: _box,
    Sign.DASH: _dash,
    Sign.PRICE_KENTINO_LIST: _full_dot,
    Sign.PRICE_OBSERVED: _half_dot,
    Sign.PRICE_ESTIMATED: _ring,
    Sign.PRICE_PLACEHOLDER: _dashed_square,
    Sign.PRICE_MISSING: _cross,
    **{sign: _swatch(sign) for sign in Sign if sign.startswith("fill.")},
}

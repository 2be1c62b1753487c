"""Predicted against measured on two logarithmic axes, as plain SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

SIZE, MARGIN, LEGEND = 520.0, 62.0, 24.0
COLOURS = ("#0b5fa5", "#c2410c", "#15803d", "#7e22ce")
INK, QUIET, GRID = "#1f2937", "#6b7280", "#e5e7eb"
WITHIN = 1.25
"""The dashed lines beside the diagonal: off by a quarter."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """One picture: series of (measured, predicted) points in one unit, all above zero."""

    title: str
    unit: str
    series: Mapping[str, Sequence[Point]]


@dataclass(frozen=True, slots=True)
class _Axis:
    """Both axes: decades from ``low`` to ``high``."""

    low: int
    high: int

    def place(self, value: float) -> float:
        """Distance from the origin in pixels."""
        return (math.log10(value) - self.low) / (self.high - self.low) * (SIZE - 2 * MARGIN)

    def across(self, value: float) -> float:
        """Horizontal coordinate."""
        return MARGIN + self.place(value)

    def down(self, value: float) -> float:
        """Vertical coordinate; the picture grows downwards."""
        return SIZE - MARGIN - self.place(value)


def scatter_svg(picture: Scatter) -> str:
    """The picture as a document that needs nothing else."""
    values = [value for points in picture.series.values() for point in points for value in point]
    axis = _Axis(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))))
    height = SIZE + LEGEND
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE:g}" height="{height:g}"'
        f' viewBox="0 0 {SIZE:g} {height:g}" font-family="Inter, Arial, sans-serif" font-size="12">',
        f"<title>{escape(picture.title)}</title>",
        f'<rect width="{SIZE:g}" height="{height:g}" fill="#ffffff"/>',
        *_grid(axis),
        *_diagonals(axis),
        *_axis_titles(picture),
    ]
    for points, colour in zip(picture.series.values(), COLOURS, strict=False):
        lines.append(f'<g fill="{colour}" fill-opacity="0.55">')
        lines.extend(
            f'<circle cx="{axis.across(measured):.1f}" cy="{axis.down(predicted):.1f}" r="3"/>'
            for measured, predicted in points
        )
        lines.append("</g>")
    return "\n".join([*lines, *_legend(picture), "</svg>", ""])


def _grid(axis: _Axis) -> Iterator[str]:
    start, end = 10.0**axis.low, 10.0**axis.high
    for power in range(axis.low, axis.high + 1):
        value = 10.0**power
        x, y = axis.across(value), axis.down(value)
        yield _line((x, axis.down(start)), (x, axis.down(end)), GRID)
        yield _line((axis.across(start), y), (axis.across(end), y), GRID)
        yield _text(x, axis.down(start) + 18, _short(value), QUIET, "middle")
        yield _text(axis.across(start) - 8, y + 4, _short(value), QUIET, "end")


def _diagonals(axis: _Axis) -> Iterator[str]:
    start, end = 10.0**axis.low, 10.0**axis.high
    yield _line((axis.across(start), axis.down(start)), (axis.across(end), axis.down(end)), INK)
    for factor in (WITHIN, 1.0 / WITHIN):
        first = max(start, start / factor)
        last = min(end, end / factor)
        ends = [(axis.across(value), axis.down(value * factor)) for value in (first, last)]
        yield _line(ends[0], ends[1], QUIET, ' stroke-dasharray="4 4"')


def _axis_titles(picture: Scatter) -> Iterator[str]:
    middle = SIZE / 2
    yield _text(MARGIN, 28, picture.title, INK, "start", ' font-size="14" font-weight="600"')
    yield _text(middle, SIZE - 20, f"measured, {picture.unit}", INK, "middle")
    turned = f' transform="rotate(-90 16 {middle:g})"'
    yield _text(16, middle, f"predicted, {picture.unit}", INK, "middle", turned)


def _legend(picture: Scatter) -> Iterator[str]:
    x, y = MARGIN, SIZE + 4
    for (name, points), colour in zip(picture.series.items(), COLOURS, strict=False):
        words = f"{name} ({len(points)})"
        yield f'<circle cx="{x:g}" cy="{y - 4:g}" r="4" fill="{colour}"/>'
        yield _text(x + 9, y, words, INK, "start")
        x += 30 + 6.6 * len(words)


def _short(value: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def _line(start: Point, end: Point, colour: str, more: str = "") -> str:
    ends = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    return f'<line {ends} stroke="{colour}"{more}/>'


def _text(x: float, y: float, words: str, colour: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}"{more}>{escape(words)}</text>'

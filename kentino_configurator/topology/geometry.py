"""Rectangles, rounded outlines and bundles of orthogonal lines that do not cross. Millimetres, y grows downwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
_CORNER_STEPS = 4


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """y of the lower edge."""
        return self.y + self.height

    @property
    def cx(self) -> float:
        """x of the middle."""
        return self.x + self.width / 2

    @property
    def cy(self) -> float:
        """y of the middle."""
        return self.y + self.height / 2

    def grown(self, sides: float, top: float, bottom: float) -> Rect:
        """The rectangle with a margin around it."""
        return Rect(self.x - sides, self.y - top, self.width + 2 * sides, self.height + top + bottom)

    def corners(self) -> tuple[Point, ...]:
        """Clockwise from the upper left."""
        return ((self.x, self.y), (self.right, self.y), (self.right, self.bottom), (self.x, self.bottom))


def around(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle that holds all of them."""
    known = tuple(rects)
    x, y = min(r.x for r in known), min(r.y for r in known)
    return Rect(x, y, max(r.right for r in known) - x, max(r.bottom for r in known) - y)


def rounded(rect: Rect, radius: float) -> tuple[Point, ...]:
    """Outline with round corners, clockwise."""
    r = min(radius, rect.width / 2, rect.height / 2)
    centres = (
        (rect.right - r, rect.y + r, -90),
        (rect.right - r, rect.bottom - r, 0),
        (rect.x + r, rect.bottom - r, 90),
        (rect.x + r, rect.y + r, 180),
    )
    return tuple(
        (cx + r * math.cos(angle), cy + r * math.sin(angle))
        for cx, cy, start in centres
        for step in range(_CORNER_STEPS + 1)
        for angle in [math.radians(start + 90 * step / _CORNER_STEPS)]
    )


def cut_corners(rect: Rect, cut: float) -> tuple[Point, ...]:
    """Outline with corners cut off, clockwise."""
    return (
        (rect.x + cut, rect.y),
        (rect.right - cut, rect.y),
        (rect.right, rect.y + cut),
        (rect.right, rect.bottom - cut),
        (rect.right - cut, rect.bottom),
        (rect.x + cut, rect.bottom),
        (rect.x, rect.bottom - cut),
        (rect.x, rect.y + cut),
    )


def hexagon(rect: Rect, bevel: float) -> tuple[Point, ...]:
    """Flat hexagon, clockwise."""
    return (
        (rect.x + bevel, rect.y),
        (rect.right - bevel, rect.y),
        (rect.right, rect.cy),
        (rect.right - bevel, rect.bottom),
        (rect.x + bevel, rect.bottom),
        (rect.x, rect.cy),
    )


def spread(count: int, left: float, right: float, most_apart: float) -> list[float]:
    """``count`` positions around the middle of an edge, at most ``most_apart`` from each other."""
    pitch = min(most_apart, (right - left) / max(count, 1))
    start = (left + right) / 2 - pitch * (count - 1) / 2
    return [start + pitch * index for index in range(count)]


def ports_below(targets: Sequence[float], left: float, right: float, pitch: float) -> list[float]:
    """Positions on an edge straight above their targets where possible, in order, at least ``pitch`` apart."""
    ports = [min(max(target, left), right) for target in targets]
    for index in range(1, len(ports)):
        ports[index] = max(ports[index], ports[index - 1] + pitch)
    overshoot = ports[-1] - right if ports else 0.0
    if overshoot > 0:
        ports[-1] = right
        for index in range(len(ports) - 2, -1, -1):
            ports[index] = min(ports[index], ports[index + 1] - pitch)
    return ports


@dataclass(frozen=True, slots=True)
class Fan:
    """Orthogonal lines from ordered starts (above) to ordered ends (below); ``lanes`` levels of horizontal runs."""

    starts: tuple[float, ...]
    ends: tuple[float, ...]

    def ranks(self) -> tuple[int, ...]:
        """Level of the horizontal run of each line, 0 highest.

        Of neighbours that lead the same way the outermost lies highest: then no line crosses another.
        """
        directions = [_direction(start, end) for start, end in zip(self.starts, self.ends, strict=True)]
        ranks = [0] * len(directions)
        for index in range(1, len(directions)):
            if directions[index] == directions[index - 1] == -1:
                ranks[index] = ranks[index - 1] + 1
        for index in range(len(directions) - 2, -1, -1):
            if directions[index] == directions[index + 1] == 1:
                ranks[index] = ranks[index + 1] + 1
        return tuple(ranks)

    @property
    def lanes(self) -> int:
        """How many levels the horizontal runs need."""
        return max(self.ranks(), default=0) + 1

    def lines(self, top: float, first_lane: float, step: float, bottom: float) -> list[tuple[Point, ...]]:
        """The lines from ``top`` to ``bottom``; a line that leads straight down has two points."""
        return [
            _bent(start, end, top, first_lane + step * rank, bottom)
            for start, end, rank in zip(self.starts, self.ends, self.ranks(), strict=True)
        ]


def _direction(start: float, end: float) -> int:
    return 0 if abs(start - end) < 0.01 else 1 if end > start else -1


def _bent(start: float, end: float, top: float, level: float, bottom: float) -> tuple[Point, ...]:
    if _direction(start, end) == 0:
        return ((start, top), (end, bottom))
    return ((start, top), (start, level), (end, level), (end, bottom))

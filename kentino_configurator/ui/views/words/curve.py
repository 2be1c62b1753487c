"""The capacity curve in words and shares: a band over the number of requests, with what is asked and the limits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import floor, log10

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.proposal.blocks import Curve, CurveMark
from kentino_configurator.proposal.capacity_curve import capacity_curve
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.terms import DocumentTerms
from kentino_configurator.texts import Texts

_X_TICKS = 8
_Y_TICKS = 5
_ROOM = 1.05


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis (0 to 1) with its words."""

    share: float
    words: str


@dataclass(frozen=True, slots=True)
class MarkLine:
    """A vertical line at a place, its name, and whether it is today's load."""

    share: float
    words: str
    now: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePicture:
    """Points as (x, low, expected, high), all shares of their axis. ``demand`` ends at the right edge."""

    points: tuple[tuple[float, float, float, float], ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[MarkLine, ...]
    demand: float | None
    demand_words: str
    x_name: str
    sentence: str


def curve_picture(answer: Answer, snapshot: CatalogSnapshot, texts: Texts) -> CurvePicture | None:
    """The curve of the first interactive job; ``None`` where there is nothing to draw."""
    configuration = answer.decision.configuration
    curve = None if configuration is None else _curve(answer, configuration, snapshot)
    return None if curve is None else _picture(curve, texts)


def _curve(answer: Answer, configuration: Configuration, snapshot: CatalogSnapshot) -> Curve | None:
    terms = DocumentTerms(issued=date.min)
    return capacity_curve(Case(answer=answer, snapshot=snapshot, terms=terms), configuration)


def _picture(curve: Curve, texts: Texts) -> CurvePicture:
    widest = max(point.x for point in curve.points) * _ROOM
    demand = None if curve.demand_per_x is None else curve.demand_per_x * widest
    highest = max(*(point.y.high for point in curve.points), demand or 0.0) * _ROOM
    return CurvePicture(
        points=tuple(
            (p.x / widest, p.y.low / highest, p.y.expected / highest, p.y.high / highest)
            for p in curve.points
        ),
        x_ticks=_ticks(widest, _X_TICKS, texts),
        y_ticks=_ticks(highest, _Y_TICKS, texts),
        marks=tuple(_mark(mark, widest, texts) for mark in sorted(curve.marks, key=lambda mark: mark.x)),
        demand=None if demand is None else demand / highest,
        demand_words=texts.words(curve.demand_name),
        x_name=texts.words(curve.x_name),
        sentence=_sentence(curve, texts),
    )


def _mark(mark: CurveMark, widest: float, texts: Texts) -> MarkLine:
    return MarkLine(mark.x / widest, texts.words(mark.name), mark.now)


def _ticks(end: float, most: int, texts: Texts) -> tuple[Tick, ...]:
    step = round_step(end / most)
    count = floor(end / step)
    return tuple(Tick(i * step / end, texts.numbers.plain(i * step)) for i in range(count + 1))


def round_step(least: float) -> float:
    """The next 1, 2 or 5 times a power of ten; whole numbers only."""
    power = 10 ** floor(log10(max(least, 1.0)))
    return float(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least))


def _sentence(curve: Curve, texts: Texts) -> str:
    first, last = curve.points[0], curve.points[-1]
    marks = "; ".join(texts.words(mark.name) for mark in curve.marks)
    return texts.fill(
        "view.performance.curve_sentence",
        first=texts.numbers.plain(first.x),
        at_first=texts.words(first.y),
        last=texts.numbers.plain(last.x),
        at_last=texts.words(last.y),
        marks=marks,
    )

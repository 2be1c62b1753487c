"""Quantities and estimates in words: number, no-break space, unit of the language."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import GB, GIB, Unit
from kentino_configurator.texts import rounding
from kentino_configurator.texts.numbers import EN_DASH, NO_BREAK_SPACE, Numbers
from kentino_configurator.texts.plurals import plural_category
from kentino_configurator.texts.unit_forms import UnitForm, form_of


class Words(Protocol):
    """What this module needs of a language."""

    @property
    def locale(self) -> str: ...  # noqa: D102
    @property
    def numbers(self) -> Numbers: ...  # noqa: D102
    def fill(self, text_id: str, /, **written: str) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateColumns:
    """An estimate for three aligned columns; the unit stands once behind them."""

    low: str
    expected: str
    high: str
    unit: str


def quantity_words(quantity: Quantity, words: Words) -> str:
    """A value that was stated or follows exactly: "102.6 GB", "16 A", "3 nodes"."""
    if not math.isfinite(quantity.value):
        return words.fill("n.not_known")
    form = form_of(quantity.unit, quantity.value)
    return _with_unit(form.number(quantity.value), form, words)


def estimate_words(estimate: Estimate, words: Words) -> str:
    """Expected value with unit and its range: "1.1 s (0.7 to 1.8)". Without width it is a plain quantity."""
    if not _is_finite(estimate):
        return words.fill("n.not_known")
    if estimate.low == estimate.high:
        return quantity_words(Quantity(estimate.expected, estimate.unit), words)
    form = form_of(estimate.unit, estimate.expected)
    low, expected, high = _interval(estimate, form)
    return words.fill(
        "n.estimate",
        expected=_with_unit(expected, form, words),
        low=words.numbers.write(low),
        high=words.numbers.write(high),
    )


def estimate_columns(estimate: Estimate, words: Words) -> EstimateColumns:
    """Low, expected and high value apart, in one unit. A value that is not finite raises ``ValueError``."""
    if not _is_finite(estimate):
        raise ValueError("an estimate without end has no columns; write that it is not known")
    form = form_of(estimate.unit, estimate.expected)
    low, expected, high = _interval(estimate, form)
    return EstimateColumns(
        low=words.numbers.write(low),
        expected=words.numbers.write(expected),
        high=words.numbers.write(high),
        unit=_around(expected, form, "", words).strip(f" {NO_BREAK_SPACE}"),
    )


def range_words(low: float, high: float, unit: Unit, words: Words) -> str:
    """Two exact values of one unit with an en dash: "36–40 GB/s"."""
    form = form_of(unit, high)
    first = words.numbers.write(form.number(low))
    last = form.number(high)
    return first + EN_DASH + _with_unit(last, form, words)


def memory_words(value_bytes: float, words: Words) -> str:
    """Both readings of a memory size: "102.6 GB (95.6 GiB)"."""
    gb, gib = (words.numbers.write(_one_decimal(value_bytes / unit)) for unit in (GB, GIB))
    return words.fill("u.unit.bytes_both", gb=gb, gib=gib)


def _one_decimal(value: float) -> Decimal:
    return rounding.to_decimals(rounding.as_decimal(value), 1)


def _is_finite(estimate: Estimate) -> bool:
    return all(map(math.isfinite, (estimate.low, estimate.expected, estimate.high)))


def _interval(estimate: Estimate, form: UnitForm) -> tuple[Decimal, Decimal, Decimal]:
    return rounding.outwards(
        form.scaled(estimate.low),
        form.scaled(estimate.expected),
        form.scaled(estimate.high),
        most_decimals=0 if estimate.unit is Unit.SHARE else None,
    )


def _with_unit(value: Decimal, form: UnitForm, words: Words) -> str:
    return _around(value, form, words.numbers.write(value), words)


def _around(value: Decimal, form: UnitForm, number: str, words: Words) -> str:
    """The unit text that goes with ``value``, with ``number`` in its place."""
    if form.counted:
        return words.fill(f"{form.text_id}.{plural_category(value, words.locale)}", count=number)
    return words.fill(form.text_id, value=number)

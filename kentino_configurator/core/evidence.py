"""Where a number comes from, and numbers that never travel alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.units import Unit


class Evidence(StrEnum):
    """Origin of a figure. The first four are ordered, strongest first; the last two stand outside the order."""

    MEASURED = "measured"
    VENDOR = "vendor"
    DERIVED = "derived"
    ASSUMED = "assumed"
    FIELD = "field"
    CUSTOMER = "customer"


_STRENGTH = (Evidence.MEASURED, Evidence.VENDOR, Evidence.DERIVED, Evidence.ASSUMED)


def weakest(kinds: Iterable[Evidence]) -> Evidence:
    """The evidence a sum or maximum of such figures carries.

    Field figures and customer statements are named apart and never weaken a sum; of nothing but those, the
    first is returned. An empty input is ``ASSUMED``: a number without parts has no source.
    """
    kinds = tuple(kinds)
    ordered = [kind for kind in kinds if kind in _STRENGTH]
    if ordered:
        return max(ordered, key=_STRENGTH.index)
    return kinds[0] if kinds else Evidence.ASSUMED


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Citation of a fact: where it was read and when it was checked (ISO date, empty when unknown)."""

    text: str
    checked_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure with its 80 % interval. ``low`` and ``high`` are numeric, whichever end is the weak one."""

    low: float
    expected: float
    high: float
    unit: Unit
    evidence: Evidence

    def __post_init__(self) -> None:
        if not self.low <= self.expected <= self.high:
            raise ValueError(f"estimate out of order: {self.low} <= {self.expected} <= {self.high}")

    def scaled(self, factor: float) -> Estimate:
        """The same interval multiplied by an exact positive factor."""
        return Estimate(
            low=self.low * factor,
            expected=self.expected * factor,
            high=self.high * factor,
            unit=self.unit,
            evidence=self.evidence,
        )

    def in_unit(self, unit: Unit, factor: float) -> Estimate:
        """The same interval expressed in another unit (``value * factor``)."""
        other = self.scaled(factor)
        return Estimate(
            low=other.low, expected=other.expected, high=other.high, unit=unit, evidence=self.evidence
        )


def exact(value: float, unit: Unit, evidence: Evidence) -> Estimate:
    """An estimate without width, for figures that follow exactly from their inputs."""
    return Estimate(low=value, expected=value, high=value, unit=unit, evidence=evidence)


def within(expected: float, down: float, up: float, unit: Unit, evidence: Evidence) -> Estimate:
    """An estimate ``expected`` with relative interval ``expected*down .. expected*up`` (down <= 1 <= up)."""
    return Estimate(low=expected * down, expected=expected, high=expected * up, unit=unit, evidence=evidence)

"""Measured kernel efficiencies the performance model rests on. Rows live in ``resources/catalog/calibration.csv``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One fitted or assumed number with its origin and the error seen (median and 90th percentile, share)."""

    value: float
    unit: str
    evidence: str
    source: str
    error_median: float | None = None
    error_p90: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Parameters by (topic, subject, name): ``calibration.value("gemm", "rtx-pro-6000/fp8", "mem_eff")``."""

    parameters: Mapping[tuple[str, str, str], Parameter]

    def value(self, topic: str, subject: str, name: str) -> float:
        """The number; raises ``KeyError`` naming the missing entry."""
        return self.parameters[(topic, subject, name)].value

    def has(self, topic: str, subject: str, name: str) -> bool:
        """Whether the entry exists."""
        return (topic, subject, name) in self.parameters

"""What became of one row of a measurement table: a prediction beside the measured number, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kentino_configurator.engine.measured_row import SpecResolver, number_or_zero, stated_grade


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOutcome:
    """A prediction in the unit of the measured number, or the reason why the row was skipped.

    ``family`` groups figures of one kind. Serving: ``decode``, ``throughput``, ``prefill``, ``ttft_single``
    (one user, 2,000 tokens and more), ``ttft_short`` (one user, less), ``ttft_load``, ``ttft_p99``, ``kv_tokens``,
    ``kv_tokens_free_pool``, ``weights``, with ``speculative_`` before it where it applies. Training: ``rate``,
    ``step``, ``mfu``, ``scaling``, ``memory`` and ``memory_exact`` (micro-batch and optimizer stated), in base
    units. ``gpu_class`` is the family of the card, or the row's own words where no card is known by them.
    ``grade`` is ``A``, ``B``, ``C`` or empty; ``measured`` is 0 where the row states no number.
    """

    id: str
    family: str
    gpu_class: str
    grade: str
    measured: float
    low: float = 0.0
    expected: float = 0.0
    high: float = 0.0
    skipped: str = ""

    @property
    def ratio(self) -> float:
        """Predicted over measured."""
        return self.expected / self.measured

    @property
    def inside(self) -> bool:
        """Whether the interval holds the measured number."""
        return self.low <= self.measured <= self.high


def skipped_row(row: Mapping[str, str], resolver: SpecResolver, family: str, reason: str) -> RowOutcome:
    """A row without a prediction."""
    gpu = resolver.gpu(row["gpu"])
    return RowOutcome(
        id=row["id"],
        family=family,
        gpu_class=row["gpu"] if gpu is None else gpu.family,
        grade=stated_grade(row["notes"]),
        measured=number_or_zero(row["value"]),
        skipped=reason,
    )

"""How close predictions come to measurements: error and interval coverage per family, grades A and B apart from C."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kentino_configurator.engine.validation import RowOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Errors of one set of predicted rows. Shares; ``coverage`` is the share of rows inside their interval."""

    name: str
    rows: int
    median_error: float
    p90_error: float
    coverage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyReport:
    """Accuracy by family and by family and GPU over rows of grade A and B, grade C apart, and why rows were skipped."""

    rows: int
    by_family: tuple[Accuracy, ...]
    by_gpu: tuple[Accuracy, ...]
    grade_c: tuple[Accuracy, ...]
    skipped: Mapping[str, int]

    @property
    def skipped_share(self) -> float:
        """Share of all rows that could not be predicted."""
        return sum(self.skipped.values()) / self.rows if self.rows else 0.0


def accuracy_report(outcomes: Iterable[RowOutcome]) -> AccuracyReport:
    """The report over outcomes of one measurement table."""
    outcomes = tuple(outcomes)
    predicted = [outcome for outcome in outcomes if not outcome.skipped]
    firm = [outcome for outcome in predicted if outcome.grade != "C"]
    return AccuracyReport(
        rows=len(outcomes),
        by_family=_grouped(firm, lambda outcome: outcome.family),
        by_gpu=_grouped(firm, lambda outcome: f"{outcome.family} {outcome.gpu}"),
        grade_c=_grouped([o for o in predicted if o.grade == "C"], lambda outcome: outcome.family),
        skipped=dict(Counter(outcome.skipped for outcome in outcomes if outcome.skipped)),
    )


def _grouped(outcomes: Sequence[RowOutcome], name: Callable[[RowOutcome], str]) -> tuple[Accuracy, ...]:
    names = sorted({name(outcome) for outcome in outcomes})
    return tuple(_accuracy(each, [o for o in outcomes if name(o) == each]) for each in names)


def _accuracy(name: str, outcomes: Sequence[RowOutcome]) -> Accuracy:
    errors = sorted(abs(outcome.ratio - 1.0) for outcome in outcomes)
    return Accuracy(
        name=name,
        rows=len(errors),
        median_error=quantile(errors, 0.5),
        p90_error=quantile(errors, 0.9),
        coverage=sum(outcome.inside for outcome in outcomes) / len(outcomes),
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """Interpolated order statistic of sorted values."""
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])

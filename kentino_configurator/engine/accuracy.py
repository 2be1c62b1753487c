"""How close predictions come to measurements: error and interval coverage per family, grades A and B apart from C."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kentino_configurator.engine.row_outcome import RowOutcome

Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Errors of the rows of one family, over all cards or on one class of cards.

    Errors are shares of the measured number, ``coverage`` the share of rows inside their interval; all three are
    ``None`` when every row was skipped. ``gpu_class`` is empty over all cards.
    """

    family: str
    gpu_class: str
    rows: int
    skipped: int
    median_error: float | None
    p90_error: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyReport:
    """Accuracy by family, and by family and card, of rows of grade A and B, grade C apart; why rows were skipped."""

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
    firm = [outcome for outcome in outcomes if outcome.grade != "C"]
    loose = [outcome for outcome in outcomes if outcome.grade == "C"]
    return AccuracyReport(
        rows=len(outcomes),
        by_family=_grouped(firm, _by_family),
        by_gpu=_grouped(firm, lambda outcome: (outcome.family, outcome.gpu_class)),
        grade_c=_grouped(loose, _by_family),
        skipped=dict(Counter(outcome.skipped for outcome in outcomes if outcome.skipped).most_common()),
    )


def _by_family(outcome: RowOutcome) -> Key:
    return outcome.family, ""


def _grouped(outcomes: Sequence[RowOutcome], key: Callable[[RowOutcome], Key]) -> tuple[Accuracy, ...]:
    keys = sorted({key(outcome) for outcome in outcomes})
    return tuple(_accuracy(each, [o for o in outcomes if key(o) == each]) for each in keys)


def _accuracy(key: Key, outcomes: Sequence[RowOutcome]) -> Accuracy:
    predicted = [outcome for outcome in outcomes if not outcome.skipped]
    errors = sorted(abs(outcome.ratio - 1.0) for outcome in predicted)
    family, gpu_class = key
    return Accuracy(
        family=family,
        gpu_class=gpu_class,
        rows=len(errors),
        skipped=len(outcomes) - len(errors),
        median_error=quantile(errors, 0.5) if errors else None,
        p90_error=quantile(errors, 0.9) if errors else None,
        coverage=sum(outcome.inside for outcome in predicted) / len(errors) if errors else None,
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """Interpolated order statistic of sorted values; there is at least one."""
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])

"""How true the numbers are: every row of a measurements file predicted, with the errors that really result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kentino_configurator.catalog.names import resolve_gpus, resolve_model
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.engine.validation import RowOutcome, predict_serving_row

SERVING_COLUMNS = frozenset({"id", "model", "gpu", "concurrency", "metric", "value", "notes"})
TRAINING_COLUMNS = frozenset({"id", "model", "gpu", "method", "seq_len", "metric", "value", "notes"})
RELIABLE_GRADES = ("A", "B", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatedRow:
    """One row with its prediction, or the reason it was skipped."""

    outcome: RowOutcome
    gpu_class: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Errors of one family (and GPU class): counts, relative errors in percent, share of rows inside the interval."""

    family: str
    gpu_class: str
    rows: int
    median_error_percent: float
    p90_error_percent: float
    coverage: float


class CatalogResolver:
    """People's spellings through the catalogue; an unstated edition is the first edition of its family."""

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self._snapshot = snapshot

    def model(self, text: str) -> ModelSpec | None:
        """The model of a spelling."""
        return resolve_model(self._snapshot, text)

    def gpu(self, text: str) -> GpuSpec | None:
        """The GPU of a spelling."""
        return next(iter(resolve_gpus(self._snapshot, text)), None)


Predict = Callable[[Mapping[str, str]], RowOutcome]


def predictor_for(columns: Iterable[str], snapshot: CatalogSnapshot) -> Predict | None:
    """The predictor of a file's format, recognised by its header; ``None`` when it is neither."""
    names, resolver = frozenset(columns), CatalogResolver(snapshot)
    if names >= SERVING_COLUMNS:
        return lambda row: predict_serving_row(row, resolver, snapshot.calibration, snapshot.policy)
    if names >= TRAINING_COLUMNS:
        from kentino_configurator.engine.training_validation import predict_training_row

        return lambda row: predict_training_row(row, resolver, snapshot.calibration, snapshot.policy)
    return None


def validate_rows(
    rows: Iterable[Mapping[str, str]], predict: Predict, snapshot: CatalogSnapshot
) -> list[ValidatedRow]:
    """Every row predicted or skipped with a reason."""
    resolver = CatalogResolver(snapshot)
    return [ValidatedRow(outcome=predict(row), gpu_class=_gpu_class(row, resolver)) for row in rows]


def _gpu_class(row: Mapping[str, str], resolver: CatalogResolver) -> str:
    gpu = resolver.gpu(row.get("gpu", ""))
    return row.get("gpu", "?") if gpu is None else gpu.family


def summaries(rows: Sequence[ValidatedRow]) -> list[Summary]:
    """Per family over all GPUs, then per family and GPU class; reliable grades only."""
    judged = [row for row in rows if not row.outcome.skipped and row.outcome.grade in RELIABLE_GRADES]
    return [*_grouped(judged, by_gpu=False), *_grouped(judged, by_gpu=True)]


def _grouped(rows: Sequence[ValidatedRow], *, by_gpu: bool) -> Iterator[Summary]:
    groups: dict[tuple[str, str], list[RowOutcome]] = {}
    for row in rows:
        key = (row.outcome.family, row.gpu_class if by_gpu else "")
        groups.setdefault(key, []).append(row.outcome)
    for (family, gpu_class), outcomes in sorted(groups.items()):
        errors = sorted(abs(outcome.ratio - 1) * 100 for outcome in outcomes)
        yield Summary(
            family=family,
            gpu_class=gpu_class,
            rows=len(outcomes),
            median_error_percent=_quantile(errors, 0.5),
            p90_error_percent=_quantile(errors, 0.9),
            coverage=sum(outcome.inside for outcome in outcomes) / len(outcomes),
        )


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear interpolation between the ordered values."""
    place = (len(ordered) - 1) * share
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def skip_reasons(rows: Sequence[ValidatedRow]) -> dict[str, int]:
    """How many rows were skipped for each reason."""
    counts: dict[str, int] = {}
    for row in rows:
        if row.outcome.skipped:
            counts[row.outcome.skipped] = counts.get(row.outcome.skipped, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def validation_object(rows: Sequence[ValidatedRow]) -> dict[str, Any]:
    """The whole report as plain JSON values."""
    return {
        "rows": [_row_json(row) for row in rows],
        "summary": [
            {
                "family": s.family,
                "gpu_class": s.gpu_class or None,
                "n": s.rows,
                "median_error_percent": s.median_error_percent,
                "p90_error_percent": s.p90_error_percent,
                "coverage": s.coverage,
            }
            for s in summaries(rows)
        ],
        "n": len(rows),
        "skipped": sum(bool(row.outcome.skipped) for row in rows),
        "skip_reasons": skip_reasons(rows),
    }


def _row_json(row: ValidatedRow) -> dict[str, Any]:
    outcome = row.outcome
    common = {
        "id": outcome.id,
        "grade": outcome.grade or None,
        "gpu_class": row.gpu_class,
        "measured": outcome.measured,
    }
    if outcome.skipped:
        return {**common, "skipped": outcome.skipped}
    return {
        **common,
        "family": outcome.family,
        "low": outcome.low,
        "expected": outcome.expected,
        "high": outcome.high,
        "ratio": outcome.ratio,
        "inside": outcome.inside,
    }


def validation_lines(rows: Sequence[ValidatedRow]) -> Iterator[str]:
    """The report for a terminal: rows, then errors per family and GPU class, then what was skipped and why."""
    for row in rows:
        yield _row_line(row.outcome)
    yield ""
    yield f"{'figure':<22} {'GPUs':<16} {'n':>5} {'median %':>9} {'p90 %':>7} {'inside':>7}"
    for s in summaries(rows):
        yield (
            f"{s.family:<22} {s.gpu_class or 'all':<16} {s.rows:>5} {s.median_error_percent:>9.1f}"
            f" {s.p90_error_percent:>7.1f} {s.coverage:>7.0%}"
        )
    skipped = skip_reasons(rows)
    share = sum(skipped.values()) / max(1, len(rows))
    yield ""
    yield f"{len(rows)} rows, {share:.0%} skipped" + "".join(
        f"; {name} {count}" for name, count in skipped.items()
    )
    apart = sum(not r.outcome.skipped and r.outcome.grade not in RELIABLE_GRADES for r in rows)
    yield f"{apart} rows of grade C are predicted but not judged"


def _row_line(outcome: RowOutcome) -> str:
    if outcome.skipped:
        return f"{outcome.id:<12} skipped: {outcome.skipped}"
    mark = "inside" if outcome.inside else "OUTSIDE"
    return (
        f"{outcome.id:<12} {outcome.family:<18} {outcome.low:>10.4g} {outcome.expected:>10.4g} {outcome.high:>10.4g}"
        f"  measured {outcome.measured:>10.4g}  ratio {outcome.ratio:.2f}  {mark}"
    )

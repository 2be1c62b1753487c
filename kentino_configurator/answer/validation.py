"""``validate``: which rows a measurements file has, what the engine says to each, and the report of the errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.engine.accuracy import Accuracy, AccuracyReport, accuracy_report
from kentino_configurator.engine.measured_row import SpecResolver
from kentino_configurator.engine.row_outcome import RowOutcome

COMMON_COLUMNS = "id model gpu gpu_count nodes interconnect tp pp dp metric value source notes"
SERVING_COLUMNS = COMMON_COLUMNS + (
    " weights_dtype kv_dtype engine engine_version ep input_tokens output_tokens concurrency speculative"
)
TRAINING_COLUMNS = COMMON_COLUMNS + (
    " params_b method precision optimizer sharding seq_len global_batch_tokens unit"
)

Predict = Callable[[Mapping[str, str]], RowOutcome]


class UnknownTableError(ValueError):
    """The columns are those of no measurements table; the message says what is missing."""


def predictor_for(columns: Iterable[str], snapshot: CatalogSnapshot, names: SpecResolver) -> Predict:
    """The predictor of a table, recognised by its header. Raises :class:`UnknownTableError`."""
    present = frozenset(columns)
    if "method" in present:
        from kentino_configurator.engine.training_validation import predict_training_row

        _require(present, TRAINING_COLUMNS)
        return lambda row: predict_training_row(row, names, snapshot.calibration, snapshot.policy)
    from kentino_configurator.engine.validation import predict_serving_row

    _require(present, SERVING_COLUMNS)
    return lambda row: predict_serving_row(row, names, snapshot.calibration, snapshot.policy)


def _require(present: frozenset[str], columns: str) -> None:
    missing = [name for name in columns.split() if name not in present]
    if missing:
        raise UnknownTableError(f"its first line lacks the columns {', '.join(missing)}")


def validation_object(outcomes: Sequence[RowOutcome]) -> dict[str, Any]:
    """The whole report as plain JSON values; errors in percent of the measured number."""
    report = accuracy_report(outcomes)
    return {
        "rows": [_row_json(outcome) for outcome in outcomes],
        "summary": [_accuracy_json(each) for each in (*report.by_family, *report.by_gpu)],
        "grade_c": [_accuracy_json(each) for each in report.grade_c],
        "n": report.rows,
        "skipped": sum(report.skipped.values()),
        "skipped_share": report.skipped_share,
        "skip_reasons": dict(report.skipped),
    }


def _row_json(outcome: RowOutcome) -> dict[str, Any]:
    common = {
        "id": outcome.id,
        "family": outcome.family,
        "gpu_class": outcome.gpu_class,
        "grade": outcome.grade or None,
        "measured": outcome.measured,
    }
    if outcome.skipped:
        return {**common, "skipped": outcome.skipped}
    names = ("low", "expected", "high", "ratio", "inside")
    return {**common, **{name: getattr(outcome, name) for name in names}}


def _accuracy_json(each: Accuracy) -> dict[str, Any]:
    return {
        "family": each.family,
        "gpu_class": each.gpu_class or None,
        "n": each.rows,
        "skipped": each.skipped,
        "median_error_percent": _percent(each.median_error),
        "p90_error_percent": _percent(each.p90_error),
        "coverage": each.coverage,
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else share * 100.0


def validation_lines(outcomes: Sequence[RowOutcome]) -> Iterator[str]:
    """The report for a terminal: rows, errors per family and class of cards, grade C apart, what was skipped."""
    report = accuracy_report(outcomes)
    for outcome in outcomes:
        yield _row_line(outcome)
    yield from _table("Grades A and B, and rows without a grade", (*report.by_family, *report.by_gpu))
    if report.grade_c:
        yield from _table("Grade C, apart", report.grade_c)
    yield ""
    yield _skipped_line(report)


def _row_line(outcome: RowOutcome) -> str:
    if outcome.skipped:
        return f"{outcome.id:<12} skipped: {outcome.skipped}"
    mark = "inside" if outcome.inside else "OUTSIDE"
    return (
        f"{outcome.id:<12} {outcome.family:<18} {outcome.low:>10.4g} {outcome.expected:>10.4g} {outcome.high:>10.4g}"
        f"  measured {outcome.measured:>10.4g}  ratio {outcome.ratio:.2f}  {mark}"
    )


def _table(title: str, groups: Iterable[Accuracy]) -> Iterator[str]:
    yield ""
    yield title
    yield f"{'figure':<22} {'GPUs':<24} {'n':>5} {'skipped':>8} {'median %':>9} {'p90 %':>7} {'inside':>7}"
    for each in groups:
        yield f"{each.family:<22} {each.gpu_class or 'all':<24} {each.rows:>5} {each.skipped:>8} {_errors(each)}"


def _errors(each: Accuracy) -> str:
    if each.median_error is None or each.p90_error is None or each.coverage is None:
        return f"{'-':>9} {'-':>7} {'-':>7}"
    return f"{each.median_error * 100:>9.1f} {each.p90_error * 100:>7.1f} {each.coverage:>7.0%}"


def _skipped_line(report: AccuracyReport) -> str:
    reasons = "".join(f"; {name} {count}" for name, count in report.skipped.items())
    return f"{report.rows} rows, {report.skipped_share:.1%} skipped{reasons}"

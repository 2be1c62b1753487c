"""The engine on all shipped measurements: errors, coverage and skipped rows stay where the calibration left them."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from kentino_configurator.engine.accuracy import Accuracy, AccuracyReport, accuracy_report, quantile
from kentino_configurator.engine.row_outcome import RowOutcome
from kentino_configurator.engine.validation import predict_serving_row
from tests.unit.engine.helpers import snapshot
from tests.unit.engine.test_measurement import ROW, Catalogue

TABLE = Path(__file__).parents[3] / "resources" / "measurements" / "inference.csv"


@cache
def outcomes() -> tuple[RowOutcome, ...]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    catalogue = Catalogue()
    return tuple(
        predict_serving_row(row, catalogue, snapshot().calibration, snapshot().policy) for row in rows
    )


@cache
def report() -> AccuracyReport:
    return accuracy_report(outcomes())


def family(name: str) -> Accuracy:
    return next(each for each in report().by_family if each.family == name)


# In sample; the leave-group-out errors, which are what counts, are printed by benchmarks/calibrate.py.
BARS = [
    ("decode", 0.13, 0.42),
    ("throughput", 0.14, 0.45),
    ("prefill", 0.20, None),
    ("ttft_single", 0.28, None),
    ("kv_tokens", 0.01, 0.10),
    ("weights", 0.02, None),
]


@pytest.mark.parametrize(("name", "median", "p90"), BARS)
def test_errors_stay_below_the_bar(name: str, median: float, p90: float | None) -> None:
    assert family(name).median_error <= median
    assert p90 is None or family(name).p90_error <= p90


@pytest.mark.parametrize("name", ["decode", "throughput", "prefill", "ttft_single", "ttft_load"])
def test_the_intervals_hold_about_four_of_five_rows(name: str) -> None:
    assert 0.75 <= family(name).coverage <= 0.92


def test_few_rows_are_skipped_and_each_has_its_reason() -> None:
    assert report().skipped_share <= 0.12
    assert set(report().skipped) <= {
        "unknown_gpu",
        "unknown_model",
        "missing_layout",
        "missing_lengths",
        "unsupported_kv_format",
        "arrival_rate_not_concurrency",
    }


def test_a_skipped_row_keeps_its_measurement_and_grade() -> None:
    row = ROW | {"gpu": "Voodoo 2"}
    outcome = predict_serving_row(row, Catalogue(), snapshot().calibration, snapshot().policy)
    assert (outcome.skipped, outcome.measured, outcome.grade, outcome.gpu_class) == (
        "unknown_gpu",
        40.5,
        "A",
        "Voodoo 2",
    )


def test_grade_c_is_reported_apart() -> None:
    firm = sum(each.rows for each in report().by_family)
    loose = sum(each.rows for each in report().grade_c)
    assert firm + loose + sum(report().skipped.values()) == report().rows == 573
    assert loose > 0


def test_quantiles_are_interpolated() -> None:
    assert quantile([0.0, 1.0], 0.5) == 0.5
    assert quantile([3.0], 0.9) == 3.0

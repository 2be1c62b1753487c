"""The engine against every published training row: the errors, the coverage, the share of rows it cannot use."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from statistics import median, quantiles

import pytest

from kentino_configurator.catalog.measured import load_measured_names
from kentino_configurator.engine.row_outcome import RowOutcome
from kentino_configurator.engine.training_validation import predict_training_row
from kentino_configurator.paths import resource_dir
from tests.unit.engine.helpers import snapshot

FOLDER = resource_dir() / "measurements"


@cache
def rows() -> tuple[dict[str, str], ...]:
    with (FOLDER / "training.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


@cache
def outcomes() -> tuple[RowOutcome, ...]:
    names = load_measured_names(snapshot(), FOLDER)
    return tuple(
        predict_training_row(row, names, snapshot().calibration, snapshot().policy) for row in rows()
    )


def errors(*families: str) -> list[float]:
    return [abs(o.ratio - 1.0) for o in outcomes() if not o.skipped and o.family in families]


def p90(values: list[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1]


def test_at_most_an_eighth_of_the_rows_is_skipped_each_with_its_reason() -> None:
    skipped = Counter(outcome.skipped for outcome in outcomes() if outcome.skipped)
    assert sum(skipped.values()) <= 0.12 * len(rows())
    assert set(skipped) <= {
        "unknown_model",
        "estimate_not_measurement",
        "bound_not_measurement",
        "unsupported_unit",
        "unsupported_model",
        "missing_batch",
    }


@pytest.mark.parametrize("families", [("rate",), ("step",), ("mfu",), ("rate", "step", "mfu")])
def test_rates_steps_and_mfu_are_within_nine_percent_in_the_middle(families: tuple[str, ...]) -> None:
    assert median(errors(*families)) <= 0.09
    assert p90(errors(*families)) <= 0.30


def test_scaling_efficiency_is_within_five_percent_in_the_middle() -> None:
    assert median(errors("scaling")) <= 0.05
    assert p90(errors("scaling")) <= 0.20


def test_peak_memory_is_within_fifteen_percent_in_the_middle() -> None:
    assert median(errors("memory", "memory_exact")) <= 0.15


def test_rtx_pro_6000_rates_are_within_four_percent_in_the_middle() -> None:
    found = [
        abs(outcome.ratio - 1.0)
        for row, outcome in zip(rows(), outcomes(), strict=True)
        if "PRO 6000" in row["gpu"] and outcome.family == "rate" and not outcome.skipped
    ]
    assert median(found) <= 0.04


def test_eighty_percent_intervals_hold_about_eighty_percent() -> None:
    used = [outcome for outcome in outcomes() if not outcome.skipped]
    assert 0.75 <= sum(outcome.inside for outcome in used) / len(used) <= 0.90


def test_intervals_are_in_order_and_positive() -> None:
    for outcome in outcomes():
        if not outcome.skipped:
            assert 0 < outcome.low < outcome.expected < outcome.high

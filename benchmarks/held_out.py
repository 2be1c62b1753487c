"""The recorded errors of every row under parameters that were fitted without its group (one model on one card)."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.calibration_rows import ROOT, read_csv
from benchmarks.fitting import Residual
from kentino_configurator.engine.row_outcome import RowOutcome

FOLDER = ROOT / "benchmarks" / "held_out"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Predicted over measured of one row, with all groups fitted and with its own left out."""

    fitted: float
    left_out: float


def write_held_out(table: str, fitted: Iterable[Residual], left_out: Iterable[Residual]) -> None:
    """Replaces the record of a table (``inference`` or ``training``)."""
    with_all = {residual.row: residual.log_ratio for residual in fitted}
    FOLDER.mkdir(exist_ok=True)
    with _path(table).open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(("id", "fitted", "left_out"))
        for residual in sorted(left_out, key=lambda each: each.row):
            writer.writerow((residual.row, _ratio(with_all[residual.row]), _ratio(residual.log_ratio)))


def read_held_out(table: str) -> Mapping[str, HeldOut]:
    """The record by row id."""
    return {
        row["id"]: HeldOut(float(row["fitted"]), float(row["left_out"])) for row in read_csv(_path(table))
    }


def as_left_out(outcomes: Iterable[RowOutcome], record: Mapping[str, HeldOut]) -> list[RowOutcome]:
    """The outcomes as they would be with each row's group left out of the fit; rows that take no part as they are."""
    return [
        _moved(each, record[each.id]) if each.id in record and not each.skipped else each for each in outcomes
    ]


def _moved(outcome: RowOutcome, record: HeldOut) -> RowOutcome:
    factor = record.left_out / record.fitted
    return replace(
        outcome, low=outcome.low * factor, expected=outcome.expected * factor, high=outcome.high * factor
    )


def share_that_moved(
    outcomes: Iterable[RowOutcome], record: Mapping[str, HeldOut], tolerance: float
) -> float:
    """Share of recorded rows whose prediction is another one today: the record is older than the engine."""
    moved = [
        abs(outcome.ratio / record[outcome.id].fitted - 1.0) > tolerance
        for outcome in outcomes
        if outcome.id in record and not outcome.skipped
    ]
    return sum(moved) / len(moved)


def _ratio(log_ratio: float) -> str:
    return f"{math.exp(log_ratio):.4g}"


def _path(table: str) -> Path:
    return FOLDER / f"{table}.csv"

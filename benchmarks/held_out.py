"""The recorded errors of every row under parameters that were fitted without its group (one model on one card)."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from benchmarks.calibration_rows import ROOT, read_csv
from benchmarks.fitting import Residual

FOLDER = ROOT / "benchmarks" / "held_out"


def write_held_out(table: str, residuals: Iterable[Residual]) -> None:
    """Replaces the record of a table (``inference`` or ``training``)."""
    FOLDER.mkdir(exist_ok=True)
    with _path(table).open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(("id", "predicted_over_measured"))
        writer.writerows((each.row, f"{math.exp(each.log_ratio):.4g}") for each in _by_row(residuals))


def read_held_out(table: str) -> Mapping[str, float]:
    """Predicted over measured by row id."""
    return {row["id"]: float(row["predicted_over_measured"]) for row in read_csv(_path(table))}


def _by_row(residuals: Iterable[Residual]) -> list[Residual]:
    return sorted(residuals, key=lambda residual: residual.row)


def _path(table: str) -> Path:
    return FOLDER / f"{table}.csv"

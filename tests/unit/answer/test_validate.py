"""``validate``: both tables are recognised, every row has a figure or a reason, few rows are skipped."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from kentino_configurator.validate import validate

TABLES = Path(__file__).parents[3] / "resources" / "measurements"


def first_rows(tmp_path: Path, name: str, count: int, **cells: str) -> Path:
    """The first rows of a shipped table, with some cells replaced."""
    with (TABLES / name).open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        rows = [row | cells for row, _ in zip(reader, range(count), strict=False)]
    path = tmp_path / name
    with path.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def report(capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, Any]:
    assert validate(path, None, as_json=True) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["inference.csv", "training.csv"])
def test_at_most_one_row_in_eight_is_skipped_and_each_row_is_accounted_for(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = report(capsys, TABLES / name)
    assert result["skipped_share"] <= 0.12
    assert sum(result["skip_reasons"].values()) == result["skipped"]
    by_family = [each for each in result["summary"] if each["gpu_class"] is None]
    counted = sum(each["n"] + each["skipped"] for each in (*by_family, *result["grade_c"]))
    assert counted == result["n"] == len(result["rows"])
    for row in result["rows"]:
        assert row.get("skipped") or row["low"] <= row["expected"] <= row["high"]


@pytest.mark.parametrize("name", ["inference.csv", "training.csv"])
def test_cells_that_are_no_numbers_are_a_reason_and_not_a_crash(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = first_rows(tmp_path, name, 3, value="about forty", nodes="", params_b="?")
    reasons = {row["skipped"] for row in report(capsys, path)["rows"]}
    assert reasons <= {"unreadable_value", "unreadable_nodes"}


def test_rows_without_a_prediction_count_for_the_class_of_their_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = first_rows(tmp_path, "inference.csv", 1, model="nobody's model")
    row = report(capsys, path)["rows"][0]
    assert (row["skipped"], row["gpu_class"]) == ("unknown_model", "rtx-pro-6000")


def test_a_file_of_another_kind_is_told_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.csv"
    path.write_text("id,model,gpu\n1,a,b\n", encoding="utf-8")
    assert validate(path, None, as_json=False) == 2
    assert "lacks the columns gpu_count" in capsys.readouterr().err


def test_the_terminal_shows_rows_then_errors_then_what_was_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert validate(first_rows(tmp_path, "inference.csv", 4), None, as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("M0001")
    assert any(line.startswith("figure") for line in lines)
    assert lines[-1].startswith("4 rows, 0.0% skipped")

"""The command line of the catalogue."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

import pytest

from kentino_configurator.catalog.commands import main


def test_build_writes_a_catalogue_that_verify_accepts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new.db"
    assert main(["build", "-o", str(target)]) == 0
    assert main(["verify", str(target)]) == 0
    out = capsys.readouterr().out
    assert "model: 130" in out and "content " in out


def test_verify_refuses_a_catalogue_that_was_edited_by_hand(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "edited.db"
    path.write_bytes(database.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE price SET net_cents = 1 WHERE item_id = 'rtx-5090'")
    connection.close()
    assert main(["verify", str(path)]) == 2
    assert "changed after the build" in capsys.readouterr().err


def test_export_writes_every_table_as_csv(database: Path, tmp_path: Path) -> None:
    assert main(["export", str(database), "-o", str(tmp_path)]) == 0
    with (tmp_path / "gpu.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["id"] == "rtx-5090" and len(rows) == 27


def test_a_missing_catalogue_is_one_line_and_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / "none.db")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("name", ["sign", "install"])
def test_a_later_command_says_that_it_is_not_available_yet(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "catalog.db"]) == 2
    assert "not available yet" in capsys.readouterr().err

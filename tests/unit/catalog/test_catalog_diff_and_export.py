"""Comparing catalogues and taking them out as CSV."""

from __future__ import annotations

import csv
import datetime
import json
from pathlib import Path

import pytest

from kentino_configurator.catalog.commands import main
from kentino_configurator.catalog.content import Record, Records
from kentino_configurator.catalog.diff import differences
from kentino_configurator.catalog.export import export_price_list, harmless
from kentino_configurator.catalog.price_list import read_price_list
from kentino_configurator.catalog.verify import read_verified


@pytest.fixture(scope="module")
def records(database: Path) -> Records:
    return read_verified(database)


def _with(records: Records, table: str, key: str, name: str, **changes: object) -> Records:
    def changed(row: Record) -> Record:
        return row | changes if row[key] == name else row

    return records | {table: [changed(row) for row in records[table]]}


def test_equal_catalogues_have_no_difference(records: Records) -> None:
    assert list(differences(records, records)) == []


def test_added_removed_and_changed_parts_are_told(records: Records) -> None:
    fewer = records | {"part": records["part"][1:]}
    first = records["part"][0]["sku"]
    assert list(differences(records, fewer)) == [f"part {first}: removed"]
    assert list(differences(fewer, records)) == [f"part {first}: added"]
    shorter = _with(records, "platform", "id", "supermicro-sys-522ga-nrt", depth_mm=None)
    assert list(differences(records, shorter)) == [
        "platform supermicro-sys-522ga-nrt: depth_mm 786 -> unknown"
    ]


def test_a_retired_part_is_told_as_such(records: Records) -> None:
    sku = records["part"][0]["sku"]
    retired = _with(records, "part", "sku", sku, retired=1)
    assert list(differences(records, retired)) == [f"part {sku}: retired"]
    assert list(differences(retired, records)) == [f"part {sku}: sold again"]


def test_policy_and_prices_are_told_with_old_and_new(records: Records) -> None:
    stricter = _with(records, "policy", "id", "weights.ceiling_share", value=0.65)
    assert list(differences(records, stricter)) == ["policy weights.ceiling_share: value 0.7 -> 0.65"]
    cheaper = _with(records, "price", "item_id", "rtx-5090", net_cents=291_664)
    (line,) = differences(records, cheaper)
    assert (
        line.startswith("price rtx-5090: 5833.29 EUR observed 2026-10-07 -> 2916.64") and "(-50.0 %)" in line
    )


def test_a_model_entry_names_the_keys_that_changed(records: Records) -> None:
    row = records["model"][0]
    entry = json.loads(row["entry"]) | {"license": "other"}
    changed = _with(records, "model", "id", row["id"], entry=json.dumps(entry))
    assert [line.split(" ->")[0].split(": ")[1].split()[0] for line in differences(records, changed)] == [
        "license"
    ]


def test_the_command_counts_the_differences(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(database), str(database)]) == 0
    assert capsys.readouterr().out == "no difference\n"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x")'])
def test_a_text_that_looks_like_a_formula_is_made_harmless(text: str) -> None:
    assert harmless(text) == f"'{text}"


def test_numbers_and_plain_texts_stay_as_they_are() -> None:
    assert [harmless(value) for value in (-1, 2.5, None, "AS-4125GS")] == [-1, 2.5, None, "AS-4125GS"]


def test_no_exported_cell_begins_like_a_formula(database: Path, tmp_path: Path) -> None:
    assert main(["export", str(database), "-o", str(tmp_path)]) == 0
    for path in tmp_path.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                for cell in row:
                    assert not cell.startswith(("=", "+", "@", "\t", "\r")), (path.name, cell)
                    assert not cell.startswith("-") or float(cell) < 0, (path.name, cell)


def test_an_exported_price_list_holds_no_estimate_as_a_price(records: Records, tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    count = export_price_list(records, path)
    read = read_price_list(path, datetime.date(2026, 12, 1))
    assert (read.prices, read.rejected, read.unpriced) == ((), (), count)


def test_an_exported_list_price_comes_back_as_it_was(records: Records, tmp_path: Path) -> None:
    priced = _with(records, "price", "item_id", "l4", net_cents=12_345, status="kentino_list")
    path = tmp_path / "prices.csv"
    export_price_list(priced, path)
    (price,) = read_price_list(path, datetime.date(2026, 12, 1)).prices
    assert (price.sku, str(price.amount), price.currency, price.vat_included) == (
        "l4",
        "123.45",
        "EUR",
        False,
    )

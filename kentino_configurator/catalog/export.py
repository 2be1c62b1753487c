"""A catalogue as CSV files that a spreadsheet opens without running anything that is written in them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kentino_configurator.catalog.content import Records

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
PRICE_LIST_COLUMNS = (
    *("SKU", "MPN", "Name", "Price", "Currency", "VAT", "VAT rate", "Date", "Valid until"),
    *("Known net EUR", "Known status", "Known since"),
)


def export_tables(records: Records, folder: Path) -> int:
    """Writes every table with rows as a CSV file and returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {table: rows for table, rows in records.items() if rows}
    for table, rows in tables.items():
        _write(folder / f"{table}.csv", rows[0], (row.values() for row in rows))
    return len(tables)


def export_price_list(records: Records, path: Path) -> int:
    """Writes all items in the form ``catalog import`` reads; returns the rows.

    Only prices of Kentino's list stand under ``Price``: others are for information, so that an estimate does not
    come back as a firm price.
    """
    rows = list(_price_rows(records))
    _write(path, PRICE_LIST_COLUMNS, rows)
    return len(rows)


def _price_rows(records: Records) -> Iterator[tuple[str, ...]]:
    prices = {price["item_id"]: price for price in records["price"]}
    for item_id, mpn, name in _named_items(records):
        price = prices[item_id]
        amount = "" if price["net_cents"] is None else f"{price['net_cents'] / 100:.2f}"
        own = price["status"] == "kentino_list"
        listed = (amount, "EUR", "excl", "", price["observed_on"], price["valid_until"]) if own else ("",) * 6
        yield (item_id, mpn, name, *listed, amount, price["status"], price["observed_on"])


def _named_items(records: Records) -> Iterator[tuple[str, str, str]]:
    yield from ((gpu["id"], gpu["part_number"], gpu["name"]) for gpu in records["gpu"])
    yield from ((platform["id"], "", platform["name"]) for platform in records["platform"])
    yield from ((p["sku"], p["mpn"], p["name"]) for p in records["part"] if not p["retired"])


def _write(path: Path, header: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([harmless(value) for value in row] for row in rows)


def harmless(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value

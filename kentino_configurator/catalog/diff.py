"""What differs between two catalogues, in lines a person reads: parts, prices, policy, models, builds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kentino_configurator.catalog.content import Record, Records

KEYS = {"gpu": "id", "platform": "id", "part": "sku", "build": "id", "model": "id", "policy": "id"}
"""Tables whose rows are things with a name, and the column that names them."""
SILENT = frozenset({"position"})
LONGEST_VALUE = 60


def differences(old: Records, new: Records) -> Iterator[str]:
    """One line for each thing that was added, removed or changed; nothing for equal catalogues."""
    for table, key in KEYS.items():
        yield from _of_table(table, key, old, new)
    yield from _of_prices(old, new)
    yield from _of_imports(old, new)


def _of_table(table: str, key: str, old: Records, new: Records) -> Iterator[str]:
    before, after = _by(old[table], key), _by(new[table], key)
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            yield f"{table} {name}: added"
        elif name not in after:
            yield f"{table} {name}: removed"
        else:
            for change in _changes(before[name], after[name]):
                yield f"{table} {name}: {change}"


def _by(records: list[Record], key: str) -> dict[str, Record]:
    return {record[key]: record for record in records}


def _changes(before: Record, after: Record) -> Iterator[str]:
    for column in after:
        if column in SILENT or before.get(column) == after[column]:
            continue
        if column == "retired":
            yield "retired" if after[column] else "sold again"
        elif column == "entry":
            yield from _entry_changes(json.loads(before[column]), json.loads(after[column]))
        else:
            yield f"{column} {_shown(before.get(column))} -> {_shown(after[column])}"


def _entry_changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Changed keys of an entry that is kept as JSON."""
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"{name} {_shown(before.get(name))} -> {_shown(after.get(name))}"


def _shown(value: Any) -> str:
    if value in (None, ""):
        return "unknown"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."


def _of_prices(old: Records, new: Records) -> Iterator[str]:
    before, after = _by(old["price"], "item_id"), _by(new["price"], "item_id")
    for item_id in sorted(before.keys() & after.keys()):
        first, second = price_words(before[item_id]), price_words(after[item_id])
        if first != second:
            yield f"price {item_id}: {first} -> {second}{change_words(before[item_id], after[item_id])}"


def price_words(price: Record) -> str:
    """``5833.29 EUR estimated 2026-10-07``, with the end of its validity when it has one."""
    if price["net_cents"] is None:
        return "missing"
    amount = f"{price['net_cents'] / 100:.2f} EUR {price['status']} {price['observed_on']}"
    return f"{amount} until {price['valid_until']}" if price["valid_until"] else amount


def change_words(old: Record, new: Record) -> str:
    """``  (-5.7 %)`` between two known amounts that differ, else nothing."""
    before, after = old["net_cents"], new["net_cents"]
    if before is None or after is None or before == after:
        return ""
    return f"  ({(after - before) / before:+.1%})".replace("%", " %")


def _of_imports(old: Records, new: Records) -> Iterator[str]:
    known = {record["file_sha256"] for record in old["price_import"]}
    for record in new["price_import"]:
        if record["file_sha256"] not in known:
            yield f"price list {record['file_name']}: imported {record['imported_at']} by {record['author']}"

"""Everything that can be wrong with a catalogue file: damage, tampering, a foreign format, lost and old prices."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from kentino_configurator.catalog.content import Record, Records, content_hash, read_records
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.repository import load_snapshot, open_catalog
from kentino_configurator.catalog.schema import DDL

VOLATILE_CATEGORIES = ("ram", "storage_drive")
"""Categories of parts whose prices age as fast as those of cards."""


def read_verified(path: Path) -> Records:
    """All tables of a sound catalogue, ``meta`` included; raises ``CatalogError`` with the first thing wrong."""
    try:
        with closing(open_catalog(path)) as connection:
            if finding := next(_damage(connection), None):
                raise CatalogError(f"{path}: {finding}; build it again.")
            records = read_records(connection)
            records["meta"] = [dict(row) for row in connection.execute("SELECT key, value FROM meta")]
    except sqlite3.Error as error:
        raise CatalogError(f"{path}: damaged ({error}); build it again.") from error
    recorded = {record["key"]: record["value"] for record in records["meta"]}
    if content_hash(records) != recorded.get("sha256"):
        raise CatalogError(f"{path}: the content was changed after the build; build it again.")
    _read_every_entry(path)
    return records


def _damage(connection: sqlite3.Connection) -> Iterator[str]:
    for (finding,) in connection.execute("PRAGMA integrity_check"):
        if finding != "ok":
            yield f"damaged ({finding})"
    for row in connection.execute("PRAGMA foreign_key_check"):
        yield f"damaged (a row of {row[0]} points nowhere)"
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(DDL)
        wanted, found = _tables(fresh), _tables(connection)
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            yield f"table {name} is not that of this program"
    for (item_id,) in connection.execute(
        "SELECT id FROM item WHERE id NOT IN (SELECT item_id FROM price) ORDER BY id"
    ):
        yield f"{item_id} has no entry in the table of prices"


def _tables(connection: sqlite3.Connection) -> dict[str, str]:
    """SQL of every table without its line breaks; the inner tables of the search index are SQLite's own."""
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search_text_fts_%'"
    )
    return {name: " ".join(sql.split()) for name, sql in rows}


def _read_every_entry(path: Path) -> None:
    """Parses what is otherwise parsed on first use."""
    snapshot = load_snapshot(path)
    try:
        for lazy in (snapshot.models, snapshot.platforms):
            for key in lazy:
                lazy[key]
    except (KeyError, ValueError, TypeError) as error:
        raise CatalogError(f"{path}: damaged (an entry cannot be read: {error}); build it again.") from error


def price_warnings(records: Records, today: datetime.date) -> Iterator[str]:
    """Prices to renew: those whose validity ended, and those older than the policy allows."""
    allowed = {
        volatile: _days(records, name)
        for volatile, name in ((True, "price.stale_days_volatile"), (False, "price.stale_days"))
    }
    volatile_items = set(_volatile_items(records))
    for price in records["price"]:
        if price["valid_until"] and price["valid_until"] < today.isoformat():
            yield f"{price['item_id']}: valid until {price['valid_until']}"
        elif price["observed_on"]:
            age = (today - datetime.date.fromisoformat(price["observed_on"])).days
            if age > allowed[price["item_id"] in volatile_items]:
                yield f"{price['item_id']}: {price['status']}, {age} days old"


def _days(records: Records, policy_id: str) -> float:
    return next(float(entry["value"]) for entry in records["policy"] if entry["id"] == policy_id)


def _volatile_items(records: Records) -> Iterator[str]:
    yield from (gpu["id"] for gpu in records["gpu"])
    yield from (part["sku"] for part in records["part"] if _is_volatile(part))


def _is_volatile(part: Record) -> bool:
    return part["category"] in VOLATILE_CATEGORIES

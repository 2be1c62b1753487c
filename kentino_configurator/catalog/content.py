"""The content of a catalogue apart from its file: the same facts have the same hash, whatever SQLite wrote them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from typing import Any

Record = dict[str, Any]
Records = dict[str, list[Record]]

TABLES = (
    "source",
    "currency",
    "policy",
    "item",
    "price_observation",
    "price",
    "price_import",
    "gpu",
    "gpu_alias",
    "model",
    "model_alias",
    "slot_map",
    "platform",
    "part",
    "build",
    "build_gpu",
    "build_part",
    "path_bandwidth",
    "reliability",
    "calibration",
    "search_text",
)


def compact_json(value: Any) -> str:
    """JSON without spaces, keys in their own order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def content_hash(records: Mapping[str, list[Record]]) -> str:
    """SHA-256 over all facts; ``meta``, which holds the hash itself, is left out."""
    facts = {table: records[table] for table in TABLES}
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def read_records(connection: sqlite3.Connection) -> Records:
    """All tables of a catalogue, rows in the order they were written."""
    return {
        table: [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY rowid")]
        for table in TABLES
    }

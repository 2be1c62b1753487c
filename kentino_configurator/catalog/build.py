"""``resources/catalog`` and ``policy.toml`` to ``catalog.db``: the same content for the same input.

The database is written to a temporary file under foreign keys and CHECKs and then moved into place, so that a
failing build leaves the old catalogue alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from kentino_configurator.catalog.aliases import gpu_alias_records, model_alias_records
from kentino_configurator.catalog.content import Record, Records, compact_json, content_hash
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.evidence_records import (
    calibration_record,
    currency_record,
    path_record,
    policy_record,
    reliability_record,
)
from kentino_configurator.catalog.model_entry import model_from_entry
from kentino_configurator.catalog.part_records import (
    build_gpu_records,
    build_part_records,
    build_record,
    gpu_record,
    part_record,
    platform_record,
)
from kentino_configurator.catalog.policy_file import read_policy
from kentino_configurator.catalog.price_records import observation_from_row, observation_record, price_records
from kentino_configurator.catalog.schema import DDL, FILL_SEARCH_INDEX, SCHEMA_VERSION
from kentino_configurator.catalog.tables import Row, read_json, read_rows, read_toml

PART_FILES = (
    "cpus.csv",
    "memory.csv",
    "drives.csv",
    "nics.csv",
    "switches.csv",
    "cables.csv",
    "power.csv",
    "chassis.csv",
    "storage.csv",
    "software.csv",
    "services.csv",
)


def build_catalog(sources: Path, policy: Path, target: Path) -> str:
    """Builds ``target`` and returns its content hash; raises ``CatalogError`` naming the row that is wrong."""
    records = collect(sources, policy)
    draft = target.with_name(f"{target.name}.new")
    draft.unlink(missing_ok=True)
    try:
        write_database(records, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return content_hash(records)


def collect(sources: Path, policy: Path) -> Records:
    """All tables as records, in insertion order."""
    identity = read_toml(sources / "catalog.toml")
    records = _evidence(sources, policy) | _hardware(sources) | _models(sources)
    records["item"] = _items(records)
    observations = [observation_from_row(row) for row in read_rows(sources / "prices.csv")]
    records["price_observation"] = [observation_record(o, n) for n, o in enumerate(observations, start=1)]
    records["price"] = list(
        price_records(records["item"], observations, records["currency"], identity["date"])
    )
    records["price_import"] = []
    records["search_text"] = list(_search_texts(records))
    digest = content_hash(records)
    values = {
        "version": identity["version"],
        "date": identity["date"],
        "facts_date": identity["date"],
        "sha256": digest,
    }
    records["meta"] = [{"key": key, "value": value} for key, value in values.items()]
    return records


def write_database(records: Records, path: Path) -> None:
    """Writes a fresh database file; raises ``CatalogError`` when a constraint is broken."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(
            f"PRAGMA journal_mode = DELETE; PRAGMA user_version = {SCHEMA_VERSION};{DDL}"
        )
        try:
            _fill(connection, records)
        except sqlite3.IntegrityError as error:
            raise CatalogError(f"The catalogue sources contradict each other: {error}.") from error
        connection.execute("VACUUM")


def _fill(connection: sqlite3.Connection, records: Records) -> None:
    from sqlite_utils import Database

    database = Database(connection)
    database.execute("PRAGMA foreign_keys = ON")
    with database.atomic():
        database.execute("PRAGMA defer_foreign_keys = ON")
        for table, rows in records.items():
            database.table(table).insert_all(rows)
    for step in FILL_SEARCH_INDEX:
        database.execute(step)


def _evidence(sources: Path, policy: Path) -> Records:
    paths = read_rows(sources / "path_bandwidth.csv")
    return {
        "source": [row.texts("key what weight") for row in read_rows(sources / "sources.csv")],
        "currency": [currency_record(row) for row in read_rows(sources / "currencies.csv")],
        "policy": [policy_record(entry) for entry in read_policy(policy).values.values()],
        "path_bandwidth": [path_record(row, position) for position, row in enumerate(paths)],
        "reliability": [reliability_record(row) for row in read_rows(sources / "reliability.csv")],
        "calibration": [calibration_record(row) for row in read_rows(sources / "calibration.csv")],
    }


def _hardware(sources: Path) -> Records:
    gpus = [gpu_record(row, n) for n, row in enumerate(read_rows(sources / "gpus.csv"))]
    slot_maps = read_json(sources / "slot_maps.json")["platforms"]
    builds = list(read_rows(sources / "reference_builds.csv"))
    return {
        "gpu": gpus,
        "gpu_alias": list(gpu_alias_records(gpus)),
        "slot_map": [{"id": entry["id"], "entry": compact_json(entry)} for entry in slot_maps],
        "platform": [platform_record(row, n) for n, row in enumerate(read_rows(sources / "platforms.csv"))],
        "part": [part_record(row, n) for n, row in enumerate(_part_rows(sources))],
        "build": [build_record(row, n) for n, row in enumerate(builds)],
        "build_gpu": [record for row in builds for record in build_gpu_records(row)],
        "build_part": [record for row in builds for record in build_part_records(row)],
    }


def _models(sources: Path) -> Records:
    models = read_json(sources / "models.json")["models"]
    return {
        "model": [_model(entry, position) for position, entry in enumerate(models)],
        "model_alias": list(model_alias_records(models)),
    }


def _part_rows(sources: Path) -> Iterator[Row]:
    for name in PART_FILES:
        yield from read_rows(sources / name)


def _model(entry: Mapping[str, Any], position: int) -> Record:
    try:
        model = model_from_entry(entry)
    except (KeyError, TypeError, ValueError) as error:
        where = f"models.json, {entry.get('id', position)}"
        raise CatalogError(f"{where}: the entry is incomplete or has a wrong value ({error}).") from error
    return {
        "id": model.id,
        "position": position,
        "name": model.name,
        "hf_id": model.hf_id,
        "text_params": model.text_params,
        "active_params": model.active_params,
        "entry": compact_json(entry),
    }


def _items(records: Records) -> list[Record]:
    """Everything that can have a price."""
    keys = {"gpu": "id", "platform": "id", "part": "sku"}
    return [{"id": record[key], "kind": kind} for kind, key in keys.items() for record in records[kind]]


def _search_texts(records: Records) -> Iterator[Record]:
    found = (
        *(("gpu", g["id"], g["name"], "NVIDIA", g["part_number"], g["architecture"]) for g in records["gpu"]),
        *(("platform", p["id"], p["name"], p["vendor"], "", p["class"]) for p in records["platform"]),
        *(("part", p["sku"], p["name"], p["vendor"], p["mpn"], p["attributes"]) for p in records["part"]),
        *(("model", m["id"], m["name"], m["hf_id"].split("/")[0], "", m["hf_id"]) for m in records["model"]),
    )
    columns = ("kind", "item_id", "name", "maker", "mpn", "description")
    for number, values in enumerate(found, start=1):
        yield {"rowid": number} | dict(zip(columns, values, strict=True))

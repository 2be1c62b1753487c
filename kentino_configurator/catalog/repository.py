"""``catalog.db`` to ``CatalogSnapshot``: read-only, without SQL anywhere else, on the start path of every command."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.lazy import LazyMapping
from kentino_configurator.catalog.model_entry import model_from_entry
from kentino_configurator.catalog.schema import PART_COLUMNS, SCHEMA_VERSION
from kentino_configurator.catalog.slot_map_entry import slot_map_from_entry
from kentino_configurator.core.calibration import Calibration, Parameter
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.hardware import (
    GpuSpec,
    PartSpec,
    PlatformSpec,
    Price,
    PriceStatus,
    ReferenceBuild,
    Tier,
)
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.money import Money
from kentino_configurator.core.policy import Policy, PolicyValue
from kentino_configurator.paths import catalog_path

Prices = Mapping[str, Price]

_SQLITE_HEADER = b"SQLite format 3\x00"
_RENAMED_PLATFORM = {"class": "class_"}


def load_snapshot(path: Path | None = None) -> CatalogSnapshot:
    """The catalogue of a file, or of the shipped one; raises ``CatalogError`` when it cannot be used.

    Models and slot maps are parsed when first looked at.
    """
    path = path or catalog_path()
    try:
        with closing(open_catalog(path)) as connection:
            return _snapshot(connection)
    except (sqlite3.Error, KeyError, ValueError, TypeError) as error:
        raise CatalogError(
            f"{path}: the catalogue is damaged ({error}); build it again or install a good copy."
        ) from error


def open_catalog(path: Path) -> sqlite3.Connection:
    """A read-only connection to a catalogue whose format this program knows; raises ``CatalogError`` otherwise."""
    if not path.is_file():
        raise CatalogError(
            f"{path}: there is no catalogue; name one with --catalog or build it with 'catalog build'."
        )
    with path.open("rb") as file:
        if file.read(len(_SQLITE_HEADER)) != _SQLITE_HEADER:
            raise CatalogError(f"{path}: this is not a catalogue file.")
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        _require_known_version(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _require_known_version(connection: sqlite3.Connection, path: Path) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise CatalogError(
            f"{path}: the catalogue is newer (format {version}) than this program "
            f"(format {SCHEMA_VERSION}); update the program."
        )
    if version < SCHEMA_VERSION:
        raise CatalogError(
            f"{path}: the catalogue has format {version}, this program needs {SCHEMA_VERSION}; build it again."
        )


def _snapshot(connection: sqlite3.Connection) -> CatalogSnapshot:
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    prices = {row["item_id"]: _price(row) for row in connection.execute("SELECT * FROM price")}
    return CatalogSnapshot(
        version=meta["version"],
        date=meta["date"],
        sha256=meta["sha256"],
        gpus=MappingProxyType({gpu.id: gpu for gpu in _gpus(connection, prices)}),
        models=_models(connection),
        platforms=_platforms(connection, prices),
        parts=MappingProxyType({part.sku: part for part in _parts(connection, prices)}),
        builds=tuple(_builds(connection)),
        aliases=MappingProxyType(
            dict(connection.execute("SELECT spelling, model_id FROM model_alias").fetchall())
        ),
        gpu_aliases=MappingProxyType(_gpu_aliases(connection)),
        policy=Policy(MappingProxyType({value.id: value for value in _policy(connection)})),
        calibration=Calibration(MappingProxyType(dict(_calibration(connection)))),
        path_bandwidth=tuple(
            MappingProxyType(dict(row))
            for row in connection.execute("SELECT * FROM path_bandwidth ORDER BY position")
        ),
        facts=MappingProxyType(_facts(connection)),
    )


def _price(row: sqlite3.Row) -> Price:
    return Price(
        amount=None if row["net_cents"] is None else Money(row["net_cents"], row["currency"]),
        status=PriceStatus(row["status"]),
        observed_on=row["observed_on"],
        valid_until=row["valid_until"],
        source=row["source"],
        note=row["note"],
    )


def _gpus(connection: sqlite3.Connection, prices: Prices) -> Iterator[GpuSpec]:
    """GPUs with known tensor rates; a card without them can be listed but not computed."""
    for row in connection.execute("SELECT * FROM gpu WHERE bf16_flop_per_s IS NOT NULL ORDER BY position"):
        fields = dict(row)
        del fields["position"]
        fields |= {
            "aliases": tuple(json.loads(row["aliases"])),
            "tier": Tier(row["tier"]),
            "p2p": None if row["p2p"] is None else bool(row["p2p"]),
            "mig": bool(row["mig"]),
            "is_geforce": bool(row["is_geforce"]),
            "price": prices[row["id"]],
        }
        yield GpuSpec(**fields)


def _models(connection: sqlite3.Connection) -> Mapping[str, ModelSpec]:
    raw = dict(connection.execute("SELECT id, entry FROM model ORDER BY position").fetchall())
    return LazyMapping(raw, lambda model_id: model_from_entry(json.loads(raw[model_id])))


def _platforms(connection: sqlite3.Connection, prices: Prices) -> Mapping[str, PlatformSpec]:
    rows = {row["id"]: row for row in connection.execute("SELECT * FROM platform ORDER BY position")}
    maps = dict(connection.execute("SELECT id, entry FROM slot_map").fetchall())
    return LazyMapping(
        rows, lambda key: _platform(rows[key], maps.get(rows[key]["slot_map_id"]), prices[key])
    )


def _platform(row: sqlite3.Row, slot_map: str | None, price: Price) -> PlatformSpec:
    fields = {_RENAMED_PLATFORM.get(key, key): value for key, value in dict(row).items()}
    del fields["position"], fields["slot_map_id"]
    tree = None if slot_map is None else slot_map_from_entry(json.loads(slot_map))
    return PlatformSpec(**fields, slot_map=tree, price=price)


def _parts(connection: sqlite3.Connection, prices: Prices) -> Iterator[PartSpec]:
    columns = ", ".join(PART_COLUMNS)
    for row in connection.execute(f"SELECT {columns} FROM part ORDER BY position"):
        yield PartSpec(**dict(row) | {"retired": bool(row["retired"])}, price=prices[row["sku"]])


def _builds(connection: sqlite3.Connection) -> Iterator[ReferenceBuild]:
    gpus: dict[str, list[str]] = {}
    for build_id, gpu_id in connection.execute(
        "SELECT build_id, gpu_id FROM build_gpu ORDER BY build_id, position"
    ):
        gpus.setdefault(build_id, []).append(gpu_id)
    parts: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for row in connection.execute("SELECT * FROM build_part ORDER BY build_id, role, position"):
        parts.setdefault((row["build_id"], row["role"]), []).append((row["quantity"], row["sku"]))
    for row in connection.execute("SELECT * FROM build ORDER BY position"):
        yield _build(row, tuple(gpus[row["id"]]), parts)


def _build(
    row: sqlite3.Row, gpu_ids: tuple[str, ...], parts: Mapping[tuple[str, str], list[tuple[int, str]]]
) -> ReferenceBuild:
    def of(role: str) -> tuple[tuple[int, str], ...]:
        return tuple(parts.get((row["id"], role), ()))

    return ReferenceBuild(
        id=row["id"],
        name=row["name"],
        gpu_ids=gpu_ids,
        gpu_count=row["gpu_count"],
        platform_id=row["platform_id"],
        form=row["form"],
        cpus=of("cpus")[0],
        dimms=of("dimms")[0],
        nics=of("nics"),
        psus=of("psus"),
        psu_w=row["psu_w"],
        psu_count=row["psu_count"],
        vendor_listed=None if row["vendor_listed"] is None else bool(row["vendor_listed"]),
        gpu_cap_w=row["gpu_cap_w"],
        notes=row["notes"],
        source=row["source"],
        parts=of("parts"),
    )


def _gpu_aliases(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    aliases: dict[str, tuple[str, ...]] = {}
    for spelling, gpu_id in connection.execute(
        "SELECT spelling, gpu_id FROM gpu_alias ORDER BY spelling, position"
    ):
        aliases[spelling] = (*aliases.get(spelling, ()), gpu_id)
    return aliases


def _policy(connection: sqlite3.Connection) -> Iterator[PolicyValue]:
    for row in connection.execute("SELECT * FROM policy"):
        yield PolicyValue(**dict(row) | {"evidence": Evidence(row["evidence"])})


def _calibration(connection: sqlite3.Connection) -> Iterator[tuple[tuple[str, str, str], Parameter]]:
    for row in connection.execute("SELECT * FROM calibration"):
        fields = dict(row)
        key = (fields.pop("topic"), fields.pop("subject"), fields.pop("name"))
        yield key, Parameter(**fields)


def _facts(connection: sqlite3.Connection) -> dict[str, Any]:
    rates = connection.execute("SELECT * FROM currency").fetchall()
    return {
        "eur_rates": {row["currency"]: row["eur_per_unit"] for row in rates},
        "eur_rates_date": {row["currency"]: row["date"] for row in rates},
        "eur_rates_note": {row["currency"]: row["note"] for row in rates},
        "sources": dict(connection.execute("SELECT key, what FROM source").fetchall()),
        "price_imports": tuple(
            dict(row) for row in connection.execute("SELECT * FROM price_import ORDER BY id")
        ),
        "reliability": tuple(dict(row) for row in connection.execute("SELECT * FROM reliability")),
    }

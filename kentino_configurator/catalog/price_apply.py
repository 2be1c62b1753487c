"""Applying a previewed price list: all of it or nothing, into a new file that takes the place of the old one."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Iterator
from pathlib import Path

from kentino_configurator.catalog.build import write_database
from kentino_configurator.catalog.content import Record, Records, content_hash
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.last_good import previous_of
from kentino_configurator.catalog.price_preview import Effect, Preview, facts_date, observation_of
from kentino_configurator.catalog.price_records import observation_record, price_records
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.catalog.verify import read_verified


def apply(preview: Preview, catalog: Path, author: str, now: datetime.datetime) -> str:
    """Writes the list into ``catalog`` and returns the new content hash.

    The new file is written and verified beside the old one, which is kept as ``....previous``; raises
    ``CatalogError`` and leaves everything as it was when a row is rejected or the result does not verify.
    """
    if preview.rejected:
        raise CatalogError(
            f"{preview.price_list.file_name}: {len(preview.rejected)} rows are rejected, so nothing was applied."
        )
    records = with_prices(read_verified(catalog), preview, author, now)
    draft = catalog.with_name(f"{catalog.name}.new")
    draft.unlink(missing_ok=True)
    try:
        write_database(records, draft)
        load_snapshot(draft)
        _keep(catalog)
        draft.replace(catalog)
    finally:
        draft.unlink(missing_ok=True)
    return content_hash(records)


def _keep(catalog: Path) -> None:
    """Copies the catalogue to its previous one, in one step like the catalogue itself."""
    kept = previous_of(catalog)
    draft = kept.with_name(f"{kept.name}.new")
    shutil.copyfile(catalog, draft)
    draft.replace(kept)


def with_prices(records: Records, preview: Preview, author: str, now: datetime.datetime) -> Records:
    """The records of the catalogue with the list in them; current prices follow from all observations again."""
    meta = {record["key"]: record["value"] for record in records["meta"]}
    day = max(meta["date"], now.date().isoformat())
    changed = {**records, "price_observation": [*records["price_observation"], *_added(records, preview)]}
    observations = [observation_of(record) for record in changed["price_observation"]]
    changed["price"] = list(
        price_records(records["item"], observations, records["currency"], facts_date(records))
    )
    changed["price_import"] = [*records["price_import"], _audit(records, preview, author, now)]
    values = {
        "version": f"{meta['version'].split('+')[0]}+{len(changed['price_import'])}",
        "date": day,
        "facts_date": meta["facts_date"],
        "sha256": content_hash(changed),
    }
    changed["meta"] = [{"key": key, "value": value} for key, value in values.items()]
    return changed


def _added(records: Records, preview: Preview) -> Iterator[Record]:
    last = max((record["id"] for record in records["price_observation"]), default=0)
    for number, change in enumerate(preview.changes, start=last + 1):
        yield observation_record(change.observation, number)


def _audit(records: Records, preview: Preview, author: str, now: datetime.datetime) -> Record:
    """Who imported what and when."""
    counts = {effect.value: len(preview.having(effect)) for effect in Effect}
    before = next(record["value"] for record in records["meta"] if record["key"] == "sha256")
    return {
        "id": len(records["price_import"]) + 1,
        "imported_at": now.isoformat(timespec="seconds"),
        "author": author,
        "file_name": preview.price_list.file_name,
        "file_sha256": preview.price_list.sha256,
        "catalog_sha256_before": before,
        **counts,
    }

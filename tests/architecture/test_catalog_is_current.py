"""The shipped database is the one that the reviewable sources make."""

from __future__ import annotations

from contextlib import closing

from kentino_configurator.catalog.build import collect
from kentino_configurator.catalog.content import read_records
from kentino_configurator.catalog.repository import load_snapshot, open_catalog
from kentino_configurator.paths import catalog_path, resource_dir


def test_the_shipped_catalogue_holds_what_the_sources_say() -> None:
    sources = collect(resource_dir() / "catalog", resource_dir() / "policy.toml")
    with closing(open_catalog(catalog_path())) as connection:
        shipped = read_records(connection)
    stale = [table for table, rows in shipped.items() if rows != sources[table]]
    assert stale == [], "build it again with 'kentino-configurator catalog build'"
    recorded = {row["key"]: row["value"] for row in sources["meta"]}
    assert load_snapshot(catalog_path()).sha256 == recorded["sha256"]

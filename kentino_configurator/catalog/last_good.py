"""Opening a catalogue that may be damaged or newer than the program: refuse it clearly and use the last good one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.paths import catalog_path

PREVIOUS_SUFFIX = ".previous"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedCatalog:
    """A catalogue in use. ``refusal`` says why ``path`` is not the file that was asked for, empty when it is."""

    snapshot: CatalogSnapshot
    path: Path
    refusal: str = ""


def previous_of(catalog: Path) -> Path:
    """Where the catalogue that an import replaced is kept."""
    return catalog.with_name(catalog.name + PREVIOUS_SUFFIX)


def open_last_good(path: Path | None = None) -> OpenedCatalog:
    """The catalogue of a file, else the one it replaced, else the shipped one.

    Raises ``CatalogError`` when the file does not exist (it was misspelt) or when none of them can be used.
    """
    wanted = path or catalog_path()
    try:
        return OpenedCatalog(snapshot=load_snapshot(wanted), path=wanted)
    except CatalogError as error:
        if not wanted.is_file():
            raise
        return _instead_of(wanted, error)


def _instead_of(wanted: Path, error: CatalogError) -> OpenedCatalog:
    for other in (previous_of(wanted), catalog_path()):
        if other == wanted or not other.is_file():
            continue
        try:
            snapshot = load_snapshot(other)
        except CatalogError:
            continue
        refusal = f"{error} Used instead: {other}, version {snapshot.version} of {snapshot.date}."
        return OpenedCatalog(snapshot=snapshot, path=other, refusal=refusal)
    raise error

"""The alias tables: which spelling stands for which model, and for which cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kentino_configurator.catalog.content import Record
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.spellings import gpu_spelling, model_spelling


def model_alias_records(models: Iterable[Mapping[str, Any]]) -> Iterator[Record]:
    """One owner per spelling; raises ``CatalogError`` when two models claim the same one."""
    owner: dict[str, str] = {}
    for entry in models:
        for name in (entry["id"], entry["name"], entry["hf_id"], *entry["aliases"]):
            spelling = model_spelling(name)
            if owner.setdefault(spelling, entry["id"]) != entry["id"]:
                raise CatalogError(f"models.json: {name!r} names both {owner[spelling]} and {entry['id']}.")
    for spelling, model_id in owner.items():
        yield {"spelling": spelling, "model_id": model_id}


def gpu_alias_records(gpus: Iterable[Record]) -> Iterator[Record]:
    """Each spelling of a name, an alias or a family, with the cards it stands for."""
    owners: dict[str, list[str]] = {}
    for gpu in sorted(gpus, key=_edition_order):
        names = (gpu["id"], gpu["name"], gpu["family"], *json.loads(gpu["aliases"]))
        for spelling in dict.fromkeys(gpu_spelling(name) for name in names):
            owners.setdefault(spelling, []).append(gpu["id"])
    for spelling, ids in owners.items():
        for position, gpu_id in enumerate(ids):
            yield {"spelling": spelling, "position": position, "gpu_id": gpu_id}


def _edition_order(gpu: Record) -> tuple[int, int]:
    """The Server Edition and the SXM form stand for an unstated edition, so they come first."""
    usual = gpu["id"].endswith("-server") or gpu["form_factor"].startswith("SXM")
    return (0 if usual else 1, gpu["position"])

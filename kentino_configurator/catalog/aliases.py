"""The alias tables: which spelling stands for which model, and for which cards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kentino_configurator.catalog.content import Record
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.spellings import gpu_spelling, model_spelling

_SIZE = re.compile(r"-\d+(?:\.\d+)?[bt](?:-a\d+(?:\.\d+)?b)?$")


def model_alias_records(models: Sequence[Mapping[str, Any]]) -> Iterator[Record]:
    """One owner per spelling; raises ``CatalogError`` when two models claim the same one."""
    owner: dict[str, str] = {}
    for entry in models:
        for name in (entry["id"], entry["name"], entry["hf_id"], *entry["aliases"]):
            spelling = model_spelling(name)
            if owner.setdefault(spelling, entry["id"]) != entry["id"]:
                raise CatalogError(f"models.json: {name!r} names both {owner[spelling]} and {entry['id']}.")
    for spelling, model_id in (_names_without_size(models, owner) | owner).items():
        yield {"spelling": spelling, "model_id": model_id}


def _names_without_size(models: Iterable[Mapping[str, Any]], taken: Mapping[str, str]) -> dict[str, str]:
    """``mistral-large-3`` for ``mistral-large-3-675b``, where only one model has that name."""
    owners: dict[str, set[str]] = {}
    for entry in models:
        short = model_spelling(_SIZE.sub("", entry["id"]))
        owners.setdefault(short, set()).add(entry["id"])
    return {short: ids.pop() for short, ids in owners.items() if len(ids) == 1 and short not in taken}


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

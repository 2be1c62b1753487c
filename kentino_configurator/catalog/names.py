"""What a person means by a name: models and GPUs in people's spellings."""

from __future__ import annotations

import difflib

from kentino_configurator.catalog.spellings import gpu_spelling, model_spelling, stated_memory_gb
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.llm import ModelSpec

_LEAST_LIKENESS = 0.5


def resolve_model(snapshot: CatalogSnapshot, text: str) -> ModelSpec | None:
    """The model a person means, ``None`` when the catalogue does not know it.

    Case, dots, dashes, spaces, vendor prefix, remarks in brackets and suffixes such as ``-Instruct-2507`` do not
    matter.
    """
    model_id = snapshot.aliases.get(model_spelling(text))
    return None if model_id is None else snapshot.models[model_id]


def nearest_models(snapshot: CatalogSnapshot, text: str, count: int = 3) -> tuple[str, ...]:
    """Ids of the models whose spelling is nearest, best first; for "did you mean"."""
    close = difflib.get_close_matches(model_spelling(text), snapshot.aliases, count * 3, _LEAST_LIKENESS)
    return tuple(dict.fromkeys(snapshot.aliases[spelling] for spelling in close))[:count]


def resolve_gpus(snapshot: CatalogSnapshot, text: str) -> tuple[GpuSpec, ...]:
    """The cards a name stands for: one edition, or all editions of a family; empty when unknown.

    A memory size in the name must be that of the card. An unstated edition of the RTX PRO 6000 is taken as the
    Server Edition and an unstated data-centre card as the SXM one: these come first.
    """
    ids = snapshot.gpu_aliases.get(gpu_spelling(text), ())
    memory_gb = stated_memory_gb(text)
    found = (snapshot.gpus[gpu_id] for gpu_id in ids if gpu_id in snapshot.gpus)
    return tuple(gpu for gpu in found if memory_gb in (None, gpu.marketed_gb))


def nearest_gpus(snapshot: CatalogSnapshot, text: str, count: int = 3) -> tuple[str, ...]:
    """Ids of the cards whose spelling is nearest, best first."""
    close = difflib.get_close_matches(gpu_spelling(text), snapshot.gpu_aliases, count * 3, _LEAST_LIKENESS)
    ids = (gpu_id for spelling in close for gpu_id in snapshot.gpu_aliases[spelling])
    return tuple(dict.fromkeys(ids))[:count]

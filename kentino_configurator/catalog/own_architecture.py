"""A hand-written architecture: the ``architecture`` object of a request, checked field by field."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from kentino_configurator.catalog.config_fields import ALIASES, MAX_LAYERS, whole_number
from kentino_configurator.catalog.errors import ModelError
from kentino_configurator.catalog.model_entry import shape_from_arch
from kentino_configurator.core.llm import Ffn, Mixer, ModelSpec

DEFAULT_CONTEXT = 131072

_SUMMARY = {
    "num_layers": 0,
    "num_attention_heads": 0,
    "num_kv_heads": 0,
    "head_dim": 0,
    "intermediate_size": 0,
    "max_context": DEFAULT_CONTEXT,
}
_REQUIRED = ("hidden_size", "vocab_size")
_STRUCTURE = frozenset(
    {
        "name",
        "tie_embeddings",
        "mixers",
        "ffns",
        "layers",
        "first_dense_layers",
        "text_extra",
        "norms_per_layer",
        "norms_note",
    }
)
_BLOCK_EXTRA = frozenset({"indexer", "extra", "topk"})
_WORDS = {"qk_norm": ("head", "full", "per_head"), "gate": ("elementwise", "separate")}

KNOWN = _STRUCTURE | _SUMMARY.keys() | set(_REQUIRED) | {name for names in ALIASES.values() for name in names}


def require_known(data: Mapping[str, Any], known: frozenset[str] | set[str], where: str) -> None:
    """Raises ``ModelError`` for the first field that is not known, naming the nearest known one."""
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(str(key), sorted(known), 1)
            hint = f"; {near[0]!r} is known" if near else ""
            raise ModelError(f"{where}: the field {key!r} is not known{hint}")


def model_from_layers(data: Mapping[str, Any], name: str) -> ModelSpec:
    """The model of an architecture that lists its ``mixers``, ``ffns`` and ``layers``."""
    arch: dict[str, Any] = {key: _number(data, key, default) for key, default in _SUMMARY.items()}
    for key in _REQUIRED:
        arch[key] = _number(data, key, None)
    arch["norms_per_layer"] = _norms(data.get("norms_per_layer", 2))
    arch["text_extra"] = {"params": _number(data.get("text_extra") or {}, "params", 0)}
    arch["mixers"] = _blocks(data, "mixers", {field.name for field in fields(Mixer)})
    arch["ffns"] = _blocks(data, "ffns", {field.name for field in fields(Ffn)})
    arch["layers"] = list(_runs(data["layers"], arch))
    arch["num_layers"] = sum(count for _, _, count in arch["layers"])
    if not arch["hidden_size"] or not arch["vocab_size"]:
        raise ModelError("hidden_size and vocab_size must be above 0")
    if not 0 < arch["num_layers"] <= MAX_LAYERS:
        raise ModelError(f"layers must hold 1 to {MAX_LAYERS:,} layers, not {arch['num_layers']:,}")
    arch["tie_embeddings"] = bool(data.get("tie_embeddings"))
    try:
        return shape_from_arch(arch, model_id=name, name=name)
    except (KeyError, ValueError) as error:
        raise ModelError(f"mixers and ffns must name a known kind ({error})") from error


def _number(data: Any, key: str, default: int | None) -> int:
    value = data.get(key) if isinstance(data, Mapping) else None
    return whole_number(default if value is None else value, key)


def _norms(value: Any) -> int | dict[str, int]:
    """Norm vectors per layer: one number, or one per ``mixer/ffn`` with a ``default``."""
    if not isinstance(value, Mapping):
        return whole_number(value, "norms_per_layer")
    counts = {str(key): whole_number(count, f"norms_per_layer.{key}") for key, count in value.items()}
    return {"default": 2} | counts


def _blocks(data: Mapping[str, Any], part: str, names: set[str]) -> dict[str, Any]:
    blocks = data.get(part)
    if not isinstance(blocks, Mapping):
        raise ModelError(f"{part} must be an object that names the blocks used in layers")
    return {str(key): _block(block, f"{part}.{key}", names) for key, block in blocks.items()}


def _block(block: Any, where: str, names: set[str]) -> dict[str, Any]:
    if not isinstance(block, Mapping):
        raise ModelError(f"{where} must be an object")
    require_known(block, names | _BLOCK_EXTRA, where)
    return {key: _value(key, value, where) for key, value in block.items()}


def _value(key: str, value: Any, where: str) -> Any:
    if key == "kind" or value is None or isinstance(value, bool):
        return value
    if key == "indexer":
        return _block(value, f"{where}.indexer", {"heads", "head_dim"})
    if key in _WORDS:
        if value not in _WORDS[key]:
            raise ModelError(f"{where}.{key} must be one of {', '.join(_WORDS[key])}, not {value!r}")
        return value
    return whole_number(value, f"{where}.{key}")


def _runs(layers: Any, arch: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
    """The run-length list with its repeats resolved; a run names a mixer, a network and a count."""
    if not isinstance(layers, list) or len(layers) > MAX_LAYERS:
        raise ModelError(f"layers must be a list of [mixer, ffn, count] with at most {MAX_LAYERS:,} entries")
    for run in layers:
        if isinstance(run, Mapping):
            times = whole_number(run.get("repeat"), "layers.repeat")
            inner = list(_runs(run.get("layers"), arch))
            if times * len(inner) > MAX_LAYERS:
                raise ModelError(f"layers must hold 1 to {MAX_LAYERS:,} layers")
            yield from inner * times
        else:
            yield _run(run, arch)


def _run(run: Any, arch: Mapping[str, Any]) -> tuple[str, str, int]:
    if not isinstance(run, list) or len(run) != 3:
        raise ModelError(f"layers: a run reads [mixer, ffn, count], not {run!r}")
    mixer, ffn, count = run
    if mixer not in arch["mixers"] or ffn not in arch["ffns"]:
        raise ModelError(f"layers: {mixer!r} must stand in mixers and {ffn!r} in ffns")
    return mixer, ffn, whole_number(count, "layers, count")

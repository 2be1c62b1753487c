"""A Hugging Face ``config.json``, or a hand-written architecture, to ``ModelSpec``.

Both become the catalogue's ``arch`` form first, so that one set of counting rules serves all models. Whatever was
defaulted, guessed or ignored is named in the model's ``warnings`` and ``assumed``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from kentino_configurator.catalog.config_attention import is_latent, mixer_fields, mixer_names
from kentino_configurator.catalog.config_feed_forward import ffn_fields, ffn_names
from kentino_configurator.catalog.config_fields import Config, read_config, whole_number
from kentino_configurator.catalog.config_quantization import native_precision
from kentino_configurator.catalog.errors import ModelError
from kentino_configurator.catalog.model_entry import shape_from_arch
from kentino_configurator.catalog.own_architecture import (
    DEFAULT_CONTEXT,
    KNOWN,
    model_from_layers,
    require_known,
)
from kentino_configurator.core.evidence import Source
from kentino_configurator.core.llm import CheckpointSize, ModelSpec, Precision

TIED_BY_DEFAULT = ("gemma", "cohere")
NORMS_PER_LAYER = {
    "gemma2": 4,
    "gemma3": 4,
    "gemma3_text": 4,
    "gemma4_text": 4,
    "cohere": 1,
    "cohere2": 1,
    "nemotron_h": 1,
}
LAYER_NORM_WITH_BIAS = frozenset({"phimoe", "stablelm"})
KNOWN_KINDS = frozenset(
    {
        "apertus", "baichuan", "chatglm", "cohere", "cohere2", "deepseek_v2", "deepseek_v3", "deepseek_v32",
        "deepseek_v4", "exaone", "exaone4", "gemma2", "gemma3", "gemma3_text", "gemma4_text", "glm4_moe",
        "glm4_moe_lite", "glm_moe_dsa", "gpt_oss", "granite", "granitemoehybrid", "internlm2", "kimi_k2",
        "kimi_linear", "llama", "llama4_text", "mimo", "minimax_m2", "ministral3", "mistral", "mixtral",
        "mllama_text_model", "nemotron_h", "olmo2", "olmo3", "phi3", "phimoe", "qwen", "qwen2", "qwen2_moe",
        "qwen2_5_vl", "qwen2_5_vl_text", "qwen2_vl", "qwen3", "qwen3_5_moe_text", "qwen3_5_text", "qwen3_moe",
        "qwen3_next", "qwen3_vl_moe_text", "qwen3_vl_text", "seed_oss", "smollm3", "stablelm", "starcoder2",
        "step3p7",
    }
)  # fmt: skip
SIZE_TOLERANCE = 0.02

_QUANT_FILE = "hf_quant_config.json"
_INDEX_FILE = "model.safetensors.index.json"


def model_from_config(config: Any, *, folder: Path | None = None, name: str = "") -> ModelSpec:
    """The model of a parsed ``config.json``; raises ``ModelError`` with one sentence when a size is missing.

    Files beside it in ``folder`` are used when present: ``hf_quant_config.json`` for the number format and
    ``model.safetensors.index.json`` for the real byte count.
    """
    fields = read_config(config)
    title = name or _name_of(fields, folder)
    model = shape_from_arch(arch_from_config(fields), model_id=title, name=title)
    precision = native_precision(fields, _json_beside(folder, _QUANT_FILE))
    _warn_about_the_rest(fields)
    model = replace(
        model,
        native_precision=precision,
        mtp_layers=_mtp_layers(fields),
        sources=(Source(text="config.json given with the request"),),
    )
    sizes = tuple(_checkpoint_sizes(model, folder, fields))
    return replace(
        model,
        checkpoint_sizes=sizes,
        warnings=tuple(fields.warnings),
        assumed=tuple(dict.fromkeys(fields.assumed)),
    )


def model_from_architecture(data: Any) -> ModelSpec:
    """The model of a request's ``architecture``: field names of the catalogue's ``arch`` or of a ``config.json``."""
    if not isinstance(data, Mapping):
        raise ModelError("an object with the model's sizes is expected")
    name = str(data.get("name") or "own model")
    if "model_type" in data or "architectures" in data:
        return model_from_config(data, name=name)
    require_known(data, KNOWN, "architecture")
    if "layers" in data:
        return model_from_layers(data, name)
    return model_from_config(data, name=name)


def arch_from_config(config: Config) -> dict[str, Any]:
    """The ``arch`` fields of a configuration file."""
    mixers = mixer_names(config)
    ffns = ffn_names(config, len(mixers))
    if not mixers or len(ffns) != len(mixers):
        raise ModelError(
            f"{len(mixers)} attention layers and {len(ffns)} feed-forward layers do not fit together"
        )
    runs = [
        [mixer, ffn, sum(1 for _ in run)] for (mixer, ffn), run in groupby(zip(mixers, ffns, strict=True))
    ]
    heads = config.size("num_attention_heads")
    return {
        "num_layers": len(mixers),
        "hidden_size": config.size("hidden_size"),
        "vocab_size": config.size("vocab_size"),
        "tie_embeddings": _tied(config),
        "max_context": _context(config),
        "num_attention_heads": heads,
        "num_kv_heads": config.optional_size("num_kv_heads") or heads,
        "head_dim": _head_dim(config, heads),
        "intermediate_size": config.optional_size("intermediate_size"),
        "norms_per_layer": _norms_per_layer(config),
        "mixers": {mixer: mixer_fields(mixer, config) for mixer in dict.fromkeys(mixers)},
        "ffns": {ffn: ffn_fields(ffn, config) for ffn in dict.fromkeys(ffns)},
        "layers": runs,
        "text_extra": {"params": _text_extra(config)},
        "lookup_params": _per_layer_width(config) * config.size("vocab_size"),
    }


def _name_of(config: Config, folder: Path | None) -> str:
    stated = config.outer.get("name") or config.outer.get("_name_or_path")
    return str(stated or (folder.name if folder else "") or "own model")


def _tied(config: Config) -> bool:
    stated = config.find("tie_embeddings")
    return config.kind.startswith(TIED_BY_DEFAULT) if stated is None else bool(stated)


def _context(config: Config) -> int:
    stated = config.optional_size("max_context")
    if stated is None:
        config.assumed.append("max_context")
    return stated or DEFAULT_CONTEXT


def _head_dim(config: Config, heads: int) -> int:
    if is_latent(config):
        parts = ("qk_nope_head_dim", "qk_rope_head_dim")
        return sum(whole_number(config.get(part, 0), part) for part in parts)
    return config.optional_size("head_dim") or config.size("hidden_size") // heads


def _norms_per_layer(config: Config) -> int:
    if config.kind == "gemma4_text" and config.optional_size("experts"):
        return 7
    if config.kind in LAYER_NORM_WITH_BIAS:
        return 4
    return NORMS_PER_LAYER.get(config.kind, 2)


def _text_extra(config: Config) -> int:
    """Odd weights outside layers, embedding and head."""
    hidden = config.size("hidden_size")
    if config.kind == "deepseek_v4":
        streams = whole_number(config.get("hc_mult"), "hc_mult")
        return streams * hidden * streams + streams + 1
    if config.kind == "gemma4_text":
        width = _per_layer_width(config)
        layers = config.size("num_layers")
        return layers + hidden * width + width // layers
    if config.kind in LAYER_NORM_WITH_BIAS:
        return hidden + (config.size("vocab_size") if config.get("lm_head_bias") else 0)
    return 0


def _per_layer_width(config: Config) -> int:
    """Width of the per-layer embeddings of all layers together, 0 for models without."""
    width = whole_number(config.get("hidden_size_per_layer_input", 0), "hidden_size_per_layer_input")
    return width * config.size("num_layers")


def _mtp_layers(config: Config) -> int:
    layers = config.optional_size("mtp_layers") or 0
    if layers:
        config.warnings.append(
            f"{layers} prediction layers (MTP) lie in the file and are loaded for speculation only; not counted."
        )
    return layers


def _warn_about_the_rest(config: Config) -> None:
    if config.kind and config.kind not in KNOWN_KINDS:
        config.warnings.append(
            f"Model type {config.kind!r} is not known: counted as a plain decoder, memory is an upper estimate."
        )
    if any(isinstance(config.outer.get(part), Mapping) for part in ("vision_config", "audio_config")):
        config.warnings.append(
            "The vision or audio part is not counted; it stays in BF16 and needs memory of its own."
        )


def _checkpoint_sizes(model: ModelSpec, folder: Path | None, config: Config) -> Iterable[CheckpointSize]:
    total = (_json_beside(folder, _INDEX_FILE).get("metadata") or {}).get("total_size")
    if not isinstance(total, int) or total <= 0:
        return
    if model.native_precision is Precision.BF16:
        counted = 2 * model.text_params
        if abs(total - counted) > SIZE_TOLERANCE * total:
            config.warnings.append(
                f"The files hold {total / 1e9:.1f} GB, the counted language part is {counted / 1e9:.1f} GB."
            )
    yield CheckpointSize(format=model.native_precision.value, bytes=total, source=_INDEX_FILE)


def _json_beside(folder: Path | None, name: str) -> Mapping[str, Any]:
    """A JSON object of the folder, empty when the file is absent or unreadable."""
    if folder is None:
        return {}
    try:
        data = json.loads((folder / name).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, Mapping) else {}

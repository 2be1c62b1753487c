"""Reading one ``config.json``: where the language part lies, and its sizes under their many names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kentino_configurator.catalog.errors import ModelError

Fields = Mapping[str, Any]

NESTED = ("text_config", "language_config", "llm_config")

ALIASES: Mapping[str, tuple[str, ...]] = {
    "num_layers": ("num_hidden_layers", "num_layers", "n_layers", "n_layer"),
    "hidden_size": ("hidden_size", "d_model", "n_embd", "dim"),
    "num_attention_heads": ("num_attention_heads", "n_heads", "n_head"),
    "num_kv_heads": ("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "n_kv_heads"),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "intermediate_size": (
        "intermediate_size",
        "ffn_hidden_size",
        "ff_intermediate_size",
        "dense_intermediate_size",
        "hidden_dim",
    ),
    "moe_intermediate_size": ("moe_intermediate_size", "expert_intermediate_size"),
    "experts": ("n_routed_experts", "num_experts", "num_local_experts"),
    "top_k": (
        "num_experts_per_tok",
        "top_k_experts",
        "experts_per_token",
        "num_experts_per_token",
        "moe_top_k",
    ),
    "shared_experts": ("n_shared_experts", "num_shared_experts"),
    "shared_inter": (
        "shared_expert_intermediate_size",
        "shared_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "share_expert_dim",
    ),
    "vocab_size": ("padded_vocab_size", "vocab_size"),
    "max_context": (
        "max_position_embeddings",
        "max_context",
        "seq_length",
        "model_max_length",
        "max_seq_len",
    ),
    "tie_embeddings": ("tie_word_embeddings", "tie_embeddings"),
    "mtp_layers": (
        "num_nextn_predict_layers",
        "mtp_num_hidden_layers",
        "num_mtp_modules",
        "mtp_transformer_layers",
        "num_mtp_layers",
    ),
}

CLASS_DEFAULTS: Mapping[str, Fields] = {
    "llama": {
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "vocab_size": 32000,
    },
    "gemma3_text": {
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "vocab_size": 262208,
        "max_position_embeddings": 131072,
    },
}
"""Sizes a nested language part may leave out because the model class supplies them, by inner model type."""

LARGEST_SIZE = 10**9
MAX_LAYERS = 10_000


@dataclass(slots=True)
class Config:
    """A configuration file and what was noticed while reading it. ``inner`` describes the language part."""

    inner: Fields
    outer: Fields
    warnings: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The inner model type, empty when the file names none."""
        return str(self.inner.get("model_type") or self.outer.get("model_type") or "")

    def get(self, key: str, default: Any = None) -> Any:
        """A field of the language part under exactly this name; null counts as absent."""
        value = self.inner.get(key)
        return default if value is None else value

    def find(self, meaning: str) -> Any:
        """A field under any of its names: language part, class default, outer part; ``None`` when absent."""
        nested = self.inner is not self.outer
        defaults = CLASS_DEFAULTS.get(self.kind, {}) if nested else {}
        for fields in (self.inner, defaults, self.outer):
            for name in ALIASES[meaning]:
                if fields.get(name) is not None:
                    if fields is defaults:
                        self.assumed.append(name)
                    return fields[name]
        return None

    def size(self, meaning: str) -> int:
        """A positive whole number under any of its names; raises ``ModelError`` when it is absent."""
        found = self.optional_size(meaning)
        if found is None:
            names = " or ".join(ALIASES[meaning][:2])
            raise ModelError(f"the field {names} is missing; give the model's {meaning.replace('_', ' ')}")
        return found

    def optional_size(self, meaning: str) -> int | None:
        """A positive whole number under any of its names, ``None`` when it is absent or zero."""
        value = self.find(meaning)
        if value is None:
            return None
        return whole_number(value, meaning, MAX_LAYERS if meaning == "num_layers" else LARGEST_SIZE) or None


def read_config(data: Any) -> Config:
    """The configuration of a parsed file; raises ``ModelError`` when it is not an object."""
    if not isinstance(data, Mapping):
        raise ModelError("a JSON object with the model's sizes is expected")
    for name in NESTED:
        if isinstance(data.get(name), Mapping):
            return Config(data[name], data)
    return Config(data, data)


def whole_number(value: Any, name: str, largest: int = LARGEST_SIZE) -> int:
    """A whole number from 0 to ``largest``, ``20.0`` included; raises ``ModelError`` for anything else."""
    if value is None:
        raise ModelError(f"the field {name} is missing")
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    if not usable or not 0 <= value <= largest or value != int(value):
        raise ModelError(f"{name} must be a whole number from 0 to {largest:,}, not {str(value)[:60]!r}")
    return int(value)

"""Which token mixer every layer of a ``config.json`` has, as names and field sets of the catalogue's ``arch``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kentino_configurator.catalog.config_fields import Config, whole_number
from kentino_configurator.catalog.errors import ModelError

Shape = dict[str, Any]

# Families whose query, key and value projections carry a bias although no field says so.
ALWAYS_QKV_BIAS = frozenset({"qwen", "qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl", "qwen2_5_vl_text"})
# Families whose output projection shares the attention bias.
OUTPUT_BIAS = frozenset({"gpt_oss", "llama", "phimoe"})
QK_NORM_PER_HEAD = (
    "qwen3",
    "gemma3",
    "gemma4",
    "exaone4",
    "apertus",
    "step3p7",
    "hy_v3",
    "kolibri",
    "minimax_m3",
)
QK_NORM_FULL = ("olmo2", "olmo3", "minimax_m2")
# Families in which a bare sliding_window means that every layer has it.
WINDOW_EVERYWHERE = frozenset({"mistral", "starcoder2", "phi3", "mixtral"})
DEFAULT_WINDOW_PATTERN = {"gemma3_text": 6, "gemma3": 6, "cohere2": 4, "gemma2": 2}

SHARED = "_shared"

_LAYER_TYPES = {
    "full_attention": "full",
    "attention": "full",
    "sliding_attention": "sliding",
    "chunked_attention": "chunked",
    "linear_attention": "linear",
    "mamba": "mamba2",
}
_HYBRID_LETTERS = {"M": "mamba2", "*": "full", "-": "none", "E": "none"}
_LLAMA4_FULL_EVERY = 4


def mixer_names(config: Config) -> list[str]:
    """The name of every layer's mixer, in layer order; ``_shared`` ends those that reuse an earlier cache."""
    names = _own_names(config)
    shared = whole_number(config.get("num_kv_shared_layers", 0), "num_kv_shared_layers")
    first = len(names) - shared
    return [f"{name}{SHARED}" if layer >= first else name for layer, name in enumerate(names)]


def _own_names(config: Config) -> list[str]:
    for rule in (
        _by_hybrid_pattern,
        _by_compress_ratios,
        _by_linear_attention_config,
        _by_latent_attention,
        _by_layer_types,
        _by_cross_attention,
        _by_full_interval,
        _by_hybrid_list,
        _by_chunks,
        _by_window_pattern,
        _by_plain_window,
    ):
        names = rule(config)
        if names is not None:
            return names
    return ["full"] * config.size("num_layers")


def mixer_fields(name: str, config: Config) -> Shape:
    """The ``arch`` fields of a mixer name."""
    if name == "none":
        return {"kind": "none"}
    if name in _MAKERS:
        return _MAKERS[name](config)
    shape = _gqa(name.removesuffix(SHARED), config)
    return shape | {"shared_kv": True} if name.endswith(SHARED) else shape


def hybrid_letters(config: Config) -> str | None:
    """The Nemotron-H layer string (M Mamba, * attention, - MLP, E experts), ``None`` for other families."""
    if isinstance(blocks := config.get("layers_block_type"), list):
        letters = {"mamba": "M", "attention": "*", "mlp": "-", "moe": "E"}
        return "".join(letters.get(str(block), "?") for block in blocks)
    pattern = config.get("hybrid_override_pattern")
    return pattern if isinstance(pattern, str) else None


def is_latent(config: Config) -> bool:
    """Whether the attention caches a compressed latent (MLA)."""
    return config.get("kv_lora_rank") is not None and config.get("use_mla", True) is not False


def _by_hybrid_pattern(config: Config) -> list[str] | None:
    letters = hybrid_letters(config)
    if letters is None:
        return None
    if unknown := set(letters) - set(_HYBRID_LETTERS):
        raise ModelError(f"the layer pattern holds {sorted(unknown)[0]!r}; known are M, *, - and E")
    return [_HYBRID_LETTERS[letter] for letter in letters]


def _by_compress_ratios(config: Config) -> list[str] | None:
    ratios = config.get("compress_ratios")
    if not isinstance(ratios, list):
        return None
    return [f"c{ratio}" if ratio else "window" for ratio in ratios[: config.size("num_layers")]]


def _by_linear_attention_config(config: Config) -> list[str] | None:
    linear = config.get("linear_attn_config")
    if not isinstance(linear, Mapping):
        return None
    full = {whole_number(layer, "full_attn_layers") for layer in linear.get("full_attn_layers", ())}
    return ["mla" if layer in full else "kda" for layer in range(1, config.size("num_layers") + 1)]


def _by_latent_attention(config: Config) -> list[str] | None:
    if not is_latent(config):
        return None
    types = config.get("indexer_types")
    if isinstance(types, list):
        return ["mla" if kind == "full" else "mla_shared_index" for kind in types]
    return ["mla"] * config.size("num_layers")


def _by_layer_types(config: Config) -> list[str] | None:
    types = config.get("layer_types")
    if not isinstance(types, list):
        return None
    for unknown in sorted({str(kind) for kind in types} - set(_LAYER_TYPES)):
        config.warnings.append(f"Layer type {unknown!r} is not known and counted as full attention.")
    return [_LAYER_TYPES.get(str(kind), "full") for kind in types]


def _by_cross_attention(config: Config) -> list[str] | None:
    layers = config.get("cross_attention_layers")
    if not isinstance(layers, list):
        return None
    config.warnings.append("Cross-attention layers cache image tokens only; their weights are estimated.")
    return ["cross_attention" if i in layers else "full" for i in range(config.size("num_layers"))]


def _by_full_interval(config: Config) -> list[str] | None:
    interval = config.get("full_attention_interval")
    return None if interval is None else _every(interval, "full", "linear", config)


def _by_hybrid_list(config: Config) -> list[str] | None:
    pattern = config.get("hybrid_layer_pattern")
    return ["sliding" if kind == 1 else "full" for kind in pattern] if isinstance(pattern, list) else None


def _by_chunks(config: Config) -> list[str] | None:
    if config.get("attention_chunk_size") is None:
        return None
    return _every(_LLAMA4_FULL_EVERY, "full", "chunked", config)


def _by_window_pattern(config: Config) -> list[str] | None:
    """Every n-th layer full: from the file (a number or a string such as LLLG), or by the family's custom."""
    pattern = config.get("sliding_window_pattern", DEFAULT_WINDOW_PATTERN.get(config.kind))
    if pattern is None or window_tokens(config) is None:
        return None
    if isinstance(pattern, str):
        return [
            "full" if pattern[i % len(pattern)] == "G" else "sliding"
            for i in range(config.size("num_layers"))
        ]
    return _every(pattern, "full", "sliding", config)


def _by_plain_window(config: Config) -> list[str] | None:
    """A window without a pattern counts only in families that use it, and only below the context."""
    window = window_tokens(config)
    if window is None or window >= config.size("max_context"):
        return None
    layers = config.size("num_layers")
    if config.kind in WINDOW_EVERYWHERE:
        return ["sliding"] * layers
    if config.get("use_sliding_window"):
        first = whole_number(config.get("max_window_layers", layers), "max_window_layers")
        return ["full" if layer < first else "sliding" for layer in range(layers)]
    return None


def window_tokens(config: Config) -> int | None:
    """The sliding window, ``None`` when there is none or it is switched off."""
    if config.get("use_sliding_window") is False:
        return None
    window = config.get("sliding_window")
    return None if window is None else whole_number(window, "sliding_window") or None


def _every(interval: Any, last: str, others: str, config: Config) -> list[str]:
    step = whole_number(interval, "layer interval") or 1
    return [last if (layer + 1) % step == 0 else others for layer in range(config.size("num_layers"))]


def _gqa(name: str, config: Config) -> Shape:
    heads, kv_heads, head_dim = _head_sizes(name, config)
    if heads % kv_heads:
        raise ModelError(f"{heads} attention heads cannot share {kv_heads} KV heads evenly")
    shape: Shape = {"kind": "gqa", "heads": heads, "kv_heads": kv_heads, "head_dim": head_dim}
    shape |= _biases(config) | _norms(config)
    if config.get("attn_output_gate") or config.kind == "qwen3_next":
        shape["gate"] = "elementwise"
    if config.kind == "gpt_oss":
        shape["sinks"] = True
    if name == "full" and config.get("attention_k_eq_v"):
        shape["k_eq_v"] = True
    if (value_dim := config.get("v_head_dim")) is not None and not is_latent(config):
        shape["v_head_dim"] = whole_number(value_dim, "v_head_dim")
    return shape | _window(name, config)


def _head_sizes(name: str, config: Config) -> tuple[int, int, int]:
    """Query heads, KV heads and head width; some families have a second set for full or window layers."""
    heads = config.size("num_attention_heads")
    kv_heads = config.optional_size("num_kv_heads") or heads
    head_dim = config.optional_size("head_dim") or config.size("hidden_size") // heads
    prefix = {"full": "global", "sliding": "swa"}.get(name, "")
    second_dim = config.get("global_head_dim") if prefix == "global" else config.get("swa_head_dim")
    second_kv = config.get("num_global_key_value_heads" if prefix == "global" else "swa_num_key_value_heads")
    if prefix and second_dim is not None:
        head_dim = whole_number(second_dim, "second head width")
    if prefix and second_kv is not None:
        kv_heads = whole_number(second_kv, "second KV heads")
    return heads, kv_heads, head_dim


def _biases(config: Config) -> Shape:
    fields = ("attention_bias", "add_qkv_bias", "use_qkv_bias")
    qkv = config.kind in ALWAYS_QKV_BIAS or any(config.get(field) for field in fields)
    default = bool(config.get("attention_bias")) and config.kind in OUTPUT_BIAS
    output = config.get("attention_out_bias", default)
    return {key: True for key, present in (("bias_qkv", qkv), ("bias_o", output)) if present}


def _norms(config: Config) -> Shape:
    if config.kind.startswith(QK_NORM_FULL):
        return {"qk_norm": "full"}
    if config.kind == "cohere" and config.get("use_qk_norm"):
        return {"qk_norm": "per_head"}
    has_field = config.kind == "glm4_moe" and config.get("use_qk_norm")
    return {"qk_norm": "head"} if config.kind.startswith(QK_NORM_PER_HEAD) or has_field else {}


def _window(name: str, config: Config) -> Shape:
    if name == "sliding":
        return {"window": window_tokens(config) or config.size("max_context")}
    if name == "chunked":
        return {"window": whole_number(config.get("attention_chunk_size"), "attention_chunk_size")}
    return {}


def _cross_attention(config: Config) -> Shape:
    """Keys and values come from the image and do not grow with the text: a window of no tokens."""
    heads = config.size("num_attention_heads")
    kv_heads = config.optional_size("num_kv_heads") or heads
    width = (config.optional_size("head_dim") or config.size("hidden_size") // heads) * (
        2 * heads + 2 * kv_heads
    )
    return {"kind": "none", "extra": config.size("hidden_size") * width}


def _mla(config: Config) -> Shape:
    shape = _mla_without_index(config)
    if config.get("index_n_heads") is not None:
        shape["indexer"] = _indexer(config)
    return shape


def _mla_without_index(config: Config) -> Shape:
    names = ("kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
    shape: Shape = {"kind": "mla", "heads": config.size("num_attention_heads")}
    for name in names:
        if config.get(name) is None:
            raise ModelError(f"the field {name} is missing; latent attention needs {', '.join(names)}")
        shape[name] = whole_number(config.get(name), name)
    rank = config.get("q_lora_rank")
    shape["q_lora_rank"] = None if rank is None else whole_number(rank, "q_lora_rank")
    return shape


def _indexer(config: Config) -> Shape:
    names = {"heads": "index_n_heads", "head_dim": "index_head_dim", "topk": "index_topk"}
    return {key: whole_number(config.get(name), name) for key, name in names.items()}


def _gdn(config: Config) -> Shape:
    names = {
        "key_heads": "linear_num_key_heads",
        "key_dim": "linear_key_head_dim",
        "value_heads": "linear_num_value_heads",
        "value_dim": "linear_value_head_dim",
        "conv_kernel": "linear_conv_kernel_dim",
    }
    return {"kind": "gdn"} | {key: whole_number(config.get(name), name) for key, name in names.items()}


def _kda(config: Config) -> Shape:
    linear = config.get("linear_attn_config")
    return {
        "kind": "kda",
        "heads": whole_number(linear.get("num_heads"), "linear_attn_config.num_heads"),
        "head_dim": whole_number(linear.get("head_dim"), "linear_attn_config.head_dim"),
        "conv_kernel": whole_number(linear.get("short_conv_kernel_size", 4), "short_conv_kernel_size"),
        "full_rank_gate": config.kind == "kimi_k3",
    }


def _mamba2(config: Config) -> Shape:
    names: Mapping[str, Sequence[str]] = {
        "heads": ("mamba_num_heads", "mamba_n_heads"),
        "head_dim": ("mamba_head_dim", "mamba_d_head"),
        "groups": ("n_groups", "mamba_n_groups"),
        "state": ("ssm_state_size", "mamba_d_state"),
        "conv_kernel": ("conv_kernel", "mamba_d_conv"),
    }
    shape: Shape = {
        "kind": "mamba2",
        "conv_bias": bool(config.get("use_conv_bias", config.get("mamba_conv_bias"))),
    }
    for key, choices in names.items():
        value = next((config.get(name) for name in choices if config.get(name) is not None), None)
        shape[key] = whole_number(value, choices[0])
    return shape


def _compressed(ratio: int, config: Config) -> Shape:
    names = ("head_dim", "q_lora_rank", "o_groups", "o_lora_rank", "hc_mult")
    shape: Shape = {name: whole_number(config.get(name), name) for name in names}
    shape |= {
        "kind": "dsv4",
        "heads": config.size("num_attention_heads"),
        "window": window_tokens(config),
        "sinks": True,
        "compress_ratio": ratio,
    }
    if ratio == 4:
        shape["indexer"] = _indexer(config)
    return shape


_MAKERS: Mapping[str, Callable[[Config], Shape]] = {
    "cross_attention": _cross_attention,
    "mla": _mla,
    "mla_shared_index": _mla_without_index,
    "linear": _gdn,
    "kda": _kda,
    "mamba2": _mamba2,
    "window": lambda config: _compressed(0, config),
    "c4": lambda config: _compressed(4, config),
    "c128": lambda config: _compressed(128, config),
}

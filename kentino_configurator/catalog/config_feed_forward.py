"""Which feed-forward network every layer of a ``config.json`` has, as names and field sets of the ``arch``."""

from __future__ import annotations

from typing import Any

from kentino_configurator.catalog.config_attention import hybrid_letters
from kentino_configurator.catalog.config_fields import Config, whole_number
from kentino_configurator.catalog.errors import ModelError

Shape = dict[str, Any]

UNGATED = frozenset({"nemotron_h", "apertus"})
ROUTER_BIAS = frozenset(
    {
        "deepseek_v3",
        "deepseek_v32",
        "deepseek_v4",
        "glm4_moe",
        "glm4_moe_lite",
        "glm_moe_dsa",
        "kimi_k2",
        "kimi_linear",
        "kimi_k3",
        "gpt_oss",
        "minimax_m2",
        "nemotron_h",
        "mimo_v2_flash",
        "hy_v3",
    }
)
SHARED_GATE = ("qwen2_moe", "qwen3_next", "qwen3_5_moe")


def ffn_names(config: Config, layers: int) -> list[str]:
    """The name of every layer's feed-forward network, in layer order."""
    letters = hybrid_letters(config)
    if letters is not None:
        return [{"-": "dense", "E": "moe"}.get(letter, "none") for letter in letters]
    if not config.optional_size("experts"):
        return ["dense"] * layers
    names = ["moe" if routed else "dense" for routed in _routed_layers(config, layers)]
    hashed = whole_number(config.get("num_hash_layers", 0), "num_hash_layers")
    return ["moe_hash" if name == "moe" and i < hashed else name for i, name in enumerate(names)]


def ffn_fields(name: str, config: Config) -> Shape:
    """The ``arch`` fields of a feed-forward name."""
    if name == "none":
        return {"kind": "none"}
    return _dense(config) if name == "dense" else _moe(name, config)


def _routed_layers(config: Config, layers: int) -> list[bool]:
    if isinstance(types := config.get("mlp_layer_types"), list):
        return [kind != "dense" for kind in types]
    if isinstance(frequency := config.get("moe_layer_freq"), list):
        return [bool(flag) for flag in frequency]
    dense = config.get("mlp_only_layers")
    dense = dense if isinstance(dense, list) else []
    first = whole_number(config.get("first_k_dense_replace", 0), "first_k_dense_replace")
    step = _step(config)
    return [i >= first and i not in dense and (i + 1 - first) % step == 0 for i in range(layers)]


def _step(config: Config) -> int:
    """Every how many layers experts stand."""
    names = ("interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_freq")
    return next((whole_number(config.get(n), n) for n in names if config.get(n)), 1) or 1


def _dense(config: Config) -> Shape:
    width = config.get("intermediate_size_mlp") or config.size("intermediate_size")
    shape: Shape = {"kind": "dense", "inter": whole_number(width, "intermediate_size")}
    if config.kind == "qwen":
        shape["inter"] //= 2
    if config.kind in UNGATED:
        shape["gated"] = False
    if (extra := _dense_extra(config)) > 0:
        shape["extra"] = extra
    return shape


def _dense_extra(config: Config) -> int:
    """Learned activation parameters, or the gate, projection and norm of a per-layer embedding."""
    if config.kind == "apertus":
        return 2
    width = whole_number(config.get("hidden_size_per_layer_input", 0), "hidden_size_per_layer_input")
    return config.size("hidden_size") * (2 * width + 1) if width else 0


def _moe(name: str, config: Config) -> Shape:
    inter = config.optional_size("moe_intermediate_size") or config.size("intermediate_size")
    shape: Shape = {
        "kind": "moe",
        "experts": config.size("experts"),
        "top_k": config.size("top_k"),
        "inter": inter,
        "shared_inter": _shared_width(config, inter),
        "router_bias": name == "moe" and _has_router_bias(config),
        "latent": whole_number(config.get("moe_latent_size", 0), "moe_latent_size"),
    }
    if shape["top_k"] > shape["experts"]:
        raise ModelError(f"{shape['top_k']} experts per token are more than the {shape['experts']} there are")
    if config.kind.startswith(SHARED_GATE):
        shape["shared_gate"] = True
    if config.kind in UNGATED:
        shape["gated"] = False
    return shape | _family_extras(config, shape)


def _shared_width(config: Config, inter: int) -> int:
    """Width of the shared experts together."""
    if (width := config.optional_size("shared_inter")) is not None:
        return width
    if config.kind == "llama4_text":
        return inter
    return (config.optional_size("shared_experts") or 0) * inter


def _has_router_bias(config: Config) -> bool:
    if (flag := config.get("use_routing_bias", config.get("use_moe_router_bias"))) is not None:
        return bool(flag)
    return config.kind in ROUTER_BIAS or config.get("topk_method") == "noaux_tc"


def _family_extras(config: Config, shape: Shape) -> Shape:
    if config.kind == "gpt_oss":
        return {"bias": True}
    if config.kind == "gemma4_text":
        extra = config.size("hidden_size") + shape["experts"]
        return {"parallel_dense_inter": config.size("intermediate_size"), "extra": extra}
    return {}

"""A language model as the engine sees it: layer groups, each a mixer and a feed-forward network."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.evidence import Source


class Precision(StrEnum):
    """Storage format of weights. ``AUTO`` may stand in a request, never in a result."""

    AUTO = "auto"
    BF16 = "bf16"
    FP8 = "fp8"
    INT8 = "int8"
    INT4 = "int4"
    INT4_AWQ = "int4_awq"
    INT4_GPTQ = "int4_gptq"
    NVFP4 = "nvfp4"
    MXFP4 = "mxfp4"

    @property
    def is_four_bit(self) -> bool:
        """Whether the verdict class is INT4."""
        return self in FOUR_BIT


FOUR_BIT = frozenset(
    {Precision.INT4, Precision.INT4_AWQ, Precision.INT4_GPTQ, Precision.NVFP4, Precision.MXFP4}
)


class KvPrecision(StrEnum):
    """Storage format of the KV cache."""

    AUTO = "auto"
    BF16 = "bf16"
    FP8 = "fp8"

    @property
    def bytes_per_value(self) -> int:
        """Bytes of one cached number (``AUTO`` counts as BF16, where the engine starts)."""
        return 1 if self is KvPrecision.FP8 else 2


class MixerKind(StrEnum):
    """How a layer looks back at earlier tokens."""

    GQA = "gqa"
    MLA = "mla"
    GDN = "gdn"
    KDA = "kda"
    MAMBA2 = "mamba2"
    DSV4 = "dsv4"
    NONE = "none"


class FfnKind(StrEnum):
    """Feed-forward part of a layer."""

    DENSE = "dense"
    MOE = "moe"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixer:
    """One kind of token mixer. Fields that do not belong to the kind are 0 (or ``None`` for ``window``).

    ``shared_kv``: the layer reuses the cache of an earlier layer and has no key and value weights of its own.
    """

    kind: MixerKind
    heads: int = 0
    kv_heads: int = 0
    head_dim: int = 0
    v_head_dim: int = 0
    window: int | None = None
    k_eq_v: bool = False
    gate: bool = False
    qk_norm: bool = False
    bias_qkv: bool = False
    bias_o: bool = False
    sinks: bool = False
    q_lora_rank: int = 0
    kv_lora_rank: int = 0
    qk_nope_head_dim: int = 0
    qk_rope_head_dim: int = 0
    key_heads: int = 0
    key_dim: int = 0
    value_heads: int = 0
    value_dim: int = 0
    conv_kernel: int = 0
    groups: int = 0
    state: int = 0
    compress_ratio: int = 0
    o_groups: int = 0
    o_lora_rank: int = 0
    full_rank_gate: bool = False
    indexer_heads: int = 0
    indexer_head_dim: int = 0
    extra_params: int = 0
    qk_norm_full: bool = False
    conv_bias: bool = False
    hc_mult: int = 0
    indexer_topk: int = 0
    shared_kv: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ffn:
    """One kind of feed-forward network; ``inter`` is the width of one expert for a MoE."""

    kind: FfnKind
    inter: int = 0
    gated: bool = True
    experts: int = 0
    top_k: int = 0
    shared_experts: int = 0
    shared_inter: int = 0
    shared_gate: bool = False
    router_bias: bool = False
    bias: bool = False
    latent: int = 0
    parallel_dense_inter: int = 0
    extra_params: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerGroup:
    """``count`` layers of the same make, in model order; ``norms`` counts the norm vectors of one layer."""

    mixer: Mixer
    ffn: Ffn
    count: int
    norms: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointSize:
    """Documented size of one released build; wins over arithmetic."""

    format: str
    bytes: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class License:
    """Licence of the weights; ``commercial`` as in the catalogue (``permitted``, ``non_commercial``, ...)."""

    name: str
    commercial: str = "unknown"
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """An open-weight language model. Only its shape must be given; ``parameters.counted`` fills in what follows.

    ``text_params`` counts the language part; ``active_params`` those a token passes, without the input embedding.
    ``assumed`` names facts that were not read but filled by a stand-in, empty for catalogue models.
    ``extra_params`` are odd weights outside layers, embedding and head (scale vectors, output connections);
    ``lookup_params`` are further embedding tables, which a token looks up and does not pass.
    """

    id: str
    name: str
    hf_id: str = ""
    aliases: tuple[str, ...] = ()
    developer: str = ""
    release_date: str = ""
    license: License = License(name="")
    native_precision: Precision = Precision.BF16
    text_params: int = 0
    active_params: int = 0
    vision_params: int = 0
    mtp_params: int = 0
    mtp_layers: int = 0
    hidden_size: int
    vocab_size: int
    num_layers: int
    num_attention_heads: int
    num_kv_heads: int
    head_dim: int
    max_context: int
    tie_embeddings: bool
    layers: tuple[LayerGroup, ...]
    checkpoint_sizes: tuple[CheckpointSize, ...] = ()
    kv_bytes_per_token_bf16: int = 0
    warnings: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    extra_params: int = 0
    lookup_params: int = 0

    @property
    def is_moe(self) -> bool:
        """Whether any layer routes tokens to experts."""
        return any(group.ffn.kind is FfnKind.MOE for group in self.layers)

    @property
    def is_mla(self) -> bool:
        """Whether the cache is a latent that tensor parallelism does not divide."""
        return any(group.mixer.kind in (MixerKind.MLA, MixerKind.DSV4) for group in self.layers)

"""Linear layers of a model: the matrices a token meets, who cuts them under TP, and what they belong to.

Shapes follow the published modelling code of each mixer kind; they are checked against the exact parameter counts of
the catalogue (what the shapes leave out - norms, convolutions, biases, scales - is ``ModelSpec.text_params`` minus
their sum).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.llm import Ffn, FfnKind, LayerGroup, Mixer, MixerKind, ModelSpec


class Split(StrEnum):
    """How tensor parallelism cuts a matrix: over outputs, over inputs, over KV heads, or not at all."""

    OUTPUTS = "outputs"
    INPUTS = "inputs"
    KV_HEADS = "kv_heads"
    NONE = "none"


class Part(StrEnum):
    """What a matrix belongs to; decides which formats leave it in BF16."""

    ATTENTION = "attention"
    LATENT = "latent"
    RECURRENT = "recurrent"
    FFN = "ffn"
    SHARED = "shared"
    EXPERT = "expert"
    ROUTER = "router"


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """A matrix of ``outputs`` x ``inputs`` weights, ``copies`` of them alike (experts).

    ``heads`` limits a ``KV_HEADS`` split: beyond that many ranks the matrix is replicated. ``merged`` counts the
    published matrices that stand side by side in it (keys and values, gate and up): adapters see them one by one.
    """

    outputs: int
    inputs: int
    split: Split
    part: Part
    copies: int = 1
    heads: int = 0
    merged: int = 1

    @property
    def weights(self) -> int:
        """Number of weights over all copies."""
        return self.outputs * self.inputs * self.copies

    def share(self, tp: int) -> float:
        """Share of the matrix on one of ``tp`` ranks."""
        if self.split is Split.NONE:
            return 1.0
        return 1.0 / min(tp, self.heads) if self.split is Split.KV_HEADS else 1.0 / tp


def mixer_linears(mixer: Mixer, hidden: int) -> tuple[Linear, ...]:
    """Matrices of one mixer layer."""
    return tuple(_MIXERS[mixer.kind](mixer, hidden))


def ffn_linears(ffn: Ffn, hidden: int) -> tuple[Linear, ...]:
    """Matrices of one feed-forward layer, routed experts included."""
    return tuple(_ffn(ffn, hidden))


def layer_linears(group: LayerGroup, hidden: int) -> tuple[Linear, ...]:
    """Matrices of one layer of a group."""
    return mixer_linears(group.mixer, hidden) + ffn_linears(group.ffn, hidden)


def model_linears(model: ModelSpec) -> Iterator[tuple[LayerGroup, Linear]]:
    """Every matrix of the decoder with the group it sits in (one per layer of the group)."""
    for group in model.layers:
        for linear in layer_linears(group, model.hidden_size):
            yield group, linear


def _gqa(mixer: Mixer, hidden: int) -> Iterator[Linear]:
    value_dim = mixer.v_head_dim or mixer.head_dim
    queries = mixer.heads * mixer.head_dim + (mixer.heads * value_dim if mixer.gate else 0)
    values = 0 if mixer.k_eq_v else mixer.kv_heads * value_dim
    keys_values = mixer.kv_heads * mixer.head_dim + values
    yield _columns(queries, hidden, Part.ATTENTION)
    yield Linear(
        outputs=keys_values,
        inputs=hidden,
        split=Split.KV_HEADS,
        part=Part.ATTENTION,
        heads=mixer.kv_heads,
        merged=1 if mixer.k_eq_v else 2,
    )
    yield _rows(hidden, mixer.heads * value_dim, Part.ATTENTION)
    if mixer.indexer_heads:
        index_width = (mixer.indexer_heads + 1) * mixer.indexer_head_dim
        yield _replicated(index_width, hidden, Part.ATTENTION)


def _mla(mixer: Mixer, hidden: int) -> Iterator[Linear]:
    query_dim = mixer.qk_nope_head_dim + mixer.qk_rope_head_dim
    query_input = mixer.q_lora_rank or hidden
    if mixer.q_lora_rank:
        yield _replicated(mixer.q_lora_rank, hidden, Part.LATENT)
    yield _columns(mixer.heads * query_dim, query_input, Part.LATENT)
    yield _replicated(mixer.kv_lora_rank + mixer.qk_rope_head_dim, hidden, Part.LATENT)
    yield _columns(mixer.heads * (mixer.qk_nope_head_dim + mixer.v_head_dim), mixer.kv_lora_rank, Part.LATENT)
    yield _rows(hidden, mixer.heads * mixer.v_head_dim, Part.LATENT)
    if mixer.indexer_heads:
        yield _replicated(mixer.indexer_heads * mixer.indexer_head_dim, query_input, Part.LATENT)
        yield _replicated(mixer.indexer_head_dim + mixer.indexer_heads, hidden, Part.LATENT)


def _gdn(mixer: Mixer, hidden: int) -> Iterator[Linear]:
    values = mixer.value_heads * mixer.value_dim
    yield _columns(2 * mixer.key_heads * mixer.key_dim + 2 * values, hidden, Part.RECURRENT)
    yield _columns(2 * mixer.value_heads, hidden, Part.ROUTER)
    yield _rows(hidden, values, Part.RECURRENT)


def _kda(mixer: Mixer, hidden: int) -> Iterator[Linear]:
    width = mixer.heads * mixer.head_dim
    yield _columns(3 * width + mixer.heads, hidden, Part.RECURRENT)
    yield _replicated(mixer.head_dim, hidden, Part.RECURRENT)
    yield _columns(width, mixer.head_dim, Part.RECURRENT)
    if mixer.full_rank_gate:
        yield _columns(width, hidden, Part.RECURRENT)
    else:
        yield _replicated(mixer.head_dim, hidden, Part.RECURRENT)
        yield _columns(width, mixer.head_dim, Part.RECURRENT)
    yield _rows(hidden, width, Part.RECURRENT)


def _mamba2(mixer: Mixer, hidden: int) -> Iterator[Linear]:
    width = mixer.heads * mixer.head_dim
    yield _columns(2 * width + 2 * mixer.groups * mixer.state + mixer.heads, hidden, Part.RECURRENT)
    yield _rows(hidden, width, Part.RECURRENT)


def _dsv4(mixer: Mixer, hidden: int) -> Iterator[Linear]:
    width = mixer.heads * mixer.head_dim
    yield _replicated(mixer.q_lora_rank, hidden, Part.LATENT)
    yield _columns(width, mixer.q_lora_rank, Part.LATENT)
    yield _replicated(mixer.head_dim, hidden, Part.LATENT)
    yield _columns(mixer.o_lora_rank, width, Part.LATENT)
    yield _rows(hidden, mixer.o_groups * mixer.o_lora_rank, Part.LATENT)
    if mixer.compress_ratio:
        yield _replicated((4 if mixer.compress_ratio == 4 else 2) * mixer.head_dim, hidden, Part.LATENT)
    if mixer.indexer_heads:
        yield _replicated(mixer.indexer_heads * mixer.indexer_head_dim, mixer.q_lora_rank, Part.LATENT)
        yield _replicated(4 * mixer.indexer_head_dim + mixer.indexer_heads, hidden, Part.LATENT)


def _no_mixer(mixer: Mixer, hidden: int) -> Iterator[Linear]:
    return iter(())


_MIXERS = {
    MixerKind.GQA: _gqa,
    MixerKind.MLA: _mla,
    MixerKind.GDN: _gdn,
    MixerKind.KDA: _kda,
    MixerKind.MAMBA2: _mamba2,
    MixerKind.DSV4: _dsv4,
    MixerKind.NONE: _no_mixer,
}


def _ffn(ffn: Ffn, hidden: int) -> Iterator[Linear]:
    up = 2 if ffn.gated else 1
    if ffn.kind is FfnKind.DENSE:
        yield _columns(up * ffn.inter, hidden, Part.FFN, merged=up)
        yield _rows(hidden, ffn.inter, Part.FFN)
    if ffn.kind is FfnKind.MOE:
        yield from _moe(ffn, hidden, up)


def _moe(ffn: Ffn, hidden: int, up: int) -> Iterator[Linear]:
    width = ffn.latent or hidden
    yield _replicated(ffn.experts, hidden, Part.ROUTER)
    yield _columns(up * ffn.inter, width, Part.EXPERT, copies=ffn.experts, merged=up)
    yield _rows(width, ffn.inter, Part.EXPERT, copies=ffn.experts)
    if ffn.latent:
        yield _replicated(ffn.latent, hidden, Part.SHARED)
        yield _replicated(hidden, ffn.latent, Part.SHARED)
    beside = ffn.shared_inter + ffn.parallel_dense_inter
    if beside:
        yield _columns(up * beside, hidden, Part.SHARED, merged=up)
        yield _rows(hidden, beside, Part.SHARED)


def _columns(outputs: int, inputs: int, part: Part, copies: int = 1, merged: int = 1) -> Linear:
    return Linear(
        outputs=outputs, inputs=inputs, split=Split.OUTPUTS, part=part, copies=copies, merged=merged
    )


def _rows(outputs: int, inputs: int, part: Part, copies: int = 1) -> Linear:
    return Linear(outputs=outputs, inputs=inputs, split=Split.INPUTS, part=part, copies=copies)


def _replicated(outputs: int, inputs: int, part: Part) -> Linear:
    return Linear(outputs=outputs, inputs=inputs, split=Split.NONE, part=part)

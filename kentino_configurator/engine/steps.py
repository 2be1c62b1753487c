"""Time of one engine step of a layout: the sum of its kernels, collectives and launch gaps on one rank.

A step reads the weights once for all tokens in flight: one per decoding request plus a chunk of prompts. Everything
that depends only on the layout is computed once (:func:`step_model`); a step is then a short sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout
from kentino_configurator.core.llm import FfnKind, LayerGroup, Mixer, MixerKind, Precision
from kentino_configurator.core.parameters import state_bytes
from kentino_configurator.engine.comms import CollectiveLaw, all_gather_law, all_reduce_law, point_to_point_s
from kentino_configurator.engine.kernels import (
    GemmLaw,
    decode_attention_law,
    gemm_law,
    latent_attention_law,
    linear_attention_law,
    moe_law,
    power_factor,
    prefill_attention_law,
    soft_max,
)
from kentino_configurator.engine.kv_cache import cache_law, rank_bytes_per_token
from kentino_configurator.engine.memo import SpecMemo
from kentino_configurator.engine.shapes import Linear, Part, Split, layer_linears
from kentino_configurator.engine.stages import layers_per_stage
from kentino_configurator.engine.weights import stored_as

NO_WINDOW = float("inf")
DEFAULT_INDEX_TOP_K = 2048
LAUNCH_SOFTNESS = 2.0
SPLIT_ROWS = 64.0
NEGLIGIBLE = 0.02
CACHED = frozenset({MixerKind.GQA, MixerKind.MLA, MixerKind.DSV4})
RECURRENT = frozenset({MixerKind.GDN, MixerKind.KDA, MixerKind.MAMBA2})
HIDDEN_PASSES = 4.0
INTER_PASSES = 3.0
"""Reads and writes of the residual stream and of the feed-forward activation by norms, rotary and activation kernels;
138 us for 2,048 tokens of an 8B layer on RTX PRO 6000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductTerm:
    """``count`` equal matrix products: ``floor + soft(memory0 + memory1 m, compute0 min(1, m/64) + compute1 m)``."""

    count: int
    floor_s: float
    memory0: float
    memory1: float
    compute0: float
    compute1: float
    softness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertTerm:
    """``count`` layers of routed experts on one rank; ``miss`` is the chance that a token passes an expert by.

    ``spread`` < 1: tokens in flight agree on experts more than chance, ``tokens ** spread`` of them choose freely.
    """

    count: int
    floor_s: float
    rank_experts: float
    miss: float
    spread: float
    pairs_per_token: float
    s_per_expert: float
    compute_s_per_row: float
    pad_rows: float
    activation_s_per_token: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionTerm:
    """``count`` layers that look back over at most ``reach`` tokens.

    Decode: floor, seconds per (request x token seen), per (request x token of index) and per request. Prefill: floor,
    seconds per (token x token seen), per (token x token of index) and per token.
    """

    count: int
    reach: float
    decode_floor_s: float
    decode_s_per_pair: float
    decode_s_per_index_pair: float
    decode_s_per_request: float
    prefill_floor_s: float
    prefill_s_per_pair: float
    prefill_s_per_index_pair: float
    prefill_s_per_token: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one step processes: decoding requests with their mean context, and prompts with tokens and past of each."""

    decodes: float = 0.0
    context: float = 0.0
    prompts: float = 0.0
    prompt_tokens: float = 0.0
    past: float = 0.0

    @property
    def tokens(self) -> float:
        """Tokens in flight."""
        return self.decodes + self.prompts * self.prompt_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class StepModel:
    """Everything about a layout that a step needs."""

    products: tuple[ProductTerm, ...]
    experts: tuple[ExpertTerm, ...]
    attentions: tuple[AttentionTerm, ...]
    head: ProductTerm
    reduces: int
    reduce_law: CollectiveLaw
    exchanges: int
    exchange_law: CollectiveLaw
    context_exchanges: int
    context_law: CollectiveLaw
    context_bytes: float
    copies_sharing_experts: float
    hidden_bytes: float
    small_floor_s: float
    small_s_per_token: float
    gaps_s: float
    prompt_launch_s: float
    step_floor_s: float
    s_per_request: float
    front_end_s: float
    stages: int
    widest_stage_share: float
    hand_over_latency_s: float
    hand_over_s_per_token: float

    def layers_s(self, batch: Batch) -> float:
        """All layers once, without the output head.

        A step with prompts runs outside the CUDA graph of decode: launching its kernels takes a time of its own, which
        the work on the GPU hides only when it is longer.
        """
        tokens = batch.tokens
        total = self.gaps_s + self.small_floor_s + self.small_s_per_token * tokens
        for term in self.products:
            total += term.count * product_s(term, tokens)
        for expert in self.experts:
            total += expert.count * experts_s(expert, tokens, self.copies_sharing_experts)
        for attention in self.attentions:
            total += attention.count * attention_s(attention, batch)
        total += self.communication_s(tokens)
        return soft_max(total, self.prompt_launch_s, LAUNCH_SOFTNESS) if batch.prompts else total

    def communication_s(self, tokens: float) -> float:
        """All-reduces of TP, exchanges of EP, queries and partial results of DCP, of all layers."""
        size = tokens * self.hidden_bytes
        total = self.reduces * self.reduce_law.time_s(size) if self.reduces else 0.0
        if self.exchanges:
            total += self.exchanges * 2.0 * self.exchange_law.time_s(size * self.copies_sharing_experts)
        if self.context_exchanges:
            total += self.context_exchanges * 2.0 * self.context_law.time_s(tokens * self.context_bytes)
        return total

    def pass_s(self, batch: Batch) -> float:
        """One batch through every stage, with head, hand-overs and the engine's own time."""
        heads = batch.decodes + batch.prompts
        hand_overs = (self.stages - 1) * (
            self.hand_over_latency_s + self.hand_over_s_per_token * batch.tokens
        )
        return self.layers_s(batch) + product_s(self.head, heads) + hand_overs + self.engine_s(batch)

    def stage_s(self, batch: Batch) -> float:
        """The slowest stage for one batch: the time between two batches of a full pipeline."""
        if self.stages == 1:
            return self.pass_s(batch)
        heads = batch.decodes + batch.prompts
        hand_over = self.hand_over_latency_s + self.hand_over_s_per_token * batch.tokens
        work = self.layers_s(batch) * self.widest_stage_share + product_s(self.head, heads) / self.stages
        return work + hand_over + self.engine_s(batch)

    def engine_s(self, batch: Batch) -> float:
        """Scheduling, sampling and output handling of one step."""
        return self.step_floor_s + self.s_per_request * (batch.decodes + batch.prompts)


def product_s(term: ProductTerm, tokens: float) -> float:
    """One matrix product for ``tokens`` rows. With few rows the kernel splits the inner dimension to fill the card."""
    memory = term.memory0 + term.memory1 * tokens
    filled = tokens / SPLIT_ROWS if tokens < SPLIT_ROWS else 1.0
    compute = term.compute0 * filled + term.compute1 * tokens
    high, low = (memory, compute) if memory > compute else (compute, memory)
    ratio, p = low / high, term.softness
    if ratio < NEGLIGIBLE:
        return term.floor_s + high
    return float(term.floor_s + high * (1.0 + ratio**p) ** (1.0 / p))


def experts_s(term: ExpertTerm, tokens: float, copies: float) -> float:
    """Routed experts of one layer. Distinct experts touched: ``E (1 - (1 - k/E)^tokens)``, tokens of every copy."""
    everyone = tokens * copies
    distinct = term.rank_experts * (1.0 - term.miss ** (everyone**term.spread))
    memory = distinct * term.s_per_expert
    compute = (everyone * term.pairs_per_token + distinct * term.pad_rows) * term.compute_s_per_row
    high, low = (memory, compute) if memory > compute else (compute, memory)
    joined = high * (1.0 + (low / high) ** 4.0) ** 0.25 if high > 0 else 0.0
    return term.floor_s + joined + everyone * term.activation_s_per_token


def attention_s(term: AttentionTerm, batch: Batch) -> float:
    """Attention or recurrence of one layer for the decoding requests and the prompts of a step."""
    total = 0.0
    if batch.decodes:
        seen = min(batch.context, term.reach)
        total = term.decode_floor_s + batch.decodes * (
            seen * term.decode_s_per_pair
            + batch.context * term.decode_s_per_index_pair
            + term.decode_s_per_request
        )
    if batch.prompts:
        tokens = batch.prompts * batch.prompt_tokens
        mean_past = batch.past + 0.5 * batch.prompt_tokens
        total += term.prefill_floor_s + tokens * (
            min(mean_past, term.reach) * term.prefill_s_per_pair
            + mean_past * term.prefill_s_per_index_pair
            + term.prefill_s_per_token
        )
    return total


_MODELS: SpecMemo[StepModel] = SpecMemo()


def step_model(layout: Layout, calibration: Calibration) -> StepModel:
    """The step model of a layout, remembered by model, GPU, slot map and calibration."""
    machines = layout.machines
    rest = (
        layout.parallelism,
        layout.weights_precision,
        layout.kv_precision,
        layout.stack,
        machines.gpus_per_node,
        machines.nodes,
        machines.fabric,
        machines.sockets,
        machines.gpu_attach,
        machines.gpu_cap_w,
    )
    specs = (layout.model, machines.gpu, machines.slot_map, calibration)
    return _MODELS.get(specs, rest, lambda: build_step_model(layout, calibration))


def build_step_model(layout: Layout, calibration: Calibration) -> StepModel:
    """The step model of a layout, computed."""
    model, degrees, stack = layout.model, layout.parallelism, layout.stack
    groups = _merged(model.layers)
    layers = sum(group.count for group in groups)
    sharing = max(1.0, degrees.ep / degrees.tp)
    spread = degrees.ep > degrees.tp
    hidden_bytes = model.hidden_size * 2.0
    latency, per_token = _hand_over(layout, hidden_bytes, calibration)
    return StepModel(
        products=_product_terms(layout, groups, calibration),
        experts=tuple(_expert_terms(layout, groups, calibration)),
        attentions=tuple(_attention_terms(layout, groups, calibration)),
        head=_head_term(layout, calibration),
        reduces=_reduces(groups, spread) if degrees.tp > 1 else 0,
        reduce_law=all_reduce_law(layout.machines, degrees.tp, calibration, stack),
        exchanges=sum(g.count for g in groups if g.ffn.kind is FfnKind.MOE) if spread else 0,
        exchange_law=all_gather_law(layout.machines, degrees.ep, calibration, stack),
        context_exchanges=sum(g.count for g in groups if g.mixer.kind in CACHED) if degrees.dcp > 1 else 0,
        context_law=all_gather_law(layout.machines, degrees.dcp, calibration, stack),
        context_bytes=_context_bytes(layout, groups),
        copies_sharing_experts=sharing,
        hidden_bytes=hidden_bytes,
        small_floor_s=layers * calibration.value("engine", "graph", "small_kernels_s"),
        small_s_per_token=_small_s_per_token(layout, groups),
        gaps_s=_gaps_s(groups, calibration),
        prompt_launch_s=_prompt_launch_s(groups, calibration),
        step_floor_s=calibration.value("engine", stack.value, "step_floor_s"),
        s_per_request=calibration.value("engine", stack.value, "s_per_request"),
        front_end_s=calibration.value("engine", "front_end", "seconds"),
        stages=degrees.pp,
        widest_stage_share=max(layers_per_stage(layers, degrees.pp)) / layers,
        hand_over_latency_s=latency,
        hand_over_s_per_token=per_token,
    )


def _merged(groups: tuple[LayerGroup, ...]) -> tuple[LayerGroup, ...]:
    """Equal layers counted together; their order does not matter for time."""
    merged: list[LayerGroup] = []
    for group in groups:
        for index, known in enumerate(merged):
            if known.mixer == group.mixer and known.ffn == group.ffn:
                count = known.count + group.count
                merged[index] = LayerGroup(mixer=known.mixer, ffn=known.ffn, count=count, norms=known.norms)
                break
        else:
            merged.append(group)
    return tuple(merged)


def _reduces(groups: tuple[LayerGroup, ...], experts_spread: bool) -> int:
    """All-reduces of one pass: one per mixer and one per feed-forward that TP cuts."""
    mixers = sum(g.count for g in groups if g.mixer.kind is not MixerKind.NONE)
    cut = (FfnKind.DENSE,) if experts_spread else (FfnKind.DENSE, FfnKind.MOE)
    return mixers + sum(g.count for g in groups if g.ffn.kind in cut)


def _gaps_s(groups: tuple[LayerGroup, ...], calibration: Calibration) -> float:
    """Router, sorting and gaps around the expert kernel that no table holds, of all MoE layers."""
    gap = calibration.value("engine", "graph", "moe_layer_gap_s")
    return sum(gap * g.count for g in groups if g.ffn.kind is FfnKind.MOE)


def _prompt_launch_s(groups: tuple[LayerGroup, ...], calibration: Calibration) -> float:
    """Launching a pass kernel by kernel, outside a CUDA graph; recurrent and MoE layers have many small ones."""
    plain = calibration.value("engine", "launch", "plain_layer_s")
    many = calibration.value("engine", "launch", "many_kernels_layer_s")
    return sum(group.count * (many if _has_many_kernels(group) else plain) for group in groups)


def _has_many_kernels(group: LayerGroup) -> bool:
    return group.ffn.kind is FfnKind.MOE or group.mixer.kind in RECURRENT


def _context_bytes(layout: Layout, groups: tuple[LayerGroup, ...]) -> float:
    """Bytes per token that ranks of a DCP group exchange in a layer: their heads' queries, as wide as the results."""
    widths = [
        group.mixer.heads
        * ((group.mixer.kv_lora_rank + group.mixer.qk_rope_head_dim) or group.mixer.head_dim)
        for group in groups
        if group.mixer.kind in CACHED
    ]
    return 2.0 * max(widths, default=0) * layout.parallelism.dcp / layout.parallelism.tp


def _small_s_per_token(layout: Layout, groups: tuple[LayerGroup, ...]) -> float:
    hidden, tp = layout.model.hidden_size, layout.parallelism.tp
    values = 0.0
    for group in groups:
        inter = group.ffn.inter / tp if group.ffn.kind is FfnKind.DENSE else 0.0
        values += group.count * (HIDDEN_PASSES * hidden + INTER_PASSES * inter)
    return 2.0 * values / layout.machines.gpu.memory_bandwidth_bytes_per_s


def _hand_over(layout: Layout, hidden_bytes: float, calibration: Calibration) -> tuple[float, float]:
    """(latency, seconds per token) of passing activations on; the slower of inside and across nodes counts."""
    if layout.parallelism.pp == 1:
        return 0.0, 0.0
    across = layout.parallelism.gpus_per_copy > layout.machines.gpus_per_node
    latency = point_to_point_s(layout.machines, across, 0.0, calibration)
    return latency, point_to_point_s(layout.machines, across, hidden_bytes, calibration) - latency


def _compute_share(layout: Layout) -> float:
    return power_factor(layout.machines.gpu, layout.machines.gpu_cap_w)


def _law(layout: Layout, stored: Precision, calibration: Calibration) -> GemmLaw:
    return gemm_law(layout.machines.gpu, stored, calibration, _compute_share(layout))


def _product_terms(
    layout: Layout, groups: tuple[LayerGroup, ...], calibration: Calibration
) -> tuple[ProductTerm, ...]:
    hidden, tp = layout.model.hidden_size, layout.parallelism.tp
    counts: dict[ProductTerm, int] = {}
    for group in groups:
        for (part, inputs), outputs in _fused(group, hidden, tp).items():
            law = _law(layout, stored_as(layout.weights_precision, part), calibration)
            term = product_term(law, 1, outputs, inputs)
            counts[term] = counts.get(term, 0) + group.count
    return tuple(replace(term, count=count) for term, count in counts.items())


def _fused(group: LayerGroup, hidden: int, tp: int) -> dict[tuple[Part, float], float]:
    """Outputs of each launched product by (part, inputs): projections of the same input run as one."""
    fused: dict[tuple[Part, float], float] = {}
    for linear in layer_linears(group, hidden):
        if linear.part is not Part.EXPERT:
            outputs, inputs = _rank_shape(linear, tp)
            key = (linear.part, inputs)
            fused[key] = fused.get(key, 0.0) + outputs
    return fused


def _rank_shape(linear: Linear, tp: int) -> tuple[float, float]:
    if linear.split is Split.INPUTS:
        return float(linear.outputs), linear.inputs / tp
    return linear.outputs * linear.share(tp), float(linear.inputs)


def product_term(law: GemmLaw, count: int, outputs: float, inputs: float) -> ProductTerm:
    """A matrix of ``outputs`` x ``inputs`` under a law."""
    return ProductTerm(
        count=count,
        floor_s=law.floor_s,
        memory0=law.weight_bytes * outputs * inputs / law.bytes_per_s,
        memory1=(law.activation_bytes * inputs + 2.0 * outputs) / law.bytes_per_s,
        compute0=2.0 * inputs * law.fill_outputs / law.flop_per_s,
        compute1=2.0 * inputs * outputs / law.flop_per_s,
        softness=law.softness,
    )


def _head_term(layout: Layout, calibration: Calibration) -> ProductTerm:
    law = _law(layout, Precision.BF16, calibration)
    return product_term(law, 1, layout.model.vocab_size / layout.parallelism.tp, layout.model.hidden_size)


def _expert_terms(
    layout: Layout, groups: tuple[LayerGroup, ...], calibration: Calibration
) -> Iterator[ExpertTerm]:
    degrees, hidden = layout.parallelism, layout.model.hidden_size
    stored = stored_as(layout.weights_precision, Part.EXPERT)
    for group in (g for g in groups if g.ffn.kind is FfnKind.MOE):
        law = moe_law(layout.machines.gpu, stored, calibration, layout.stack, _compute_share(layout))
        ffn = group.ffn
        width = ffn.latent or hidden
        inter = ffn.inter / (max(degrees.tp, degrees.ep) / degrees.ep)
        weights = (3.0 if ffn.gated else 2.0) * width * inter
        yield ExpertTerm(
            count=group.count,
            floor_s=law.floor_s,
            rank_experts=ffn.experts / degrees.ep,
            miss=1.0 - ffn.top_k / ffn.experts,
            spread=calibration.value("routing", "experts", "spread"),
            pairs_per_token=ffn.top_k / degrees.ep,
            s_per_expert=weights * law.weight_bytes / law.bytes_per_s,
            compute_s_per_row=2.0 * weights / law.flop_per_s,
            pad_rows=law.pad_rows,
            activation_s_per_token=ffn.top_k / degrees.ep * width * 2.0 / law.activation_bytes_per_s,
        )


def _attention_terms(
    layout: Layout, groups: tuple[LayerGroup, ...], calibration: Calibration
) -> Iterator[AttentionTerm]:
    builders = {
        MixerKind.GQA: _grouped_term,
        MixerKind.MLA: _latent_term,
        MixerKind.DSV4: _latent_term,
        MixerKind.GDN: _recurrent_term,
        MixerKind.KDA: _recurrent_term,
        MixerKind.MAMBA2: _recurrent_term,
    }
    for group in groups:
        if group.mixer.kind is not MixerKind.NONE:
            yield builders[group.mixer.kind](layout, group.mixer, group.count, calibration)


def _reach(mixer: Mixer) -> float:
    """Tokens a decoding request reads in full: window, choice of the index, or everything."""
    reach = float(mixer.window) if mixer.window else NO_WINDOW
    if mixer.indexer_heads:
        reach = min(reach, float(mixer.indexer_topk or DEFAULT_INDEX_TOP_K))
    return reach


def _index_bytes(layout: Layout, mixer: Mixer) -> float:
    """Index keys and compressed memory read per token of context on a rank, which no window bounds."""
    group = LayerGroup(mixer=mixer, ffn=layout.model.layers[0].ffn, count=1)
    whole = cache_law((group,), layout.kv_precision, layout.parallelism.tp).growth_bytes
    per_token = rank_bytes_per_token(mixer, layout.kv_precision, layout.parallelism.tp)
    return whole if mixer.window else max(0.0, whole - per_token)


def _grouped_term(layout: Layout, mixer: Mixer, count: int, calibration: Calibration) -> AttentionTerm:
    gpu, tp = layout.machines.gpu, layout.parallelism.tp
    decode = decode_attention_law(gpu, layout.kv_precision, calibration, layout.stack)
    prefill = prefill_attention_law(
        gpu, layout.kv_precision, calibration, layout.stack, _compute_share(layout)
    )
    heads = mixer.heads / tp
    both_dims = mixer.head_dim + (mixer.v_head_dim or mixer.head_dim)
    io_bytes = 2.0 * both_dims * (heads + max(1.0, mixer.kv_heads / tp))
    dcp = layout.parallelism.dcp
    read = rank_bytes_per_token(mixer, layout.kv_precision, tp) / dcp
    index = _index_bytes(layout, mixer) / dcp
    return AttentionTerm(
        count=count,
        reach=_reach(mixer),
        decode_floor_s=decode.floor_s,
        decode_s_per_pair=read / decode.bytes_per_s,
        decode_s_per_index_pair=index / decode.bytes_per_s,
        decode_s_per_request=heads * decode.s_per_batch_head,
        prefill_floor_s=prefill.floor_s,
        prefill_s_per_pair=2.0 * heads * both_dims / prefill.flop_per_s,
        prefill_s_per_index_pair=2.0 * mixer.indexer_heads * mixer.indexer_head_dim / prefill.flop_per_s,
        prefill_s_per_token=io_bytes / prefill.bytes_per_s,
    )


def _latent_term(layout: Layout, mixer: Mixer, count: int, calibration: Calibration) -> AttentionTerm:
    gpu, degrees = layout.machines.gpu, layout.parallelism
    law = latent_attention_law(gpu, calibration, _compute_share(layout))
    heads = mixer.heads / degrees.tp
    rank, rope = mixer.kv_lora_rank or mixer.head_dim, mixer.qk_rope_head_dim
    expanded = (mixer.qk_nope_head_dim + rope + mixer.v_head_dim) or 2 * mixer.head_dim
    read = rank_bytes_per_token(mixer, layout.kv_precision, degrees.tp) / law.bytes_per_s
    compute = 2.0 * heads * (2 * rank + rope) / law.decode_flop_per_s
    index = _index_bytes(layout, mixer)
    return AttentionTerm(
        count=count,
        reach=_reach(mixer),
        decode_floor_s=law.floor_s,
        decode_s_per_pair=max(read, compute) / degrees.dcp,
        decode_s_per_index_pair=index / law.bytes_per_s / degrees.dcp,
        decode_s_per_request=0.0,
        prefill_floor_s=law.floor_s,
        prefill_s_per_pair=2.0 * heads * expanded / law.prefill_flop_per_s,
        prefill_s_per_index_pair=2.0 * mixer.indexer_heads * mixer.indexer_head_dim / law.prefill_flop_per_s,
        prefill_s_per_token=0.0,
    )


def _recurrent_term(layout: Layout, mixer: Mixer, count: int, calibration: Calibration) -> AttentionTerm:
    law = linear_attention_law(layout.machines.gpu, calibration)
    tp = layout.parallelism.tp
    values = mixer.value_heads * mixer.value_dim or mixer.heads * mixer.head_dim
    return AttentionTerm(
        count=count,
        reach=0.0,
        decode_floor_s=law.floor_s,
        decode_s_per_pair=0.0,
        decode_s_per_index_pair=0.0,
        decode_s_per_request=2.0 * state_bytes(mixer) / tp / law.bytes_per_s,
        prefill_floor_s=law.floor_s,
        prefill_s_per_pair=0.0,
        prefill_s_per_index_pair=0.0,
        prefill_s_per_token=values / tp * law.prefill_s_per_value,
    )

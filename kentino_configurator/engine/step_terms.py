"""The step model of a layout: its matrices, experts, attention and exchanges with the coefficients of its kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout
from kentino_configurator.core.llm import FfnKind, LayerGroup, Mixer, MixerKind, Precision
from kentino_configurator.core.parameters import state_bytes
from kentino_configurator.engine.comms import all_gather_law, all_reduce_law, point_to_point_s
from kentino_configurator.engine.kernels import (
    GemmLaw,
    decode_attention_law,
    gemm_law,
    latent_attention_law,
    linear_attention_law,
    moe_law,
    power_factor,
    prefill_attention_law,
)
from kentino_configurator.engine.kv_cache import cache_law, rank_bytes_per_token
from kentino_configurator.engine.memo import SpecMemo
from kentino_configurator.engine.shapes import Linear, Part, Split, layer_linears
from kentino_configurator.engine.stages import layers_per_stage
from kentino_configurator.engine.steps import AttentionTerm, ExpertTerm, ProductTerm, StepModel
from kentino_configurator.engine.weights import stored_as

NO_WINDOW = float("inf")
DEFAULT_INDEX_TOP_K = 2048
CACHED = frozenset({MixerKind.GQA, MixerKind.MLA, MixerKind.DSV4})
RECURRENT = frozenset({MixerKind.GDN, MixerKind.KDA, MixerKind.MAMBA2})
HIDDEN_PASSES = 4.0
INTER_PASSES = 3.0
"""Reads and writes of the residual stream and of the feed-forward activation by norms, rotary and activation kernels;
138 us for 2,048 tokens of an 8B layer on RTX PRO 6000."""

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
        machines.rails,
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

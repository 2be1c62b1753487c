"""Pipeline stages: which layers sit on which rank, and what the rank holds."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.llm import FfnKind, KvPrecision, LayerGroup, ModelSpec, Precision
from kentino_configurator.engine.kv_cache import CacheLaw, cache_law
from kentino_configurator.engine.shapes import Linear, Part, layer_linears
from kentino_configurator.engine.weights import (
    BF16_BYTES,
    computed_bytes,
    stored_bytes_per_weight,
    weights_bytes,
)

PADDED_WIDTH = 256
"""MXFP4 kernels pad the width of an expert to a multiple of this (gpt-oss: 2,880 becomes 3,072)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One pipeline stage on one of its TP ranks: layers, bytes of weights, law of its cache."""

    layers: int
    weights_bytes: float
    cache: CacheLaw


def layers_per_stage(layers: int, stages: int) -> tuple[int, ...]:
    """Layers of each stage, as serving engines split them: the surplus goes to the stages before the last.

    Raises ``ValueError`` when there are more stages than layers.
    """
    if stages > layers:
        raise ValueError(f"{layers} layers cannot be split over {stages} pipeline stages")
    counts = [layers // stages] * stages
    for surplus in range(layers % stages):
        counts[-2 - surplus if surplus < stages - 1 else 0] += 1
    return tuple(counts)


def model_stages(
    model: ModelSpec,
    precision: Precision,
    kv: KvPrecision,
    tp: int,
    pp: int,
    ep: int = 1,
    dcp: int = 1,
) -> tuple[Stage, ...]:
    """The stages of one copy with what the fullest rank of each holds."""
    documented = weights_bytes(model, precision) / computed_bytes(model, precision)
    embedding = model.vocab_size * model.hidden_size * BF16_BYTES / tp
    stages = []
    for index, groups in enumerate(_stage_groups(model, pp)):
        ends = _end_tables(model, index, pp) * embedding
        vision = model.vision_params * BF16_BYTES / tp if index == 0 else 0.0
        matrices = sum(g.count * _layer_bytes(g, model.hidden_size, precision, tp, ep) for g in groups)
        layers = sum(group.count for group in groups)
        small = _small_params(model) * BF16_BYTES * layers / model.num_layers
        stages.append(
            Stage(
                layers=layers,
                weights_bytes=documented * (ends + vision + matrices + small),
                cache=cache_law(groups, kv, tp, dcp),
            )
        )
    return tuple(stages)


def _stage_groups(model: ModelSpec, pp: int) -> list[tuple[LayerGroup, ...]]:
    remaining = [(group, group.count) for group in model.layers]
    stages: list[tuple[LayerGroup, ...]] = []
    for wanted in layers_per_stage(sum(group.count for group in model.layers), pp):
        stage: list[LayerGroup] = []
        while wanted > 0:
            group, left = remaining.pop(0)
            taken = min(wanted, left)
            stage.append(_resized(group, taken))
            wanted -= taken
            if left > taken:
                remaining.insert(0, (group, left - taken))
        stages.append(tuple(stage))
    return stages


def _resized(group: LayerGroup, count: int) -> LayerGroup:
    return LayerGroup(mixer=group.mixer, ffn=group.ffn, count=count, norms=group.norms)


def _end_tables(model: ModelSpec, stage: int, pp: int) -> int:
    """Vocabulary tables on a stage: embedding on the first, head on the last; tied ones share a table if they meet."""
    first, last = stage == 0, stage == pp - 1
    return 1 if first and last and model.tie_embeddings else int(first) + int(last)


def _small_params(model: ModelSpec) -> int:
    """Norms, biases, convolutions: what is neither matrix nor vocabulary table; held by every rank."""
    matrices = sum(
        g.count * sum(lin.weights for lin in layer_linears(g, model.hidden_size)) for g in model.layers
    )
    tables = model.vocab_size * model.hidden_size * (1 if model.tie_embeddings else 2)
    return max(0, model.text_params - matrices - tables)


def _layer_bytes(group: LayerGroup, hidden: int, precision: Precision, tp: int, ep: int) -> float:
    return sum(
        linear.weights
        * stored_bytes_per_weight(precision, linear.part)
        * rank_share(linear, tp, ep)
        * _padding(group, linear, precision)
        for linear in layer_linears(group, hidden)
    )


def rank_share(linear: Linear, tp: int, ep: int) -> float:
    """Share of a matrix on one rank; experts are divided over the larger of TP and EP."""
    return 1.0 / max(tp, ep) if linear.part is Part.EXPERT else linear.share(tp)


def _padding(group: LayerGroup, linear: Linear, precision: Precision) -> float:
    if (
        precision is not Precision.MXFP4
        or linear.part is not Part.EXPERT
        or group.ffn.kind is not FfnKind.MOE
    ):
        return 1.0
    inter = group.ffn.inter
    return -(-inter // PADDED_WIDTH) * PADDED_WIDTH / inter

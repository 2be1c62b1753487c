"""Formulas of the chosen plan with the numbers filled in, so that a sceptical engineer can recompute them."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import Formula
from kentino_configurator.core.llm import MixerKind, ModelSpec
from kentino_configurator.core.units import GB, Unit
from kentino_configurator.engine.plan import Placement, Plan
from kentino_configurator.engine.wording import quantity, share


def formulas(plan: Plan) -> tuple[Formula, ...]:
    """Formulas of every placement, weights first."""
    return tuple(formula for placement in plan.placements for formula in _of(placement))


def _of(placement: Placement) -> Iterator[Formula]:
    memory = placement.result.memory
    yield Formula(
        id="weights_share",
        expression=f"{memory.weights / GB:,.1f} GB / {memory.usable / GB:,.1f} GB",
        value=share(memory.weights_share),
    )
    if placement.workload.kind.is_training:
        return
    yield _kv(placement)


def _kv(placement: Placement) -> Formula:
    tokens = placement.workload.max_context_tokens or (
        placement.workload.input_tokens + placement.workload.output_tokens
    )
    per_value = placement.layout.kv_precision.bytes_per_value
    requests = placement.result.concurrency_per_copy
    expression = (
        f"{_per_token(placement.workload.model, per_value)} × {tokens:,} tokens × {requests:,} requests"
    )
    total = placement.result.memory.kv_cache * placement.layout.parallelism.gpus_per_copy
    return Formula(id="kv_cache", expression=expression, value=quantity(total, Unit.BYTES))


def _per_token(model: ModelSpec, per_value: int) -> str:
    """KV bytes of one token, written out for a model with one kind of GQA layer, else as the sum it is."""
    mixers = {group.mixer for group in model.layers}
    if len(mixers) == 1:
        mixer = next(iter(mixers))
        if mixer.kind is MixerKind.GQA and mixer.window is None and not mixer.k_eq_v:
            plural = "byte" if per_value == 1 else "bytes"
            heads = f"{mixer.kv_heads} KV heads × {mixer.head_dim}"
            return f"2 × {model.num_layers} layers × {heads} × {per_value} {plural}"
    return f"{model.kv_bytes_per_token_bf16 * per_value / 2:,.0f} bytes"

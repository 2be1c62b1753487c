"""Room on a layout: the longest context, and the smallest change that makes a load fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.policy import Policy
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.memory import serving_memory

MORE_GPUS = (2, 4, 8)
CONTEXT_STEP = 256


class Change(StrEnum):
    """What can be changed, from the one that costs least."""

    KV_FP8 = "kv_fp8"
    FEWER_USERS = "fewer_users"
    SHORTER_CONTEXT = "shorter_context"
    FEWER_BITS = "fewer_bits"
    MORE_GPUS = "more_gpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A change that makes the load fit: users, tokens, bits per weight or GPUs of a copy, whichever it is."""

    change: Change
    value: float
    layout: Layout
    load: ServingLoad


def missing_bytes(layout: Layout, load: ServingLoad, policy: Policy) -> float:
    """Bytes the fullest GPU is short of; 0 when the load fits."""
    return max(0.0, -serving_memory(layout, load, policy).free)


def longest_context(layout: Layout, load: ServingLoad, policy: Policy) -> int:
    """Tokens every request of the load may have at once, in steps of 256; 0 when not even those fit."""

    def fits(steps: int) -> bool:
        trial = replace(load, kv_tokens_per_request=float(steps * CONTEXT_STEP))
        return serving_memory(layout, trial, policy).fits

    most = max(1, layout.model.max_context // CONTEXT_STEP)
    if fits(most):
        return most * CONTEXT_STEP
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low * CONTEXT_STEP


def remedies(layout: Layout, load: ServingLoad, policy: Policy) -> tuple[Remedy, ...]:
    """Every single change that makes a load fit, from the one that costs least; empty when it fits as it is."""
    if serving_memory(layout, load, policy).fits:
        return ()
    return tuple(
        remedy
        for remedy in _trials(layout, load, policy)
        if not layout_reasons(remedy.layout) and serving_memory(remedy.layout, remedy.load, policy).fits
    )


def _trials(layout: Layout, load: ServingLoad, policy: Policy) -> Iterator[Remedy]:
    if layout.kv_precision is not KvPrecision.FP8:
        eight_bit = replace(layout, kv_precision=KvPrecision.FP8)
        yield Remedy(change=Change.KV_FP8, value=8.0, layout=eight_bit, load=load)
    users = int(serving_memory(layout, load, policy).max_concurrency_at_context)
    if users >= 1:
        fewer = replace(load, concurrency=users)
        yield Remedy(change=Change.FEWER_USERS, value=float(users), layout=layout, load=fewer)
    context = longest_context(layout, load, policy)
    if context >= load.input_tokens + load.output_tokens:
        shorter = replace(load, kv_tokens_per_request=float(context))
        yield Remedy(change=Change.SHORTER_CONTEXT, value=float(context), layout=layout, load=shorter)
    for precision, bits in ((Precision.FP8, 8.0), (Precision.NVFP4, 4.0)):
        if _bits(layout.weights_precision) > bits:
            smaller = replace(layout, weights_precision=precision)
            yield Remedy(change=Change.FEWER_BITS, value=bits, layout=smaller, load=load)
    for tp in MORE_GPUS:
        if layout.parallelism.tp < tp <= layout.machines.gpus_per_node:
            wider = replace(layout, parallelism=replace(layout.parallelism, tp=tp))
            yield Remedy(
                change=Change.MORE_GPUS, value=float(wider.parallelism.gpus_per_copy), layout=wider, load=load
            )


def _bits(precision: Precision) -> float:
    if precision.is_four_bit:
        return 4.0
    return 16.0 if precision is Precision.BF16 else 8.0

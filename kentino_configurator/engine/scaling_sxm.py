"""The lead of an SXM baseboard over our eight-GPU node, split into fabric and silicon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kentino_configurator.core.evidence import Estimate, weakest
from kentino_configurator.core.prediction import TrainingPerformance
from kentino_configurator.core.scaling import Spread, SxmSplit
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.scaling_recipes import (
    ScalingContext,
    best_recipe,
    machines_of_row,
    spread_degrees,
)


def sxm_splits(context: ScalingContext) -> Iterator[SxmSplit]:
    """One split per spread on eight GPUs; nothing without an SXM card to compare with."""
    if context.sxm_gpu is None:
        return
    theirs = replace(context, gpu=context.sxm_gpu, gpu_attach="")
    for spread in Spread:
        degrees = spread_degrees(spread, 1, 8)
        ours, lead = (
            best_recipe(each, machines_of_row(each, 1, 8), degrees).performance for each in (context, theirs)
        )
        if ours is not None and lead is not None:
            yield _split(spread, context.sxm_gpu.name, ours, lead)


def _split(spread: Spread, gpu: str, ours: TrainingPerformance, theirs: TrainingPerformance) -> SxmSplit:
    total = _ratio(theirs.tokens_per_s, ours.tokens_per_s)
    fabric = _ratio(theirs.scaling_efficiency, ours.scaling_efficiency)
    silicon = total.expected / fabric.expected
    return SxmSplit(
        spread=spread,
        gpu=gpu,
        total=total,
        fabric=fabric,
        silicon=replace(
            total,
            low=min(silicon, total.low / fabric.expected),
            expected=silicon,
            high=max(silicon, total.high / fabric.expected),
        ),
    )


def _ratio(a: Estimate, b: Estimate) -> Estimate:
    """Ratio of two figures whose errors are common for the most part: the interval of the wider one."""
    wider = max(a, b, key=lambda each: each.high / each.low)
    expected = a.expected / b.expected
    return Estimate(
        low=expected * wider.low / wider.expected,
        expected=expected,
        high=expected * wider.high / wider.expected,
        unit=Unit.FACTOR,
        evidence=weakest((a.evidence, b.evidence)),
    )

"""The article's scaling table for one model and job: machines x spreads x fabrics, with the physics visible.

Every row takes the fastest recipe that fits, so that no layout is judged by a bad one. Efficiency refers to one GPU
with its own best recipe; where one GPU cannot hold the job, to one GPU with the row's recipe and memory left aside.
"""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.layout import Fabric, Machines, Parallelism
from kentino_configurator.core.prediction import TrainingPerformance
from kentino_configurator.core.scaling import ScalingRow, ScalingTable, Spread
from kentino_configurator.engine.scaling_field import field_figure
from kentino_configurator.engine.scaling_recipes import (
    ScalingContext,
    best_recipe,
    machines_of_row,
    spread_degrees,
)
from kentino_configurator.engine.scaling_strong import strong_scaling
from kentino_configurator.engine.scaling_sxm import sxm_splits
from kentino_configurator.engine.training import min_tokens_per_gpu

SHAPES = ((1, 4), (1, 8), (2, 4), (2, 8), (4, 8))
"""(nodes, GPUs per node) of the table."""

FABRICS = (Fabric.ETHERNET_25G, Fabric.ETHERNET_100G, Fabric.ROCE_200G, Fabric.ROCE_400G)


def scaling_table(context: ScalingContext) -> ScalingTable:
    """The table of a job: rows, the SXM split and strong scaling over the fabrics that carry a cluster."""
    baseline = best_recipe(context, machines_of_row(context, 1, 1), Parallelism())
    alone = baseline.performance
    if alone is None:
        raise ValueError(f"{context.model.name} cannot run on {context.gpu.name} in any layout")
    return ScalingTable(
        model=context.model.name,
        gpu=context.gpu.name,
        kind=context.job.kind,
        gate=context.policy["efficiency.gate"],
        baseline_tokens_per_s=alone.tokens_per_s,
        baseline_fits=baseline.prediction.fits,
        rows=tuple(_rows(context, alone.tokens_per_s.expected if baseline.prediction.fits else None)),
        sxm=tuple(sxm_splits(context)),
        strong=tuple(strong_scaling(context, fabric) for fabric in (Fabric.ETHERNET_100G, Fabric.ROCE_400G)),
    )


def _rows(context: ScalingContext, one_gpu: float | None) -> Iterator[ScalingRow]:
    for nodes, gpus_per_node in SHAPES:
        for fabric in FABRICS if nodes > 1 else (None,):
            on = machines_of_row(context, nodes, gpus_per_node, fabric)
            for spread in Spread:
                yield _row(context, on, spread, one_gpu)


def _row(context: ScalingContext, on: Machines, spread: Spread, one_gpu: float | None) -> ScalingRow:
    degrees = spread_degrees(spread, on.nodes, on.gpus_per_node)
    case = best_recipe(context, on, degrees)
    figures, memory = case.performance, case.prediction.memory
    efficiency = None if figures is None else _efficiency(figures, degrees.gpus, one_gpu)
    gate = context.policy["efficiency.gate"]
    return ScalingRow(
        nodes=on.nodes,
        gpus_per_node=on.gpus_per_node,
        fabric=on.fabric,
        spread=spread,
        parallelism=degrees,
        sharding=case.job.sharding,
        recompute=case.job.recompute,
        micro_batch_tokens=case.job.micro_batch_tokens,
        fits=case.prediction.fits,
        memory_share=memory.used / memory.usable,
        efficiency=efficiency,
        tokens_per_s=figures.tokens_per_s if figures else None,
        days=figures.days if figures else None,
        bound_by=figures.bound_by if figures else "",
        below_gate=efficiency is not None and efficiency.expected < gate,
        min_tokens=(
            min_tokens_per_gpu(case.layout, case.job, context.calibration) if spread is Spread.DATA else None
        ),
        field=field_figure(context, case, spread),
        reasons=case.prediction.reasons,
    )


def _efficiency(figures: TrainingPerformance, gpus: int, one_gpu: float | None) -> Estimate:
    """Rate per GPU over the rate of one GPU, ``None``: one GPU with the same recipe, whatever its memory."""
    own = figures.scaling_efficiency
    if one_gpu is None:
        return own
    return own.scaled(figures.tokens_per_s.expected / gpus / one_gpu / own.expected)

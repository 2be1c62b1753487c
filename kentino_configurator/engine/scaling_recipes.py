"""Recipes of a scaling table: the machines of a row, the degrees of a spread, the fastest recipe that fits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import (
    Fabric,
    Layout,
    Machines,
    Parallelism,
    Recompute,
    Sharding,
    Stack,
    TrainingJob,
)
from kentino_configurator.core.llm import ModelSpec, Precision
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import Prediction, TrainingPerformance
from kentino_configurator.core.scaling import Spread
from kentino_configurator.engine.training import predict_training

MICRO_BATCH_SEQUENCES = (8, 4, 2, 1)
RECOMPUTATIONS = (Recompute.NONE, Recompute.SELECTIVE, Recompute.FULL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingContext:
    """What a table is computed from. ``rails``: network ports of a node that collectives use side by side."""

    model: ModelSpec
    job: TrainingJob
    gpu: GpuSpec
    calibration: Calibration
    policy: Policy
    sxm_gpu: GpuSpec | None = None
    stack: Stack = Stack.ORDINARY
    sockets: int = 2
    gpu_attach: str = ""
    rails: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A layout and recipe with its prediction."""

    layout: Layout
    job: TrainingJob
    prediction: Prediction

    @property
    def performance(self) -> TrainingPerformance | None:
        """The training performance, ``None`` when the layout cannot run."""
        figures = self.prediction.performance
        return figures if isinstance(figures, TrainingPerformance) else None


def machines_of_row(
    context: ScalingContext, nodes: int, gpus_per_node: int, fabric: Fabric | None = None
) -> Machines:
    """The machines of a row."""
    return Machines(
        gpu=context.gpu,
        gpus_per_node=gpus_per_node,
        nodes=nodes,
        fabric=fabric,
        sockets=context.sockets,
        gpu_attach=context.gpu_attach,
        rails=context.rails,
    )


def spread_degrees(spread: Spread, nodes: int, gpus_per_node: int) -> Parallelism:
    """Degrees of a spread. In one node, TP with pipeline halves the tensor-parallel group."""
    gpus = nodes * gpus_per_node
    if spread is Spread.TENSOR:
        return Parallelism(tp=gpus)
    if spread is Spread.DATA:
        return Parallelism(dp=gpus)
    stages = nodes if nodes > 1 else 2
    return Parallelism(tp=gpus // stages, pp=stages)


def shardings(degrees: Parallelism, nodes: int) -> tuple[Sharding, ...]:
    """Ways to keep the state of data-parallel ranks: copies with a split optimizer, split inside a node, split."""
    if degrees.dp == 1:
        return (Sharding.NONE,)
    return (
        (Sharding.ZERO1, Sharding.HYBRID, Sharding.ZERO3) if nodes > 1 else (Sharding.ZERO1, Sharding.ZERO3)
    )


def best_recipe(context: ScalingContext, on: Machines, degrees: Parallelism) -> Case:
    """The fastest recipe that fits; where none does, the leanest one."""
    cases = [
        _largest_that_fits(context, on, degrees, sharding, recompute)
        for sharding, recompute in product(shardings(degrees, on.nodes), RECOMPUTATIONS)
    ]
    fitting = [case for case in cases if case.prediction.fits and case.performance is not None]
    if fitting:
        return max(fitting, key=rate_of)
    return max(cases, key=lambda case: case.prediction.memory.free)


def rate_of(case: Case) -> float:
    """Tokens/s, 0 where the layout cannot run."""
    return case.performance.tokens_per_s.expected if case.performance else 0.0


def _largest_that_fits(
    context: ScalingContext, on: Machines, degrees: Parallelism, sharding: Sharding, recompute: Recompute
) -> Case:
    """The largest micro-batch that fits, which is never the slower one; one sequence where none does."""
    layout = Layout(
        model=context.model,
        machines=on,
        parallelism=degrees,
        weights_precision=Precision.INT4 if context.job.kind == "qlora" else Precision.BF16,
        stack=context.stack,
    )
    for sequences in MICRO_BATCH_SEQUENCES:
        micro = float(sequences * context.job.sequence_tokens)
        if sequences > 1 and micro * degrees.dp > context.job.global_batch_tokens:
            continue
        job = replace(
            context.job,
            micro_batch_tokens=micro,
            global_batch_tokens=max(context.job.global_batch_tokens, micro * degrees.dp),
            sharding=sharding,
            recompute=recompute,
        )
        prediction = predict_training(layout, job, context.calibration, context.policy)
        if prediction.fits:
            break
    return Case(layout=layout, job=job, prediction=prediction)

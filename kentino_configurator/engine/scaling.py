"""The article's scaling table for one model and job: machines x spreads x fabrics, with the physics visible.

Every row takes the fastest recipe that fits, so that no layout is judged by a bad one. Efficiency refers to one GPU
with its own best recipe; where one GPU cannot hold the job, to one GPU with the row's recipe and memory left aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Estimate, Evidence, exact, weakest
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
from kentino_configurator.core.scaling import (
    FieldFigure,
    ScalingRow,
    ScalingTable,
    Spread,
    StrongScaling,
    StrongScalingPoint,
    SxmSplit,
)
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.training import min_tokens_per_gpu, predict_training, step_time

SHAPES = ((1, 4), (1, 8), (2, 4), (2, 8), (4, 8))
"""(nodes, GPUs per node) of the table."""

FABRICS = (Fabric.ETHERNET_25G, Fabric.ETHERNET_100G, Fabric.ROCE_200G, Fabric.ROCE_400G)
MICRO_BATCH_SEQUENCES = (8, 4, 2, 1)
RECOMPUTATIONS = (Recompute.NONE, Recompute.SELECTIVE, Recompute.FULL)
FIELD_FIGURES = {(1, 8): "field.tp8_one_node", (2, 4): "field.tp_2x4"}
"""Policy ids of Kentino's figures for tensor parallelism over a shape (70B-class training step)."""

FIELD_PARAMETERS = (60e9, 80e9)
"""The models those figures were taken on: beside other sizes they would mislead."""


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
class _Case:
    """A layout and recipe with its prediction."""

    layout: Layout
    job: TrainingJob
    prediction: Prediction

    @property
    def performance(self) -> TrainingPerformance | None:
        """The training performance, ``None`` when the layout cannot run."""
        figures = self.prediction.performance
        return figures if isinstance(figures, TrainingPerformance) else None


def scaling_table(context: ScalingContext) -> ScalingTable:
    """The table of a job: rows, the SXM split and strong scaling over the fabrics that carry a cluster."""
    baseline = _best_recipe(context, machines(context, 1, 1), Parallelism())
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
        sxm=tuple(_sxm_splits(context)),
        strong=tuple(strong_scaling(context, fabric) for fabric in (Fabric.ETHERNET_100G, Fabric.ROCE_400G)),
    )


def machines(
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


def _rows(context: ScalingContext, one_gpu: float | None) -> Iterator[ScalingRow]:
    for nodes, gpus_per_node in SHAPES:
        for fabric in FABRICS if nodes > 1 else (None,):
            on = machines(context, nodes, gpus_per_node, fabric)
            for spread in Spread:
                yield _row(context, on, spread, one_gpu)


def _row(context: ScalingContext, on: Machines, spread: Spread, one_gpu: float | None) -> ScalingRow:
    degrees = spread_degrees(spread, on.nodes, on.gpus_per_node)
    case = _best_recipe(context, on, degrees)
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
        field=_field_figure(context, case, spread),
        reasons=case.prediction.reasons,
    )


def _efficiency(figures: TrainingPerformance, gpus: int, one_gpu: float | None) -> Estimate:
    """Rate per GPU over the rate of one GPU, ``None``: one GPU with the same recipe, whatever its memory."""
    own = figures.scaling_efficiency
    if one_gpu is None:
        return own
    return own.scaled(figures.tokens_per_s.expected / gpus / one_gpu / own.expected)


def _best_recipe(context: ScalingContext, on: Machines, degrees: Parallelism) -> _Case:
    """The fastest recipe that fits; where none does, the leanest one."""
    cases = [
        _Case(
            layout=layout,
            job=job,
            prediction=predict_training(layout, job, context.calibration, context.policy),
        )
        for layout, job in _recipes(context, on, degrees)
    ]
    fitting = [case for case in cases if case.prediction.fits and case.performance is not None]
    if fitting:
        return max(fitting, key=_rate)
    return max(cases, key=lambda case: case.prediction.memory.free)


def _rate(case: _Case) -> float:
    return case.performance.tokens_per_s.expected if case.performance else 0.0


def _recipes(
    context: ScalingContext, on: Machines, degrees: Parallelism
) -> Iterator[tuple[Layout, TrainingJob]]:
    layout = Layout(
        model=context.model,
        machines=on,
        parallelism=degrees,
        weights_precision=Precision.INT4 if context.job.kind == "qlora" else Precision.BF16,
        stack=context.stack,
    )
    sequence = context.job.sequence_tokens
    choices = product(shardings(degrees, on.nodes), RECOMPUTATIONS, MICRO_BATCH_SEQUENCES)
    for sharding, recompute, sequences in choices:
        micro = float(sequences * sequence)
        if sequences > 1 and micro * degrees.dp > context.job.global_batch_tokens:
            continue
        yield (
            layout,
            replace(
                context.job,
                micro_batch_tokens=micro,
                global_batch_tokens=max(context.job.global_batch_tokens, micro * degrees.dp),
                sharding=sharding,
                recompute=recompute,
            ),
        )


def _field_figure(context: ScalingContext, case: _Case, spread: Spread) -> FieldFigure | None:
    on = case.layout.machines
    policy_id = FIELD_FIGURES.get((on.nodes, on.gpus_per_node))
    low, high = FIELD_PARAMETERS
    if spread is not Spread.TENSOR or policy_id is None or case.performance is None:
        return None
    if not low <= context.model.text_params <= high:
        return None
    value = context.policy[policy_id]
    return FieldFigure(
        efficiency=exact(value, Unit.SHARE, Evidence.FIELD),
        policy_id=policy_id,
        explaining_overlap=explaining_overlap(case.layout, case.job, value, context.calibration),
    )


def explaining_overlap(
    layout: Layout, job: TrainingJob, efficiency: float, calibration: Calibration
) -> float | None:
    """Share of tensor-parallel traffic beside arithmetic that gives an efficiency; ``None`` when none is enough.

    The step then takes ``T_alone / efficiency``, where ``T_alone`` is one GPU's time for a GPU's share of the work.
    """
    step = step_time(layout, job, calibration)
    alone = step_time(replace(layout, parallelism=Parallelism()), job, calibration)
    gpus = layout.parallelism.gpus
    allowed = alone.compute_s / gpus / efficiency * (1.0 - step.bubble)
    hidden = 1.0 - (allowed - step.compute_s - step.update_s) / step.tensor_s
    return None if hidden > 1.0 else max(0.0, hidden)


def _sxm_splits(context: ScalingContext) -> Iterator[SxmSplit]:
    if context.sxm_gpu is None:
        return
    theirs = replace(context, gpu=context.sxm_gpu, gpu_attach="")
    for spread in Spread:
        degrees = spread_degrees(spread, 1, 8)
        ours, lead = (
            _best_recipe(each, machines(each, 1, 8), degrees).performance for each in (context, theirs)
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


def strong_scaling(context: ScalingContext, fabric: Fabric, gpus_per_node: int = 8) -> StrongScaling:
    """Amdahl's curve of one job of fixed batch over nodes, with the faster spread on the largest cluster.

    Speed-up counts from the smallest number of nodes that holds the job. The serial share is that of Karp and Flatt
    (1990), ``(1/S - 1/n) / (1 - 1/n)``, as a mean over the curve. The node after ``last_paying_nodes`` adds less than
    the efficiency gate's share of a node.
    """
    largest = int(context.policy["cluster.max_nodes"])
    spread = max(
        (Spread.DATA, Spread.TENSOR_AND_PIPELINE),
        key=lambda each: _rate(_cluster_case(context, fabric, each, largest, gpus_per_node)),
    )
    cases = {n: _cluster_case(context, fabric, spread, n, gpus_per_node) for n in range(1, largest + 1)}
    first = next((n for n, case in cases.items() if case.prediction.fits), 1)
    speedups = {n: first * _rate(cases[n]) / _rate(cases[first]) for n in range(first, largest + 1)}
    serial = _serial_share({n / first: speedup / first for n, speedup in speedups.items()})
    points = []
    for n, speedup in speedups.items():
        figures = cases[n].performance
        assert figures is not None
        points.append(
            StrongScalingPoint(
                nodes=n,
                tokens_per_s=figures.tokens_per_s,
                speedup=speedup,
                amdahl=first / (serial + (1.0 - serial) * first / n),
                efficiency=speedup / n,
                gain=speedup - speedups.get(n - 1, 0.0) if n > first else float(first),
            )
        )
    return StrongScaling(
        fabric=fabric,
        spread=spread,
        serial_share=serial,
        points=tuple(points),
        last_paying_nodes=_last_paying(points, context.policy["efficiency.gate"]),
    )


def _serial_share(speedups: Mapping[float, float]) -> float:
    """Mean serial share of (machines, speed-up) pairs; a curve above the straight line has none."""
    shares = [(1.0 / s - 1.0 / n) / (1.0 - 1.0 / n) for n, s in speedups.items() if n > 1.0]
    return max(0.0, fmean(shares)) if shares else 0.0


def _last_paying(points: Sequence[StrongScalingPoint], gate: float) -> int:
    paying = points[0].nodes
    for point in points[1:]:
        if point.gain < gate:
            break
        paying = point.nodes
    return paying


def _cluster_case(
    context: ScalingContext, fabric: Fabric, spread: Spread, nodes: int, gpus_per_node: int
) -> _Case:
    on = machines(context, nodes, gpus_per_node, fabric if nodes > 1 else None)
    return _best_recipe(context, on, spread_degrees(spread, nodes, gpus_per_node))

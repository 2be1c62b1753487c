"""Placing a training job on equal nodes: which layout holds it, keeps the efficiency gate and finishes first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.core.decision import WorkloadResult
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
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import Prediction, TrainingPerformance
from kentino_configurator.core.request import JobKind, Workload
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.plan import Placement, Rejection
from kentino_configurator.engine.training import predict_training
from kentino_configurator.engine.units import DEGREES, machines_of

MICRO_BATCH_SEQUENCES = (8, 4, 2, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingChoice:
    """A layout and recipe of one job with its prediction."""

    workload: Workload
    layout: Layout
    job: TrainingJob
    prediction: Prediction

    @property
    def performance(self) -> TrainingPerformance:
        """The training performance."""
        performance = self.prediction.performance
        assert isinstance(performance, TrainingPerformance)
        return performance


def base_precision(kind: JobKind) -> Precision:
    """Storage format of the weights that are trained or frozen."""
    return Precision.INT4 if kind is JobKind.QLORA else Precision.BF16


def training_layouts(workload: Workload, machines: Machines) -> Iterator[Layout]:
    """TP inside a node, PP and DP over the rest; no tensor parallelism across nodes."""
    gpus = machines.gpus_per_node * machines.nodes
    for tp in (degree for degree in DEGREES if degree <= machines.gpus_per_node):
        for pp in (degree for degree in DEGREES if gpus % (tp * degree) == 0):
            layout = Layout(
                model=workload.model,
                machines=machines,
                parallelism=Parallelism(tp=tp, pp=pp, dp=gpus // (tp * pp)),
                weights_precision=base_precision(workload.kind),
                kv_precision=KvPrecision.BF16,
                stack=Stack.ORDINARY,
            )
            if not layout_reasons(layout):
                yield layout


def training_jobs(workload: Workload, layout: Layout, policy: Policy) -> Iterator[Iterator[TrainingJob]]:
    """Recipes to try: for each sharding and recomputation, micro-batches from the largest down."""
    dp = layout.parallelism.dp
    shardings = (Sharding.ZERO1, Sharding.ZERO3) if dp > 1 else (Sharding.NONE,)
    for sharding in shardings:
        for recompute in (Recompute.SELECTIVE, Recompute.FULL):
            yield _micro_batches(workload, dp, sharding, recompute, policy)


def _micro_batches(
    workload: Workload, dp: int, sharding: Sharding, recompute: Recompute, policy: Policy
) -> Iterator[TrainingJob]:
    sequence = workload.sequence_tokens
    wanted = policy[f"training.global_batch_tokens.{workload.kind.value}"]
    global_batch = max(wanted, float(dp * sequence))
    for sequences in MICRO_BATCH_SEQUENCES:
        if sequences > 1 and dp * sequences * sequence > global_batch:
            continue
        yield TrainingJob(
            kind=workload.kind.value,
            dataset_tokens=workload.dataset_tokens,
            epochs=workload.epochs,
            sequence_tokens=sequence,
            global_batch_tokens=global_batch,
            micro_batch_tokens=float(sequences * sequence),
            bytes_per_parameter=workload.bytes_per_parameter,
            lora_rank=workload.lora_rank,
            sharding=sharding,
            recompute=recompute,
        )


def training_choices(workload: Workload, machines: Machines, context: Context) -> Iterator[TrainingChoice]:
    """Every layout and recipe with its prediction; of micro-batches only the largest that fits, else the smallest."""
    for layout in training_layouts(workload, machines):
        for jobs in training_jobs(workload, layout, context.policy):
            choice = None
            for job in jobs:
                prediction = predict_training(layout, job, context.calibration, context.policy)
                choice = TrainingChoice(workload=workload, layout=layout, job=job, prediction=prediction)
                if prediction.fits:
                    break
            if choice is not None and choice.prediction.performance is not None:
                yield choice


def best_training(
    workload: Workload, offer: NodeOffer, nodes: int, fabric: Fabric | None, context: Context
) -> TrainingChoice | Rejection:
    """The fastest layout that fits and, over several nodes, keeps the efficiency gate; else the nearest miss."""
    machines = machines_of(offer, nodes, fabric)
    choices = list(training_choices(workload, machines, context))
    fitting = [choice for choice in choices if choice.prediction.fits]
    if not fitting:
        return _no_fit(workload, offer, nodes, choices)
    gate = context.policy["efficiency.gate"] if nodes > 1 else 0.0
    kept = [choice for choice in fitting if choice.performance.scaling_efficiency.expected >= gate]
    fastest = min(kept or fitting, key=lambda choice: choice.performance.days.expected)
    rule = missed_training_rule(workload, fastest, bool(kept))
    if rule:
        reached = (
            fastest.performance.days if rule == "deadline_missed" else fastest.performance.scaling_efficiency
        )
        return Rejection(
            offer=offer, rule=rule, workload=workload, layout=fastest.layout, reached=reached, nodes=nodes
        )
    return fastest


def best_training_on(workload: Workload, machines: Machines, context: Context) -> TrainingChoice | None:
    """The fastest fitting layout on any machines, whatever its deadline and efficiency; for comparisons."""
    fitting = [c for c in training_choices(workload, machines, context) if c.prediction.fits]
    return min(fitting, key=lambda choice: choice.performance.days.expected, default=None)


def missed_training_rule(workload: Workload, choice: TrainingChoice, gate_kept: bool) -> str:
    """The finding rule a training layout misses, or an empty text."""
    if not gate_kept:
        return "below_efficiency_gate"
    deadline = workload.deadline_days
    if deadline is not None and choice.performance.days.high > deadline:
        return "deadline_missed"
    return ""


def _no_fit(workload: Workload, offer: NodeOffer, nodes: int, choices: list[TrainingChoice]) -> Rejection:
    nearest = max(choices, key=lambda choice: choice.prediction.memory.free, default=None)
    used = None if nearest is None else nearest.prediction.memory.used * offer.gpu_count * nodes
    return Rejection(
        offer=offer,
        rule="training_state_too_large",
        workload=workload,
        layout=None if nearest is None else nearest.layout,
        reached=used,
        nodes=nodes,
    )


def training_placement(choice: TrainingChoice) -> Placement:
    """The training job as part of a plan; it takes the whole machine."""
    performance = choice.performance
    return Placement(
        workload=choice.workload,
        layout=choice.layout,
        copies=1,
        copies_needed=1,
        capacity=0,
        limit="",
        result=WorkloadResult(
            workload=choice.workload.name,
            unit=performance,
            memory=choice.prediction.memory,
            days=performance.days,
        ),
    )

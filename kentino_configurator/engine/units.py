"""Which units can hold one copy of a model inside a node, and how much load each carries within its targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import Fabric, Layout, Machines, Parallelism, Stack
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import Prediction, ServingPerformance
from kentino_configurator.core.request import Workload
from kentino_configurator.engine.demand import ServingDemand
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.performance import predict_serving
from kentino_configurator.engine.weights import weights_bytes

DEGREES = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """Why a unit cannot serve: the rule of the finding that says it, and the prediction that shows it."""

    rule: str
    layout: Layout
    prediction: Prediction | None = None
    value: Estimate | float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCapacity:
    """One copy on ``layout`` answers up to ``concurrency`` requests at once within every target.

    ``limit`` names what stops one more: ``memory``, ``ttft``, ``speed`` or ``engine`` (the engine's own ceiling).
    """

    layout: Layout
    concurrency: int
    at_capacity: Prediction
    limit: str

    @property
    def gpus(self) -> int:
        """GPUs of one copy."""
        return self.layout.parallelism.gpus_per_copy

    @property
    def performance(self) -> ServingPerformance:
        """Performance at full capacity."""
        performance = self.at_capacity.performance
        assert isinstance(performance, ServingPerformance)
        return performance


def machines_of(offer: NodeOffer, nodes: int = 1, fabric: Fabric | None = None) -> Machines:
    """The machines an offer puts under a layout."""
    return Machines(
        gpu=offer.gpu,
        gpus_per_node=offer.gpu_count,
        nodes=nodes,
        fabric=fabric,
        sockets=offer.platform.sockets or 1,
        gpu_attach=offer.platform.gpu_attach,
        slot_map=offer.platform.slot_map,
        gpu_cap_w=offer.build.gpu_cap_w,
    )


def eight_bit_precisions(workload: Workload, gpu: GpuSpec) -> tuple[Precision, ...]:
    """Formats of the first choice: the demanded one, else FP8 or the model's own format."""
    asked = workload.weights_precision
    if asked is not Precision.AUTO:
        return () if asked.is_four_bit else (asked,)
    native = workload.model.native_precision
    if native.is_four_bit:
        return (native,)
    return (Precision.FP8,) if gpu.fp8_flop_per_s else (Precision.BF16,)


def four_bit_precisions(workload: Workload, gpu: GpuSpec) -> tuple[Precision, ...]:
    """Formats of the second choice: the demanded 4-bit build, else NVFP4 where the GPU computes it, else AWQ."""
    asked = workload.weights_precision
    if asked.is_four_bit and asked is not Precision.INT4:
        return (asked,)
    if asked in (Precision.AUTO, Precision.INT4):
        return (Precision.NVFP4,) if gpu.fp4_flop_per_s else (Precision.INT4_AWQ,)
    return ()


def kv_precisions(workload: Workload) -> tuple[KvPrecision, ...]:
    """KV formats to try, the safer one first."""
    if workload.kv_precision is KvPrecision.AUTO:
        return (KvPrecision.BF16, KvPrecision.FP8)
    return (workload.kv_precision,)


def memory_utilization(gpu: GpuSpec, policy: Policy) -> float:
    """Share of VRAM the serving engine may use."""
    large = gpu.marketed_gb >= 96
    return policy["engine.gpu_memory_utilization_96gb" if large else "engine.gpu_memory_utilization"]


def layouts_by_size(
    workload: Workload, machines: Machines, precisions: tuple[Precision, ...], policy: Policy
) -> Iterator[tuple[Layout, ...]]:
    """Legal TP x PP layouts inside one node whose weights stay below the ceiling.

    One tuple for each KV format and unit size: the safer format first, in it the smallest unit first.
    """
    for precision in precisions:
        weights = weights_bytes(workload.model, precision)
        ceiling = policy["weights.ceiling_share"] * machines.gpu.vram_bytes
        sizes = [d for d in DEGREES if d <= machines.gpus_per_node and weights <= ceiling * d]
        for kv in kv_precisions(workload):
            for gpus in sizes:
                yield tuple(_layouts_of_size(workload, machines, precision, kv, gpus, policy))


def _layouts_of_size(
    workload: Workload,
    machines: Machines,
    precision: Precision,
    kv: KvPrecision,
    gpus: int,
    policy: Policy,
) -> Iterator[Layout]:
    for tp in (degree for degree in DEGREES if degree <= gpus):
        layout = Layout(
            model=workload.model,
            machines=machines,
            parallelism=Parallelism(tp=tp, pp=gpus // tp),
            weights_precision=precision,
            kv_precision=kv,
            gpu_memory_utilization=memory_utilization(machines.gpu, policy),
            stack=Stack.ORDINARY,
        )
        if not layout_reasons(layout):
            yield layout


def missed_target(demand: ServingDemand, prediction: Prediction) -> str:
    """The rule of the first requirement a prediction misses at its weak end; empty when all hold."""
    if not prediction.fits:
        return "kv_does_not_fit"
    performance = prediction.performance
    if not isinstance(performance, ServingPerformance):
        return "not_modelled"
    if demand.ttft_s is not None and performance.ttft_s.high > demand.ttft_s:
        return "ttft_missed"
    speed = demand.tokens_per_s_per_user
    if speed is not None and performance.tokens_per_s_per_user.low < speed:
        return "speed_missed"
    return ""


LIMIT_NAMES = {"kv_does_not_fit": "memory", "ttft_missed": "ttft", "speed_missed": "speed"}


def unit_capacity(
    demand: ServingDemand, layout: Layout, calibration: Calibration, policy: Policy
) -> UnitCapacity | Miss:
    """The largest concurrency one copy carries within the targets, by bisection over the performance model."""

    def predict(concurrency: int) -> Prediction:
        return predict_serving(layout, demand.load(concurrency), calibration, policy)

    first = predict(1)
    rule = missed_target(demand, first)
    if rule:
        return Miss(rule=rule, layout=layout, prediction=first)
    ceiling = int(policy["serving.max_concurrency_per_copy"])
    high = max(1, min(ceiling, int(first.memory.max_concurrency_at_context)))
    at_high = predict(high)
    rule = missed_target(demand, at_high)
    if not rule:
        limit = "engine" if high == ceiling else "memory"
        return UnitCapacity(layout=layout, concurrency=high, at_capacity=at_high, limit=limit)
    best, at_best, rule = _bisect(demand, predict, (1, first), (high, rule))
    return UnitCapacity(
        layout=layout, concurrency=best, at_capacity=at_best, limit=LIMIT_NAMES.get(rule, rule)
    )


def _bisect(
    demand: ServingDemand,
    predict: Callable[[int], Prediction],
    holds: tuple[int, Prediction],
    fails: tuple[int, str],
) -> tuple[int, Prediction, str]:
    """Last concurrency that holds, its prediction, and the rule that stops the next; to 3 % above 32."""
    while fails[0] - holds[0] > max(1, holds[0] // 32):
        middle = (holds[0] + fails[0]) // 2
        prediction = predict(middle)
        missed = missed_target(demand, prediction)
        if missed:
            fails = (middle, missed)
        else:
            holds = (middle, prediction)
    return holds[0], holds[1], fails[1]

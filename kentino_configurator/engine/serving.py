"""Placing serving workloads on one node offer: the unit, how many copies the demand needs, and what they then do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kentino_configurator.core.decision import WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.llm import KvPrecision
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.prediction import Prediction, ServingPerformance
from kentino_configurator.core.units import HOUR_S, Unit
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.demand import ServingDemand
from kentino_configurator.engine.performance import predict_serving
from kentino_configurator.engine.plan import Placement, Rejection
from kentino_configurator.engine.units import (
    Miss,
    UnitCapacity,
    eight_bit_precisions,
    four_bit_precisions,
    layouts_by_size,
    machines_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoice:
    """A unit with the number of copies the demand needs of it."""

    demand: ServingDemand
    capacity: UnitCapacity
    copies: int

    @property
    def gpus(self) -> int:
        """GPUs of all needed copies."""
        return self.copies * self.capacity.gpus

    def nodes(self, gpus_per_node: int) -> int:
        """Nodes of this size that hold the copies, no copy crossing a node."""
        return math.ceil(self.copies / (gpus_per_node // self.capacity.gpus))


def choose_unit(
    demand: ServingDemand, offer: NodeOffer, four_bit: bool, context: Context
) -> UnitChoice | Rejection:
    """The smallest unit that carries the demand on one node, else the one that needs the fewest nodes."""
    precisions = (four_bit_precisions if four_bit else eight_bit_precisions)(demand.workload, offer.gpu)
    choices: list[UnitChoice] = []
    misses: list[Miss] = []
    for layouts in layouts_by_size(demand.workload, machines_of(offer), precisions, context.policy):
        for layout in layouts:
            capacity = context.capacity(demand, layout)
            if isinstance(capacity, Miss):
                misses.append(capacity)
            else:
                copies = copies_needed(demand, capacity)
                choices.append(UnitChoice(demand=demand, capacity=capacity, copies=copies))
        best = min(choices, key=lambda choice: _preference(choice, offer.gpu_count), default=None)
        if best is not None and best.nodes(offer.gpu_count) == 1:
            return best
    if choices:
        return min(choices, key=lambda choice: _preference(choice, offer.gpu_count))
    return _rejection(offer, demand, misses)


def _preference(choice: UnitChoice, gpus_per_node: int) -> tuple[int, bool, int, float]:
    layout = choice.capacity.layout
    nodes = choice.nodes(gpus_per_node)
    installed = nodes * (gpus_per_node // choice.capacity.gpus)
    reserve = installed * choice.capacity.concurrency / choice.demand.concurrency
    return nodes, layout.kv_precision is KvPrecision.FP8, layout.parallelism.pp > 1, -min(reserve, 4.0)


def copies_needed(demand: ServingDemand, capacity: UnitCapacity) -> int:
    """Copies for the concurrency, for the token rate at its weak end, and for the deadline of batch work."""
    performance = capacity.performance
    if demand.batch_tokens is not None:
        return _copies_for_deadline(demand, performance)
    copies = math.ceil(demand.concurrency / capacity.concurrency)
    if demand.output_tokens_per_s:
        copies = max(copies, math.ceil(demand.output_tokens_per_s / performance.output_tokens_per_s.low))
    return copies


def _copies_for_deadline(demand: ServingDemand, performance: ServingPerformance) -> int:
    if demand.deadline_s is None:
        return 1
    return max(1, math.ceil(batch_time_s(demand, performance).high / demand.deadline_s))


def batch_time_s(demand: ServingDemand, performance: ServingPerformance) -> Estimate:
    """Time one copy takes for the corpus: written tokens at the closed-loop rate, or reading alone when none are."""
    assert demand.batch_tokens is not None
    read, written = demand.batch_tokens
    tokens, rate = (
        (written, performance.output_tokens_per_s) if written else (read, performance.prefill_tokens_per_s)
    )
    return Estimate(
        low=tokens / rate.high,
        expected=tokens / rate.expected,
        high=tokens / rate.low,
        unit=Unit.SECONDS,
        evidence=rate.evidence,
    )


def _rejection(offer: NodeOffer, demand: ServingDemand, misses: Sequence[Miss]) -> Rejection:
    """The miss that came closest: a missed speed shows more than a missed fit."""
    order = {"speed_missed": 0, "ttft_missed": 1, "not_modelled": 2, "kv_does_not_fit": 3}
    best = min(misses, key=lambda miss: order.get(miss.rule, 9), default=None)
    if best is None:
        return Rejection(offer=offer, rule="weights_over_ceiling", workload=demand.workload)
    return Rejection(
        offer=offer,
        rule=best.rule,
        workload=demand.workload,
        layout=best.layout,
        reached=reached(best.rule, best.prediction),
    )


def reached(rule: str, prediction: Prediction | None) -> Estimate | float | None:
    """The figure of a prediction that a rule speaks of."""
    if prediction is None or not isinstance(prediction.performance, ServingPerformance):
        return None
    if rule == "ttft_missed":
        return prediction.performance.ttft_s
    if rule == "speed_missed":
        return prediction.performance.tokens_per_s_per_user
    return prediction.memory.max_concurrency_at_context


def place(choice: UnitChoice, copies: int, spare_copies: int, context: Context) -> Placement:
    """The workload on ``copies`` copies of which ``spare_copies`` may fail: performance at the load that remains."""
    demand, layout = choice.demand, choice.capacity.layout
    loaded = max(1, copies - spare_copies)
    concurrency = _concurrency_per_copy(choice, loaded)
    prediction = predict_serving(layout, demand.load(concurrency), context.calibration, context.policy)
    return Placement(
        workload=demand.workload,
        layout=layout,
        copies=copies,
        copies_needed=choice.copies,
        capacity=choice.capacity.concurrency,
        limit=choice.capacity.limit,
        result=serving_result(demand, prediction, concurrency, loaded),
    )


def _concurrency_per_copy(choice: UnitChoice, loaded: int) -> int:
    if choice.demand.batch_tokens is not None:
        return choice.capacity.concurrency
    return min(choice.capacity.concurrency, math.ceil(choice.demand.concurrency / loaded))


def serving_result(
    demand: ServingDemand, prediction: Prediction, concurrency: int, loaded: int
) -> WorkloadResult:
    """Performance over all loaded copies."""
    performance = prediction.performance
    assert isinstance(performance, ServingPerformance)
    hours = None
    if demand.batch_tokens is not None:
        hours = batch_time_s(demand, performance).in_unit(Unit.HOURS, 1 / (HOUR_S * loaded))
    return WorkloadResult(
        workload=demand.workload.name,
        unit=performance,
        memory=prediction.memory,
        concurrency_per_copy=concurrency,
        copies_loaded=loaded,
        output_tokens_per_s=performance.output_tokens_per_s.scaled(loaded),
        hours=hours,
        load_conversion=_conversion(demand),
    )


def _conversion(demand: ServingDemand) -> dict[str, float]:
    figures = {"concurrency": float(demand.concurrency), "output_tokens_per_s": demand.output_tokens_per_s}
    if demand.mean_concurrency is not None:
        figures["mean_concurrency"] = demand.mean_concurrency
    return figures


def nodes_for(choices: Iterable[UnitChoice], gpus_per_node: int) -> int:
    """Nodes that hold all copies of a group that runs at the same time, largest units placed first."""
    free: list[int] = []
    for choice in sorted(choices, key=lambda c: -c.capacity.gpus):
        per_node = gpus_per_node // choice.capacity.gpus
        remaining = choice.copies
        for index, room in enumerate(free):
            taken = min(remaining, room // choice.capacity.gpus)
            free[index] -= taken * choice.capacity.gpus
            remaining -= taken
        full, rest = divmod(remaining, per_node)
        free += [gpus_per_node - per_node * choice.capacity.gpus] * full
        if rest:
            free.append(gpus_per_node - rest * choice.capacity.gpus)
    return max(1, len(free))

"""The SXM system that would do the job: its size, and which part of its lead is fabric and which is silicon.

Kentino does not build it. The size comes from the same formulas as our own machines, with the catalogue's
reference GPU; no price is ever named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.core.decision import Referral
from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.layout import Fabric, Layout, Machines, Parallelism, Stack
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.request import JobKind, Request, Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.demand import serving_demand
from kentino_configurator.engine.plan import Rejection
from kentino_configurator.engine.training_plan import TrainingChoice, best_training_on
from kentino_configurator.engine.units import (
    UnitCapacity,
    eight_bit_precisions,
    kv_precisions,
    memory_utilization,
)

GPUS_PER_BASEBOARD = 8
TRAINING_GPU = "h100-sxm"
SERVING_GPUS = ("h100-sxm", "h200-sxm", "b200")
BASEBOARDS = (1, 2, 4, 8, 16, 32, 64, 128)
CAN_DELIVER = (
    "e.deliver.inference_node",
    "e.deliver.data_node",
    "e.deliver.storage",
    "e.deliver.fabric",
)


def sxm_machines(gpu_id: str, baseboards: int, context: Context) -> Machines:
    """NVLink baseboards of eight, joined by 400 Gb/s InfiniBand."""
    return Machines(
        gpu=context.snapshot.gpus[gpu_id],
        gpus_per_node=GPUS_PER_BASEBOARD,
        nodes=baseboards,
        fabric=Fabric.INFINIBAND_400G if baseboards > 1 else None,
    )


def refer(request: Request, workload: Workload, context: Context) -> Referral | None:
    """The SXM system for a workload; ``None`` when even that does not reach it."""
    if workload.kind.is_training:
        return _training_referral(workload, context)
    return _serving_referral(request, workload, context)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Size:
    baseboards: int
    choice: TrainingChoice


def _training_size(workload: Workload, context: Context) -> _Size | None:
    """The smallest number of baseboards that meets the deadline (any that holds the job without one)."""
    for baseboards in BASEBOARDS:
        machines = sxm_machines(TRAINING_GPU, baseboards, context)
        choice = best_training_on(workload, machines, context)
        if choice is None:
            continue
        deadline = workload.deadline_days
        if deadline is None or choice.performance.days.expected <= deadline:
            return _Size(baseboards=baseboards, choice=choice)
    return None


def _training_referral(workload: Workload, context: Context) -> Referral | None:
    size = _training_size(workload, context)
    if size is None:
        return None
    ours = _our_cluster(workload, context)
    gpu = context.snapshot.gpus[TRAINING_GPU]
    fabric, silicon = _factors(context.policy)
    days = None if ours is None else ours.performance.days
    return Referral(
        gpu=gpu.name,
        gpus=size.baseboards * GPUS_PER_BASEBOARD,
        days=size.choice.performance.days,
        latency_s=None,
        power_w=size.baseboards * GPUS_PER_BASEBOARD * gpu.tdp_w * context.policy["sxm.system_power_factor"],
        fabric=Fabric.INFINIBAND_400G.value,
        fabric_factor=fabric,
        silicon_factor=silicon,
        can_deliver=CAN_DELIVER,
        pcie_days=days,
        pcie_nodes=0 if ours is None else ours.layout.machines.nodes,
        pcie_efficiency=None if ours is None else ours.performance.scaling_efficiency,
    )


def _our_cluster(workload: Workload, context: Context) -> TrainingChoice | None:
    """The largest InfiniBand cluster we would build, for comparison only."""
    offer = context.offer_for("rtx-pro-6000-server", 8)
    if offer is None:
        return None
    machines = Machines(
        gpu=offer.gpu,
        gpus_per_node=offer.gpu_count,
        nodes=int(context.policy["cluster.max_nodes"]),
        fabric=Fabric.INFINIBAND_400G,
        sockets=offer.platform.sockets or 2,
        gpu_attach=offer.platform.gpu_attach,
        slot_map=offer.platform.slot_map,
    )
    return best_training_on(workload, machines, context)


def _factors(policy: Policy) -> tuple[Estimate, Estimate]:
    """The two parts of the SXM lead in tensor-parallel training of 70B: links and chip (policy, with its source)."""
    return _factor(policy["sxm.fabric_factor"]), _factor(policy["sxm.silicon_factor"])


def _factor(value: float) -> Estimate:
    return Estimate(
        low=value * 0.8, expected=value, high=value * 1.25, unit=Unit.FACTOR, evidence=Evidence.DERIVED
    )


def _serving_referral(request: Request, workload: Workload, context: Context) -> Referral | None:
    capacity = serving_capacity_on_sxm(request, workload, context)
    if capacity is None:
        return None
    gpu = capacity.layout.machines.gpu
    fabric, silicon = _factors(context.policy)
    gpus = baseboards_for(request, workload, capacity) * GPUS_PER_BASEBOARD
    return Referral(
        gpu=gpu.name,
        gpus=gpus,
        days=None,
        latency_s=capacity.performance.tpot_s,
        power_w=gpus * gpu.tdp_w * context.policy["sxm.system_power_factor"],
        fabric="nvlink",
        fabric_factor=fabric,
        silicon_factor=silicon,
        can_deliver=CAN_DELIVER,
    )


def baseboards_for(request: Request, workload: Workload, capacity: UnitCapacity) -> int:
    """Baseboards whose copies carry the demanded concurrency."""
    return -(-serving_demand(workload, request.growth).concurrency // capacity.concurrency)


def serving_capacity_on_sxm(request: Request, workload: Workload, context: Context) -> UnitCapacity | None:
    """One eight-GPU baseboard as a unit, of the reference GPU that needs the fewest; the older one of equals."""
    demand = serving_demand(workload, request.growth)
    found = [
        capacity
        for layout in _sxm_layouts(workload, context)
        if isinstance(capacity := context.capacity(demand, layout), UnitCapacity)
    ]
    return min(found, key=lambda capacity: baseboards_for(request, workload, capacity), default=None)


def _sxm_layouts(workload: Workload, context: Context) -> Iterator[Layout]:
    for gpu_id in SERVING_GPUS:
        machines = sxm_machines(gpu_id, 1, context)
        for precision in eight_bit_precisions(workload, machines.gpu):
            for kv in kv_precisions(workload):
                yield Layout(
                    model=workload.model,
                    machines=machines,
                    parallelism=Parallelism(tp=GPUS_PER_BASEBOARD),
                    weights_precision=precision,
                    kv_precision=kv,
                    gpu_memory_utilization=memory_utilization(machines.gpu, context.policy),
                    stack=Stack.TUNED,
                )


def years_on_one_node(workload: Workload, context: Context) -> float:
    """Years the job would take on one of our eight-GPU nodes by arithmetic alone, memory left aside.

    The rate is that of a model that fits: MFU of the ordinary stack times the dense peak of eight GPUs.
    """
    assert workload.kind is JobKind.PRETRAIN
    gpu = context.snapshot.gpus["rtx-pro-6000-server"]
    flop = 6.0 * workload.model.active_params * workload.dataset_tokens * workload.epochs
    rate = gpu.bf16_flop_per_s * context.policy["frontier.pcie_mfu"] * 8
    return flop / rate / (365.25 * 86400)


def is_referral(rejection: Rejection) -> bool:
    """Whether a rejection is about speed or time, or about a job too large for our largest cluster."""
    if rejection.rule in ("ttft_missed", "speed_missed", "deadline_missed", "below_efficiency_gate"):
        return True
    too_large = rejection.rule in ("training_state_too_large", "weights_over_ceiling", "kv_does_not_fit")
    return too_large and rejection.nodes > 1

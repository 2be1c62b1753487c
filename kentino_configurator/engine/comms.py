"""Collectives between GPUs: wiring class, latency floor, bus bandwidth, rings over nodes.

Law as nccl-tests defines it: ``t = soft(latency, factor (bytes + half) / busbw)`` with factor 2(n-1)/n for an
all-reduce and (n-1)/n for the others; ``bytes`` is the full tensor. Over nodes the ring runs at the rate of its
slowest level, the ports of a node shared by the rings that use them at once; an all-to-all sends what leaves the node
through its ports (Hockney 1994; Thakur et al. 2005; Patarasu and Yuan 2009).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.calibration import Calibration, Parameter
from kentino_configurator.core.evidence import Estimate, Evidence, weakest, within
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import Machines, Stack
from kentino_configurator.core.pcie_tree import GEN5_X16_BYTES_PER_S, link_rate_bytes_per_s
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.interconnect import group_wiring
from kentino_configurator.engine.kernels import soft_max

TABULATED_RANKS = (2, 4, 8)
HOST_COPY_SHARE = 0.88  # measured: 55.4 of 63 GB/s, Gen5 x16
THREE_SOCKET_LINKS_BYTES_PER_S = 50.5e9
"""Pair rate over three xGMI links, on which the figures of tuned two-socket hosts were measured."""

SWITCH_HOP_S = 5e-6
"""One more switch on the way between two nodes; a planning value."""

UNKNOWN_ERROR = 0.5
"""Relative error taken where a parameter states none."""


class Operation(StrEnum):
    """A collective; the value is its topic in the calibration."""

    ALL_REDUCE = "allreduce"
    ALL_GATHER = "allgather"
    REDUCE_SCATTER = "reducescatter"
    ALL_TO_ALL = "alltoall"

    @property
    def factor(self) -> float:
        """Passes of the tensor over the ring."""
        return 2.0 if self is Operation.ALL_REDUCE else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveLaw:
    """Time of one collective over its full tensor: ``soft(latency, s_per_byte (bytes + half)) + remote latency``."""

    latency_s: float
    s_per_byte: float
    half_bytes: float
    softness: float
    remote_latency_s: float = 0.0

    def time_s(self, size_bytes: float) -> float:
        """Seconds for a tensor of ``size_bytes``."""
        moved = soft_max(self.latency_s, self.s_per_byte * (size_bytes + self.half_bytes), self.softness)
        return moved + self.remote_latency_s


NO_EXCHANGE = CollectiveLaw(latency_s=0.0, s_per_byte=0.0, half_bytes=0.0, softness=1.0)


def all_reduce_s(
    machines: Machines, gpus: int, size_bytes: float, calibration: Calibration, stack: Stack = Stack.ORDINARY
) -> float:
    """Seconds of an all-reduce of a tensor over ``gpus`` neighbouring GPUs."""
    return all_reduce_law(machines, gpus, calibration, stack).time_s(size_bytes)


def all_gather_s(
    machines: Machines, gpus: int, size_bytes: float, calibration: Calibration, stack: Stack = Stack.ORDINARY
) -> float:
    """Seconds of an all-gather (or reduce-scatter) whose full tensor is ``size_bytes``."""
    return all_gather_law(machines, gpus, calibration, stack).time_s(size_bytes)


def all_reduce_law(machines: Machines, gpus: int, calibration: Calibration, stack: Stack) -> CollectiveLaw:
    """The all-reduce law over ``gpus`` neighbouring GPUs; no time for a single one."""
    return collective_law(machines, gpus, Operation.ALL_REDUCE, calibration, stack)


def all_gather_law(machines: Machines, gpus: int, calibration: Calibration, stack: Stack) -> CollectiveLaw:
    """The all-gather and reduce-scatter law over ``gpus`` neighbouring GPUs."""
    return collective_law(machines, gpus, Operation.ALL_GATHER, calibration, stack)


def all_to_all_law(machines: Machines, gpus: int, calibration: Calibration, stack: Stack) -> CollectiveLaw:
    """The all-to-all law over ``gpus`` neighbouring GPUs; ``bytes`` is what one rank holds."""
    return collective_law(machines, gpus, Operation.ALL_TO_ALL, calibration, stack)


def collective_law(
    machines: Machines,
    gpus: int,
    operation: Operation,
    calibration: Calibration,
    stack: Stack = Stack.ORDINARY,
    rings: int = 1,
) -> CollectiveLaw:
    """The law of a collective over ``gpus`` neighbouring GPUs; ``rings`` equal ones share the ports of each node."""
    if gpus < 2:
        return NO_EXCHANGE
    inside, nodes = _levels(machines, gpus)
    whole = _local_law(machines, inside, operation, calibration, stack, ring=gpus)
    ring = _ring_rate(machines, gpus, operation, calibration, stack)
    busbw = min(ring, _port_rate(machines, nodes, operation, calibration, rings))
    remote_latency = 0.0
    if nodes > 1:
        remote_latency = network(machines, calibration)[0] * math.ceil(math.log2(nodes))
    return CollectiveLaw(
        latency_s=whole.latency_s,
        s_per_byte=operation.factor * (gpus - 1) / gpus / busbw,
        half_bytes=whole.half_bytes,
        softness=whole.softness,
        remote_latency_s=remote_latency,
    )


def collective_estimate(
    machines: Machines,
    gpus: int,
    operation: Operation,
    size_bytes: float,
    calibration: Calibration,
    stack: Stack = Stack.ORDINARY,
) -> Estimate:
    """Time of a collective with the error its parameters state and the weakest of their evidence."""
    expected = collective_law(machines, gpus, operation, calibration, stack).time_s(size_bytes)
    used = _parameters(machines, gpus, operation, calibration, stack)
    error = max((p.error_p90 or UNKNOWN_ERROR for p in used), default=0.0)
    evidence = weakest(Evidence(p.evidence) for p in used) if used else Evidence.DERIVED
    return within(expected, 1.0 / (1.0 + error), 1.0 + error, Unit.SECONDS, evidence)


def bus_bandwidth_estimate(
    machines: Machines, gpus: int, calibration: Calibration, stack: Stack = Stack.ORDINARY
) -> Estimate | None:
    """Large-message bus bandwidth of an all-reduce with its evidence; ``None`` for one GPU."""
    if gpus < 2:
        return None
    used = _parameters(machines, gpus, Operation.ALL_REDUCE, calibration, stack)
    error = max(p.error_p90 or UNKNOWN_ERROR for p in used)
    return within(
        bus_bandwidth_bytes_per_s(machines, gpus, calibration, stack),
        1.0 / (1.0 + error),
        1.0 + error,
        Unit.BYTES_PER_S,
        weakest(Evidence(p.evidence) for p in used),
    )


def network_estimates(
    machines: Machines, calibration: Calibration, switch_hops: int = 1
) -> tuple[Estimate, Estimate]:
    """(latency, rate of one port) between nodes with their evidence; every further switch adds its hop."""
    fabric = _fabric_name(machines)
    latency, rate = (
        calibration.parameters[("network", fabric, name)] for name in ("latency_s", "bytes_per_s")
    )
    further = max(0, switch_hops - 1) * SWITCH_HOP_S
    return (
        _estimate(latency, latency.value + further, Unit.SECONDS),
        _estimate(rate, rate.value, Unit.BYTES_PER_S),
    )


def _estimate(parameter: Parameter, value: float, unit: Unit) -> Estimate:
    error = parameter.error_p90 or UNKNOWN_ERROR
    return within(value, 1.0 / (1.0 + error), 1.0 + error, unit, Evidence(parameter.evidence))


def point_to_point_s(
    machines: Machines, across_nodes: bool, size_bytes: float, calibration: Calibration
) -> float:
    """Seconds to hand a tensor to the next GPU, inside a node or over the fabric."""
    if across_nodes:
        latency, rate = network(machines, calibration)
    else:
        link = link_class(machines.gpu)
        latency = calibration.value("link", link, "latency_s")
        rate = calibration.value("link", link, "bytes_per_s")
    return latency + size_bytes / rate


def bus_bandwidth_bytes_per_s(
    machines: Machines, gpus: int, calibration: Calibration, stack: Stack = Stack.ORDINARY
) -> float:
    """Large-message bus bandwidth over ``gpus`` GPUs: of the slowest level the ring crosses."""
    _, nodes = _levels(machines, gpus)
    ring = _ring_rate(machines, gpus, Operation.ALL_REDUCE, calibration, stack)
    return min(ring, _port_rate(machines, nodes, Operation.ALL_REDUCE, calibration, rings=1))


def network(machines: Machines, calibration: Calibration) -> tuple[float, float]:
    """(latency in s, rate in bytes/s) of one port between nodes. Without a fabric: the router's 25 GbE."""
    fabric = _fabric_name(machines)
    return calibration.value("network", fabric, "latency_s"), calibration.value(
        "network", fabric, "bytes_per_s"
    )


def host_link_bytes_per_s(gpu: GpuSpec) -> float:
    """Copy rate between a card and host memory in one direction."""
    line = link_rate_bytes_per_s(gpu.pcie_gen, gpu.pcie_lanes)
    return HOST_COPY_SHARE * (line or GEN5_X16_BYTES_PER_S)


def link_class(gpu: GpuSpec) -> str:
    """Class of a single GPU-to-GPU link."""
    if gpu.is_sxm:
        return _nvlink_class(gpu.nvlink_bytes_per_s)
    generation = 5 if gpu.pcie_gen >= 5 else 4
    return f"staged{generation}" if gpu.p2p is False else f"pcie{generation}"


def path_class(machines: Machines, gpus: int, stack: Stack) -> str:
    """Class of the wiring a collective over ``gpus`` GPUs of one node runs on.

    Pairs, groups behind common switches and the tuned stack reach the tuned rate. Groups that cross root ports or
    sockets under default settings do not: stock libraries stage such paths through the host.
    """
    gpu = machines.gpu
    if gpu.is_sxm:
        return _nvlink_class(gpu.nvlink_bytes_per_s)
    if gpu.nvlink_bytes_per_s > 0 and gpus <= 2:
        return "nvlink4" if gpu.pcie_gen >= 5 else "nvlink3"
    return f"{link_class(gpu)}_{'tuned' if _is_tuned(machines, gpus, stack) else 'default'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _LocalLaw:
    """Inside one node: latency, bus bandwidth and the shape of the crossover."""

    latency_s: float
    busbw_bytes_per_s: float
    half_bytes: float
    softness: float


ALONE = _LocalLaw(latency_s=0.0, busbw_bytes_per_s=math.inf, half_bytes=0.0, softness=1.0)


def _levels(machines: Machines, gpus: int) -> tuple[int, int]:
    inside = min(gpus, machines.gpus_per_node)
    return inside, -(-gpus // machines.gpus_per_node)


def _local_law(
    machines: Machines,
    inside: int,
    operation: Operation,
    calibration: Calibration,
    stack: Stack,
    ring: int = 0,
) -> _LocalLaw:
    """The measured row of the operation, else the all-reduce of the class with the usual shares.

    ``ring`` takes the row of a longer ring on the same wiring.
    """
    if inside < 2:
        return ALONE
    subject = _subject(machines, inside, stack, ring)
    own = operation if calibration.has(operation, subject, "latency_s") else Operation.ALL_REDUCE
    latency_name = "latency_s"
    if stack is Stack.TUNED and calibration.has(own, subject, "tuned_latency_s"):
        latency_name = "tuned_latency_s"
    latency = calibration.value(own, subject, latency_name)
    busbw = calibration.value(own, subject, "busbw_bytes_per_s") * _wiring_share(machines, inside, subject)
    if own is not operation:
        latency *= calibration.value(operation, "any", "latency_share")
        busbw *= calibration.value(operation, "any", "busbw_share")
    return _LocalLaw(
        latency_s=latency,
        busbw_bytes_per_s=busbw,
        half_bytes=calibration.value(own, subject, "half_bytes"),
        softness=calibration.value(own, subject, "softness"),
    )


def _ring_rate(
    machines: Machines, gpus: int, operation: Operation, calibration: Calibration, stack: Stack
) -> float:
    """Bus bandwidth inside the nodes of a ring. A ring does not gain by being longer: its whole length caps it too."""
    inside, nodes = _levels(machines, gpus)
    local = _local_law(machines, inside, operation, calibration, stack).busbw_bytes_per_s
    if nodes < 2 or inside < 2:
        return local
    whole = _local_law(machines, inside, operation, calibration, stack, ring=gpus).busbw_bytes_per_s
    return min(local, whole)


def _wiring_share(machines: Machines, inside: int, subject: str) -> float:
    """Rate of this wiring against that of the hosts the class was measured on: fewer socket links, narrower slots."""
    if machines.gpu.is_sxm:
        return 1.0
    line = link_rate_bytes_per_s(machines.gpu.pcie_gen, 16)
    own = link_rate_bytes_per_s(machines.gpu.pcie_gen, machines.gpu.pcie_lanes)
    share = own / line if own and line else 1.0
    wiring = group_wiring(machines, inside)
    link = wiring.socket_links
    if link is not None and link.one_way_bytes_per_s and "pcie5_tuned" in subject:
        share = min(share, sum(link.one_way_bytes_per_s) / 2 / THREE_SOCKET_LINKS_BYTES_PER_S)
    if wiring.narrowest_bytes_per_s and line:
        share = min(share, wiring.narrowest_bytes_per_s / line)
    return share


def _port_rate(
    machines: Machines, nodes: int, operation: Operation, calibration: Calibration, rings: int
) -> float:
    """Bus bandwidth the ports of a node allow. What leaves a node in an all-to-all comes from each of its GPUs."""
    if nodes < 2:
        return math.inf
    rate = network(machines, calibration)[1] * machines.rails / rings
    return rate / machines.gpus_per_node if operation is Operation.ALL_TO_ALL else rate


def _parameters(
    machines: Machines, gpus: int, operation: Operation, calibration: Calibration, stack: Stack
) -> tuple[Parameter, ...]:
    """The calibration rows a law rests on."""
    inside, nodes = _levels(machines, gpus)
    used = []
    if inside > 1:
        subject = _subject(machines, inside, stack)
        own = operation if calibration.has(operation, subject, "latency_s") else Operation.ALL_REDUCE
        used += [calibration.parameters[(own, subject, name)] for name in ("latency_s", "busbw_bytes_per_s")]
    if nodes > 1:
        fabric = _fabric_name(machines)
        used += [calibration.parameters[("network", fabric, name)] for name in ("latency_s", "bytes_per_s")]
    return tuple(used)


def _fabric_name(machines: Machines) -> str:
    return machines.fabric.value if machines.fabric else "ethernet_25g"


def _nvlink_class(bytes_per_s: float) -> str:
    if bytes_per_s >= 1.5e12:
        return "nvlink5"
    return "nvlink4" if bytes_per_s >= 0.8e12 else "nvlink3"


def _is_tuned(machines: Machines, gpus: int, stack: Stack) -> bool:
    return stack is Stack.TUNED or gpus <= 2 or group_wiring(machines, gpus).near


def _subject(machines: Machines, gpus: int, stack: Stack, ring: int = 0) -> str:
    ranks = next((n for n in TABULATED_RANKS if n >= max(gpus, ring)), TABULATED_RANKS[-1])
    return f"{path_class(machines, gpus, stack)}/{ranks}"

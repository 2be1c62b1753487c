"""Collectives between GPUs: path class by wiring, latency floor, bus bandwidth, hierarchy over nodes.

Ring law as nccl-tests defines it: ``t = soft(latency, factor (bytes + half) / busbw)`` with factor 2(n-1)/n for an
all-reduce and (n-1)/n for all-gather and reduce-scatter; ``bytes`` is the full tensor. Over nodes: reduce-scatter
inside, all-reduce of the tensor over one NIC per node, all-gather inside.
"""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import Machines, Stack
from kentino_configurator.core.pcie_tree import GEN5_X16_BYTES_PER_S, link_rate_bytes_per_s
from kentino_configurator.engine.kernels import soft_max

TABULATED_RANKS = (2, 4, 8)
GATHER_LATENCY_SHARE = 0.6  # measured: all-gather 5.7/8.0/14.2 us against all-reduce 5.4/8.5/23.8

HOST_COPY_SHARE = 0.88  # measured: 55.4 of 63 GB/s, Gen5 x16


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveLaw:
    """Time of one collective over its full tensor: ``soft(latency, s_per_byte (bytes + half)) + fixed``."""

    latency_s: float
    s_per_byte: float
    half_bytes: float
    softness: float
    remote_latency_s: float = 0.0
    remote_s_per_byte: float = 0.0

    def time_s(self, size_bytes: float) -> float:
        """Seconds for a tensor of ``size_bytes``."""
        if self.latency_s == 0.0 and self.remote_latency_s == 0.0:
            return 0.0
        inside = soft_max(self.latency_s, self.s_per_byte * (size_bytes + self.half_bytes), self.softness)
        return inside + self.remote_latency_s + self.remote_s_per_byte * size_bytes


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
    inside = min(gpus, machines.gpus_per_node)
    rates = []
    if inside > 1:
        rates.append(calibration.value("allreduce", _subject(machines, inside, stack), "busbw_bytes_per_s"))
    if gpus > machines.gpus_per_node:
        rates.append(network(machines, calibration)[1] * machines.rails)
    return min(rates) if rates else float("inf")


def all_reduce_law(machines: Machines, gpus: int, calibration: Calibration, stack: Stack) -> CollectiveLaw:
    """The all-reduce law over ``gpus`` neighbouring GPUs; no time for a single one."""
    inside, nodes = _levels(machines, gpus)
    remote_latency = remote = 0.0
    if nodes > 1:
        remote_latency, rate = network(machines, calibration)
        remote = 2.0 * (nodes - 1) / nodes / (rate * machines.rails)
    return _law(machines, inside, 2.0, 1.0, calibration, stack, remote_latency, remote)


def all_gather_law(machines: Machines, gpus: int, calibration: Calibration, stack: Stack) -> CollectiveLaw:
    """The all-gather and reduce-scatter law over ``gpus`` neighbouring GPUs."""
    inside, nodes = _levels(machines, gpus)
    remote_latency = remote = 0.0
    if nodes > 1:
        remote_latency, rate = network(machines, calibration)
        remote = (nodes - 1) / nodes / (rate * machines.rails)
    return _law(machines, inside, 1.0, GATHER_LATENCY_SHARE, calibration, stack, remote_latency, remote)


def _levels(machines: Machines, gpus: int) -> tuple[int, int]:
    inside = min(gpus, machines.gpus_per_node)
    return inside, -(-gpus // machines.gpus_per_node)


def _law(
    machines: Machines,
    inside: int,
    factor: float,
    latency_share: float,
    calibration: Calibration,
    stack: Stack,
    remote_latency_s: float,
    remote_s_per_byte: float,
) -> CollectiveLaw:
    if inside < 2:
        return CollectiveLaw(
            latency_s=0.0,
            s_per_byte=0.0,
            half_bytes=0.0,
            softness=1.0,
            remote_latency_s=remote_latency_s,
            remote_s_per_byte=remote_s_per_byte,
        )
    subject = _subject(machines, inside, stack)
    busbw = calibration.value("allreduce", subject, "busbw_bytes_per_s")
    tuned = stack is Stack.TUNED and calibration.has("allreduce", subject, "tuned_latency_s")
    latency = calibration.value("allreduce", subject, "tuned_latency_s" if tuned else "latency_s")
    return CollectiveLaw(
        latency_s=latency * latency_share,
        s_per_byte=factor * (inside - 1) / inside / busbw,
        half_bytes=calibration.value("allreduce", subject, "half_bytes"),
        softness=calibration.value("allreduce", subject, "softness"),
        remote_latency_s=remote_latency_s,
        remote_s_per_byte=remote_s_per_byte,
    )


def network(machines: Machines, calibration: Calibration) -> tuple[float, float]:
    """(latency in s, rate in bytes/s) between nodes, one NIC per node. Without a fabric: the router's 25 GbE."""
    fabric = machines.fabric.value if machines.fabric else "ethernet_25g"
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

    A group inside one socket, a switched host and the tuned stack reach the tuned rate; a group over two directly
    attached sockets with default settings does not.
    """
    gpu = machines.gpu
    if gpu.is_sxm:
        return _nvlink_class(gpu.nvlink_bytes_per_s)
    if gpu.nvlink_bytes_per_s > 0 and gpus <= 2:
        return "nvlink4" if gpu.pcie_gen >= 5 else "nvlink3"
    return f"{link_class(gpu)}_{'tuned' if _is_tuned(machines, gpus, stack) else 'default'}"


def _nvlink_class(bytes_per_s: float) -> str:
    if bytes_per_s >= 1.5e12:
        return "nvlink5"
    return "nvlink4" if bytes_per_s >= 0.8e12 else "nvlink3"


def _is_tuned(machines: Machines, gpus: int, stack: Stack) -> bool:
    per_socket = machines.gpus_per_node // max(1, machines.sockets)
    switched = "switch" in machines.gpu_attach.lower()
    return stack is Stack.TUNED or switched or gpus <= per_socket


def _subject(machines: Machines, gpus: int, stack: Stack) -> str:
    ranks = next((n for n in TABULATED_RANKS if n >= gpus), TABULATED_RANKS[-1])
    return f"{path_class(machines, gpus, stack)}/{ranks}"

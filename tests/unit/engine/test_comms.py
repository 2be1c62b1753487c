"""Collectives against measured times, and their order by wiring."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.layout import Fabric, Stack
from kentino_configurator.engine.comms import (
    all_gather_s,
    all_reduce_s,
    bus_bandwidth_bytes_per_s,
    path_class,
    point_to_point_s,
)
from tests.unit.engine.helpers import machines, snapshot

CALIBRATION = snapshot().calibration
MIB = 2**20

# (GPUs, bytes, microseconds measured on a dual-socket host with default settings)
DUAL_SOCKET = [
    (2, 8192, 4.5),
    (2, 131_072, 8.2),
    (2, MIB, 30.0),
    (8, 8192, 26.6),
    (8, 131_072, 49.4),
    (8, MIB, 134.0),
]


@pytest.mark.parametrize(("gpus", "size", "measured"), DUAL_SOCKET)
def test_all_reduce_on_pcie_cards_follows_the_measured_table(gpus: int, size: int, measured: float) -> None:
    on = machines(gpus=gpus if gpus > 2 else 8, sockets=2)
    assert all_reduce_s(on, gpus, size, CALIBRATION) * 1e6 == pytest.approx(measured, rel=0.30)


def test_large_messages_reach_the_bus_bandwidth() -> None:
    on, size = machines(), 1e9
    busbw = 2 * 7 / 8 * size / all_reduce_s(on, 8, size, CALIBRATION)
    assert busbw == pytest.approx(bus_bandwidth_bytes_per_s(on, 8, CALIBRATION), rel=0.03)


def test_one_gpu_has_nobody_to_talk_to() -> None:
    assert all_reduce_s(machines(), 1, 1e9, CALIBRATION) == 0.0
    assert bus_bandwidth_bytes_per_s(machines(), 1, CALIBRATION) == float("inf")


@pytest.mark.parametrize(
    ("gpu", "gpus", "attach", "stack", "expected"),
    [
        ("rtx-pro-6000-server", 8, "direct", Stack.ORDINARY, "pcie5_default"),
        ("rtx-pro-6000-server", 8, "PCIe switch", Stack.ORDINARY, "pcie5_default"),
        ("rtx-pro-6000-server", 4, "PCIe switch", Stack.ORDINARY, "pcie5_tuned"),
        ("rtx-pro-6000-server", 8, "direct", Stack.TUNED, "pcie5_tuned"),
        ("rtx-pro-6000-server", 4, "direct", Stack.ORDINARY, "pcie5_default"),
        ("rtx-pro-6000-server", 2, "direct", Stack.ORDINARY, "pcie5_tuned"),
        ("rtx-5090", 8, "direct", Stack.ORDINARY, "staged5_default"),
        ("rtx-4090", 8, "direct", Stack.ORDINARY, "staged4_default"),
        ("l40s", 8, "direct", Stack.ORDINARY, "pcie4_default"),
        ("h100-sxm", 8, "", Stack.ORDINARY, "nvlink4"),
        ("b200", 8, "", Stack.ORDINARY, "nvlink5"),
        ("a100-sxm-80gb", 8, "", Stack.ORDINARY, "nvlink3"),
    ],
)
def test_the_wiring_decides_the_class(gpu: str, gpus: int, attach: str, stack: Stack, expected: str) -> None:
    assert path_class(machines(gpu, 8, gpu_attach=attach), gpus, stack) == expected


def test_without_peer_access_a_small_all_reduce_takes_several_times_longer() -> None:
    geforce, professional = (
        all_reduce_s(machines(gpu), 4, 16_384, CALIBRATION) for gpu in ("rtx-5090", "rtx-pro-6000-server")
    )
    assert geforce > 2 * professional


def test_a_ring_over_two_nodes_runs_at_the_rate_of_the_port() -> None:
    inside = all_reduce_s(machines(), 8, 64 * MIB, CALIBRATION)
    across = all_reduce_s(machines(nodes=2, fabric=Fabric.ROCE_200G), 16, 64 * MIB, CALIBRATION)
    assert across > inside
    assert across == pytest.approx(2 * 15 / 16 * 64 * MIB / 20e9, rel=0.15)


def test_the_slowest_level_sets_the_bus_bandwidth() -> None:
    on = machines(nodes=2, fabric=Fabric.ETHERNET_25G)
    assert bus_bandwidth_bytes_per_s(on, 16, CALIBRATION) == pytest.approx(3e9)


def test_handing_a_tensor_on_costs_latency_and_transfer() -> None:
    on = machines(nodes=2, fabric=Fabric.ROCE_200G)
    inside, across = (point_to_point_s(on, away, 100e6, CALIBRATION) for away in (False, True))
    assert inside == pytest.approx(100e6 / 50e9, rel=0.01)
    assert across == pytest.approx(100e6 / 20e9, rel=0.02)


FABRICS = [Fabric.ETHERNET_25G, Fabric.ETHERNET_100G, Fabric.ROCE_200G, Fabric.ROCE_400G]


@given(st.integers(1, 2**30))
def test_a_faster_fabric_is_never_slower(size: int) -> None:
    times = [all_reduce_s(machines(nodes=2, fabric=f), 16, size, CALIBRATION) for f in FABRICS]
    assert times == sorted(times, reverse=True)


@given(
    st.sampled_from([2, 4, 8, 16]),
    st.integers(16 * MIB, 2**30),
    st.sampled_from(["rtx-pro-6000-server", "l40s", "h100-sxm"]),
)
def test_a_larger_message_takes_longer_and_a_gather_less_than_a_reduction(
    gpus: int, size: int, gpu: str
) -> None:
    on = machines(gpu, nodes=2, fabric=Fabric.ROCE_400G)
    reduce, gather = all_reduce_s(on, gpus, size, CALIBRATION), all_gather_s(on, gpus, size, CALIBRATION)
    assert gather <= reduce <= all_reduce_s(on, gpus, size * 2, CALIBRATION)

"""Laws of collectives against measured times by message size, and the estimates that carry their evidence."""

from __future__ import annotations

import csv
from functools import cache
from statistics import median

import pytest

from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.layout import Fabric, Stack
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.comms import (
    Operation,
    bus_bandwidth_bytes_per_s,
    bus_bandwidth_estimate,
    collective_estimate,
    collective_law,
    network_estimates,
)
from kentino_configurator.paths import resource_dir
from tests.unit.engine.helpers import machines, snapshot

CALIBRATION = snapshot().calibration
MIB = 2**20
CARDS = {
    "RTX PRO 6000 Server": "rtx-pro-6000-server",
    "H100 SXM": "h100-sxm",
    "H200 SXM": "h200-sxm",
    "B200": "b200",
}
OPERATIONS = {
    "all_reduce": Operation.ALL_REDUCE,
    "all_gather": Operation.ALL_GATHER,
    "reduce_scatter": Operation.REDUCE_SCATTER,
    "all_to_all": Operation.ALL_TO_ALL,
}


@cache
def rows() -> tuple[dict[str, str], ...]:
    path = resource_dir() / "measurements" / "collectives_by_size.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


def errors(card: str, operation: str, large: bool) -> list[float]:
    found = []
    for row in rows():
        own_kernel = row["implementation"].startswith("vLLM")
        if row["gpu"] != card or row["op"] != operation or own_kernel != (operation == "all_reduce"):
            continue
        size = float(row["bytes"])
        if (size >= MIB) == large:
            on = machines(CARDS[card])
            time = collective_law(on, int(row["gpus"]), OPERATIONS[operation], CALIBRATION).time_s(size)
            found.append(abs(time * 1e6 / float(row["time_us"]) - 1.0))
    return found


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_large_messages_are_within_eight_percent_in_the_middle(card: str, operation: str) -> None:
    assert median(errors(card, operation, True)) <= 0.09


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("operation", ["all_reduce", "all_gather", "reduce_scatter"])
def test_small_messages_are_within_fifteen_percent_in_the_middle(card: str, operation: str) -> None:
    assert median(errors(card, operation, False)) <= 0.15


# (cards, stack, sockets, attachment, bus bandwidth published in GB/s)
HOSTS = [
    ("rtx-pro-6000-server", 8, Stack.ORDINARY, 1, "switched", 41.1),
    ("rtx-pro-6000-server", 8, Stack.ORDINARY, 2, "direct", 22.2),
    ("rtx-pro-6000-server", 8, Stack.TUNED, 2, "direct", 37.6),
    ("rtx-pro-6000-server", 4, Stack.ORDINARY, 2, "direct", 30.3),
    ("rtx-pro-6000-server", 4, Stack.TUNED, 2, "direct", 39.3),
    ("rtx-5090", 8, Stack.TUNED, 2, "direct", 28.0),
    ("rtx-5090", 4, Stack.TUNED, 2, "direct", 35.0),
    ("h200-sxm", 8, Stack.ORDINARY, 2, "", 366.0),
    ("b200", 8, Stack.ORDINARY, 2, "", 682.0),
]


@pytest.mark.parametrize(("gpu", "gpus", "stack", "sockets", "attach", "published"), HOSTS)
def test_published_bus_bandwidths_of_hosts_are_met(
    gpu: str, gpus: int, stack: Stack, sockets: int, attach: str, published: float
) -> None:
    on = machines(gpu, sockets=sockets, gpu_attach=attach)
    assert bus_bandwidth_bytes_per_s(on, gpus, CALIBRATION, stack) / 1e9 == pytest.approx(published, rel=0.15)


# (GPUs per node, fabric, ports, bus bandwidth published in GB/s)
CLUSTERS = [(8, Fabric.INFINIBAND_200G, 8, 192.0), (8, Fabric.ROCE_400G, 1, 41.0)]


@pytest.mark.parametrize(("gpus", "fabric", "rails", "published"), CLUSTERS)
def test_published_bus_bandwidths_of_two_nodes_are_met(
    gpus: int, fabric: Fabric, rails: int, published: float
) -> None:
    gpu = "a100-sxm-80gb" if rails > 1 else "h100-sxm"
    on = machines(gpu, gpus, 2, fabric, rails=rails)
    busbw = bus_bandwidth_bytes_per_s(on, 2 * gpus, CALIBRATION, Stack.TUNED)
    assert busbw / 1e9 == pytest.approx(published, rel=0.10)


def test_fewer_links_between_the_sockets_slow_a_tuned_ring() -> None:
    rates = [
        bus_bandwidth_bytes_per_s(
            machines(sockets=2, slot_map=snapshot().platforms[platform].slot_map), 8, CALIBRATION, Stack.TUNED
        )
        for platform in ("asrock-4u8g-turin2", "gigabyte-g493-zb0", "asrock-wrx90-ws-evo-pm50100")
    ]
    assert rates == sorted(rates)
    assert rates[0] < 0.85 * rates[-1]


def test_expert_exchange_is_slower_than_a_gather_and_worst_across_nodes() -> None:
    size = 64.0 * MIB
    inside = machines()
    gather, exchange = (
        collective_law(inside, 8, each, CALIBRATION).time_s(size)
        for each in (Operation.ALL_GATHER, Operation.ALL_TO_ALL)
    )
    across = collective_law(
        machines(nodes=2, fabric=Fabric.ROCE_200G), 16, Operation.ALL_TO_ALL, CALIBRATION
    ).time_s(size)
    assert gather < exchange < across / 3


def test_every_figure_carries_its_evidence_and_width() -> None:
    measured = collective_estimate(machines(), 8, Operation.ALL_REDUCE, MIB, CALIBRATION)
    assumed = collective_estimate(machines("l40s"), 8, Operation.ALL_REDUCE, MIB, CALIBRATION)
    assert measured.unit is Unit.SECONDS
    assert (measured.evidence, assumed.evidence) == (Evidence.MEASURED, Evidence.ASSUMED)
    assert assumed.high / assumed.low > measured.high / measured.low > 1.0
    busbw = bus_bandwidth_estimate(machines(nodes=2, fabric=Fabric.ETHERNET_25G), 16, CALIBRATION)
    assert busbw is not None and busbw.evidence is Evidence.ASSUMED
    assert bus_bandwidth_estimate(machines(), 1, CALIBRATION) is None


def test_a_further_switch_adds_its_hop_and_leaves_the_rate() -> None:
    on = machines(nodes=2, fabric=Fabric.INFINIBAND_400G)
    (near, rate), (far, same) = (network_estimates(on, CALIBRATION, hops) for hops in (1, 3))
    assert far.expected == pytest.approx(near.expected + 10e-6)
    assert rate == same
    assert rate.evidence is Evidence.MEASURED
    assert rate.low < 41e9 < rate.high

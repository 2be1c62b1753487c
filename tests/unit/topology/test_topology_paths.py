"""Class, rate and way of every pair, against printed matrices and published figures."""

from __future__ import annotations

import pytest

from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.topology import GpuPath, PathClass, TopologyGraph
from kentino_configurator.core.units import GB, MICRO
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.topology.matrix import matrix
from kentino_configurator.topology.paths import path_between, route, slowest_path
from tests.unit.topology.machines import (
    PRO_6000,
    RTX_5090,
    board,
    configure,
    drawable_maps,
    entries,
    platform,
    slot_maps,
    snapshot,
)

E13P = "asus-esc8000a-e13p"


def graph(machine: str, gpus: int = 8, gpu: str = PRO_6000, **how: object) -> TopologyGraph:
    how.setdefault("tp", gpus)
    return build_graph(configure(platform(machine), gpus, gpu, **how), snapshot())  # type: ignore[arg-type]


def path(found: TopologyGraph, a: int, b: int) -> GpuPath:
    result = path_between(found, f"n0.gpu{a}", f"n0.gpu{b}")
    assert result is not None
    return result


def span(found: GpuPath) -> tuple[float, float]:
    rate = found.bandwidth_bytes_per_s
    assert rate is not None
    return rate.low / GB, rate.high / GB


MATRICES = [
    (entry["id"], int(count), topology["confidence"])
    for entry in entries()
    for count, topology in (entry["expected_topo"] or {}).items()
    if entry["id"] in drawable_maps() and topology["matrix"]
]


@pytest.mark.parametrize(("name", "count", "confidence"), MATRICES)
def test_classes_of_the_tree_are_those_of_the_published_matrix(
    name: str, count: int, confidence: str
) -> None:
    slot_map = drawable_maps()[name]
    if count not in slot_map.gpu_order:
        pytest.skip("no slot order for this count")
    rows = matrix(build_graph(configure(board(slot_map), count), snapshot())).rows
    for row, expected_row in zip(rows, slot_map.expected_topo[count], strict=True):
        for cell, expected in zip(row, expected_row, strict=True):
            allowed = (expected or cell.path_class.value).split("|")
            assert cell.path_class.value in allowed
            assert confidence != "measured" or allowed == [cell.path_class.value]


def test_some_matrix_was_measured() -> None:
    assert [name for name, _, confidence in MATRICES if confidence == "measured"]


def test_the_switched_asus_shows_the_rates_measured_on_it() -> None:
    found = graph(E13P)
    assert span(path(found, 0, 1)) == (54, 56)
    assert span(path(found, 0, 2)) == (53, 53)
    assert span(path(found, 1, 6)) == (36, 40)
    evidence = {p.bandwidth_bytes_per_s.evidence for p in found.paths if p.bandwidth_bytes_per_s}
    assert evidence == {Evidence.MEASURED}


def test_a_gen4_card_keeps_its_share_of_half_the_link() -> None:
    found = path(graph(E13P, gpu="l40s"), 0, 1)
    low, high = span(found)
    assert (low, high) == pytest.approx((27, 28), rel=0.01)
    assert found.bandwidth_bytes_per_s is not None
    assert found.bandwidth_bytes_per_s.evidence is Evidence.DERIVED


def test_a_gen4_card_is_not_slower_across_sockets_than_its_link() -> None:
    found = graph(E13P, gpu="l40s")
    assert span(path(found, 0, 7)) == pytest.approx((26.5, 28.3), rel=0.01)


def test_geforce_cards_go_through_host_memory_at_an_unknown_rate() -> None:
    found = path(graph("gigabyte-g493-zb0", gpu=RTX_5090, tp=1, dp=8), 0, 1)
    assert found.p2p is False
    assert found.bandwidth_bytes_per_s is None
    assert found.latency_s is not None
    assert found.latency_s.expected == pytest.approx(14 * MICRO)


def test_an_unknown_path_stays_unknown() -> None:
    found = path(graph("dell-poweredge-xe7745"), 0, 1)
    assert found.path_class is PathClass.UNKNOWN
    assert found.bandwidth_bytes_per_s is None


def test_classes_left_open_span_the_rates_of_all_of_them() -> None:
    found = path(graph("supermicro-as-4125gs-tnrt2"), 0, 1)
    assert found.path_class is PathClass.UNKNOWN
    assert set(found.possible) == {PathClass.PIX, PathClass.PXB, PathClass.PHB, PathClass.NODE}
    low, high = span(found)
    assert low == 53
    assert high == pytest.approx(56.6)


def test_a_number_of_socket_links_that_is_not_published_leaves_the_span_of_both_measured() -> None:
    found = path(graph("supermicro-as-4125gs-tnrt2"), 0, 7)
    assert found.path_class is PathClass.SYS
    assert span(found) == (39, 51)


def test_socket_links_of_another_make_have_no_rate() -> None:
    found = build_graph(configure(board(slot_maps()["supermicro-sys-522ga-nrt"]), 8, tp=8), snapshot())
    assert path(found, 0, 7).path_class is PathClass.SYS
    assert path(found, 0, 7).bandwidth_bytes_per_s is None


def test_nodes_are_joined_at_the_line_rate_of_one_port() -> None:
    found = graph(E13P, nodes=2, pp=2, fabric=Fabric.INFINIBAND_200G)
    across = path_between(found, "n0.gpu3", "n1.gpu0")
    assert across is not None
    assert across.path_class is PathClass.NET
    assert span(across) == (25, 25)


def test_a_pair_of_the_second_node_takes_the_path_of_the_first() -> None:
    found = graph(E13P, nodes=2, pp=2, fabric=Fabric.INFINIBAND_200G)
    assert path_between(found, "n1.gpu1", "n1.gpu6") == path_between(found, "n0.gpu1", "n0.gpu6")


def test_a_gpu_has_no_path_to_itself() -> None:
    assert path_between(graph(E13P), "n0.gpu0", "n0.gpu0") is None


def test_the_slowest_path_of_a_group_over_both_sockets_crosses_them() -> None:
    found = graph(E13P)
    slowest = slowest_path(found, found.groups[0])
    assert slowest is not None
    assert slowest.path_class is PathClass.SYS


def test_groups_inside_a_socket_never_cross() -> None:
    found = graph(E13P, tp=4, dp=2)
    slowest = [slowest_path(found, group) for group in found.groups]
    assert [p.path_class for p in slowest if p] == [PathClass.NODE, PathClass.NODE]


def test_the_way_between_sockets_names_every_device_and_wire() -> None:
    assert route(graph(E13P), "n0.gpu1", "n0.gpu6") == (
        "n0.gpu1",
        "n0.VS0>n0.gpu1",
        "n0.VS0",
        "n0.RP0>n0.VS0",
        "n0.RP0",
        "n0.S0.cpu>n0.RP0",
        "n0.S0.cpu",
        "n0.S0.cpu>n0.S1.cpu",
        "n0.S1.cpu",
        "n0.S1.cpu>n0.RP3",
        "n0.RP3",
        "n0.RP3>n0.VS3",
        "n0.VS3",
        "n0.VS3>n0.gpu6",
        "n0.gpu6",
    )


def test_the_way_inside_a_switch_turns_there() -> None:
    way = route(graph(E13P), "n0.gpu0", "n0.gpu1")
    assert way == ("n0.gpu0", "n0.VS0>n0.gpu0", "n0.VS0", "n0.VS0>n0.gpu1", "n0.gpu1")


def test_an_unknown_way_is_just_its_ends() -> None:
    assert route(graph("dell-poweredge-xe7745"), "n0.gpu0", "n0.gpu5") == ("n0.gpu0", "n0.gpu5")


def test_the_matrix_is_symmetric_with_an_empty_diagonal() -> None:
    rows = matrix(graph(E13P)).rows
    for i, row in enumerate(rows):
        assert row[i].path_class is PathClass.SELF
        assert [cell.label for cell in row] == [other[i].label for other in rows]


def test_either_of_two_labels_is_shown_where_both_would_be_right() -> None:
    found = graph("asus-esc8000a-e13x")
    assert matrix(found).rows[0][2].label == "NODE|PHB"

"""The graph holds what is built in, wired as published, and nothing else."""

from __future__ import annotations

import pytest

from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import Message
from kentino_configurator.core.topology import Box, BoxKind, Link, TopologyGraph
from kentino_configurator.topology.graph import build_graph
from tests.unit.topology.machines import FOUR_RAILS, RTX_5090, board, configure, platform, slot_maps, snapshot

E13P = "asus-esc8000a-e13p"
DIRECT = "gigabyte-g493-zb0"
UNKNOWN = "dell-poweredge-xe7745"


def graph(machine: str, gpus: int = 8, **how: object) -> TopologyGraph:
    return build_graph(configure(platform(machine), gpus, **how), snapshot())  # type: ignore[arg-type]


def boxes(graph: TopologyGraph, kind: BoxKind) -> list[Box]:
    return [box for box in graph.boxes if box.kind is kind]


def links(graph: TopologyGraph, kind: str) -> list[Link]:
    return [link for link in graph.links if link.kind == kind]


def above(graph: TopologyGraph, box_id: str) -> str:
    return next(link.a for link in graph.links if link.b == box_id)


def test_the_switched_asus_has_two_chips_of_two_switches_with_two_gpus_each() -> None:
    found = graph(E13P, tp=8)
    assert found.map_known
    assert len(boxes(found, BoxKind.SWITCH_CHIP)) == 2
    parents = [above(found, f"n0.gpu{index}") for index in range(8)]
    assert parents == ["n0.VS0", "n0.VS0", "n0.VS1", "n0.VS1", "n0.VS2", "n0.VS2", "n0.VS3", "n0.VS3"]


def test_direct_attach_has_a_root_port_for_each_gpu_and_no_switch() -> None:
    found = graph(DIRECT, tp=8)
    assert boxes(found, BoxKind.VIRTUAL_SWITCH) == []
    assert len({above(found, f"n0.gpu{index}") for index in range(8)}) == 8


def test_unpublished_wiring_invents_neither_switch_nor_wire() -> None:
    found = graph(UNKNOWN, tp=8)
    assert not found.map_known
    assert isinstance(found.note, Message)
    assert boxes(found, BoxKind.VIRTUAL_SWITCH) == boxes(found, BoxKind.ROOT_PORT) == []
    assert links(found, "pcie") == []
    assert {box.parent for box in boxes(found, BoxKind.GPU)} == {"n0"}


def test_the_socket_link_carries_its_count_and_the_measured_rate() -> None:
    (link,) = links(graph(E13P, tp=8), "socket")
    assert isinstance(link.label, Message)
    assert dict(link.label.args) == {"count": 3, "type": "xGMI"}
    assert link.bandwidth_bytes_per_s == pytest.approx(38e9)


def test_four_of_eight_gpus_leave_four_free_positions() -> None:
    found = graph(E13P, 4, tp=4)
    assert len(boxes(found, BoxKind.GPU)) == 4
    assert len(boxes(found, BoxKind.FREE_SLOT)) == 4


def test_a_link_is_as_fast_as_the_slower_of_slot_and_card() -> None:
    gen4 = graph(E13P, gpu="l40s", tp=8)
    (wire,) = [link for link in gen4.links if link.b == "n0.gpu0"]
    assert wire.bandwidth_bytes_per_s == pytest.approx(31.5e9, rel=0.01)


def test_each_rail_hangs_under_another_switch() -> None:
    found = graph(E13P, nodes=2, tp=8, pp=2, fabric=Fabric.ROCE_200G, cards=FOUR_RAILS)
    assert [above(found, f"n0.nic{rail}") for rail in range(4)] == ["n0.VS0", "n0.VS1", "n0.VS2", "n0.VS3"]


def test_two_nodes_are_joined_rail_by_rail_without_a_switch() -> None:
    found = graph(E13P, nodes=2, tp=8, pp=2, fabric=Fabric.ROCE_200G, cards=FOUR_RAILS)
    assert boxes(found, BoxKind.NETWORK_SWITCH) == []
    assert [(link.a, link.b) for link in links(found, "network")] == [
        (f"n0.nic{rail}", f"n1.nic{rail}") for rail in range(4)
    ]


def test_three_nodes_meet_in_a_switch_and_only_the_first_is_open() -> None:
    found = graph(E13P, nodes=3, tp=8, pp=3, fabric=Fabric.INFINIBAND_200G, cards=FOUR_RAILS)
    assert {box.node for box in boxes(found, BoxKind.GPU)} == {0}
    assert {link.b for link in links(found, "network")} == {"switch"}
    assert {link.a for link in links(found, "network")} == {
        *(f"n0.nic{rail}" for rail in range(4)),
        "n1",
        "n2",
    }
    assert {link.bandwidth_bytes_per_s for link in links(found, "network")} == {25e9}


def test_copies_stand_behind_a_router() -> None:
    found = graph(DIRECT, nodes=4, tp=8, dp=4)
    assert len(boxes(found, BoxKind.ROUTER)) == 1
    assert ("switch", "router") in [(link.a, link.b) for link in links(found, "network")]


def test_one_node_has_no_network() -> None:
    found = graph(DIRECT, tp=8)
    assert links(found, "network") == []
    assert boxes(found, BoxKind.ROUTER) == boxes(found, BoxKind.NETWORK_SWITCH) == []


def test_every_wire_joins_boxes_that_exist() -> None:
    for machine in (E13P, DIRECT, UNKNOWN):
        for nodes in (1, 2, 5):
            fabric = Fabric.ROCE_400G if nodes > 1 else None
            found = graph(machine, nodes=nodes, tp=8, pp=nodes, fabric=fabric)
            ids = {box.id for box in found.boxes}
            assert {end for link in found.links for end in (link.a, link.b)} <= ids
            assert {box.parent for box in found.boxes} <= ids | {""}


def test_ids_are_unique() -> None:
    found = graph(E13P, nodes=2, tp=8, pp=2, fabric=Fabric.ROCE_200G, cards=FOUR_RAILS)
    ids = [box.id for box in found.boxes] + [link.id for link in found.links]
    assert len(ids) == len(set(ids))


def test_the_fitted_edition_of_a_card_is_the_one_named() -> None:
    found = graph(DIRECT, gpu=RTX_5090, dp=8)
    (node,) = boxes(found, BoxKind.NODE)
    assert isinstance(node.sub_label, Message)
    assert node.sub_label.args["gpus"] == f"8 × {snapshot().gpus[RTX_5090].name}"


def test_a_tower_with_one_socket_says_so_in_its_note() -> None:
    found = build_graph(configure(board(None, sockets=1), 2, tp=2), snapshot())
    assert isinstance(found.note, Message)
    assert found.note.id == "topo.wiring_unknown_one"


def test_an_onboard_network_port_hangs_on_its_own_socket() -> None:
    found = build_graph(configure(board(slot_maps()[E13P]), 8, tp=8), snapshot())
    (port,) = [box for box in found.boxes if box.id == "n0.lan0"]
    assert port.parent == "n0.S1"
    assert port.sub_label == "2 × 10GBase-T"

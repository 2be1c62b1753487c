"""Drawings of every known machine, every GPU count and every size of cluster keep the rules of geometry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.hardware import DeviceKind, PcieNode, SlotMap, SocketLink
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.topology import DisplayList, Label, TopologyGraph
from kentino_configurator.texts import LOCALES, load_texts
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.topology.layout import lay_out
from tests.unit.topology.drawing_checks import device_rects, faults
from tests.unit.topology.machines import (
    FOUR_RAILS,
    PRO_6000,
    RTX_5090,
    board,
    configure,
    drawable_maps,
    platform,
    slot_maps,
    snapshot,
)

LEAST_TEXT_MM = 2.2


def draw(configuration: Configuration, language: str = "en") -> tuple[TopologyGraph, DisplayList]:
    graph = build_graph(configuration, snapshot())
    return graph, lay_out(graph, load_texts(language).say)


def known_machines() -> list[tuple[str, int]]:
    return [
        (name, count)
        for name, slot_map in drawable_maps().items()
        for count in range(1, max(slot_map.gpu_order) + 1)
    ]


@pytest.mark.parametrize(("name", "count"), known_machines())
def test_a_machine_with_known_wiring_is_drawn_without_a_fault(name: str, count: int) -> None:
    graph, drawing = draw(configure(board(drawable_maps()[name]), count, tp=count))
    assert graph.map_known
    assert faults(graph, drawing) == {}


@pytest.mark.parametrize("name", [name for name, found in slot_maps().items() if not found.tree_known])
@pytest.mark.parametrize("count", [1, 2, 8])
def test_a_machine_with_unknown_wiring_is_drawn_without_a_fault(name: str, count: int) -> None:
    graph, drawing = draw(configure(board(slot_maps()[name]), count, dp=count))
    assert not graph.map_known
    assert faults(graph, drawing) == {}


@pytest.mark.parametrize("sockets", [1, 2])
@pytest.mark.parametrize("count", range(1, 17))
def test_a_machine_without_a_slot_map_is_drawn_without_a_fault(sockets: int, count: int) -> None:
    graph, drawing = draw(configure(board(None, sockets), count, RTX_5090, dp=count))
    assert faults(graph, drawing) == {}


MACHINES = ("asus-esc8000a-e13p", "gigabyte-g493-zb0", "dell-poweredge-xe7745", "supermicro-h13ssl-n-tower")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("nodes", range(2, 9))
@pytest.mark.parametrize("cards", [FOUR_RAILS, ()], ids=["four rails", "one rail"])
def test_a_cluster_is_drawn_without_a_fault(
    machine: str, nodes: int, cards: tuple[tuple[int, str], ...]
) -> None:
    gpus = 4 if "tower" in machine else 8
    split = {"tp": gpus, "pp": nodes}
    graph, drawing = draw(
        configure(platform(machine), gpus, nodes=nodes, fabric=Fabric.ROCE_200G, cards=cards, **split)
    )
    assert faults(graph, drawing) == {}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("nodes", [2, 3, 7, 8, 9, 20, 40])
@pytest.mark.parametrize("tp", [1, 2, 4])
def test_replicas_are_drawn_without_a_fault(machine: str, nodes: int, tp: int) -> None:
    gpus = 4 if "tower" in machine else 8
    graph, drawing = draw(configure(platform(machine), gpus, nodes=nodes, tp=tp, dp=nodes * gpus // tp))
    assert faults(graph, drawing) == {}


@pytest.mark.parametrize("nodes", [2, 4])
def test_nodes_of_sixteen_gpus_are_joined_without_a_fault(nodes: int) -> None:
    machine = board(slot_maps()["cpayne-genoad24qm32-16gpu"])
    graph, drawing = draw(configure(machine, 16, nodes=nodes, tp=8, pp=2 * nodes, fabric=Fabric.ROCE_400G))
    assert faults(graph, drawing) == {}


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("nodes", [1, 2, 3])
@pytest.mark.parametrize("machine", MACHINES[:3])
def test_every_language_fits(machine: str, nodes: int, language: str) -> None:
    fabric = Fabric.INFINIBAND_200G if nodes > 1 else None
    wired = configure(platform(machine), 8, nodes=nodes, tp=4, pp=2 * nodes, fabric=fabric, cards=FOUR_RAILS)
    graph, drawing = draw(wired, language)
    assert faults(graph, drawing) == {}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("nodes", [1, 2, 8])
def test_text_is_legible_on_a4(machine: str, nodes: int) -> None:
    _, drawing = draw(configure(platform(machine), 4, nodes=nodes, tp=4, dp=nodes))
    assert drawing.width_mm == 174.0
    assert min(item.size_mm for item in drawing.items if isinstance(item, Label)) >= LEAST_TEXT_MM


@pytest.mark.parametrize("name", ["asus-esc8000a-e13p", "gigabyte-g493-zb0", "cpayne-wrx90-2chip-4vs-v1"])
def test_adding_a_gpu_moves_none_of_the_others(name: str) -> None:
    machine = board(drawable_maps()[name])
    seen: dict[str, float] = {}
    for count in range(1, 9):
        graph, drawing = draw(configure(machine, count, tp=count))
        places = {box_id: rect.x for box_id, rect in device_rects(graph, drawing).items() if ".gpu" in box_id}
        assert {box_id: places[box_id] for box_id in seen} == seen
        seen = places


@pytest.mark.parametrize(("name", "count"), known_machines())
def test_gpus_stand_in_the_order_of_their_numbers(name: str, count: int) -> None:
    graph, drawing = draw(configure(board(drawable_maps()[name]), count, tp=count))
    rects = device_rects(graph, drawing)
    places = [rects[f"n0.gpu{index}"].x for index in range(count)]
    assert places == sorted(places)


def test_the_same_graph_is_always_drawn_alike() -> None:
    graph, first = draw(configure(platform(MACHINES[0]), 8, tp=8))
    assert lay_out(graph, load_texts("en").say) == first


@st.composite
def random_maps(make: st.DrawFn) -> SlotMap:
    """One or two sockets whose root ports carry a GPU, a switch with GPUs, or a card alone."""
    nodes: list[PcieNode] = []
    order: list[str] = []
    sockets = make(st.integers(1, 2))
    for socket in range(sockets):
        nodes.append(PcieNode(id=f"S{socket}", kind=DeviceKind.SOCKET, parent="", numa_node=socket))
        for port in range(make(st.integers(1, 4))):
            root = f"RP{socket}{port}"
            nodes.append(PcieNode(id=f"HB{root}", kind=DeviceKind.HOST_BRIDGE, parent=f"S{socket}"))
            nodes.append(PcieNode(id=root, kind=DeviceKind.ROOT_PORT, parent=f"HB{root}", gen=5, lanes=16))
            below = make(st.integers(0, 3))
            parent = root
            if below > 1:
                parent = f"VS{root}"
                nodes.append(
                    PcieNode(
                        id=parent,
                        kind=DeviceKind.VIRTUAL_SWITCH,
                        parent=root,
                        gen=5,
                        lanes=16,
                        chip="Chip A1",
                    )
                )
            for slot in range(below):
                nodes.append(_slot(f"G{root}{slot}", parent, "GPU"))
                order.append(f"G{root}{slot}")
            if below != 1:
                nodes.append(_slot(f"N{root}", parent, "NIC"))
    return SlotMap(
        id="random",
        name="Random board",
        tree_known=True,
        nodes=tuple(nodes),
        links=(SocketLink(a="S0", b="S1", type="xGMI", count=3, one_way_bytes_per_s=None),)
        if sockets == 2
        else (),
        gpu_order={len(order): tuple(order)} if order else {},
        expected_topo={},
        confidence="measured",
        source="",
    )


def _slot(slot_id: str, parent: str, intended: str) -> PcieNode:
    return PcieNode(id=slot_id, kind=DeviceKind.SLOT, parent=parent, gen=5, lanes=16, intended=intended)


@given(random_maps(), st.integers(0, 4), st.integers(1, 3))
def test_any_tree_is_drawn_without_a_fault(slot_map: SlotMap, rails: int, nodes: int) -> None:
    count = max(slot_map.gpu_order, default=0)
    if not 1 <= count <= 16:
        return
    fabric = Fabric.ROCE_200G if nodes > 1 else None
    cards = ((rails, "ConnectX-7 2x200G"),) if rails else ()
    graph, drawing = draw(
        configure(board(slot_map), count, PRO_6000, nodes=nodes, dp=nodes * count, fabric=fabric, cards=cards)
    )
    assert faults(graph, drawing) == {}

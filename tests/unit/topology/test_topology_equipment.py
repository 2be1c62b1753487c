"""With a bill of materials the drawing shows what is bought."""

from __future__ import annotations

from dataclasses import replace

from kentino_configurator.core.bom import BillOfMaterials, BomGroup, BomLine, Power, SiteNeeds
from kentino_configurator.core.evidence import Evidence, exact
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import Message
from kentino_configurator.core.money import Money
from kentino_configurator.core.topology import BoxKind, TopologyGraph
from kentino_configurator.core.units import Unit
from kentino_configurator.topology.graph import build_graph
from tests.unit.topology.machines import configure, platform, snapshot

MACHINE = "gigabyte-g493-zb0"


def part(name: str) -> str:
    return next(sku for sku, part in snapshot().parts.items() if part.name == name)


def bill(*wanted: tuple[BomGroup, int, str]) -> BillOfMaterials:
    nothing = exact(0.0, Unit.WATTS, Evidence.DERIVED)
    return BillOfMaterials(
        lines=tuple(line(number, *entry) for number, entry in enumerate(wanted, start=1)),
        checks=(),
        list_net=Money(0),
        discount=Money(0),
        net=Money(0),
        vat_rate_percent=None,
        vat=None,
        gross=None,
        unpriced_lines=0,
        budgetary=True,
        power=Power(dc_w=nothing, ac_w=nothing, btu_h=nothing, airflow_m3_h=nothing),
        site=SiteNeeds(rack_units=None, depth_mm=None, mass_kg=None, max_inlet_c=None),
    )


def line(number: int, group: BomGroup, quantity: int, name: str) -> BomLine:
    sku = part(name)
    return BomLine(
        line=number,
        group=group,
        category=snapshot().parts[sku].category,
        sku=sku,
        mpn="",
        maker="",
        description=name,
        quantity=quantity,
        unit_net=None,
        price_status=PriceStatus.MISSING,
        price_date="",
        source="",
    )


def labels(graph: TopologyGraph, kind: BoxKind) -> list[object]:
    return [box.label for box in graph.boxes if box.kind is kind]


def test_drives_memory_and_front_adapter_of_one_node_are_those_bought() -> None:
    bought = bill(
        (BomGroup.NODE, 4, "EPYC 9375F"),
        (BomGroup.NODE, 2, "ConnectX-6 Lx 2x25G"),
    )
    graph = build_graph(configure(platform(MACHINE), nodes=2, tp=8, dp=2), snapshot(), bought)
    assert labels(graph, BoxKind.CPU) == ["EPYC 9375F"] * 4
    assert [box.id for box in graph.boxes if box.label == "ConnectX-6 Lx"] == ["n0.front0", "n1.front0"]


def test_a_bought_switch_is_named_with_its_ports() -> None:
    bought = bill(
        (BomGroup.FABRIC, 2, "ConnectX-6 VPI HDR"),
        (BomGroup.FABRIC, 1, "Quantum QM8790 (unmanaged)"),
    )
    cluster = configure(platform(MACHINE), nodes=2, tp=8, pp=2, fabric=Fabric.INFINIBAND_200G)
    (switch,) = [
        b for b in build_graph(cluster, snapshot(), bought).boxes if b.kind is BoxKind.NETWORK_SWITCH
    ]
    assert isinstance(switch.sub_label, Message)
    assert dict(switch.sub_label.args) == {"name": "Quantum QM8790 (unmanaged)", "used": 2, "ports": 40}


def test_two_nodes_without_a_bought_switch_are_joined_directly() -> None:
    bought = bill((BomGroup.FABRIC, 2, "ConnectX-7 2x200G"))
    cluster = configure(platform(MACHINE), nodes=2, tp=8, pp=2, fabric=Fabric.ROCE_200G)
    graph = build_graph(cluster, snapshot(), bought)
    assert labels(graph, BoxKind.NETWORK_SWITCH) == []
    assert [(link.a, link.b) for link in graph.links if link.kind == "network"] == [("n0.nic0", "n1.nic0")]


def test_the_management_switch_is_not_the_network() -> None:
    management = next(p.name for p in snapshot().parts.values() if "role=management" in p.attributes)
    bought = bill((BomGroup.FABRIC, 1, management))
    graph = build_graph(configure(platform(MACHINE), nodes=3, tp=8, dp=3), snapshot(), bought)
    (switch,) = [box for box in graph.boxes if box.kind is BoxKind.NETWORK_SWITCH]
    assert isinstance(switch.sub_label, Message)
    assert switch.sub_label.id == "topo.ports_used"


def test_a_part_the_catalogue_does_not_know_is_left_out() -> None:
    bought = bill((BomGroup.NODE, 1, "ConnectX-6 Lx 2x25G"))
    unknown = replace(bought, lines=tuple(replace(line, sku="gone") for line in bought.lines))
    graph = build_graph(configure(platform(MACHINE), tp=8), snapshot(), unknown)
    assert [box for box in graph.boxes if box.id.startswith("n0.front")] == []

"""The machine as a graph: from the configuration and the platform's slot map, nothing invented."""

from __future__ import annotations

from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.hardware import PlatformSpec
from kentino_configurator.core.message import Quantity, message
from kentino_configurator.core.path_facts import PathFacts
from kentino_configurator.core.path_rates import RateBook
from kentino_configurator.core.topology import Box, BoxKind, GpuGroup, GpuPath, TopologyGraph, Words
from kentino_configurator.core.units import Unit
from kentino_configurator.topology.equipment import Equipment, equipment
from kentino_configurator.topology.groups import node_groups, node_summary
from kentino_configurator.topology.network_graph import network_boxes, network_links
from kentino_configurator.topology.node_graph import NodeGraph, NodeParts, node_parts
from kentino_configurator.topology.paths import network_path, node_paths

MOST_GPUS_SIDE_BY_SIDE = 8
"""Two nodes with at most so many GPUs each are both drawn in full; else only the first one is."""


def build_graph(
    configuration: Configuration, snapshot: CatalogSnapshot, bom: BillOfMaterials | None = None
) -> TopologyGraph:
    """The graph of a configuration.

    With a bill of materials adapters, drives, switches and routers are those bought; without one, those of
    the reference build. ``map_known`` is false where the platform's wiring is not published.
    """
    kit = equipment(configuration, snapshot, bom)
    parts = node_parts(
        configuration.node.platform, configuration.node.card, configuration.node.gpu_count, kit
    )
    detailed = _detailed_nodes(configuration)
    nodes = [NodeGraph(parts, number) for number in range(detailed)]
    groups = [
        node_groups(configuration, nodes[0].gpu_sockets(), number) for number in range(configuration.nodes)
    ]
    return TopologyGraph(
        boxes=(
            *(
                box
                for n, node in enumerate(nodes)
                for box in (_node_box(configuration, kit, groups[n], n), *node.boxes())
            ),
            *(_closed_box(configuration, groups[n], n) for n in range(detailed, configuration.nodes)),
            *network_boxes(configuration, kit),
        ),
        links=(
            *(link for node in nodes for link in node.links()),
            *network_links(configuration, kit, detailed),
        ),
        paths=_paths(configuration, snapshot, parts),
        groups=tuple(group for of_node in groups[:detailed] for group in of_node),
        nodes=configuration.nodes,
        map_known=parts.tree is not None,
        platform=_platform_name(configuration.node.platform),
        note="" if parts.tree else _wiring_note(parts.platform),
    )


def _wiring_note(platform: PlatformSpec) -> Words:
    return message("topo.wiring_unknown_one" if platform.sockets == 1 else "topo.wiring_unknown")


def _detailed_nodes(configuration: Configuration) -> int:
    both = configuration.nodes == 2 and configuration.node.gpu_count <= MOST_GPUS_SIDE_BY_SIDE
    return 2 if both else 1


def _node_box(configuration: Configuration, kit: Equipment, groups: tuple[GpuGroup, ...], node: int) -> Box:
    offer = configuration.node
    return Box(
        id=f"n{node}",
        kind=BoxKind.NODE,
        label=message("topo.node", number=node + 1),
        sub_label=message(
            "topo.node_parts",
            platform=_platform_name(offer.platform),
            cpus=f"{kit.cpus} × {kit.cpu.name}" if kit.cpu else message("topo.cpus", count=kit.cpus),
            gpus=f"{offer.gpu_count} × {offer.card.name}",
        ),
        node=node,
        index=node,
        detail=_running(configuration, groups, node),
    )


def _running(configuration: Configuration, groups: tuple[GpuGroup, ...], node: int) -> Words:
    """One node: its power. Several: what each of them runs."""
    if configuration.nodes > 1:
        return node_summary(configuration, groups, node)
    return message("topo.power_wall", power=Quantity(configuration.node.ac_w.expected, Unit.WATTS))


def _closed_box(configuration: Configuration, groups: tuple[GpuGroup, ...], node: int) -> Box:
    return Box(
        id=f"n{node}",
        kind=BoxKind.NODE,
        label=message("topo.node", number=node + 1),
        sub_label=message("topo.like_node", number=1),
        node=node,
        index=node,
        detail=node_summary(configuration, groups, node),
    )


def _paths(configuration: Configuration, snapshot: CatalogSnapshot, parts: NodeParts) -> tuple[GpuPath, ...]:
    slot_map = parts.platform.slot_map
    book = RateBook(
        facts=PathFacts(snapshot.path_bandwidth),
        platform=parts.platform,
        gpu=parts.gpu,
        tree=parts.tree,
        links=slot_map.links if slot_map else (),
    )
    inside = node_paths(book, tuple(f"n0.gpu{index}" for index in range(parts.gpu_count)), parts.slots)
    if configuration.fabric is None or configuration.nodes < 2:
        return inside
    return (*inside, network_path("n0.gpu0", "n1.gpu0", configuration.fabric))


def _platform_name(platform: PlatformSpec) -> str:
    """Maker and model, without naming the maker twice."""
    return platform.name if platform.vendor in platform.name else f"{platform.vendor} {platform.name}".strip()

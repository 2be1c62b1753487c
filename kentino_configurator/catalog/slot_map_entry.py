"""One entry of ``slot_maps.json`` to ``SlotMap``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kentino_configurator.core.hardware import DeviceKind, PcieNode, SlotMap, SocketLink
from kentino_configurator.core.units import GB

_PUBLISHED = frozenset({"measured", "vendor block diagram", "derived (from the tree)", "derived"})


def slot_map_from_entry(entry: Mapping[str, Any]) -> SlotMap:
    """The PCIe tree of an entry. What is not published stays ``None`` or has no parent."""
    nodes = tuple(_nodes(entry))
    orders = {int(count): tuple(slots) for count, slots in (entry.get("gpu_order") or {}).items()}
    topologies = entry["expected_topo"] or {}
    return SlotMap(
        id=entry["id"],
        name=entry["name"],
        tree_known=_tree_known(nodes, orders),
        nodes=nodes,
        links=tuple(_link(link) for link in entry["links"]),
        gpu_order=orders,
        expected_topo={
            int(count): tuple(tuple(row) for row in topology["matrix"])
            for count, topology in topologies.items()
            if topology.get("matrix")
        },
        confidence=entry["confidence"],
        source="; ".join(_sources(entry)),
    )


def _tree_known(nodes: tuple[PcieNode, ...], orders: Mapping[int, tuple[str, ...]]) -> bool:
    """Whether each GPU slot of the largest layout hangs on a root port that was read or drawn by the maker."""
    if not orders:
        return False
    by_id = {node.id: node for node in nodes}
    roots = [_root_port(by_id, slot) for slot in orders[max(orders)]]
    return all(root is not None and root.confidence in _PUBLISHED for root in roots)


def _root_port(by_id: Mapping[str, PcieNode], slot: str) -> PcieNode | None:
    node = by_id.get(slot)
    while node is not None and node.kind is not DeviceKind.ROOT_PORT:
        node = by_id.get(node.parent)
    return node


def _nodes(entry: Mapping[str, Any]) -> Iterator[PcieNode]:
    chips = {chip["id"]: f"{chip['model']} {chip['id']}" for chip in entry["switch_chips"]}
    for socket in entry["sockets"]:
        yield _node(
            socket,
            DeviceKind.SOCKET,
            "",
            gen=socket["pcie_gen"],
            lanes=socket["pcie_lanes"],
            numa_node=(socket["numa_nodes"] or [None])[0],
        )
    for bridge in entry["host_bridges"]:
        yield _node(bridge, DeviceKind.HOST_BRIDGE, bridge["socket"])
    for port in entry["root_ports"]:
        yield _node(port, DeviceKind.ROOT_PORT, port["host_bridge"], gen=port["gen"], lanes=port["lanes"])
    for switch in entry["virtual_switches"]:
        yield _node(
            switch,
            DeviceKind.VIRTUAL_SWITCH,
            switch["parent"],
            gen=switch["uplink_gen"],
            lanes=switch["uplink_lanes"],
            chip=chips.get(switch["chip"], ""),
        )
    for slot in entry["slots"]:
        yield _node(
            slot,
            DeviceKind.SLOT,
            slot["parent"],
            gen=slot["gen"],
            lanes=slot["electrical_lanes"],
            intended=slot["intended"] or "",
            width=slot["width"] or "",
        )
    for number, device in enumerate(entry["onboard"]):
        named = device | {"id": f"onboard{number} {device['what']}"}
        parent = device["parent"] or device.get("socket")
        yield _node(named, DeviceKind.ONBOARD, parent, gen=device["gen"], lanes=device["lanes"])


def _node(raw: Mapping[str, Any], kind: DeviceKind, parent: str | None, **facts: Any) -> PcieNode:
    confidence = raw.get("confidence") or "unknown"
    return PcieNode(id=raw["id"], kind=kind, parent=parent or "", confidence=confidence, **facts)


def _link(link: Mapping[str, Any]) -> SocketLink:
    return SocketLink(
        a=link["a"],
        b=link["b"],
        type=link["type"] or "",
        count=link["count"],
        one_way_bytes_per_s=_rate(link["gpu_one_way_gb_s"]),
        source=link["source"] or "",
    )


def _rate(value: float | list[float] | None) -> tuple[float, float] | None:
    if value is None:
        return None
    low, high = value if isinstance(value, list) else (value, value)
    return (low * GB, high * GB)


def _sources(entry: Mapping[str, Any]) -> list[str]:
    parts = (entry["sockets"], entry["host_bridges"], entry["root_ports"], entry["slots"])
    return list(dict.fromkeys(item["source"] for part in parts for item in part if item["source"]))

"""PCIe lanes of a node: what its sockets have, what cards take, and what is left for adapters and drives."""

from __future__ import annotations

from collections import Counter

from kentino_configurator.core.hardware import DeviceKind, GpuSpec, PartSpec, PlatformSpec, SlotMap

LANES_PER_LINK = 16
LANES_PER_DRIVE = 4
EPYC_LINKS_FEWEST, EPYC_LINKS_MOST = 3, 4
"""Links between two EPYC sockets in the two common layouts: 160 or 128 lanes remain for devices."""


def socket_lanes(platform: PlatformSpec, sockets: int, cpu: PartSpec) -> tuple[int, int] | None:
    """Fewest and most lanes of all processors together: on two EPYC they depend on the links between them."""
    if cpu.pcie_lanes is None:
        return None
    total = sockets * cpu.pcie_lanes
    if not is_epyc_pair(sockets, cpu):
        return total, total
    links = socket_links(platform)
    if links is not None:
        return (left := total - 2 * links * LANES_PER_LINK), left
    return total - 2 * EPYC_LINKS_MOST * LANES_PER_LINK, total - 2 * EPYC_LINKS_FEWEST * LANES_PER_LINK


def is_epyc_pair(sockets: int, cpu: PartSpec) -> bool:
    """Whether two EPYC processors share a board: links between them cost lanes."""
    return sockets == 2 and cpu.name.startswith("EPYC")


def socket_links(platform: PlatformSpec) -> int | None:
    """Links between the two sockets of the platform, ``None`` when not published."""
    counts = [link.count for link in platform.slot_map.links if link.count] if platform.slot_map else []
    return counts[0] if counts else None


def card_lanes(platform: PlatformSpec, card: GpuSpec, count: int) -> int | None:
    """Lanes of the processors that cards take, or the uplinks of their switches; ``None`` when not known."""
    if platform.gpu_attach.startswith("switched"):
        uplinks = len(cards_by_switch(platform, count))
        return uplinks * LANES_PER_LINK if uplinks else None
    return count * card.pcie_lanes if platform.gpu_attach.startswith("direct") else None


def cards_by_switch(platform: PlatformSpec, count: int) -> Counter[str]:
    """GPU slots of a fitted count on every virtual switch; empty when the tree is not known."""
    slot_map = platform.slot_map
    if slot_map is None or not slot_map.tree_known:
        return Counter()
    parents = {node.id: node.parent for node in slot_map.nodes}
    switches = {node.id for node in slot_map.nodes if node.kind is DeviceKind.VIRTUAL_SWITCH}
    return Counter(parents[slot] for slot in _fitted_slots(slot_map, count) if parents.get(slot) in switches)


def _fitted_slots(slot_map: SlotMap, count: int) -> tuple[str, ...]:
    """Slots that ``count`` cards sit in; a count without an own order takes the first of the next larger one."""
    larger = sorted(known for known in slot_map.gpu_order if known >= count)
    return slot_map.gpu_order[larger[0]][:count] if larger else ()

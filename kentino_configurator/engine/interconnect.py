"""What a group of GPUs in one node talks over: path classes, sockets, switches, peer access, risks.

Read from the slot map where the wiring is published, else from the number of sockets and the way GPUs are attached.
Rates of a pair come from the published path table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.hardware import DeviceKind, GpuSpec, PlatformSpec, SlotMap, SocketLink
from kentino_configurator.core.layout import Machines
from kentino_configurator.core.path_facts import PathFacts
from kentino_configurator.core.path_rates import RateBook
from kentino_configurator.core.pcie_tree import PcieTree, gpu_slots
from kentino_configurator.core.topology import PathClass
from kentino_configurator.engine.memo import SpecMemo

NEAR = (PathClass.SELF, PathClass.PIX, PathClass.PXB)
"""Paths on which every stack uses peer access without being told to."""

FARTHEST_LAST = (*NEAR, PathClass.PHB, PathClass.NODE, PathClass.SYS, PathClass.UNKNOWN)
SWITCH_THAT_COLLAPSES = "Broadcom"
"""Published on PEX890xx: two GPUs of a virtual switch that write to two or more root ports fall to 2.7 GB/s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupWiring:
    """The first GPUs of a node as a group.

    ``farthest`` is the class of the slowest kind of pair. ``socket_links`` joins the sockets the group spans, ``None``
    where it spans one or the count is not published. ``narrowest_bytes_per_s`` is the slowest known PCIe link under
    the GPUs. ``collapse_risk``: posted writes of several GPUs may stall one uplink of a switch.
    """

    known: bool
    farthest: PathClass
    sockets: int
    socket_links: SocketLink | None
    virtual_switches: int
    narrowest_bytes_per_s: float | None
    staged: bool
    collapse_risk: bool

    @property
    def near(self) -> bool:
        """Whether every pair sits behind common switches."""
        return self.farthest in NEAR


_WIRINGS: SpecMemo[GroupWiring] = SpecMemo()


def group_wiring(machines: Machines, gpus: int) -> GroupWiring:
    """The wiring of ``gpus`` neighbouring GPUs of one node."""
    inside = min(gpus, machines.gpus_per_node)
    anchor: tuple[object, ...] = (machines.gpu, *([machines.slot_map] if machines.slot_map else []))
    rest = (inside, machines.gpus_per_node, machines.sockets, machines.gpu_attach)
    return _WIRINGS.get(anchor, rest, lambda: _wiring(machines, inside))


def _wiring(machines: Machines, gpus: int) -> GroupWiring:
    slot_map = machines.slot_map
    slots = gpu_slots(slot_map, machines.gpus_per_node) if slot_map and slot_map.tree_known else None
    if slot_map is None or slots is None:
        return _unpublished(machines, gpus)
    return _published(slot_map, slots[:gpus], machines.gpu)


def _unpublished(machines: Machines, gpus: int) -> GroupWiring:
    """GPUs spread evenly over the sockets, those of one socket on their own root ports or on one switch."""
    per_socket = max(1, machines.gpus_per_node // max(1, machines.sockets))
    sockets = min(machines.sockets, -(-gpus // per_socket))
    links = machines.slot_map.links if machines.slot_map else ()
    switched = "switch" in machines.gpu_attach.lower()
    inside = PathClass.PXB if switched else PathClass.NODE
    farthest = PathClass.SELF if gpus == 1 else PathClass.SYS if sockets > 1 else inside
    return GroupWiring(
        known=False,
        farthest=farthest,
        sockets=sockets,
        socket_links=links[0] if sockets > 1 and len(links) == 1 else None,
        virtual_switches=0,
        narrowest_bytes_per_s=None,
        staged=machines.gpu.p2p is False,
        collapse_risk=False,
    )


def _published(slot_map: SlotMap, slots: tuple[str, ...], gpu: GpuSpec) -> GroupWiring:
    tree = PcieTree(slot_map)
    pairs = list(combinations(slots, 2))
    classes = [tree.path_class(*pair) for pair in pairs] or [PathClass.SELF]
    sockets = {node.id for slot in slots if (node := tree.socket_of(slot)) is not None}
    rates = [rate for pair in pairs if (rate := tree.narrowest_bytes_per_s(*pair)) is not None]
    return GroupWiring(
        known=True,
        farthest=max(classes, key=FARTHEST_LAST.index),
        sockets=len(sockets),
        socket_links=next((link for link in slot_map.links if {link.a, link.b} == sockets), None),
        virtual_switches=len(_virtual_switches(tree, slots)),
        narrowest_bytes_per_s=min(rates, default=None),
        staged=gpu.p2p is False,
        collapse_risk=_may_collapse(tree, slots),
    )


def _virtual_switches(tree: PcieTree, slots: Iterable[str]) -> dict[str, int]:
    """GPUs under each virtual switch."""
    count: dict[str, int] = {}
    for slot in slots:
        above = next((n for n in tree.upwards(slot) if n.kind is DeviceKind.VIRTUAL_SWITCH), None)
        if above is not None:
            count[above.id] = count.get(above.id, 0) + 1
    return count


def _may_collapse(tree: PcieTree, slots: tuple[str, ...]) -> bool:
    under = _virtual_switches(tree, slots)
    chips = {tree.node(switch).chip for switch in under}
    affected = any(SWITCH_THAT_COLLAPSES in chip for chip in chips)
    return affected and len(under) > 1 and max(under.values()) > 1


def pair_rate(
    platform: PlatformSpec, gpu: GpuSpec, count: int, pair: tuple[int, int], rows: Iterable[Mapping[str, Any]]
) -> Estimate | None:
    """One-way rate between two GPUs of a node with ``count`` of them; ``rows`` is the catalogue's path table.

    ``None`` where the wiring or the rate of its class is not published, and for cards without peer access.
    """
    slot_map = platform.slot_map
    slots = gpu_slots(slot_map, count) if slot_map and slot_map.tree_known else None
    if slot_map is None or slots is None or gpu.p2p is not True:
        return None
    tree = PcieTree(slot_map)
    ends = (slots[pair[0]], slots[pair[1]])
    book = RateBook(facts=PathFacts(rows), platform=platform, gpu=gpu, tree=tree, links=slot_map.links)
    return book.rate(tree.path_class(*ends), ends)

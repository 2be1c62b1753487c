"""A platform's PCIe tree: who hangs below whom, which class a pair has, how wide the narrowest link is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kentino_configurator.core.hardware import DeviceKind, PcieNode, SlotMap
from kentino_configurator.core.topology import PathClass
from kentino_configurator.core.units import GB

_TRANSFERS_PER_S: Final = {3: 8e9, 4: 16e9, 5: 32e9, 6: 64e9}
_PAYLOAD_SHARE: Final = {3: 128 / 130, 4: 128 / 130, 5: 128 / 130, 6: 242 / 256}
GEN5_X16_BYTES_PER_S: Final = 63.0 * GB


def lane_rate_bytes_per_s(gen: int) -> float:
    """Payload of one PCIe lane in one direction (PCI-SIG rates and encodings); ``KeyError`` above Gen6."""
    return _TRANSFERS_PER_S[gen] * _PAYLOAD_SHARE[gen] / 8


def link_rate_bytes_per_s(gen: int | None, lanes: int | None) -> float | None:
    """One direction of a link, ``None`` when generation or width is not known."""
    if gen is None or lanes is None or gen not in _TRANSFERS_PER_S:
        return None
    return lane_rate_bytes_per_s(gen) * lanes


class PcieTree:
    """Look-ups in the tree of one slot map."""

    def __init__(self, slot_map: SlotMap) -> None:
        self.slot_map = slot_map
        self._nodes = {node.id: node for node in slot_map.nodes}

    def node(self, node_id: str) -> PcieNode:
        """The element with this id; ``KeyError`` when there is none."""
        return self._nodes[node_id]

    def of_kind(self, kind: DeviceKind) -> tuple[PcieNode, ...]:
        """All elements of a kind in the order of the slot map."""
        return tuple(node for node in self.slot_map.nodes if node.kind is kind)

    def upwards(self, node_id: str) -> tuple[PcieNode, ...]:
        """The element and everything above it, up to where the published tree ends."""
        chain: list[PcieNode] = []
        current = self._nodes.get(node_id)
        while current is not None and current not in chain:
            chain.append(current)
            current = self._nodes.get(current.parent)
        return tuple(chain)

    def socket_of(self, node_id: str) -> PcieNode | None:
        """The socket above an element, ``None`` when that is not published."""
        top = self.upwards(node_id)[-1:]
        return top[0] if top and top[0].kind is DeviceKind.SOCKET else None

    def meeting_point(self, a: str, b: str) -> PcieNode | None:
        """The lowest element above both."""
        above_b = {node.id for node in self.upwards(b)}
        return next((node for node in self.upwards(a) if node.id in above_b), None)

    def path_class(self, a: str, b: str) -> PathClass:
        """Label of the pair as ``nvidia-smi topo -m`` prints it, with one NUMA node per socket (NPS1).

        One virtual switch PIX, shared switch higher up PXB, one host bridge PHB, one socket NODE, else SYS.
        """
        socket_a, socket_b = self.socket_of(a), self.socket_of(b)
        meeting = self.meeting_point(a, b)
        if meeting is not None:
            return self._class_at(meeting, a, b)
        return PathClass.SYS if socket_a and socket_b else PathClass.UNKNOWN

    def _class_at(self, meeting: PcieNode, a: str, b: str) -> PathClass:
        if meeting.kind is DeviceKind.VIRTUAL_SWITCH:
            direct = {self._nodes[a].parent, self._nodes[b].parent} == {meeting.id}
            return PathClass.PIX if direct else PathClass.PXB
        return PathClass.NODE if meeting.kind is DeviceKind.SOCKET else PathClass.PHB

    def shared_chip(self, a: str, b: str) -> str:
        """The physical switch chip above both devices, empty for none; no label of any tool shows this."""
        return next(iter(sorted(self._chips(a) & self._chips(b))), "")

    def _chips(self, node_id: str) -> set[str]:
        return {node.chip for node in self.upwards(node_id) if node.chip}

    def narrowest_bytes_per_s(self, a: str, b: str) -> float | None:
        """The slowest known link between two slots; links of unknown width do not count."""
        meeting = self.meeting_point(a, b)
        passed = (*self._below(a, meeting), *self._below(b, meeting))
        rates = [link_rate_bytes_per_s(node.gen, node.lanes) for node in passed]
        return min((rate for rate in rates if rate is not None), default=None)

    def _below(self, node_id: str, meeting: PcieNode | None) -> Iterable[PcieNode]:
        for node in self.upwards(node_id):
            if node == meeting or node.kind is DeviceKind.SOCKET:
                return
            yield node


def gpu_slots(slot_map: SlotMap, count: int) -> tuple[str, ...] | None:
    """Slot ids of ``count`` GPUs in bus order, ``None`` when the order is not published for so many.

    A count between two published ones fills the larger order from its start.
    """
    for published in sorted(slot_map.gpu_order):
        if published >= count:
            return tuple(slot_map.gpu_order[published][:count])
    return None

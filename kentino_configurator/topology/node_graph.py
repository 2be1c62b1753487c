"""The devices of one node and the wires between them, from the platform's PCIe tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.hardware import DeviceKind, GpuSpec, PartSpec, PcieNode, PlatformSpec
from kentino_configurator.core.message import message
from kentino_configurator.core.pcie_tree import PcieTree, gpu_slots, link_rate_bytes_per_s
from kentino_configurator.core.topology import Box, BoxKind, Link, Words
from kentino_configurator.topology.equipment import Counted, Equipment

_EVIDENCE_WORDS = (
    ("measured", Evidence.MEASURED),
    ("vendor", Evidence.VENDOR),
    ("derived", Evidence.DERIVED),
)
_LAN = re.compile(r"(\d+)x (\S*Base\S*)", re.IGNORECASE)
_PORTS_AT_END = re.compile(r"\s+\d+x\d+G$")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeParts:
    """What the boxes of a node are made from. GPU ``slots`` are ``None`` where the wiring is not known."""

    platform: PlatformSpec
    gpu: GpuSpec
    gpu_count: int
    equipment: Equipment
    tree: PcieTree | None
    slots: tuple[str, ...] | None
    free_slots: tuple[str, ...]
    nic_slots: tuple[str, ...]


def node_parts(platform: PlatformSpec, gpu: GpuSpec, gpu_count: int, equipment: Equipment) -> NodeParts:
    """Look up where the GPUs and adapters sit."""
    slot_map = platform.slot_map
    slots = gpu_slots(slot_map, gpu_count) if slot_map and slot_map.tree_known else None
    tree = PcieTree(slot_map) if slot_map and slots else None
    free = _free_slots(platform, gpu, slots) if slots else ()
    return NodeParts(
        platform=platform,
        gpu=gpu,
        gpu_count=gpu_count,
        equipment=equipment,
        tree=tree,
        slots=slots,
        free_slots=free,
        nic_slots=_nic_slots(tree, slots, free) if tree and slots else (),
    )


def _free_slots(platform: PlatformSpec, gpu: GpuSpec, slots: tuple[str, ...]) -> tuple[str, ...]:
    """GPU positions that stay empty and that the platform can fill."""
    order = platform.slot_map.gpu_order if platform.slot_map else {}
    longest = order[max(order)] if order else ()
    limit = platform.gpu_slots_single if gpu.slots_wide == 1 else platform.gpu_slots_double
    return tuple(slot for slot in longest[: limit or 0] if slot not in slots)


def _nic_slots(tree: PcieTree, slots: tuple[str, ...], free: tuple[str, ...]) -> tuple[str, ...]:
    """Adapter slots whose place is published, those near the first GPUs first and every switch in turn."""
    taken = {*slots, *free}
    near = [tree.node(slot).parent for slot in (*slots, *free)]
    known = [
        node
        for node in tree.of_kind(DeviceKind.SLOT)
        if node.intended in ("NIC", "DPU", "any") and node.parent and node.id not in taken
    ]
    turn = {
        node.id: [other.parent for other in known[:place]].count(node.parent)
        for place, node in enumerate(known)
    }
    order = {parent: place for place, parent in reversed(list(enumerate(near)))}
    return tuple(n.id for n in sorted(known, key=lambda n: (turn[n.id], order.get(n.parent, len(near)))))


class NodeGraph:
    """Boxes and links of one node; ``node`` counts from 0."""

    def __init__(self, parts: NodeParts, node: int) -> None:
        self._parts = parts
        self._tree = parts.tree
        self._prefix = f"n{node}"
        self._node = node
        self._nic_places = self._place_nics()

    def boxes(self) -> tuple[Box, ...]:
        """Containers before what they hold, devices from left to right."""
        wiring = self._wiring(self._tree) if self._tree else ()
        cards = (*self._nics(), *self._lan_boxes())
        return (*self._sockets(), *wiring, *self._gpus(), *cards, *self._drives())

    def links(self) -> tuple[Link, ...]:
        """PCIe wires from the processor down, then the links between sockets."""
        wires = self._pcie(self._tree) if self._tree else ()
        return (*wires, *self._socket_links())

    def gpu_sockets(self) -> tuple[str, ...]:
        """The socket of each GPU, empty text where it is not known."""
        if not self._tree or not self._parts.slots:
            return ("",) * self._parts.gpu_count
        return tuple(
            socket.id if (socket := self._tree.socket_of(slot)) else "" for slot in self._parts.slots
        )

    def _socket_ids(self) -> tuple[str, ...]:
        slot_map = self._parts.platform.slot_map
        published = [n.id for n in slot_map.nodes if n.kind is DeviceKind.SOCKET] if slot_map else []
        return tuple(published) or tuple(
            f"S{i}" for i in range(self._parts.platform.sockets or self._parts.equipment.cpus)
        )

    def _sockets(self) -> Iterator[Box]:
        ids = self._socket_ids()
        for number, socket in enumerate(ids):
            yield Box(
                id=self._id(socket),
                kind=BoxKind.SOCKET,
                label=self._socket_label(socket, number),
                sub_label=_memory(self._parts.equipment.dimms, len(ids)),
                parent=self._prefix,
                node=self._node,
                index=number,
            )
            if number < self._parts.equipment.cpus:
                yield self._cpu(socket, number)

    def _socket_label(self, socket: str, number: int) -> Words:
        numa = self._tree.node(socket).numa_node if self._tree else None
        if numa is None:
            return message("topo.socket", number=number)
        return message("topo.socket_numa", number=number, numa=numa)

    def _cpu(self, socket: str, number: int) -> Box:
        cpu = self._parts.equipment.cpu
        return Box(
            id=self._cpu_id(socket),
            kind=BoxKind.CPU,
            label=cpu.name if cpu else message("topo.cpu"),
            sub_label=message("topo.cores", cores=cpu.cores) if cpu and cpu.cores else "",
            parent=self._id(socket),
            node=self._node,
            index=number,
        )

    def _socket_links(self) -> Iterator[Link]:
        slot_map = self._parts.platform.slot_map
        for link in slot_map.links if slot_map else ():
            rate = link.one_way_bytes_per_s
            yield Link(
                a=self._cpu_id(link.a),
                b=self._cpu_id(link.b),
                kind="socket",
                label=message("topo.socket_links", count=link.count, type=link.type)
                if link.count
                else link.type,
                bandwidth_bytes_per_s=sum(rate) / 2 if rate else None,
                evidence=Evidence.MEASURED if rate else Evidence.ASSUMED,
            )

    def _wiring(self, tree: PcieTree) -> Iterator[Box]:
        yield from self._root_ports(tree)
        yield from self._chips(tree)
        yield from self._switches(tree)

    def _used_slots(self) -> tuple[str, ...]:
        gpus = (*(self._parts.slots or ()), *self._parts.free_slots)
        return (*gpus, *self._nic_places.values(), *self._lans().values())

    def _used(self, tree: PcieTree, kind: DeviceKind) -> tuple[PcieNode, ...]:
        """Elements of a kind above a used slot, upper ones first, then in the order of the first GPU below."""
        above = dict.fromkeys(node.id for slot in self._used_slots() for node in tree.upwards(slot))
        found = [tree.node(node_id) for node_id in above if tree.node(node_id).kind is kind]
        return tuple(sorted(found, key=lambda node: len(tree.upwards(node.id))))

    def _root_ports(self, tree: PcieTree) -> Iterator[Box]:
        for number, port in enumerate(self._used(tree, DeviceKind.ROOT_PORT)):
            socket = tree.socket_of(port.id)
            yield Box(
                id=self._id(port.id),
                kind=BoxKind.ROOT_PORT,
                label=message("topo.root_port", number=number),
                sub_label=_pcie_label(port.gen, port.lanes),
                parent=self._id(socket.id) if socket else self._prefix,
                node=self._node,
                index=number,
            )

    def _chips(self, tree: PcieTree) -> Iterator[Box]:
        """Physical chips that show as two switches or more."""
        switches = self._used(tree, DeviceKind.VIRTUAL_SWITCH)
        for number, chip in enumerate(dict.fromkeys(s.chip for s in switches if s.chip)):
            members = [s for s in switches if s.chip == chip]
            sockets = {socket.id for s in members if (socket := tree.socket_of(s.id))}
            if len(members) < 2 or len(sockets) != 1:
                continue
            model = _chip_model(chip)
            yield Box(
                id=self._chip_id(chip),
                kind=BoxKind.SWITCH_CHIP,
                label=message("topo.one_chip_model", model=model) if model else message("topo.one_chip"),
                sub_label=message("topo.one_chip"),
                parent=self._id(sockets.pop()),
                node=self._node,
                index=number,
            )

    def _switches(self, tree: PcieTree) -> Iterator[Box]:
        chips = {box.id for box in self._chips(tree)}
        for number, switch in enumerate(self._used(tree, DeviceKind.VIRTUAL_SWITCH)):
            socket = tree.socket_of(switch.id)
            chip = self._chip_id(switch.chip)
            yield Box(
                id=self._id(switch.id),
                kind=BoxKind.VIRTUAL_SWITCH,
                label=message("topo.switch", number=number),
                sub_label=self._chip_mates(tree, switch),
                parent=chip if chip in chips else self._id(socket.id) if socket else self._prefix,
                node=self._node,
                index=number,
            )

    def _chip_mates(self, tree: PcieTree, switch: PcieNode) -> Words:
        """The other switches of the same physical chip."""
        switches = enumerate(self._used(tree, DeviceKind.VIRTUAL_SWITCH))
        mates = [str(number) for number, other in switches if other.chip == switch.chip and other != switch]
        return message("topo.shares_chip", numbers=", ".join(mates)) if switch.chip and mates else ""

    def _pcie(self, tree: PcieTree) -> Iterator[Link]:
        devices = self._device_of_slot()
        for port in self._used(tree, DeviceKind.ROOT_PORT):
            if socket := tree.socket_of(port.id):
                yield self._wire(self._cpu_id(socket.id), self._id(port.id), port, None)
        for switch in self._used(tree, DeviceKind.VIRTUAL_SWITCH):
            yield self._wire(self._id(switch.parent), self._id(switch.id), switch, None)
        for slot, device in devices.items():
            node = tree.node(slot)
            yield self._wire(self._above(tree, node), device, node, self._card_in(device))

    def _above(self, tree: PcieTree, slot: PcieNode) -> str:
        parent = tree.node(slot.parent)
        return self._cpu_id(parent.id) if parent.kind is DeviceKind.SOCKET else self._id(parent.id)

    def _card_in(self, device: str) -> GpuSpec | PartSpec | None:
        """The card whose own generation and width may be less than its slot's."""
        if device.startswith(self._id("gpu")):
            return self._parts.gpu
        return {self._id(name): part for name, part in self._nic_names()}.get(device)

    def _wire(self, a: str, b: str, below: PcieNode, card: GpuSpec | PartSpec | None) -> Link:
        gen = min((g for g in (below.gen, card.pcie_gen if card else None) if g), default=None)
        lanes = min((n for n in (below.lanes, card.pcie_lanes if card else None) if n), default=None)
        return Link(
            a=a,
            b=b,
            kind="pcie",
            label=_pcie_label(gen, lanes),
            bandwidth_bytes_per_s=link_rate_bytes_per_s(gen, lanes),
            evidence=_evidence(below.confidence),
        )

    def _device_of_slot(self) -> dict[str, str]:
        gpus = {slot: self._id(f"gpu{index}") for index, slot in enumerate(self._parts.slots or ())}
        free = {slot: self._id(f"free{index}") for index, slot in enumerate(self._parts.free_slots)}
        nics = {slot: self._id(name) for name, slot in self._nic_places.items()}
        lans = {port: self._id(name) for name, port in self._lans().items()}
        return {**gpus, **free, **nics, **lans}

    def _gpus(self) -> Iterator[Box]:
        sockets = self.gpu_sockets()
        for index in range(self._parts.gpu_count):
            yield Box(
                id=self._id(f"gpu{index}"),
                kind=BoxKind.GPU,
                label=message("topo.gpu", number=index),
                sub_label=message("topo.gb", gb=self._parts.gpu.marketed_gb),
                parent=self._id(sockets[index]) if sockets[index] else self._prefix,
                node=self._node,
                index=index,
            )
        for index, slot in enumerate(self._parts.free_slots):
            yield self._device(f"free{index}", BoxKind.FREE_SLOT, message("topo.free_slot"), "", slot, index)

    def _nic_names(self) -> tuple[tuple[str, PartSpec | None], ...]:
        kit = self._parts.equipment
        rails = tuple((f"nic{index}", part) for index, part in enumerate(kit.rails))
        return (*rails, *((f"front{index}", part) for index, part in enumerate(kit.front_nics)))

    def _place_nics(self) -> dict[str, str]:
        """Adapter -> slot, as long as there are slots with a published place."""
        return dict(zip((name for name, _ in self._nic_names()), self._parts.nic_slots, strict=False))

    def _nics(self) -> Iterator[Box]:
        for index, (name, part) in enumerate(self._nic_names()):
            slot = self._nic_places.get(name, "")
            if name.startswith("nic"):
                speed = f"{part.port_gbps:g}G" if part and part.port_gbps else ""
                yield self._device(name, BoxKind.NIC, message("topo.nic", number=index), speed, slot, index)
            elif part:
                yield self._device(
                    name, BoxKind.NIC, _PORTS_AT_END.sub("", part.name), _ports(part), slot, index
                )

    def _lans(self) -> dict[str, str]:
        """Network ports on the board whose place is published."""
        ports = self._tree.of_kind(DeviceKind.ONBOARD) if self._tree else ()
        known = [port.id for port in ports if port.parent and _LAN.search(port.id)]
        return {f"lan{number}": port for number, port in enumerate(known)}

    def _lan_boxes(self) -> Iterator[Box]:
        for index, (name, port) in enumerate(self._lans().items()):
            found = _LAN.search(port)
            speed = f"{found[1]} × {found[2]}" if found else ""
            yield self._device(name, BoxKind.NIC, message("topo.onboard_lan"), speed, port, index)

    def _drives(self) -> Iterator[Box]:
        kinds = self._parts.equipment.drives
        for index, (count, drive) in enumerate(kinds):
            label = _drives_label(count, drive)
            role = message("topo.boot" if index == 0 else "topo.data") if len(kinds) > 1 else ""
            yield self._device(f"storage{index}", BoxKind.STORAGE, label, role, "", index)

    def _device(self, name: str, kind: BoxKind, label: Words, sub_label: Words, slot: str, index: int) -> Box:
        socket = self._tree.socket_of(slot) if self._tree and slot else None
        return Box(
            id=self._id(name),
            kind=kind,
            label=label,
            sub_label=sub_label,
            parent=self._id(socket.id) if socket else self._prefix,
            node=self._node,
            index=index,
        )

    def _id(self, name: str) -> str:
        return f"{self._prefix}.{name}"

    def _cpu_id(self, socket: str) -> str:
        return f"{self._prefix}.{socket}.cpu"

    def _chip_id(self, chip: str) -> str:
        return f"{self._prefix}.chip.{chip}"


def _evidence(confidence: str) -> Evidence:
    return next((kind for word, kind in _EVIDENCE_WORDS if confidence.startswith(word)), Evidence.ASSUMED)


def _pcie_label(gen: int | None, lanes: int | None) -> Words:
    if gen is None:
        return ""
    return message("topo.pcie", gen=gen, lanes=lanes) if lanes else message("topo.pcie_gen", gen=gen)


def _memory(dimms: Counted | None, sockets: int) -> Words:
    """Memory modules of one socket; uneven fillings are not split."""
    if dimms is None or not dimms[1].capacity_gb or dimms[0] % sockets:
        return ""
    return message("topo.memory", count=dimms[0] // sockets, gb=round(dimms[1].capacity_gb))


def _ports(part: PartSpec) -> Words:
    if not part.ports or not part.port_gbps:
        return ""
    return message("topo.ports", count=part.ports, gbps=round(part.port_gbps))


def _drives_label(count: int, drive: PartSpec) -> Words:
    gigabytes = drive.capacity_gb
    if not gigabytes:
        return message("topo.several", count=count, name=drive.name)
    if gigabytes >= 1000:
        return message("topo.drives_tb", count=count, size=gigabytes / 1000)
    return message("topo.drives_gb", count=count, size=round(gigabytes))


def _chip_model(chip: str) -> str:
    """``"Broadcom PEX890xx Gen5 A"`` -> ``"PEX890xx"``: the first word with digits that is not a generation."""
    words = re.findall(r"[A-Za-z]+\d\w*", chip)
    return next((word for word in words if not word.startswith("Gen")), "")

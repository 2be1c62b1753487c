"""The machine as a graph, and a drawing of it as a neutral display list (millimetres, y down)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.message import Message

Words = Message | str
"""A sentence of the product, or a proper name that is the same in every language."""


class BoxKind(StrEnum):
    """Device kinds; each has its own hue, outline and label."""

    SOCKET = "socket"
    CPU = "cpu"
    ROOT_PORT = "root_port"
    SWITCH_CHIP = "switch_chip"
    VIRTUAL_SWITCH = "virtual_switch"
    GPU = "gpu"
    FREE_SLOT = "free_slot"
    NIC = "nic"
    STORAGE = "storage"
    NETWORK_SWITCH = "network_switch"
    ROUTER = "router"
    NODE = "node"


class PathClass(StrEnum):
    """How two GPUs reach each other, in the words of ``nvidia-smi topo -m`` plus the network."""

    SELF = "X"
    PIX = "PIX"
    PXB = "PXB"
    PHB = "PHB"
    NODE = "NODE"
    SYS = "SYS"
    NET = "NET"
    UNKNOWN = "?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A device or container. ``parent`` is the box it sits in (node, socket, chip), empty at the top.

    ``detail`` is what stands apart: power of a node, memory of a socket. A device directly in a node has a place
    that is not published; a node without devices is closed and equals the first one. ``count`` > 1: that many
    equal ones drawn as one.
    """

    id: str
    kind: BoxKind
    label: Words
    sub_label: Words = ""
    parent: str = ""
    node: int = 0
    index: int = 0
    detail: Words = ""
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A wire. ``kind`` is ``pcie`` (``a`` nearer to the processor), ``socket`` or ``network``; bandwidth one way."""

    a: str
    b: str
    kind: str
    label: Words
    bandwidth_bytes_per_s: float | None
    evidence: Evidence

    @property
    def id(self) -> str:
        """Name of the wire in drawings."""
        return f"{self.a}>{self.b}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuPath:
    """Path between two GPUs of one node or of two: class, expected one-way rate, latency, P2P.

    ``possible`` holds the classes that public facts leave open; more than one of them makes the class unknown.
    """

    a: str
    b: str
    path_class: PathClass
    bandwidth_bytes_per_s: Estimate | None
    latency_s: Estimate | None
    p2p: bool | None
    possible: tuple[PathClass, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuGroup:
    """What runs on GPUs: a TP group, pipeline stage or copy, drawn as a bracket under them."""

    label: Words
    gpus: tuple[str, ...]
    short_label: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologyGraph:
    """Boxes, wires and the paths of the first node's GPUs. ``map_known`` false: inner wiring is not drawn as known."""

    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    paths: tuple[GpuPath, ...]
    groups: tuple[GpuGroup, ...]
    nodes: int
    map_known: bool
    platform: str
    note: Words = ""


class Role(StrEnum):
    """Colour role of a drawing element; each back-end maps it to its theme."""

    INK = "ink"
    INK2 = "ink2"
    INK3 = "ink3"
    LINE = "line"
    BORDER = "border"
    SURFACE = "surface"
    GROUND = "bg"
    ACCENT = "accent"
    TINT = "tint"
    GPU = "gpu"
    CPU = "cpu"
    SWITCH = "switch"
    NIC = "nic"
    STORAGE = "storage"
    C1 = "c1"
    C2 = "c2"
    C3 = "c3"
    WARN = "warn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon:
    """A closed outline. ``fill``/``stroke`` are roles (device kinds: fill and stroke of the kind); ``dash`` in mm."""

    points: tuple[tuple[float, float], ...]
    fill: Role | None
    stroke: Role | None
    width_mm: float = 0.25
    dash: tuple[float, ...] = ()
    box_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Polyline:
    """An open line."""

    points: tuple[tuple[float, float], ...]
    stroke: Role
    width_mm: float = 0.25
    dash: tuple[float, ...] = ()
    box_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Text at a baseline point. ``anchor`` is ``start``, ``middle`` or ``end``; ``weight`` 400, 500 or 600."""

    x: float
    y: float
    text: str
    role: Role = Role.INK
    size_mm: float = 2.6
    anchor: str = "start"
    weight: int = 400
    box_id: str = ""


DrawItem = Polygon | Polyline | Label


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayList:
    """A drawing: size in millimetres and items back to front.

    ``twin`` is the same in words, one line per device, indented; ``twin_box_ids`` names the device of each line
    (empty for a line about none). The ``box_id`` of a line is that of its wire, ``Link.id``.
    """

    width_mm: float
    height_mm: float
    items: tuple[DrawItem, ...]
    twin: tuple[tuple[int, str], ...]
    twin_box_ids: tuple[str, ...] = ()

"""The legend: one small sample of every device kind and line that occurs."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import BoxKind, Role, TopologyGraph
from kentino_configurator.topology.devices import BEVEL_MM, Say
from kentino_configurator.topology.geometry import Rect, cut_corners, hexagon, rounded
from kentino_configurator.topology.sheet import CABLE_MM, EDGE_MM, SOCKET_LINK_MM, TEXT_MM, Sheet
from kentino_configurator.topology.text_width import text_width_mm

_SAMPLE = (5.0, 3.4)
_GAP_MM = 4.6
_LINE_MM = 6.0


def draw_legend(sheet: Sheet, graph: TopologyGraph, top: float, width: float, say: Say) -> float:
    """Draw from ``top`` down, in as many lines as needed; returns the lower edge."""
    x, y = 0.0, top
    for name in _entries(graph):
        text = say(message(f"topo.legend.{name}"))
        needed = _SAMPLE[0] + 1.6 + text_width_mm(text, TEXT_MM)
        if x and x + needed > width:
            x, y = 0.0, y + _LINE_MM
        _sample(sheet, name, Rect(x, y, *_SAMPLE))
        sheet.text(x + _SAMPLE[0] + 1.6, y + _SAMPLE[1] / 2 + TEXT_MM * 0.36, text, role=Role.INK2)
        x += needed + _GAP_MM
    return y + _SAMPLE[1] + 0.6


def _entries(graph: TopologyGraph) -> Iterator[str]:
    kinds = {box.kind for box in graph.boxes}
    for kind, name in ((BoxKind.GPU, "gpu"), (BoxKind.CPU, "cpu")):
        if kind in kinds:
            yield name
    if switches := kinds & {BoxKind.VIRTUAL_SWITCH, BoxKind.NETWORK_SWITCH}:
        only_network = switches == {BoxKind.NETWORK_SWITCH}
        yield "both_switches" if len(switches) == 2 else "network_switch" if only_network else "pcie_switch"
    for kind, name in ((BoxKind.NIC, "nic"), (BoxKind.STORAGE, "storage")):
        if kind in kinds:
            yield name
    for link in ("pcie", "socket", "network"):
        if any(wire.kind == link for wire in graph.links):
            yield f"line_{link}"


def _sample(sheet: Sheet, name: str, rect: Rect) -> None:
    middle = ((rect.x, rect.cy), (rect.right, rect.cy))
    match name:
        case "gpu":
            sheet.shape(rect.grown(0, -0.6, 0).corners(), Role.GPU, EDGE_MM)
            for step in range(5):
                x = rect.x + 0.8 + step * 0.85
                sheet.stroke(((x, rect.y), (x, rect.y + 0.6)), Role.GPU, 0.4)
        case "cpu":
            sheet.shape(cut_corners(rect, 0.9), Role.CPU)
        case "pcie_switch" | "network_switch" | "both_switches":
            sheet.shape(hexagon(rect, BEVEL_MM / 2), Role.SWITCH)
        case "nic":
            sheet.shape(rect.grown(0, 0, -0.6).corners(), Role.NIC)
            for x in (rect.x + 1.5, rect.x + 3.5):
                sheet.stroke(((x, rect.bottom - 0.6), (x, rect.bottom)), Role.NIC, 0.9)
        case "storage":
            sheet.shape(rounded(rect, 1.2), Role.STORAGE)
            lid = rect.y + 1.0
            sheet.stroke(((rect.x, lid), (rect.right, lid)), Role.STORAGE, EDGE_MM)
        case "line_socket":
            sheet.stroke(middle, Role.INK, SOCKET_LINK_MM)
        case "line_network":
            sheet.stroke(middle, Role.NIC, CABLE_MM)
        case _:
            sheet.stroke(middle, Role.INK3, EDGE_MM)

"""From a graph to a drawing: a pure function, used by the window and the documents alike.

Reading order: the nodes, below each GPU what runs on it, below that the paths as dimension lines; the network
lies below the nodes, because a card under a switch can be reached from there without crossing a wire.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import BoxKind, DisplayList, Role, TopologyGraph
from kentino_configurator.topology.brackets import draw_brackets
from kentino_configurator.topology.closed_frame import device_row, draw_closed_node, shown_devices
from kentino_configurator.topology.columns import ColumnPlanner
from kentino_configurator.topology.devices import Say, draw_loose_device, written
from kentino_configurator.topology.dimension_lines import dimensions, draw_dimensions
from kentino_configurator.topology.geometry import Rect
from kentino_configurator.topology.groups import drawn_groups
from kentino_configurator.topology.legend import draw_legend
from kentino_configurator.topology.network_drawing import NetworkDrawing
from kentino_configurator.topology.node_drawing import NodeDrawing
from kentino_configurator.topology.node_tree import NodeTree, node_tree
from kentino_configurator.topology.sheet import NAME_MM, TEXT_MM, Sheet
from kentino_configurator.topology.style import COMPACT, FULL, Style
from kentino_configurator.topology.text_width import first_fitting, text_width_mm
from kentino_configurator.topology.twin import path_sentence, twin

_NODE_GAP_MM = 6.0
_LEAST_NODE_SHARE = 0.55
_BORDER_MM = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """What every part of the drawing needs."""

    sheet: Sheet
    graph: TopologyGraph
    say: Say
    rects: dict[str, Rect]


def lay_out(graph: TopologyGraph, say: Say, width_mm: float = 174.0) -> DisplayList:
    """The drawing of a graph in the words of ``say``, ``width_mm`` wide; the height follows from the content."""
    page = _Page(sheet=Sheet(), graph=graph, say=say, rects={})
    nodes = sorted({box.node for box in graph.boxes if box.kind is BoxKind.GPU})
    style = FULL if len(nodes) == 1 else COMPACT
    room = (width_mm - _NODE_GAP_MM * (len(nodes) - 1)) / len(nodes)
    bottoms = [
        _node(page, node_tree(graph, node), style, Rect(number * (room + _NODE_GAP_MM), 0.0, room, 0.0))
        for number, node in enumerate(nodes)
    ]
    y = NetworkDrawing(page.sheet, graph, page.rects, width_mm).draw(max(bottoms), say)
    y = draw_legend(page.sheet, graph, y + 5.0, width_mm, say)
    words = twin(graph, say)
    return DisplayList(
        width_mm=width_mm,
        height_mm=y,
        items=page.sheet.items(),
        twin=tuple((indent, text) for indent, text, _ in words),
        twin_box_ids=tuple(box_id for _, _, box_id in words),
    )


def _node(page: _Page, tree: NodeTree, style: Style, area: Rect) -> float:
    """Draw one node with its title into ``area``; returns the lower edge of its frame."""
    planner = ColumnPlanner(tree, style, page.say)
    width = _node_width(tree, planner, style, area.width)
    left = area.cx - width / 2 if page.graph.nodes > 1 else area.x
    top = _title(page, tree, style, Rect(left, area.y, width, 0.0), area.right)
    if tree.loose_gpus:
        inner = Rect(left + style.node_pad, top + style.node_pad, width - 2 * style.node_pad, 0.0)
        note = written(page.graph.note, page.say)
        rects, y = draw_closed_node(page.sheet, tree, inner, style, page.say, note)
    else:
        drawing = NodeDrawing(page.sheet, tree, planner.place(left, width), planner, style)
        y = drawing.draw(top + style.node_pad, page.say)
        rects = drawing.rects
    page.rects.update(rects)
    frame = Rect(left + _BORDER_MM / 2, top, width - _BORDER_MM, 0.0)
    y = _below_sockets(page, tree, style, frame, y)
    page.sheet.frame(frame.grown(0, 0, y - top), None, Role.BORDER, 2.0, box_id=tree.box.id)
    return y


def _node_width(tree: NodeTree, planner: ColumnPlanner, style: Style, room: float) -> float:
    """All of the room; a machine with one processor and few cards takes less."""
    if not style.detailed or len(tree.sockets) != 1:
        return room
    if tree.loose_gpus:
        return room * (_LEAST_NODE_SHARE if len(tree.loose_gpus) <= 4 else 1.0)
    return planner.width(room, room * _LEAST_NODE_SHARE)


def _below_sockets(page: _Page, tree: NodeTree, style: Style, frame: Rect, y: float) -> float:
    """Brackets, dimension lines and devices without a published place; returns the lower edge of the frame."""
    groups = drawn_groups([g for g in page.graph.groups if g.gpus[0].startswith(f"{tree.box.id}.")])
    cables = [page.rects[box_id].cx for box_id in tree.cabled if box_id in page.rects]
    if style.detailed or len(groups) > 1:
        y = draw_brackets(
            page.sheet, groups, page.rects, cables, Rect(frame.x, y + 2.2, frame.width, 0.0), page.say
        )
    if style.detailed and page.graph.nodes == 1:
        y = _paths(page, tree, frame, y)
    if not tree.loose_gpus:
        y = _loose(page, tree, style, frame, y)
    return y + style.node_pad


def _paths(page: _Page, tree: NodeTree, frame: Rect, y: float) -> float:
    if any(path.p2p is False for path in page.graph.paths):
        page.sheet.text(frame.x + 2.2, y + 4.6, page.say(message("topo.staged_note")), role=Role.INK2)
        return y + 6.4
    if tree.loose_gpus:
        return _path_lines(page, frame, y)
    return draw_dimensions(page.sheet, dimensions(tree, page.graph.paths, page.rects), frame, y, page.say)


def _path_lines(page: _Page, frame: Rect, y: float) -> float:
    """What is known about the paths although the wiring is not, one line for each kind."""
    sentences = dict.fromkeys(path_sentence(p, page.say) for p in page.graph.paths if p.bandwidth_bytes_per_s)
    for number, sentence in enumerate(sentences):
        page.sheet.text(frame.x + 2.2, y + 4.2 + number * 4.0, sentence, role=Role.INK2)
    return y + (len(sentences) * 4.0 + 2.4 if sentences else 0.0)


def _loose(page: _Page, tree: NodeTree, style: Style, frame: Rect, y: float) -> float:
    """Cards and drives whose processor is not published stand below all sockets, without a wire."""
    devices = shown_devices(tree, style)
    if not devices:
        return y
    passing = [page.rects[box_id].cx for box_id in tree.cabled if box_id in page.rects]
    _loose_caption(page, (frame.x + 2.2, frame.right - 2.2), passing, y + 4.6)
    bottom = device_row(
        devices, (frame.x + 2.2, frame.right - 2.2), y + 6.4, style, page.say, page.rects, passing
    )
    for box in devices:
        draw_loose_device(page.sheet, box, page.rects[box.id], page.say)
    return bottom + 1.4


def _loose_caption(page: _Page, room: tuple[float, float], passing: Sequence[float], y: float) -> None:
    """The longest wording that fits between two cables, as far to the left as possible."""
    edges = [room[0], *(x for x in sorted(passing) if room[0] < x < room[1]), room[1]]
    for text in (page.say(message("topo.loose")), page.say(message("topo.loose_short"))):
        for left, right in pairwise(edges):
            start = left if left == room[0] else left + 1.6
            if start + text_width_mm(text, TEXT_MM) + 1.6 <= right:
                page.sheet.text(start, y, text, role=Role.INK3)
                return


def _title(page: _Page, tree: NodeTree, style: Style, area: Rect, page_right: float) -> float:
    """Name and parts of the node, and at the right or below what it runs or draws; returns the lower edge.

    A title too long for a narrow node goes on towards the right edge of the page.
    """
    say, sheet = page.say, page.sheet
    name, parts, detail = (written(w, say) for w in (tree.box.label, tree.box.sub_label, tree.box.detail))
    y = 3.2
    sheet.text(area.x, y, name, size_mm=NAME_MM, weight=600, box_id=tree.box.id)
    x = area.x + text_width_mm(name, NAME_MM, 600) + 2.2
    beside = text_width_mm(detail, TEXT_MM) + 4.0 if style.detailed else 0.0
    text = first_fitting((parts, page.graph.platform), page_right - x - beside, TEXT_MM)
    sheet.text(x, y, text, role=Role.INK2, box_id=tree.box.id)
    if not style.detailed:
        line = first_fitting((detail,), area.width, TEXT_MM)
        sheet.text(area.x, y + 3.8, line, role=Role.INK2, box_id=tree.box.id)
        return y + 3.8 + 2.0
    right = max(area.right, x + text_width_mm(text, TEXT_MM) + beside)
    sheet.text(right, y, detail, role=Role.INK2, anchor="end", box_id=tree.box.id)
    return y + 2.4

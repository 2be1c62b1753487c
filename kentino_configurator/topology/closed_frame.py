"""A node whose wiring is not published: processors, and one closed frame with everything else. No wire is invented."""

from __future__ import annotations

from collections.abc import Sequence

from kentino_configurator.core.topology import Box, BoxKind, Role
from kentino_configurator.topology.devices import (
    CONTACT_MM,
    Say,
    device_width,
    draw_cpu,
    draw_gpus,
    draw_loose_device,
    written,
)
from kentino_configurator.topology.geometry import Rect, around
from kentino_configurator.topology.node_drawing import socket_header, socket_link
from kentino_configurator.topology.node_tree import NodeTree
from kentino_configurator.topology.sheet import TEXT_MM, Sheet
from kentino_configurator.topology.style import Style
from kentino_configurator.topology.text_width import two_lines

_CAPTION_MM = 4.6
_DEVICE_GAP_MM = 2.0
_CLEARANCE_MM = 1.8

Span = tuple[float, float]
"""Left and right edge."""


def draw_closed_node(
    sheet: Sheet, tree: NodeTree, area: Rect, style: Style, say: Say, note: str
) -> tuple[dict[str, Rect], float]:
    """Draw into ``area`` (its height is not used); returns the places of the devices and the lower edge."""
    rects: dict[str, Rect] = {}
    y = _processors(sheet, tree, area, style, say, rects) + 2.0
    frame_top = y
    notes = two_lines(note, area.width - 4.0, TEXT_MM)
    y += _CAPTION_MM + 3.4 * (len(notes) - 1) + 1.6 + CONTACT_MM
    y = _gpu_row(tree.loose_gpus, area, y, style, rects) + 2.0
    devices = shown_devices(tree, style)
    if devices:
        y = device_row(devices, (area.x + 2.0, area.right - 2.0), y, style, say, rects) + 2.2
    sheet.frame(Rect(area.x, frame_top, area.width, y - frame_top), Role.GROUND, Role.BORDER, 1.6)
    for number, line in enumerate(notes):
        sheet.text(area.x + 2.2, frame_top + 4.0 + number * 3.4, line, role=Role.INK2)
    draw_gpus(sheet, tree.loose_gpus, rects, say)
    for box in devices:
        draw_loose_device(sheet, box, rects[box.id], say)
    return rects, y


def shown_devices(tree: NodeTree, style: Style) -> tuple[Box, ...]:
    """Devices without a published place that are drawn: all with details, else those with a cable."""
    return tuple(box for box in tree.loose_devices if style.detailed or box.id in tree.cabled)


def device_row(
    devices: Sequence[Box],
    room: Span,
    y: float,
    style: Style,
    say: Say,
    rects: dict[str, Rect],
    cables: Sequence[float] = (),
) -> float:
    """Place devices side by side between left and right edge, in several rows where one is too short.

    No device stands where a cable passes. Compact rows are centred. Returns the lower edge.
    """
    left, right = room
    x = left
    row: list[str] = []
    for box in sorted(devices, key=lambda box: (box.kind is BoxKind.NIC, box.index)):
        width = device_width(box, say)
        x = _past_cables(x, width, cables)
        if row and x + width > right:
            x, y, row = _past_cables(left, width, cables), y + style.device_height + _DEVICE_GAP_MM, []
        rects[box.id] = Rect(x, y, width, style.device_height)
        row.append(box.id)
        x += width + _DEVICE_GAP_MM
    if not style.detailed:
        _centre([box.id for box in devices if rects[box.id].y == y], room, cables, rects)
    return y + style.device_height


def _past_cables(x: float, width: float, cables: Sequence[float]) -> float:
    """The first x from here on at which a device of this width touches no cable."""
    for cable in sorted(cables):
        if x - _CLEARANCE_MM < cable < x + width + _CLEARANCE_MM:
            x = cable + _CLEARANCE_MM
    return x


def _centre(ids: Sequence[str], room: Span, cables: Sequence[float], rects: dict[str, Rect]) -> None:
    """Move a row to the middle, unless a device would come to stand on a cable there."""
    used = around(rects[box_id] for box_id in ids)
    shift = (room[0] + room[1]) / 2 - used.cx
    moved = {i: Rect(rects[i].x + shift, rects[i].y, rects[i].width, rects[i].height) for i in ids}
    if all(_past_cables(rect.x, rect.width, cables) == rect.x for rect in moved.values()):
        rects.update(moved)


def _processors(
    sheet: Sheet, tree: NodeTree, area: Rect, style: Style, say: Say, rects: dict[str, Rect]
) -> float:
    count = len(tree.sockets)
    room = (area.width - style.socket_gap * (count - 1)) / max(count, 1)
    height = style.header + style.cpu_height + style.socket_pad
    for number, socket in enumerate(tree.sockets):
        ground = Rect(area.x + number * (room + style.socket_gap), area.y, room, height)
        sheet.frame(ground, Role.GROUND, Role.LINE, 1.6, box_id=socket.box.id)
        socket_header(sheet, socket.box, ground, style, say)
        if socket.cpu:
            width = min(room - 2 * style.socket_pad, 31.0)
            rects[socket.cpu.id] = Rect(
                ground.cx - width / 2, ground.y + style.header, width, style.cpu_height
            )
            draw_cpu(sheet, socket.cpu, rects[socket.cpu.id], say)
    for link in tree.socket_links:
        if link.a in rects and link.b in rects:
            socket_link(sheet, rects[link.a], rects[link.b], link.id, written(link.label, say), say)
    return area.y + (height if count else 0.0)


def _gpu_row(gpus: Sequence[Box], area: Rect, y: float, style: Style, rects: dict[str, Rect]) -> float:
    inner = area.width - 4.0
    width = min(style.gpu_max, (inner - style.gpu_gap * (len(gpus) - 1)) / len(gpus))
    total = len(gpus) * (width + style.gpu_gap) - style.gpu_gap
    for number, box in enumerate(gpus):
        x = area.x + 2.0 + (inner - total) / 2 + number * (width + style.gpu_gap)
        rects[box.id] = Rect(x, y, width, style.gpu_height)
    return y + style.gpu_height

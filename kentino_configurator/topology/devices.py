"""The outlines of the device kinds, each with its label inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kentino_configurator.core.message import Message
from kentino_configurator.core.topology import Box, BoxKind, Polygon, Role, Words
from kentino_configurator.topology.geometry import Rect, cut_corners, hexagon, rounded
from kentino_configurator.topology.sheet import DASH, EDGE_MM, HAIRLINE_MM, NAME_MM, TEXT_MM, Sheet
from kentino_configurator.topology.text_width import CAP_HEIGHT, first_fitting, text_width_mm, two_lines

Say = Callable[[Message], str]
"""Turns a message into words of the reader's language."""
GPU_CONTACTS = 8
CONTACT_MM = 1.1
"""Height of the edge contacts of a GPU, above its body."""
TAB_MM = 0.9
"""Depth of the ports of a network card, outside its body."""
NAME_SIZES_MM = (NAME_MM, 2.5, 2.3)
BEVEL_MM = 3.0
SWITCH_SIDE_MM = 2.0
"""Least distance of a text from the tip of a hexagon."""
_LEAST_PADDING_MM = 0.4
SIDE_MM = 1.5
"""Least distance of a text from the side of its box."""


def written(words: Words, say: Say) -> str:
    """A sentence in the reader's language; a proper name as it is."""
    return say(words) if isinstance(words, Message) else words


def device_width(box: Box, say: Say) -> float:
    """Width that a box needs for its two lines."""
    name = text_width_mm(written(box.label, say), NAME_MM, 600)
    sub = text_width_mm(written(box.sub_label, say), TEXT_MM)
    return max(name, sub) + 2 * SIDE_MM


def draw_gpus(sheet: Sheet, boxes: Sequence[Box], rects: Mapping[str, Rect], say: Say) -> None:
    """All GPUs and free slots of a node, their names in one size, or as numbers where one name is too wide."""
    cards = [box for box in boxes if box.kind is BoxKind.GPU]
    room = min((rects[box.id].width for box in cards), default=0.0) - 2 * _LEAST_PADDING_MM
    names = [written(box.label, say) for box in cards]
    fits = (s for s in NAME_SIZES_MM if all(text_width_mm(name, s, 600) <= room for name in names))
    size = next(fits, None)
    for box in boxes:
        if box.kind is BoxKind.FREE_SLOT:
            draw_free_slot(sheet, box, rects[box.id], say)
        else:
            _draw_gpu(
                sheet, box, rects[box.id], written(box.label, say) if size else str(box.index), size, say
            )


def _draw_gpu(sheet: Sheet, box: Box, body: Rect, name: str, size: float | None, say: Say) -> None:
    """A card with its edge contacts towards the switch."""
    pitch = min(body.width * 0.8 / GPU_CONTACTS, 1.5)
    first = body.cx - pitch * (GPU_CONTACTS - 1) / 2
    for index in range(GPU_CONTACTS):
        x = first + pitch * index
        ends = ((x, body.y - CONTACT_MM), (x, body.y))
        sheet.stroke(ends, Role.GPU, pitch * 0.55, box_id=box.id)
    sheet.shape(body.corners(), Role.GPU, box_id=box.id)
    memory = first_fitting((written(box.sub_label, say),), body.width - 2 * _LEAST_PADDING_MM, TEXT_MM)
    second = [(memory, 400, TEXT_MM)] if memory else []
    _stack(sheet, box, body, [(name, 600, size or NAME_MM), *second])


def draw_free_slot(sheet: Sheet, box: Box, body: Rect, say: Say) -> None:
    """A GPU position without a card."""
    sheet.devices.append(
        Polygon(
            points=body.corners(),
            fill=None,
            stroke=Role.INK3,
            width_mm=HAIRLINE_MM,
            dash=DASH,
            box_id=box.id,
        )
    )
    text = written(box.label, say)
    if text_width_mm(text, TEXT_MM) <= body.width - 2 * _LEAST_PADDING_MM:
        y = body.cy + TEXT_MM * CAP_HEIGHT / 2
        sheet.text(body.cx, y, text, role=Role.INK3, anchor="middle", box_id=box.id)


def draw_cpu(sheet: Sheet, box: Box, body: Rect, say: Say) -> None:
    """A square with cut corners and a second outline."""
    sheet.shape(cut_corners(body, 1.8), Role.CPU, EDGE_MM, box_id=box.id)
    inner = body.grown(-0.8, -0.8, -0.8)
    sheet.stroke((*cut_corners(inner, 1.5), cut_corners(inner, 1.5)[0]), Role.CPU, 0.15, box_id=box.id)
    lines = two_lines(written(box.label, say), body.width - 2 * SIDE_MM, NAME_MM, 600)
    sub = written(box.sub_label, say)
    second = [(sub, 400, TEXT_MM)] if sub and len(lines) == 1 else []
    _stack(sheet, box, body, [*((line, 600, NAME_MM) for line in lines), *second])


def draw_switch(sheet: Sheet, box: Box, body: Rect, say: Say, second_line: str = "") -> None:
    """A flat hexagon."""
    sheet.shape(hexagon(body, min(BEVEL_MM, body.height / 2)), Role.SWITCH, box_id=box.id)
    _centred(
        sheet,
        box,
        body.grown(_LEAST_PADDING_MM - SWITCH_SIDE_MM, 0, 0),
        (written(box.label, say),),
        (second_line, ""),
    )


def draw_nic(sheet: Sheet, box: Box, body: Rect, say: Say, side: str) -> None:
    """A card with two ports on its outer side: ``left``, ``right`` or ``bottom``."""
    for share in (0.3, 0.7):
        if side == "bottom":
            x = body.x + body.width * share
            ends = ((x, body.bottom), (x, body.bottom + TAB_MM))
        else:
            y = body.y + body.height * share
            edge, out = (body.x, -TAB_MM) if side == "left" else (body.right, TAB_MM)
            ends = ((edge, y), (edge + out, y))
        sheet.stroke(ends, Role.NIC, 1.5, box_id=box.id)
    sheet.shape(body.corners(), Role.NIC, box_id=box.id)
    _centred(sheet, box, body, (written(box.label, say),), (written(box.sub_label, say), ""))


def draw_storage(sheet: Sheet, box: Box, body: Rect, say: Say) -> None:
    """A drum with its lid line."""
    sheet.shape(rounded(body, 1.8), Role.STORAGE, box_id=box.id)
    lid = body.y + 1.5
    sheet.stroke(((body.x, lid), (body.right, lid)), Role.STORAGE, EDGE_MM, box_id=box.id)
    lower = Rect(body.x, lid, body.width, body.bottom - lid)
    _centred(sheet, box, lower, (written(box.label, say),), (written(box.sub_label, say), ""))


def draw_router(sheet: Sheet, box: Box, body: Rect, say: Say) -> None:
    """A plain box: software on small servers, no device of the machine."""
    outline = rounded(body, 1.0)
    sheet.devices.append(
        Polygon(points=outline, fill=Role.SURFACE, stroke=Role.BORDER, width_mm=EDGE_MM, box_id=box.id)
    )
    _centred(sheet, box, body, (written(box.label, say),), (written(box.sub_label, say), ""))


def draw_loose_device(sheet: Sheet, box: Box, body: Rect, say: Say) -> None:
    """A network card or drive without a published place."""
    if box.kind is BoxKind.STORAGE:
        draw_storage(sheet, box, body, say)
    else:
        draw_nic(sheet, box, body, say, "bottom")


def _centred(sheet: Sheet, box: Box, body: Rect, names: Sequence[str], subs: Sequence[str]) -> None:
    """Name and second line in the middle: the first wording of each that fits, the name also in smaller type."""
    room = body.width - 2 * _LEAST_PADDING_MM
    wordings = [(text, size) for text in names for size in NAME_SIZES_MM]
    fitting = (pair for pair in wordings if text_width_mm(pair[0], pair[1], 600) <= room)
    name, size = next(fitting, wordings[-1])
    sub = next((text for text in subs if text_width_mm(text, TEXT_MM) <= room), "")
    _stack(sheet, box, body, [(name, 600, size)] + ([(sub, 400, TEXT_MM)] if sub else []))


def _stack(sheet: Sheet, box: Box, body: Rect, lines: Sequence[tuple[str, int, float]]) -> None:
    """Lines of (text, weight, size) around the middle of a box; heavy ones are names."""
    pitch = 1.32 * NAME_MM
    first = body.cy + NAME_MM * CAP_HEIGHT / 2 - pitch * (len(lines) - 1) / 2
    for index, (text, weight, size) in enumerate(lines):
        role = Role.INK if weight == 600 else Role.INK2
        y = first + pitch * index
        sheet.text(body.cx, y, text, role=role, size_mm=size, anchor="middle", weight=weight, box_id=box.id)

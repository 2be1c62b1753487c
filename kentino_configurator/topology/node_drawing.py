"""One node with known wiring, drawn: sockets, processors, switches, cards and the wires between them."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import Box, BoxKind, Role
from kentino_configurator.topology.columns import ColumnPlanner, Columns, packed
from kentino_configurator.topology.devices import (
    BEVEL_MM,
    CONTACT_MM,
    Say,
    device_width,
    draw_cpu,
    draw_gpus,
    draw_nic,
    draw_switch,
    written,
)
from kentino_configurator.topology.geometry import Fan, Point, Rect, around
from kentino_configurator.topology.node_tree import GPU_LIKE, Branch, NodeTree, SocketTree
from kentino_configurator.topology.rows import (
    CHIP_FOOT_MM,
    CHIP_HEAD_MM,
    FAN_MARGIN_MM,
    PORT_PITCH_MM,
    SIDE_CARD_GAP_MM,
    Rows,
    at_level,
    cpu_targets,
    fan_below,
    plan_rows,
    switch_targets,
)
from kentino_configurator.topology.sheet import (
    DASH,
    EDGE_MM,
    HAIRLINE_MM,
    SOCKET_LINK_MM,
    TEXT_MM,
    Sheet,
)
from kentino_configurator.topology.style import Style
from kentino_configurator.topology.text_width import first_fitting, text_width_mm

_TICK_MM = 2.2


class NodeDrawing:
    """Draws into a sheet; afterwards ``rects`` holds the place of every device by box id."""

    def __init__(
        self, sheet: Sheet, tree: NodeTree, columns: Columns, planner: ColumnPlanner, style: Style
    ) -> None:
        self._sheet = sheet
        self._tree = tree
        self._columns = columns
        self._planner = planner
        self._style = style
        self.rects: dict[str, Rect] = {}

    def draw(self, top: float, say: Say) -> float:
        """Draw the sockets from ``top`` down; returns the lower edge."""
        rows = plan_rows(self._tree, self._planner, self._columns, self._style, top)
        self._place(rows, say)
        frames = self._framed_chips()
        for socket in self._tree.sockets:
            self._ground(socket, rows, say)
            self._wires(socket, rows, say)
            self._devices(socket, frames, say)
        leaves = [leaf.box for s in self._tree.sockets for branch in s.branches for leaf in branch.leaves()]
        draw_gpus(self._sheet, leaves, self.rects, say)
        for chip in self._tree.chips:
            if chip.id in frames:
                self._chip_frame(chip, frames[chip.id], say)
        self._socket_links(say)
        return rows.bottom

    def _place(self, rows: Rows, say: Say) -> None:
        for socket in self._tree.sockets:
            if socket.cpu:
                left, width = self._columns.spans[socket.cpu.id]
                self.rects[socket.cpu.id] = Rect(left, rows.cpu, width, rows.cpu_height)
                self._place_side_cards(socket)
            for level, y in enumerate(rows.switches):
                for branch in at_level(socket.branches, level):
                    self._set(branch.box.id, y, self._style.switch_height)
            for leaf in (leaf for branch in socket.branches for leaf in branch.leaves()):
                self._set(leaf.box.id, rows.gpus, self._style.gpu_height)
            self._place_row_cards(socket, rows, say)

    def _set(self, box_id: str, y: float, height: float) -> None:
        left, width = self._columns.spans[box_id]
        self.rects[box_id] = Rect(left, y, width, height)

    def _is_left(self, socket: SocketTree) -> bool:
        return socket is self._tree.sockets[0]

    def _place_side_cards(self, socket: SocketTree) -> None:
        cards = self._planner.side_cards(socket)
        if socket.cpu is None or not cards:
            return
        cpu = self.rects[socket.cpu.id]
        left, room = self._columns.spans[socket.box.id]
        pitch = self._style.device_height + SIDE_CARD_GAP_MM
        y = cpu.cy - (pitch * len(cards) - SIDE_CARD_GAP_MM) / 2
        width = self._planner.side_width(socket) - 2.5
        for card in cards:
            x = (
                left + self._style.socket_pad
                if self._is_left(socket)
                else left + room - self._style.socket_pad - width
            )
            self.rects[card.box.id] = Rect(x, y, width, self._style.device_height)
            y += pitch

    def _row_cards(self, socket: SocketTree) -> list[Branch]:
        """All cards of the row below the GPUs, from left to right."""
        deep = [card for branch in socket.branches for card in _cards_below(branch)]
        cards = [*deep, *self._planner.row_cards(socket)]
        return sorted(cards, key=lambda card: self._columns.corridors[card.box.id])

    def _place_row_cards(self, socket: SocketTree, rows: Rows, say: Say) -> None:
        if rows.nics is None:
            return
        left, room = self._columns.spans[socket.box.id]
        middle = left + room / 2
        cards = self._row_cards(socket)
        wanted = []
        for card in cards:
            corridor, width = self._columns.corridors[card.box.id], device_width(card.box, say)
            wanted.append((corridor - 2.0 if corridor < middle else corridor + 2.0 - width, width))
        pad = self._style.socket_pad
        for card, (x, width) in zip(cards, packed(wanted, left + pad, left + room - pad, 1.2), strict=True):
            self.rects[card.box.id] = Rect(x, rows.nics, width, self._style.device_height)

    def _ground(self, socket: SocketTree, rows: Rows, say: Say) -> None:
        left, room = self._columns.spans[socket.box.id]
        ground = Rect(left, rows.socket, room, rows.bottom - rows.socket)
        self._sheet.frame(ground, Role.GROUND, Role.LINE, 1.6, box_id=socket.box.id)
        socket_header(self._sheet, socket.box, ground, self._style, say)

    def _framed_chips(self) -> dict[str, Rect]:
        """Chips whose switches stand side by side, with the frame around them; none in small drawings."""
        frames: dict[str, Rect] = {}
        for chip in self._tree.chips if self._style.detailed else ():
            members = [b for s in self._tree.sockets for b in _switches(s) if b.box.parent == chip.id]
            if self._are_neighbours(members):
                outline = around(self.rects[b.box.id] for b in members)
                frames[chip.id] = outline.grown(1.2, CHIP_HEAD_MM - 0.9, CHIP_FOOT_MM)
        return frames

    def _are_neighbours(self, members: Sequence[Branch]) -> bool:
        """Whether no other switch of their level stands between them."""
        frame = around(self.rects[b.box.id] for b in members)
        ids = {b.box.id for b in members}
        others = [b for s in self._tree.sockets for b in _switches(s) if b.box.id not in ids]
        return not any(_overlap(self.rects[b.box.id], frame) for b in others)

    def _chip_frame(self, chip: Box, frame: Rect, say: Say) -> None:
        """A dashed frame whose upper edge is open for the label, between the wires that cross it."""
        crossing = sorted(
            p[0]
            for item in self._sheet.wires
            for p, q in _verticals(getattr(item, "points", ()))
            if frame.x < p[0] < frame.right and p[1] < frame.y < q[1]
        )
        free = _widest_gap([frame.x + 2, *crossing, frame.right - 2])
        room = free[1] - free[0] - 2.4
        text = first_fitting((written(chip.label, say), written(chip.sub_label, say)), room, TEXT_MM)
        half = text_width_mm(text, TEXT_MM) / 2 + 0.8 if text else 0.0
        middle = (free[0] + free[1]) / 2
        outline = (
            (middle + half, frame.y),
            (frame.right, frame.y),
            (frame.right, frame.bottom),
            (frame.x, frame.bottom),
            (frame.x, frame.y),
            (middle - half, frame.y),
        )
        self._sheet.wire(outline, Role.INK3, HAIRLINE_MM, dash=DASH, box_id=chip.id)
        self._sheet.text(middle, frame.y + 0.9, text, role=Role.INK2, anchor="middle", box_id=chip.id)

    def _wires(self, socket: SocketTree, rows: Rows, say: Say) -> None:
        if socket.cpu:
            self._side_wires(socket)
            targets = cpu_targets(socket, self._planner, self._columns)
            fan = fan_below(self._columns.spans[socket.cpu.id], FAN_MARGIN_MM * 2, targets, PORT_PITCH_MM)
            self._fan(targets, fan, self.rects[socket.cpu.id].bottom)
            self._root_ports(targets, fan, rows)
            if self._style.detailed:
                self._wire_labels(socket, targets, say)
        for branch in _switches(socket):
            targets = switch_targets(branch, self._columns)
            fan = fan_below(self._columns.spans[branch.box.id], BEVEL_MM, targets, PORT_PITCH_MM)
            self._fan(targets, fan, self.rects[branch.box.id].bottom)
        self._card_ends(socket, rows)

    def _fan(self, targets: Sequence[tuple[float, Branch]], fan: Fan, top: float) -> None:
        first = (
            top + FAN_MARGIN_MM + (CHIP_FOOT_MM if self._style.detailed and top > self._cpu_bottom() else 0.0)
        )
        lines = fan.lines(top, first, self._style.lane, first)
        for (x, branch), line in zip(targets, lines, strict=True):
            end = (x, self._arrival(branch))
            self._sheet.wire((*line[:-1], end), Role.INK3, EDGE_MM, box_id=branch.wire.id)

    def _cpu_bottom(self) -> float:
        return max(self.rects[s.cpu.id].bottom for s in self._tree.sockets if s.cpu)

    def _arrival(self, branch: Branch) -> float:
        """y where the wire to a branch ends: at the contacts of a GPU, above a card in the bottom row."""
        rect = self.rects[branch.box.id]
        if branch.box.kind in GPU_LIKE:
            return rect.y - (CONTACT_MM if branch.box.kind is BoxKind.GPU else 0.0)
        return rect.y - 1.7 if branch.box.kind is BoxKind.NIC else rect.y

    def _card_ends(self, socket: SocketTree, rows: Rows) -> None:
        """The last piece to the cards of the bottom row, from their corridor into the card."""
        cards = self._row_cards(socket)
        if rows.nics is None or not cards:
            return
        starts = tuple(self._columns.corridors[card.box.id] for card in cards)
        rects = [self.rects[card.box.id] for card in cards]
        ends = tuple(min(max(x, r.x + 1.0), r.right - 1.0) for x, r in zip(starts, rects, strict=True))
        lines = Fan(starts, ends).lines(rows.nics - 1.7, rows.nics - 1.4, 0.5, rows.nics)
        for card, line in zip(cards, lines, strict=True):
            self._sheet.wire(line, Role.INK3, EDGE_MM, box_id=card.wire.id)

    def _side_wires(self, socket: SocketTree) -> None:
        for card in self._planner.side_cards(socket):
            if socket.cpu is None:
                continue
            cpu, rect = self.rects[socket.cpu.id], self.rects[card.box.id]
            ends = (rect.right, cpu.x) if self._is_left(socket) else (rect.x, cpu.right)
            line = ((ends[0], rect.cy), (ends[1], rect.cy))
            self._sheet.wire(line, Role.INK3, EDGE_MM, box_id=card.wire.id)

    def _root_ports(self, targets: Sequence[tuple[float, Branch]], fan: Fan, rows: Rows) -> None:
        for (_, branch), x in zip(targets, fan.starts, strict=True):
            port = Rect(x - 0.55, rows.fan - 0.5, 1.1, 1.0)
            self._sheet.shape(port.corners(), Role.CPU, HAIRLINE_MM, box_id=branch.wire.a)

    def _wire_labels(self, socket: SocketTree, targets: Sequence[tuple[float, Branch]], say: Say) -> None:
        """Generation and width beside each wire, where there is room before the next one."""
        left, room = self._columns.spans[socket.box.id]
        limits = [self._label_limit(x, branch) for x, branch in targets] + [left + room]
        for (x, branch), limit in zip(targets, limits[1:], strict=True):
            text = written(branch.wire.label, say)
            if branch.box.kind is BoxKind.NIC or text_width_mm(text, TEXT_MM) > limit - x - 1.8:
                continue
            above = CONTACT_MM if not branch.depth() else CHIP_HEAD_MM if self._tree.chips else 0.0
            y = self.rects[branch.box.id].y - above - 1.2
            self._sheet.text(x + 1.0, y, text, role=Role.INK2, box_id=branch.wire.id)

    def _label_limit(self, x: float, branch: Branch) -> float:
        """How far a label left of a branch may reach: to the wire of a GPU, to the edge of a switch."""
        return self._columns.spans[branch.box.id][0] if branch.depth() else x

    def _socket_links(self, say: Say) -> None:
        for link in self._tree.socket_links:
            if link.a in self.rects and link.b in self.rects:
                socket_link(
                    self._sheet,
                    self.rects[link.a],
                    self.rects[link.b],
                    link.id,
                    written(link.label, say),
                    say,
                )

    def _devices(self, socket: SocketTree, framed: Collection[str], say: Say) -> None:
        if socket.cpu:
            draw_cpu(self._sheet, socket.cpu, self.rects[socket.cpu.id], say)
        side = "left" if self._is_left(socket) else "right"
        for card in self._planner.side_cards(socket):
            draw_nic(self._sheet, card.box, self.rects[card.box.id], say, side)
        for branch in _switches(socket):
            shared = "" if branch.box.parent in framed or not self._style.detailed else branch.box.sub_label
            draw_switch(self._sheet, branch.box, self.rects[branch.box.id], say, written(shared, say))
        for card in self._row_cards(socket):
            draw_nic(self._sheet, card.box, self.rects[card.box.id], say, "bottom")


def socket_header(sheet: Sheet, box: Box, ground: Rect, style: Style, say: Say) -> None:
    """Name of the socket at the left, its memory at the right."""
    y = ground.y + style.header - 2.6
    name = written(box.label, say)
    sheet.text(ground.x + 2.2, y, name, role=Role.INK2, box_id=box.id)
    memory = written(box.sub_label, say)
    if not style.detailed or not memory:
        return
    ticks = ground.right - 2.2
    room = ground.width - text_width_mm(name, TEXT_MM) - text_width_mm(memory, TEXT_MM) - 8.0
    for bar in range(8 if room > 14.0 else 0):
        x = ground.right - 2.6 - bar * 1.3
        ticks = x - 1.6
        sheet.wire(((x, y - _TICK_MM + 0.2), (x, y + 0.2)), Role.INK3, 0.7, box_id=box.id)
    sheet.text(ticks, y, memory, role=Role.INK2, anchor="end", box_id=box.id)


def socket_link(sheet: Sheet, a: Rect, b: Rect, link_id: str, label: str, say: Say) -> None:
    """The line between two processors with its name above and its make below."""
    left, right = (a, b) if a.x < b.x else (b, a)
    sheet.wire(((left.right, left.cy), (right.x, left.cy)), Role.INK, SOCKET_LINK_MM, box_id=link_id)
    middle = (left.right + right.x) / 2
    room = right.x - left.right - 2.0
    name = first_fitting((say(message("topo.socket_link")),), room, TEXT_MM)
    sheet.text(middle, left.cy - 1.2, name, role=Role.INK2, anchor="middle", box_id=link_id)
    below = first_fitting((label,), room, TEXT_MM)
    sheet.text(middle, left.cy + TEXT_MM + 0.8, below, role=Role.INK2, anchor="middle", box_id=link_id)


def _switches(socket: SocketTree) -> list[Branch]:
    return [b for level in range(socket.depth()) for b in at_level(socket.branches, level)]


def _cards_below(branch: Branch) -> list[Branch]:
    return [*branch.nics(), *(card for child in branch.below() for card in _cards_below(child))]


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _verticals(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    return [(p, q) for p, q in itertools.pairwise(points) if abs(p[0] - q[0]) < 0.01]


def _widest_gap(edges: Sequence[float]) -> tuple[float, float]:
    return max(itertools.pairwise(edges), key=lambda gap: gap[1] - gap[0])

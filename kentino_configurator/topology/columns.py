"""Where everything of a node stands from left to right. The rows come later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kentino_configurator.topology.devices import (
    BEVEL_MM,
    NAME_SIZES_MM,
    SWITCH_SIDE_MM,
    Say,
    device_width,
    written,
)
from kentino_configurator.topology.node_tree import GPU_LIKE, Branch, NodeTree, SocketTree
from kentino_configurator.topology.sheet import NAME_MM, TEXT_MM
from kentino_configurator.topology.style import Style
from kentino_configurator.topology.text_width import text_width_mm

Span = tuple[float, float]
"""Left edge and width."""
_BISECTIONS = 24
_NIC_GAP_MM = 1.2
_SIDE_GAP_MM = 2.5


@dataclass(slots=True)
class Columns:
    """Left edge and width by box id; ``corridors`` are the x at which wires pass the GPUs on their way to a card."""

    spans: dict[str, Span] = field(default_factory=dict)
    corridors: dict[str, float] = field(default_factory=dict)

    def middle(self, box_id: str) -> float:
        """x of the middle of a box."""
        left, width = self.spans[box_id]
        return left + width / 2


class ColumnPlanner:
    """Finds the widest GPU that lets the whole node fit, then places everything."""

    def __init__(self, tree: NodeTree, style: Style, say: Say) -> None:
        self._tree = tree
        self._style = style
        self._say = say
        self._labels: dict[str, float] = {}
        self._needs = {socket.box.id: self._least_socket_width(socket) for socket in tree.sockets}

    def width(self, most: float, least: float) -> float:
        """Width of the node, between ``least`` and ``most``."""
        return min(most, max(least, self._total(self._gpu_width(most))))

    def place(self, left: float, width: float) -> Columns:
        """Columns of a node from ``left`` on; ``width`` comes from the method of that name."""
        gpu = self._gpu_width(width)
        columns = Columns()
        stretch = max(0.0, width - self._total(gpu)) / max(1, len(self._tree.sockets))
        x = left + self._style.node_pad
        for number, socket in enumerate(self._tree.sockets):
            room = self._socket_width(socket, gpu) + stretch
            columns.spans[socket.box.id] = (x, room)
            self._place_socket(columns, socket, gpu, is_left=number == 0)
            x += room + self._style.socket_gap
        return columns

    def is_side_card(self, branch: Branch) -> bool:
        """Whether a card on the processor stands beside it; a cabled one goes to the row at the bottom."""
        return branch.box.id not in self._tree.cabled

    def side_cards(self, socket: SocketTree) -> tuple[Branch, ...]:
        """Cards beside the processor, drawn where there is room for details."""
        return tuple(n for n in socket.nics if self.is_side_card(n)) if self._style.detailed else ()

    def row_cards(self, socket: SocketTree) -> tuple[Branch, ...]:
        """Cards of the processor itself in the row below the GPUs."""
        return tuple(n for n in socket.nics if not self.is_side_card(n))

    def _gpu_width(self, most: float) -> float:
        low, high = 2.0, self._style.gpu_max
        if self._total(high) <= most:
            return high
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._total(middle) <= most else (low, middle)
        return low

    def _total(self, gpu: float) -> float:
        sockets = [self._socket_width(socket, gpu) for socket in self._tree.sockets]
        gaps = self._style.socket_gap * (len(sockets) - 1)
        return sum(sockets) + gaps + 2 * self._style.node_pad

    def _socket_width(self, socket: SocketTree, gpu: float) -> float:
        """Sockets with equally many GPU positions are equally wide."""
        alike = [other for other in self._tree.sockets if other.gpu_count() == socket.gpu_count()]
        content = max(self._content_width(other, gpu) for other in alike)
        return max(*(self._needs[other.box.id] for other in alike), content + 2 * self._style.socket_pad)

    def _content_width(self, socket: SocketTree, gpu: float) -> float:
        branches = [self._branch_width(branch, gpu) for branch in socket.branches]
        gaps = self._gap(socket.branches) * max(0, len(branches) - 1)
        return sum(branches) + gaps + self._style.corridor * len(self.row_cards(socket))

    def _branch_width(self, branch: Branch, gpu: float) -> float:
        if branch.box.kind in GPU_LIKE:
            return gpu
        return max(self._inner_width(branch, gpu), self._label_width(branch))

    def _inner_width(self, branch: Branch, gpu: float) -> float:
        below = branch.below()
        parts = sum(self._branch_width(child, gpu) for child in below)
        gaps = self._gap(below) * max(0, len(below) - 1)
        return parts + gaps + self._style.corridor * len(branch.nics())

    def _label_width(self, branch: Branch) -> float:
        if branch.box.id not in self._labels:
            text = written(branch.box.label, self._say)
            size, sides = (NAME_MM, BEVEL_MM) if self._style.detailed else (NAME_SIZES_MM[-1], SWITCH_SIDE_MM)
            self._labels[branch.box.id] = text_width_mm(text, size, 600) + 2 * sides
        return self._labels[branch.box.id]

    def _gap(self, branches: Sequence[Branch]) -> float:
        only_gpus = all(branch.box.kind in GPU_LIKE for branch in branches)
        return self._style.gpu_gap if only_gpus else self._style.branch_gap

    def _least_socket_width(self, socket: SocketTree) -> float:
        header = text_width_mm(written(socket.box.label, self._say), TEXT_MM)
        if self._style.detailed:
            header += text_width_mm(written(socket.box.sub_label, self._say), TEXT_MM) + 6.0
        row = [nic for branch in socket.branches for nic in _all_nics(branch)] + list(self.row_cards(socket))
        cards = sum(device_width(nic.box, self._say) + _NIC_GAP_MM for nic in row)
        processor = self.cpu_width(socket) + self.side_width(socket)
        return max(header, cards, processor) + 2 * self._style.socket_pad

    def cpu_width(self, socket: SocketTree) -> float:
        """Width of the processor."""
        if socket.cpu is None:
            return 0.0
        longest = max(written(socket.cpu.label, self._say).split(" "), key=len)
        name = min(text_width_mm(written(socket.cpu.label, self._say), NAME_MM, 600), 26.0)
        return max(name, text_width_mm(longest, NAME_MM, 600), 12.0) + 5.0

    def side_width(self, socket: SocketTree) -> float:
        """Width of the cards beside the processor with the gap to it."""
        cards = [device_width(nic.box, self._say) for nic in self.side_cards(socket)]
        return max(cards) + _SIDE_GAP_MM if cards else 0.0

    def _place_socket(self, columns: Columns, socket: SocketTree, gpu: float, *, is_left: bool) -> None:
        left, room = columns.spans[socket.box.id]
        x = left + (room - self._content_width(socket, gpu)) / 2
        cards = self.row_cards(socket)
        if is_left:
            x = self._place_corridors(columns, cards, x)
        for number, branch in enumerate(socket.branches):
            outer_left = number < len(socket.branches) / 2 if len(socket.branches) > 1 else is_left
            x = self._place_branch(columns, branch, x, gpu, is_left=outer_left) + self._gap(socket.branches)
        if not is_left:
            self._place_corridors(columns, cards, x - self._gap(socket.branches))
        self._place_cpu(columns, socket, is_left=is_left)

    def _place_corridors(self, columns: Columns, cards: Sequence[Branch], x: float) -> float:
        for card in cards:
            columns.corridors[card.box.id] = x + self._style.corridor / 2
            x += self._style.corridor
        return x

    def _place_branch(
        self, columns: Columns, branch: Branch, x: float, gpu: float, *, is_left: bool
    ) -> float:
        """Place a branch from ``x`` on; returns its right edge."""
        width = self._branch_width(branch, gpu)
        columns.spans[branch.box.id] = (x, width)
        if branch.box.kind in GPU_LIKE:
            return x + width
        inner = x + (width - self._inner_width(branch, gpu)) / 2
        if is_left:
            inner = self._place_corridors(columns, branch.nics(), inner)
        below = branch.below()
        for number, child in enumerate(below):
            side = number < len(below) / 2 if len(below) > 1 else is_left
            inner = self._place_branch(columns, child, inner, gpu, is_left=side) + self._gap(below)
        if not is_left:
            self._place_corridors(columns, branch.nics(), inner - self._gap(below))
        return x + width

    def _place_cpu(self, columns: Columns, socket: SocketTree, *, is_left: bool) -> None:
        """Over the middle of what it feeds, as far as the cards beside it leave room."""
        if socket.cpu is None:
            return
        left, room = columns.spans[socket.box.id]
        width, side, pad = self.cpu_width(socket), self.side_width(socket), self._style.socket_pad
        fed = [columns.middle(branch.box.id) for branch in socket.branches]
        middle = (fed[0] + fed[-1]) / 2 if fed else left + room / 2
        least = left + pad + (side if is_left else 0.0)
        most = left + room - pad - width - (0.0 if is_left else side)
        columns.spans[socket.cpu.id] = (min(max(middle - width / 2, least), most), width)


def _all_nics(branch: Branch) -> list[Branch]:
    return [*branch.nics(), *(nic for child in branch.below() for nic in _all_nics(child))]


def packed(wanted: Sequence[Span], left: float, right: float, gap: float) -> list[Span]:
    """Spans moved apart as little as needed, in order, between ``left`` and ``right``."""
    starts: list[float] = []
    edge = left
    for start, width in wanted:
        starts.append(max(start, edge))
        edge = starts[-1] + width + gap
    edge = right
    for index in range(len(wanted) - 1, -1, -1):
        starts[index] = min(starts[index], edge - wanted[index][1])
        edge = starts[index] - gap
    return [(start, width) for start, (_, width) in zip(starts, wanted, strict=True)]

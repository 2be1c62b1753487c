"""Paths between GPUs as dimension lines below the devices: one row per class, the rate on the line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kentino_configurator.core.evidence import Estimate, weakest
from kentino_configurator.core.message import message
from kentino_configurator.core.topology import BoxKind, GpuPath, PathClass, Role
from kentino_configurator.core.units import GB
from kentino_configurator.topology.devices import Say
from kentino_configurator.topology.geometry import Rect, around
from kentino_configurator.topology.matrix import nearness
from kentino_configurator.topology.node_tree import Branch, NodeTree, SocketTree
from kentino_configurator.topology.rows import at_level
from kentino_configurator.topology.sheet import CABLE_MM, DOTS, NAME_MM, STRONG_MM, TEXT_MM, Sheet
from kentino_configurator.topology.text_width import text_width_mm

_ROW_MM = 8.6
_TICK_MM = 1.1
_WIDTHS = {PathClass.PIX: STRONG_MM, PathClass.PXB: STRONG_MM}
_ORDER = (PathClass.PIX, PathClass.PXB, PathClass.PHB, PathClass.NODE, PathClass.SYS)


Pairs = Mapping[frozenset[str], GpuPath]


@dataclass(frozen=True, slots=True)
class Unit:
    """GPUs that a line treats as one end: a card, all cards of a switch, all of a socket."""

    gpus: tuple[str, ...]
    middle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """A line from ``left`` to ``right`` that stands for a pair."""

    path: GpuPath
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Where the figure stands."""
        return (self.left + self.right) / 2


def path_words(path: GpuPath, say: Say) -> str:
    """``same switch``, ``same socket``, ...: the class in plain words."""
    return say(message(f"topo.path.{nearness(path.path_class, path.possible).name.lower()}"))


def rate_words(rate: Estimate | None, say: Say) -> str:
    """The interval in GB/s without its unit, ``54–56``; the word for unknown where there is none."""
    if rate is None:
        return say(message("topo.rate_unknown"))
    low, high = _giga(rate.low), _giga(rate.high)
    return (
        say(message("topo.rate", rate=low)) if low == high else say(message("topo.rates", low=low, high=high))
    )


def _giga(bytes_per_s: float) -> float | int:
    value = bytes_per_s / GB
    return round(value) if value >= 10 else round(value, 1)


def dimensions(tree: NodeTree, paths: Sequence[GpuPath], rects: Mapping[str, Rect]) -> tuple[Dimension, ...]:
    """One line for each switch, each processor and each pair of processors, between the middles of what they join."""
    by_pair = {frozenset((path.a, path.b)): path for path in paths}
    lines: list[Dimension] = []
    for socket in tree.sockets:
        lines += _inside_socket(socket, by_pair, rects)
    lines += _across_sockets(tree, by_pair, rects)
    return tuple(lines)


def _inside_socket(socket: SocketTree, pairs: Pairs, rects: Mapping[str, Rect]) -> list[Dimension]:
    """Lines between the outermost units of every switch, and of the processor."""
    switches = [switch for level in range(socket.depth()) for switch in at_level(socket.branches, level)]
    lines = [_outermost([_unit(child, rects) for child in switch.below()], pairs) for switch in switches]
    lines.append(_outermost([_unit(branch, rects) for branch in socket.branches], pairs))
    return [line for line in lines if line]


def _across_sockets(tree: NodeTree, pairs: Pairs, rects: Mapping[str, Rect]) -> list[Dimension]:
    units = [_joined([_unit(branch, rects) for branch in socket.branches], rects) for socket in tree.sockets]
    line = _outermost(units, pairs)
    return [line] if line else []


def _unit(branch: Branch, rects: Mapping[str, Rect]) -> Unit:
    gpus = tuple(leaf.box.id for leaf in branch.leaves() if leaf.box.kind is BoxKind.GPU)
    return Unit(gpus, rects[branch.box.id].cx)


def _joined(units: Sequence[Unit], rects: Mapping[str, Rect]) -> Unit:
    gpus = tuple(gpu for unit in units for gpu in unit.gpus)
    return Unit(gpus, around(rects[gpu] for gpu in gpus).cx if gpus else 0.0)


def _outermost(units: Sequence[Unit], pairs: Pairs) -> Dimension | None:
    """A line between the first and the last unit that holds a GPU; ``None`` for fewer than two."""
    filled = [unit for unit in units if unit.gpus]
    if len(filled) < 2:
        return None
    first, last = filled[0], filled[-1]
    return Dimension(
        path=pairs[frozenset((first.gpus[0], last.gpus[-1]))], left=first.middle, right=last.middle
    )


def draw_dimensions(sheet: Sheet, lines: Sequence[Dimension], frame: Rect, top: float, say: Say) -> float:
    """Draw the rows from ``top`` down, unit and evidence once below them; returns the lower edge."""
    if not lines:
        return top
    y = top
    for path_class in _ORDER:
        row = [line for line in lines if line.path.path_class is path_class]
        if row:
            y = _draw_row(sheet, row, frame, y, say)
    rates = [line.path.bandwidth_bytes_per_s for line in lines]
    evidence = weakest(rate.evidence for rate in rates if rate)
    y += 4.6
    sheet.text(frame.x + 2.0, y, say(message("topo.unit_one_way")), role=Role.INK3)
    sheet.text(frame.right - 2.0, y, say(message(f"ev.{evidence.value}.label")), role=Role.INK3, anchor="end")
    return y + 1.0


def _draw_row(sheet: Sheet, row: Sequence[Dimension], frame: Rect, top: float, say: Say) -> float:
    """The name of the class stands once: between two lines, before the figures, or above a crowded row."""
    caption = path_words(row[0].path, say)
    y = top + _ROW_MM
    place = _caption_place(row, frame, text_width_mm(caption, TEXT_MM)) if len(row) > 1 else None
    inline = place is None and _is_room_inline(row, frame, caption, say)
    if place is not None:
        sheet.text(place, y + TEXT_MM * 0.36, caption, role=Role.INK2, anchor="middle")
    elif not inline:
        sheet.text(row[0].left, y - _ROW_MM + 4.0, caption, role=Role.INK2)
        y += 2.2
    for line in row:
        _draw_line(sheet, line, y, _line_text(line, caption if inline else "", say))
    return y


def _line_text(line: Dimension, caption: str, say: Say) -> str:
    rate = rate_words(line.path.bandwidth_bytes_per_s, say)
    return f"{caption}   {rate}" if caption else rate


def _is_room_inline(row: Sequence[Dimension], frame: Rect, caption: str, say: Say) -> bool:
    """Whether caption and figure fit above every line without touching the next."""
    halves = [text_width_mm(_line_text(line, caption, say), NAME_MM, 600) / 2 + 1.0 for line in row]
    spans = [(line.middle - half, line.middle + half) for line, half in zip(row, halves, strict=True)]
    apart = all(a[1] <= b[0] for a, b in pairwise(spans))
    return apart and spans[0][0] >= frame.x and spans[-1][1] <= frame.right


def _caption_place(row: Sequence[Dimension], frame: Rect, width: float) -> float | None:
    """Middle of the innermost gap that the caption fits into; right of the last line where there is none."""
    middle = (row[0].left + row[-1].right) / 2
    gaps = [(a.right + b.left) / 2 for a, b in pairwise(row) if b.left - a.right >= width + 4.0]
    if gaps:
        return min(gaps, key=lambda gap: abs(gap - middle))
    after = row[-1].right + 3.0 + width / 2
    return after if after + width / 2 < frame.right - 2.0 else None


def _draw_line(sheet: Sheet, line: Dimension, y: float, text: str) -> None:
    path_class = line.path.path_class
    width = _WIDTHS.get(path_class, CABLE_MM)
    dash = DOTS if path_class is PathClass.SYS else ()
    sheet.wire(((line.left, y), (line.right, y)), Role.INK, width, dash=dash)
    for x in (line.left, line.right):
        sheet.wire(((x, y - _TICK_MM), (x, y + _TICK_MM)), Role.INK, CABLE_MM)
    sheet.text(line.middle, y - 1.4, text, size_mm=NAME_MM, anchor="middle", weight=600)

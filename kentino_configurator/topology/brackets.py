"""Brackets under the GPUs: what runs on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kentino_configurator.core.topology import GpuGroup, Role
from kentino_configurator.topology.devices import Say, written
from kentino_configurator.topology.geometry import Rect
from kentino_configurator.topology.sheet import CABLE_MM, TEXT_MM, Sheet
from kentino_configurator.topology.text_width import text_width_mm

_ROW_MM = 7.4
_CUT_MM = 0.8
_LABEL_CUT_MM = 1.6
_HOOK_MM = 1.3

Interval = tuple[float, float]


def draw_brackets(
    sheet: Sheet,
    groups: Sequence[GpuGroup],
    rects: Mapping[str, Rect],
    cables: Sequence[float],
    frame: Rect,
    say: Say,
) -> float:
    """Draw the groups whose GPUs have a place from the upper edge of ``frame`` down; returns the lower edge.

    Lines stay open where a cable passes.
    """
    rows: list[list[tuple[Interval, GpuGroup]]] = []
    for span, group in sorted(_spans(groups, rects), key=lambda pair: pair[0]):
        row = next((row for row in rows if row[-1][0][1] < span[0]), None)
        if row is None:
            rows.append([(span, group)])
        else:
            row.append((span, group))
    for number, row in enumerate(rows):
        _draw_row(sheet, row, cables, frame, frame.y + number * _ROW_MM, say)
    return frame.y + len(rows) * _ROW_MM


def _spans(groups: Sequence[GpuGroup], rects: Mapping[str, Rect]) -> list[tuple[Interval, GpuGroup]]:
    placed = [group for group in groups if all(gpu in rects for gpu in group.gpus)]
    return [
        ((min(rects[g].x for g in group.gpus), max(rects[g].right for g in group.gpus)), group)
        for group in placed
    ]


def _draw_row(
    sheet: Sheet,
    row: Sequence[tuple[Interval, GpuGroup]],
    cables: Sequence[float],
    frame: Rect,
    y: float,
    say: Say,
) -> None:
    """A label may be wider than its bracket, up to the neighbouring bracket or the frame."""
    for number, (span, group) in enumerate(row):
        _line(sheet, span, cables, y)
        left = row[number - 1][0][1] if number else frame.x + 1.0
        right = row[number + 1][0][0] if number + 1 < len(row) else frame.right - 1.0
        _label(sheet, group, span, _pieces((left + 1.0, right - 1.0), cables, _LABEL_CUT_MM), y + 3.6, say)


def _line(sheet: Sheet, span: Interval, cables: Sequence[float], y: float) -> None:
    left, right = span
    pieces = _pieces(span, cables)
    for number, (start, end) in enumerate(pieces):
        first = ((left, y - _HOOK_MM), (left, y)) if number == 0 else ((start, y),)
        last = ((right, y), (right, y - _HOOK_MM)) if number == len(pieces) - 1 else ((end, y),)
        sheet.wire((*first, *last), Role.ACCENT, CABLE_MM)


def _label(
    sheet: Sheet, group: GpuGroup, span: Interval, pieces: Sequence[Interval], y: float, say: Say
) -> None:
    for text in filter(None, (written(group.label, say), written(group.short_label, say))):
        place = _room(text, span, pieces)
        if place is not None:
            sheet.text(place, y, text, role=Role.ACCENT, anchor="middle", weight=500)
            return


def _pieces(span: Interval, cables: Sequence[float], cut: float = _CUT_MM) -> list[Interval]:
    """The line without the places where cables cross."""
    left, right = span
    cuts = sorted(x for x in cables if left < x < right)
    edges = [left, *(edge for x in cuts for edge in (x - cut, x + cut)), right]
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]


def _room(text: str, span: Interval, pieces: Sequence[Interval]) -> float | None:
    """Middle of the piece nearest to the bracket's middle that the text fits into."""
    width = text_width_mm(text, TEXT_MM, 500)
    middle = (span[0] + span[1]) / 2
    fitting = [piece for piece in pieces if piece[1] - piece[0] >= width]
    if not fitting:
        return None
    a, b = min(fitting, key=lambda piece: max(piece[0] - middle, middle - piece[1]))
    return min(max(middle, a + width / 2), b - width / 2)

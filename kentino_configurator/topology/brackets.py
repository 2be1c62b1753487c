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
_HOOK_MM = 1.3

Interval = tuple[float, float]


def draw_brackets(
    sheet: Sheet,
    groups: Sequence[GpuGroup],
    rects: Mapping[str, Rect],
    cables: Sequence[float],
    top: float,
    say: Say,
) -> float:
    """Draw the groups whose GPUs have a place; lines stay open where a cable passes. Returns the lower edge."""
    drawn = [group for group in groups if all(gpu in rects for gpu in group.gpus)]
    rows: list[float] = []
    for group in sorted(drawn, key=lambda group: min(rects[gpu].x for gpu in group.gpus)):
        left = min(rects[gpu].x for gpu in group.gpus)
        right = max(rects[gpu].right for gpu in group.gpus)
        row = next((number for number, edge in enumerate(rows) if edge < left), len(rows))
        rows[row : row + 1] = [right]
        _bracket(sheet, group, (left, right), cables, top + row * _ROW_MM, say)
    return top + len(rows) * _ROW_MM


def _bracket(
    sheet: Sheet, group: GpuGroup, span: Interval, cables: Sequence[float], y: float, say: Say
) -> None:
    left, right = span
    pieces = _pieces(span, cables)
    for number, (start, end) in enumerate(pieces):
        hooks_left = ((left, y - _HOOK_MM), (left, y)) if number == 0 else ((start, y),)
        hooks_right = ((right, y), (right, y - _HOOK_MM)) if number == len(pieces) - 1 else ((end, y),)
        sheet.wire((*hooks_left, *hooks_right), Role.ACCENT, CABLE_MM)
    candidates = [written(group.label, say), written(group.short_label, say)]
    for text in filter(None, candidates):
        if place := _room(text, span, pieces):
            sheet.text(place, y + 3.6, text, role=Role.ACCENT, anchor="middle", weight=500)
            return


def _pieces(span: Interval, cables: Sequence[float]) -> list[Interval]:
    """The line without the places where cables cross."""
    left, right = span
    cuts = sorted(x for x in cables if left < x < right)
    edges = [left, *(edge for x in cuts for edge in (x - _CUT_MM, x + _CUT_MM)), right]
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

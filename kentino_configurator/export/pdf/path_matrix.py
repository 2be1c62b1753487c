"""Rates between every pair of GPUs of the first node; every cell carries its number, the tint only repeats it."""

from __future__ import annotations

from typing import Any

from reportlab.platypus import Table as GridTable

from kentino_configurator.core.topology import PathClass, TopologyGraph
from kentino_configurator.core.units import GB
from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.structure import Tag
from kentino_configurator.export.pdf.tagged import GridTags
from kentino_configurator.export.pdf.theme import mm
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.topology.matrix import Cell, matrix

_TINTS = {
    PathClass.PIX: ("c1", "onaccent"),
    PathClass.PXB: ("c1", "onaccent"),
    PathClass.PHB: ("c3", "ink"),
    PathClass.NODE: ("c3", "ink"),
}
_OTHERS = ("tint", "ink2")
_LABEL_WIDTH = 16 * mm
_CELL_WIDTH = 12 * mm
_CELL_HEIGHT = 6.4 * mm


def path_matrix(graph: TopologyGraph, words: Words, width: float) -> GridTable:
    """The matrix in GPU order; a pair without a known rate shows its class."""
    found = matrix(graph)
    count = len(found.gpus)
    labels = [words.plain(label) for label in found.labels]
    rows = [["", *labels]]
    rows += [
        [label, *(_text(cell, words) for cell in row)] for label, row in zip(labels, found.rows, strict=True)
    ]
    cell_width = min(_CELL_WIDTH, (width - _LABEL_WIDTH) / max(count, 1))
    commands = [
        *_base(),
        *(_tint(cell, r, c) for r, row in enumerate(found.rows, 1) for c, cell in enumerate(row, 1)),
    ]
    return GridTable(
        rows,
        colWidths=[_LABEL_WIDTH, *[cell_width] * count],
        rowHeights=[5 * mm, *[_CELL_HEIGHT] * count],
        style=commands,
        hAlign="LEFT",
        repeatRows=1,
        renderCB=GridTags(Tag.TABLE, header_column=0),
    )


def _base() -> list[tuple[Any, ...]]:
    return [
        ("FONT", (0, 0), (-1, -1), theme.REGULAR, 7.6),
        ("TEXTCOLOR", (0, 0), (-1, -1), theme.colour("ink2")),
        ("ALIGN", (1, 0), (-1, -1), "CENTER"),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ("INNERGRID", (1, 1), (-1, -1), 1.4, theme.colour("surface")),
    ]


def _text(cell: Cell, words: Words) -> str:
    if cell.path_class is PathClass.SELF:
        return "–"
    if cell.bandwidth_bytes_per_s is None:
        return cell.label
    return words.texts.numbers.plain(round(cell.bandwidth_bytes_per_s.expected / GB))


def _tint(cell: Cell, row: int, column: int) -> tuple[Any, ...]:
    role = "surface" if cell.path_class is PathClass.SELF else _TINTS.get(cell.path_class, _OTHERS)[0]
    return ("BACKGROUND", (column, row), (column, row), theme.colour(role))

"""Tables of the document: hairlines between rows, head repeated on every page, nothing clipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Spacer
from reportlab.platypus import Table as GridTable

from kentino_configurator.core.money import Money
from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.marks import draw_sign
from kentino_configurator.export.pdf.structure import Tag, TaggedCanvas
from kentino_configurator.export.pdf.tagged import Figure, GridTags, Paragraph
from kentino_configurator.export.pdf.theme import mm
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.blocks import Align, Cell, Column, Row, Sign, Table

SIGN_SIZE = 3.0 * mm
SIGN_INDENT = 5.2 * mm
CELL_GAP = 2.2 * mm
WIDE_GAP = 5 * mm
_NARROW_MM = 12.0
ROW_PADDING = 1.15 * mm
COMPACT_PADDING = 0.75 * mm
HEAD_PADDING = 1.0 * mm
_ALIGNMENT = {Align.LEFT: 0, Align.CENTER: 1, Align.RIGHT: 2}


class SignedCell(Flowable):  # type: ignore[misc]
    """Paragraphs with a mark before the first line."""

    def __init__(self, sign: Sign, paragraphs: Sequence[Paragraph], size: float = SIGN_SIZE) -> None:
        super().__init__()
        self._sign = sign
        self._paragraphs = list(paragraphs)
        self._size = size
        self._heights: list[float] = []

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """Height of the paragraphs beside the mark."""
        room = availWidth - SIGN_INDENT
        self._heights = [paragraph.wrap(room, availHeight)[1] for paragraph in self._paragraphs]
        self.width, self.height = availWidth, max([sum(self._heights), self._size])
        return self.width, self.height

    def draw(self) -> None:
        """The mark on the first line, the words beside it."""
        leading = self._paragraphs[0].style.leading if self._paragraphs else self._size
        with self.canv.artifact():
            draw_sign(self.canv, self._sign, 0, self.height - (leading + self._size) / 2, self._size)
        y = self.height
        for paragraph, height in zip(self._paragraphs, self._heights, strict=True):
            y -= height
            paragraph.drawOn(self.canv, SIGN_INDENT, y)


class CenteredSign(Flowable):  # type: ignore[misc]
    """A mark alone in its column."""

    def __init__(self, sign: Sign, size: float = 3.4 * mm) -> None:
        super().__init__()
        self._sign = sign
        self._size = size

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """The whole width of the column."""
        self.width, self.height = availWidth, self._size
        return self.width, self.height

    def draw(self) -> None:
        """The mark in the middle."""
        draw_sign(self.canv, self._sign, (self.width - self._size) / 2, 0, self._size)


class WritingLine(Flowable):  # type: ignore[misc]
    """A line to write on at the foot of its cell."""

    def __init__(self, height: float = 6.5 * mm) -> None:
        super().__init__()
        self._line_height = height

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """The whole width."""
        self.width, self.height = availWidth, self._line_height
        return self.width, self.height

    def draw(self) -> None:
        """The line."""
        canvas: TaggedCanvas = self.canv
        with canvas.artifact():
            canvas.setStrokeColor(theme.colour("border"))
            canvas.setLineWidth(0.6)
            canvas.line(0, 0.6 * mm, self.width, 0.6 * mm)


def table(block: Table, words: Words, width: float) -> GridTable:
    """A table of a section, ``width`` points wide."""
    lines = _Lines(len(block.columns), COMPACT_PADDING if block.compact else ROW_PADDING)
    has_head = any(column.title for column in block.columns)
    if has_head:
        lines.head([_head(column, words) for column in block.columns])
    for row in block.rows:
        cells = [
            _cell(cell, column, row, words, compact=block.compact)
            for cell, column in zip(row.cells, block.columns, strict=True)
        ]
        lines.add(row, cells, Paragraph(words.markup(row.note), theme.CELL_NOTE) if row.note else None)
    gaps = [
        ("RIGHTPADDING", (index, 0), (index, -1), WIDE_GAP)
        for index, column in enumerate(block.columns[:-1])
        if _is_wide_number(column) and block.columns[index + 1].align is Align.LEFT
    ]
    return grid(
        lines.rows,
        column_widths(block.columns, width),
        [*gaps, *lines.hairlines(), *lines.commands],
        head_rows=int(has_head),
        tags=GridTags(Tag.TABLE, header_column=_header_column(block)),
    )


def _header_column(block: Table) -> int | None:
    """The column that names the rows: the first one with words that is no number."""
    named = (
        index
        for index, column in enumerate(block.columns)
        if column.align is Align.LEFT and all(row.cells[index].words for row in block.rows)
    )
    return next(named, None)


def _is_wide_number(column: Column) -> bool:
    """Whether numbers stand at the right edge of a column with room to move away from it."""
    return column.align is Align.RIGHT and (column.width_mm or _NARROW_MM) >= _NARROW_MM


class _Lines:
    """Grid rows with the commands that rule them."""

    def __init__(self, columns: int, padding: float) -> None:
        self.rows: list[list[Any]] = []
        self.commands: list[tuple[Any, ...]] = [
            ("TOPPADDING", (0, 0), (-1, -1), padding),
            ("BOTTOMPADDING", (0, 0), (-1, -1), padding),
        ]
        self._columns = columns
        self._lasts: list[int] = []
        self._noted = False

    def head(self, cells: list[Any]) -> None:
        """The repeated head."""
        self.rows.append(cells)
        self.commands += [
            ("LINEBELOW", (0, 0), (-1, 0), 0.7, theme.colour("border")),
            ("TOPPADDING", (0, 0), (-1, 0), 0),
            ("BOTTOMPADDING", (0, 0), (-1, 0), HEAD_PADDING),
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ]

    def add(self, row: Row, cells: list[Any], note: Paragraph | None) -> None:
        """One row, with its note as a second line over the whole width that is never torn off."""
        first = len(self.rows)
        self.rows.append(cells)
        if note is not None:
            self.rows.append([note, *[""] * (self._columns - 1)])
            self.commands += [
                ("SPAN", (0, first + 1), (-1, first + 1)),
                ("NOSPLIT", (0, first), (-1, first + 1)),
                ("TOPPADDING", (0, first + 1), (-1, first + 1), 0),
                ("BOTTOMPADDING", (0, first), (-1, first), 0.3 * mm),
            ]
        last = len(self.rows) - 1
        self._noted = self._noted or note is not None
        self._lasts.append(last)
        self._distinguish(row, first, last)

    def hairlines(self) -> list[tuple[Any, ...]]:
        """Lines below every row: one command where each row is one line, which long tables need to stay fast."""
        if not self._noted:
            return [hairline(self._lasts[0], -1)] if self._lasts else []
        return [hairline(last, last) for last in self._lasts]

    def _distinguish(self, row: Row, first: int, last: int) -> None:
        if row.total:
            self.commands.append(("LINEABOVE", (0, first), (-1, first), 0.9, theme.colour("ink")))
        if row.group:
            self.commands.append(("TOPPADDING", (0, first), (-1, first), 2.2 * mm))
            self.commands.append(("NOSPLIT", (0, first), (-1, first + 1)))
        if row.chosen:
            self.commands += [
                ("BACKGROUND", (0, first), (-1, last), theme.colour("tint")),
                ("LINEBEFORE", (0, first), (0, last), 2.2, theme.colour("accent")),
                ("LEFTPADDING", (0, first), (0, last), 2.4 * mm),
                ("RIGHTPADDING", (-1, first), (-1, last), 1.4 * mm),
            ]


def grid(
    rows: list[list[Any]],
    widths: Sequence[float],
    commands: Sequence[tuple[Any, ...]],
    head_rows: int = 0,
    tags: GridTags | None = None,
) -> GridTable:
    """A plain grid with the document's paddings; rows are never split, the head is repeated.

    Without ``tags`` it only places things and is no table to a screen reader.
    """
    base: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), theme.REGULAR, 8.4),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), CELL_GAP),
        ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), ROW_PADDING),
        ("BOTTOMPADDING", (0, 0), (-1, -1), ROW_PADDING),
    ]
    return GridTable(
        rows,
        colWidths=list(widths),
        style=[*base, *commands],
        repeatRows=head_rows,
        hAlign="LEFT",
        renderCB=tags or GridTags(),
    )


def column_widths(columns: Sequence[Column], width: float) -> list[float]:
    """Fixed widths in points; columns without one share the rest."""
    fixed = sum(column.width_mm * mm for column in columns if column.width_mm is not None)
    open_columns = sum(column.width_mm is None for column in columns)
    share = max(10 * mm, (width - fixed) / open_columns) if open_columns else 0.0
    return [share if column.width_mm is None else column.width_mm * mm for column in columns]


def hairline(row_from: int, row_to: int, role: str = "line") -> tuple[Any, ...]:
    """A command that draws hairlines below rows."""
    return ("LINEBELOW", (0, row_from), (-1, row_to), theme.HAIRLINE, theme.colour(role))


def _head(column: Column, words: Words) -> Paragraph:
    return Paragraph(words.markup(column.title), _aligned(theme.HEAD, column.align))


def _cell(cell: Cell, column: Column, row: Row, words: Words, *, compact: bool) -> Any:
    if cell.sign is not Sign.NONE and not cell.words:
        return Figure(CenteredSign(cell.sign), words.say(f"doc.alt.{cell.sign.value}"))
    paragraphs = []
    if cell.words != "":
        style = _aligned(_style(cell, column, row, compact=compact), column.align)
        paragraphs.append(Paragraph(_markup(cell, words), style))
    if cell.note:
        paragraphs.append(Paragraph(words.markup(cell.note), _aligned(theme.CELL_NOTE, column.align)))
    if cell.sign is not Sign.NONE:
        return SignedCell(cell.sign, paragraphs)
    return paragraphs if any(paragraph.text for paragraph in paragraphs) else Spacer(1, 1)


def _markup(cell: Cell, words: Words) -> str:
    return words.amount(cell.words) if isinstance(cell.words, Money) else words.markup(cell.words)


def _style(cell: Cell, column: Column, row: Row, *, compact: bool) -> ParagraphStyle:
    if row.total:
        return theme.TOTAL
    if row.group:
        return theme.HEAD
    if cell.warn:
        return theme.CELL_COMPACT_WARN if compact else theme.CELL_WARN
    if cell.strong:
        return theme.CELL_COMPACT_STRONG if compact else theme.CELL_STRONG
    if column.quiet:
        return theme.CELL_COMPACT_QUIET if compact else theme.CELL_QUIET
    return theme.CELL_COMPACT if compact else theme.CELL


def _aligned(base: ParagraphStyle, align: Align) -> ParagraphStyle:
    if align is Align.LEFT:
        return base
    return ParagraphStyle(f"{base.name}.{align.value}", parent=base, alignment=_ALIGNMENT[align])

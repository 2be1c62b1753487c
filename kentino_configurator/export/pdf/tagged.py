"""Flowables that say what they are: paragraphs, figures, and the rows of a grid."""

from __future__ import annotations

from typing import Any, Final

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable
from reportlab.platypus import Paragraph as PlainParagraph

from kentino_configurator.export.pdf.structure import Tag, TaggedCanvas

_TAGS: Final = {"title": Tag.H1, "headline": Tag.H1, "heading": Tag.H2}


class Paragraph(PlainParagraph):  # type: ignore[misc]
    """A paragraph whose style tells whether it is a heading. Its parts on two pages stay one element."""

    def __init__(
        self, text: str | None, style: ParagraphStyle, bulletText: str | None = None, frags: Any = None
    ) -> None:
        super().__init__(text, style, bulletText, frags)
        self._key = object()

    def split(self, availWidth: float, availHeight: float) -> list[Flowable]:
        """Parts of the same element."""
        parts: list[Flowable] = super().split(availWidth, availHeight)
        for part in parts:
            part._key = self._key
        return parts

    def draw(self) -> None:
        """The words inside their element."""
        canvas: TaggedCanvas = self.canv
        with canvas.element(_TAGS.get(self.style.name, Tag.P), key=self._key):
            super().draw()


class Figure(Flowable):  # type: ignore[misc]
    """A drawing with its alternative in words."""

    def __init__(self, picture: Flowable, alt: str) -> None:
        super().__init__()
        self._picture = picture
        self._alt = alt

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """As large as the drawing."""
        self.width, self.height = self._picture.wrap(availWidth, availHeight)
        return self.width, self.height

    def getSpaceBefore(self) -> float:
        """That of the drawing."""
        return float(self._picture.getSpaceBefore())

    def getSpaceAfter(self) -> float:
        """That of the drawing."""
        return float(self._picture.getSpaceAfter())

    def draw(self) -> None:
        """The drawing inside its element."""
        canvas: TaggedCanvas = self.canv
        with canvas.element(Tag.FIGURE, alt=self._alt, box=figure_box(canvas, self.width, self.height)):
            self._picture.drawOn(canvas, 0, 0)


def figure_box(canvas: TaggedCanvas, width: float, height: float) -> tuple[float, float, float, float]:
    """Left, bottom, right and top on the page of what is drawn from the origin."""
    return (*canvas.absolutePosition(0, 0), *canvas.absolutePosition(width, height))


class GridTags:
    """Writes the structure of one grid while it is drawn; its parts on several pages go on with the same element.

    ``kind`` is ``Tag.TABLE``, ``Tag.LIST``, or ``None`` for a grid that only places things. A table without head
    has its row headers in column ``header_column``. Several grids with the same ``key`` are one list.
    """

    _ROWS: Final = {Tag.TABLE: Tag.ROW, Tag.LIST: Tag.ITEM}

    def __init__(
        self, kind: Tag | None = None, *, header_column: int | None = None, key: object = None
    ) -> None:
        self._kind = kind
        self._header_column = header_column
        self._key = key or self
        self._begun = False
        self._hidden = False
        self._cells = 0

    def __call__(self, table: Any, event: str, *details: Any) -> None:
        """Called by the grid: startTable, startBG, endBG, startRow, startCell, endCell, endRow, startLines, ..."""
        canvas: TaggedCanvas = table.canv
        if event in ("startBG", "startLines"):
            canvas.begin_artifact()
        elif event in ("endBG", "endLines"):
            canvas.end_marked()
        elif event == "startCell":
            self._start_cell(canvas, table, *details[:3])
        elif event == "endCell":
            self._end_cell(canvas)
        elif self._kind is not None:
            self._whole_or_row(canvas, table, event, *details)

    def _whole_or_row(self, canvas: TaggedCanvas, table: Any, event: str, row: int = 0) -> None:
        if event == "startTable":
            assert self._kind is not None
            canvas.begin(self._kind, key=self._key)
        elif event == "endTable":
            self._begun = True
            canvas.end()
        elif event == "startRow":
            self._start_row(canvas, repeated=self._begun and row < (table.repeatRows or 0))
        elif self._hidden:
            canvas.end_marked()
        else:
            canvas.end()

    def _start_row(self, canvas: TaggedCanvas, *, repeated: bool) -> None:
        """A head that is repeated on a further page is decoration: its cells were read already."""
        self._hidden = repeated
        self._cells = 0
        if repeated:
            canvas.begin_artifact()
        else:
            assert self._kind is not None
            canvas.begin(self._ROWS[self._kind])

    def _start_cell(self, canvas: TaggedCanvas, table: Any, row: int, column: int, value: Any) -> None:
        if self._kind is not None and not self._hidden:
            self._begin_cell(canvas, table, row, column)
        self._cells += 1
        self._is_text = isinstance(value, str)
        if self._is_text:
            canvas.begin_content() if value and self._kind is not None else canvas.begin_artifact()

    def _begin_cell(self, canvas: TaggedCanvas, table: Any, row: int, column: int) -> None:
        if self._kind is Tag.LIST:
            first_of_several = self._cells == 0 and table._ncols > 1
            canvas.begin(Tag.LABEL if first_of_several else Tag.ITEM_BODY)
            return
        scope = self._scope(table, row, column)
        columns = _columns(table, row, column)
        canvas.begin(Tag.HEADER_CELL if scope else Tag.CELL, scope=scope, columns=columns)

    def _scope(self, table: Any, row: int, column: int) -> str:
        if row < (table.repeatRows or 0):
            return "Column"
        return "Row" if column == self._header_column else ""

    def _end_cell(self, canvas: TaggedCanvas) -> None:
        if self._is_text:
            canvas.end_marked()
        if self._kind is not None and not self._hidden:
            canvas.end()


def _columns(table: Any, row: int, column: int) -> int:
    """How many columns the cell covers."""
    if not table._spanCmds:
        return 1
    first, _, last, _ = table._spanRanges[column, row]
    return int(last - first + 1)

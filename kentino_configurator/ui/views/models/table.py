"""A table of finished words as an item model, and how its columns share a width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

CELL_ROLE: Final = Qt.ItemDataRole.UserRole
KIND_ROLE: Final = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


class MarkKind(StrEnum):
    """Which family of small marks: how firm a price is, a filling of the memory bar, an icon."""

    PRICE = "price"
    FILLING = "filling"
    ICON = "icon"


@dataclass(frozen=True, slots=True)
class Mark:
    """A small sign before words; it never carries a meaning alone. ``name`` belongs to its kind."""

    kind: MarkKind
    name: str
    role: str = "ink2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Words in a type role and an ink, a second line in small, and a mark before them."""

    words: str = ""
    note: str = ""
    type_role: str = "body"
    ink: str = "ink"
    mark: Mark | None = None

    @property
    def spoken(self) -> str:
        """Both lines as one."""
        return ". ".join(part for part in (self.words, self.note) if part)


class RowKind(StrEnum):
    """A line, a heading over the lines that follow, or the sum that closes them."""

    LINE = "line"
    GROUP = "group"
    TOTAL = "total"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row. A group has one cell that spans the table. ``key`` says what the row stands for."""

    cells: tuple[Cell, ...]
    kind: RowKind = RowKind.LINE
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column. Numbers stand right. A column with ``stretch`` takes what is left and wraps.

    Where the table is too narrow, columns fold into the second line of the first stretching column: those with
    the highest ``fold`` first, those with 0 never.
    """

    title: str = ""
    right: bool = False
    stretch: int = 0
    least_px: int = 0
    fold: int = 0


@dataclass(frozen=True, slots=True)
class Shares:
    """The width of each column (0 when folded) and which ones are folded."""

    widths: tuple[int, ...]
    folded: frozenset[int]


def share_width(columns: Sequence[Column], natural: Sequence[int], width: int) -> Shares:
    """Divide ``width``. ``natural`` is the width each column needs on one line, or the least of a stretching one."""
    folded = _folded(columns, natural, width)
    shown = [index for index in range(len(columns)) if index not in folded]
    needed = sum(natural[index] for index in shown)
    weights = sum(columns[index].stretch for index in shown) or len(shown)
    widths = [0] * len(columns)
    for index in shown:
        weight = columns[index].stretch if any(columns[i].stretch for i in shown) else 1
        widths[index] = natural[index] + int((width - needed) * weight / weights)
    _give_rest(widths, shown, columns, width)
    return Shares(tuple(widths), folded)


def _folded(columns: Sequence[Column], natural: Sequence[int], width: int) -> frozenset[int]:
    foldable = sorted((c.fold, i) for i, c in enumerate(columns) if c.fold)
    needed = sum(natural)
    folded: set[int] = set()
    while needed > width and foldable:
        _, index = foldable.pop()
        folded.add(index)
        needed -= natural[index]
    return frozenset(folded)


def _give_rest(widths: list[int], shown: Sequence[int], columns: Sequence[Column], width: int) -> None:
    """The pixels that rounding left over go to the first stretching column."""
    taker = next((index for index in shown if columns[index].stretch), shown[-1] if shown else None)
    if taker is not None:
        widths[taker] += width - sum(widths)


class TableModel(QAbstractTableModel):
    """Columns and rows of finished words. It is replaced as a whole, never edited."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[Column, ...] = ()
        self._rows: tuple[Row, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns."""
        return self._columns

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows."""
        return self._rows

    def set_table(self, columns: Sequence[Column], rows: Iterable[Row]) -> None:
        """Replace everything."""
        self.beginResetModel()
        self._columns = tuple(columns)
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """One row for each row of the table."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """One column for each column of the table."""
        return 0 if parent.isValid() else len(self._columns)

    def cell(self, row: int, column: int) -> Cell:
        """The cell at a place; a row may have fewer cells than the table has columns."""
        cells = self._rows[row].cells
        return cells[column] if column < len(cells) else Cell()

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Words, spoken words, alignment, the cell itself, the kind of the row."""
        if not index.isValid():
            return None
        cell = self.cell(index.row(), index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return cell.spoken
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(self._columns[index.column()])
        if role == CELL_ROLE:
            return cell
        return self._rows[index.row()].kind.value if role == KIND_ROLE else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles over the columns, aligned like them."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        return _alignment(self._columns[section]) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings cannot be selected."""
        if not index.isValid() or self._rows[index.row()].kind is RowKind.GROUP:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def as_text(self, rows: Iterable[int] | None = None) -> str:
        """Rows as tab-separated lines under the titles; without ``rows`` all of them."""
        wanted = range(len(self._rows)) if rows is None else rows
        lines = ["\t".join(column.title for column in self._columns)]
        lines += ["\t".join(_on_one_line(cell.spoken) for cell in self._rows[row].cells) for row in wanted]
        return "\n".join(lines)


def _alignment(column: Column) -> int:
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


def _on_one_line(words: str) -> str:
    return " ".join(words.split("\n")).replace("\t", " ")

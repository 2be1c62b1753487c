"""How a cell of a table is measured and painted."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kentino_configurator.ui import theme
from kentino_configurator.ui.views.models.table import Cell, RowKind, TableModel
from kentino_configurator.ui.views.parts.marks import paint_mark

PADDING_PX: Final = 12
ROW_PX: Final = 36
GROUP_PX: Final = 40
_MARK_PX: Final = 22
_WRAP: Final = int(Qt.TextFlag.TextWordWrap)
_ANY_HEIGHT: Final = 10_000


def type_role(cell: Cell, kind: RowKind) -> str:
    """Groups and sums are set strong."""
    if kind is RowKind.GROUP:
        return "small.strong"
    return "strong" if kind is RowKind.TOTAL else cell.type_role


def natural_width(model: TableModel, column: int) -> int:
    """The width a column needs on one line; a stretching one needs its longest word and its least width."""
    spec = model.columns[column]
    padding = 2 * theme.px(PADDING_PX)
    head = QFontMetrics(theme.font("small.label")).horizontalAdvance(spec.title) + padding + 2
    measure = _longest_word if spec.stretch else _one_line
    rows = [row for row in model.rows if row.kind is not RowKind.GROUP and column < len(row.cells)]
    cells = [measure(row.cells[column], row.kind) + padding for row in rows]
    return max(theme.px(spec.least_px), head, *cells) if cells else max(theme.px(spec.least_px), head)


def _one_line(cell: Cell, kind: RowKind) -> int:
    words = QFontMetrics(theme.font(type_role(cell, kind))).horizontalAdvance(cell.words)
    note = QFontMetrics(theme.font("small")).horizontalAdvance(cell.note)
    return max(words, note) + _mark_width(cell) + 2


def _longest_word(cell: Cell, kind: RowKind) -> int:
    metrics = QFontMetrics(theme.font(type_role(cell, kind)))
    return max(map(metrics.horizontalAdvance, cell.words.split()), default=0) + _mark_width(cell) + 2


def _mark_width(cell: Cell) -> int:
    return theme.px(_MARK_PX) if cell.mark else 0


def note_of(model: TableModel, row: int, column: int, folded: frozenset[int]) -> str:
    """The second line of a cell: its own note, and in the first stretching column what was folded away."""
    own = model.cell(row, column).note
    if column != _taker(model):
        return own
    parts = [_folded_words(model, row, index) for index in sorted(folded)]
    return " · ".join(part for part in (own, *parts) if part)


def _taker(model: TableModel) -> int:
    return next((index for index, column in enumerate(model.columns) if column.stretch), 0)


def _folded_words(model: TableModel, row: int, column: int) -> str:
    spoken = model.cell(row, column).spoken
    title = model.columns[column].title
    return f"{title}: {spoken}" if title and spoken else spoken


def cell_height(model: TableModel, row: int, column: int, width: int, folded: frozenset[int]) -> int:
    """Wrapped words, wrapped note and padding; at least a row's height."""
    kind, cell = model.rows[row].kind, model.cell(row, column)
    if kind is RowKind.GROUP:
        return theme.px(GROUP_PX)
    room = width - 2 * theme.px(PADDING_PX) - _mark_width(cell)
    words = _wrapped(cell.words, type_role(cell, kind), room)
    note = note_of(model, row, column, folded)
    below = _wrapped(note, "small", room) + theme.px(2) if note else 0
    return max(theme.px(ROW_PX), words + below + theme.px(18))


def _wrapped(words: str, role: str, width: int) -> int:
    if not words:
        return 0
    metrics = QFontMetrics(theme.font(role))
    return metrics.boundingRect(QRect(0, 0, max(width, 1), _ANY_HEIGHT), _WRAP, words).height()


class CellDelegate(QStyledItemDelegate):
    """Paints a cell: ground of a selected row, mark, words, note, hairline. ``folded`` columns are not shown."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self.folded: frozenset[int] = frozenset()

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """One cell."""
        model = index.model()
        assert isinstance(model, TableModel)
        kind = model.rows[index.row()].kind
        rect = QRect(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            self._paint_selected(painter, rect, index)
        self._paint_words(painter, rect, model, index)
        self._paint_rule(painter, rect, kind)
        painter.restore()

    def _paint_selected(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.fillRect(rect, theme.colour("tint"))
        if index.column() == self._first_shown():
            painter.fillRect(rect.left(), rect.top() + 3, 3, rect.height() - 6, theme.colour("accent"))
        if self._view.hasFocus() and self._view.currentIndex().row() == index.row():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawLine(rect.left(), rect.top() + 1, rect.right() + 1, rect.top() + 1)
            painter.drawLine(rect.left(), rect.bottom(), rect.right() + 1, rect.bottom())

    def _first_shown(self) -> int:
        return next(i for i in range(len(self.folded) + 1) if i not in self.folded)

    def _paint_words(
        self,
        painter: QPainter,
        rect: QRect,
        model: TableModel,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row, column = index.row(), index.column()
        cell, kind = model.cell(row, column), model.rows[row].kind
        padding = theme.px(PADDING_PX)
        place = rect.adjusted(padding, theme.px(9), -padding, 0)
        if kind is RowKind.GROUP:
            place.setTop(rect.top() + theme.px(16))
        if cell.mark is not None:
            line = QRectF(place.left(), place.top(), theme.px(14), theme.px(18))
            paint_mark(painter, cell.mark, line)
            place.setLeft(place.left() + theme.px(_MARK_PX))
        side = Qt.AlignmentFlag.AlignLeft if kind is RowKind.GROUP else _side(model, column)
        flags = _WRAP | int(side) | int(Qt.AlignmentFlag.AlignTop)
        place.setHeight(_ANY_HEIGHT)
        painter.setFont(theme.font(type_role(cell, kind)))
        painter.setPen(theme.colour("ink2" if kind is RowKind.GROUP else cell.ink))
        painter.drawText(place, flags, cell.words)
        self._paint_note(painter, place, note_of(model, row, column, self.folded), cell, flags)

    def _paint_note(self, painter: QPainter, place: QRect, note: str, cell: Cell, flags: int) -> None:
        if not note:
            return
        used = painter.boundingRect(place, flags, cell.words).height() + theme.px(2) if cell.words else 0
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink2"))
        painter.drawText(place.adjusted(0, used, 0, 0), flags, note)

    def _paint_rule(self, painter: QPainter, rect: QRect, kind: RowKind) -> None:
        role = "border" if kind is RowKind.GROUP else "line"
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.colour(role))
        if kind is RowKind.TOTAL:
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, theme.colour("ink"))


def _side(model: TableModel, column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignRight if model.columns[column].right else Qt.AlignmentFlag.AlignLeft

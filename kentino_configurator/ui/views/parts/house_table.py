"""The table of the house: as high as its rows, folding where it is narrow, copied with Ctrl+C."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QScrollArea, QSizePolicy, QTableView

from kentino_configurator.ui import theme
from kentino_configurator.ui.views.models.table import (
    Column,
    Row,
    RowKind,
    Shares,
    TableModel,
    share_width,
)
from kentino_configurator.ui.views.parts.table_cells import (
    PADDING_PX,
    CellDelegate,
    cell_height,
    natural_width,
)

HEAD_PX: Final = 32
LEAST_WIDTH_PX: Final = 200


class TableHead(QHeaderView):
    """Titles over a rule, padded like the cells below them."""

    def __init__(self, height: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFont(theme.font("small.label"))
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setSectionsClickable(False)
        self.setFixedHeight(height)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Ground, title, rule."""
        model = self.model()
        if model is None:
            return
        padding = theme.px(PADDING_PX)
        side = model.headerData(logicalIndex, self.orientation(), Qt.ItemDataRole.TextAlignmentRole)
        painter.fillRect(rect, theme.colour("surface"))
        painter.setFont(self.font())
        painter.setPen(theme.colour("ink3"))
        title = model.headerData(logicalIndex, self.orientation())
        painter.drawText(rect.adjusted(padding, 0, -padding, 0), side or 0, title or "")
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.colour("border"))


class HouseTable(QTableView):
    """Shows a table in full; the page around it scrolls. Enter and a click tell which row was meant."""

    activated_key = Signal(str)

    def __init__(self, name: str, *, head: bool = True) -> None:
        super().__init__()
        self._model = TableModel(self)
        self._shares: dict[int, Shares] = {}
        self._heights: dict[int, list[int]] = {}
        self._natural: tuple[int, ...] = ()
        self._head = head
        self.setAccessibleName(name)
        self.setModel(self._model)
        self._cells = CellDelegate(self)
        self.setItemDelegate(self._cells)
        self._dress()
        self.setHorizontalHeader(TableHead(self._head_height()))
        self.horizontalHeader().setVisible(head)
        self.activated.connect(self._tell)
        self.clicked.connect(self._tell)

    @property
    def table(self) -> TableModel:
        """The model behind it."""
        return self._model

    @property
    def folded(self) -> frozenset[int]:
        """Columns whose words stand in the second line now."""
        return self._cells.folded

    def set_table(self, columns: Sequence[Column], rows: Iterable[Row]) -> None:
        """Show another table."""
        self._model.set_table(columns, rows)
        self.clearSpans()
        for index, row in enumerate(self._model.rows):
            if row.kind is RowKind.GROUP and len(columns) > 1:
                self.setSpan(index, 0, 1, len(columns))
        self._natural = tuple(natural_width(self._model, i) for i in range(len(columns)))
        self._shares.clear()
        self._heights.clear()
        self._apply(self.viewport().width())
        self.updateGeometry()

    def copy(self) -> None:
        """Put the selected rows, or without a selection all, on the clipboard as tab-separated text."""
        selected = sorted({index.row() for index in self.selectedIndexes()})
        QGuiApplication.clipboard().setText(self._model.as_text(selected or None))

    def copy_all(self) -> None:
        """Put the whole table on the clipboard."""
        QGuiApplication.clipboard().setText(self._model.as_text())

    # ------------------------------------------------------------ looks

    def _dress(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFont(theme.font("body"))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)

    def _head_height(self) -> int:
        return theme.px(HEAD_PX) if self._head else 0

    # ------------------------------------------------------------ size

    def hasHeightForWidth(self) -> bool:
        """Words wrap and columns fold."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Head and all rows."""
        return self._head_height() + sum(self._row_heights(width)) + 1

    def sizeHint(self) -> QSize:
        """As wide as a page."""
        return QSize(theme.px(700), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Narrow, with everything folded."""
        return QSize(theme.px(LEAST_WIDTH_PX), self._head_height() + theme.px(36))

    def _shares_for(self, width: int) -> Shares:
        if width not in self._shares:
            self._shares[width] = share_width(self._model.columns, self._natural, width)
        return self._shares[width]

    def _row_heights(self, width: int) -> list[int]:
        if width not in self._heights:
            shares = self._shares_for(width)
            rows = range(len(self._model.rows))
            self._heights[width] = [self._row_height(row, shares, width) for row in rows]
        return self._heights[width]

    def _row_height(self, row: int, shares: Shares, width: int) -> int:
        if self._model.rows[row].kind is RowKind.GROUP:
            return cell_height(self._model, row, 0, width, frozenset())
        shown = [i for i in range(len(shares.widths)) if i not in shares.folded]
        return max(cell_height(self._model, row, i, shares.widths[i], shares.folded) for i in shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self._apply(self.viewport().width())
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _apply(self, width: int) -> None:
        shares = self._shares_for(width)
        self._cells.folded = shares.folded
        for index, share in enumerate(shares.widths):
            self.setColumnHidden(index, index in shares.folded)
            self.setColumnWidth(index, share)
        for row, height in enumerate(self._row_heights(width)):
            self.setRowHeight(row, height)

    # ------------------------------------------------------------ keys and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies, Home and End go to the first and last row; the rest is Qt's."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go_to_end(first=event.key() == Qt.Key.Key_Home)
        else:
            super().keyPressEvent(event)

    def _go_to_end(self, *, first: bool) -> None:
        lines = [i for i, row in enumerate(self._model.rows) if row.kind is not RowKind.GROUP]
        if lines:
            self.selectRow(lines[0 if first else -1])

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard begins at the first row."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and event.reason() is not Qt.FocusReason.MouseFocusReason:
            self._go_to_end(first=True)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, not the table."""
        event.ignore()

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Keep the current row in sight."""
        super().currentChanged(current, previous)
        page = self._page()
        content = page.widget() if page is not None else None
        if page is None or content is None or not current.isValid() or not self.hasFocus():
            return
        row = self.visualRect(current)
        place = self.viewport().mapTo(content, QPoint(0, row.center().y()))
        page.ensureVisible(0, place.y(), 0, row.height())

    def _page(self) -> QScrollArea | None:
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        return parent

    def _tell(self, index: QModelIndex) -> None:
        key = self._model.rows[index.row()].key
        if key:
            self.activated_key.emit(key)

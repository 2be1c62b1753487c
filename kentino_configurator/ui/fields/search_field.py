"""A choice among very many: type a part of a name, or open the list. Used for models, countries and GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QCompleter,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.field import WIDE_PX, Field, Frame, fill_row
from kentino_configurator.ui.fields.typed import bare_edit
from kentino_configurator.ui.widgets.button import IconButton

SEARCH_ROLE = int(Qt.ItemDataRole.UserRole) + 1
DETAIL_ROLE = int(Qt.ItemDataRole.UserRole) + 2
VISIBLE_ROWS = 8
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that can be found: its value, its name, a remark and other spellings."""

    value: Any
    name: str
    detail: str = ""
    spellings: tuple[str, ...] = ()


def normalised(text: str) -> str:
    """Letters and digits only, lower case: how names are compared while typing."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


class EntryModel(QAbstractListModel):
    """The entries as a list."""

    def __init__(self, entries: tuple[Entry, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = entries

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """One row for each entry."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Name, remark, or everything that is searched."""
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return entry.name
            case Qt.ItemDataRole.UserRole:
                return entry.value
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{entry.name}, {entry.detail}" if entry.detail else entry.name
            case _ if role == SEARCH_ROLE:
                return " ".join(normalised(text) for text in (entry.name, *entry.spellings))
            case _ if role == DETAIL_ROLE:
                return entry.detail
        return None


class _Found(QSortFilterProxyModel):
    """The entries that contain what was typed."""

    def __init__(self, source: EntryModel, parent: QObject) -> None:
        super().__init__(parent)
        self.setSourceModel(source)
        self._wanted = ""

    def search(self, text: str) -> None:
        """Keep entries that contain ``text``; empty keeps all."""
        self.beginFilterChange()
        self._wanted = normalised(text)
        self.endFilterChange()

    def filterAcceptsRow(self, source_row: int, source_parent: _Index) -> bool:
        """Whether the row contains what was typed."""
        index = self.sourceModel().index(source_row, 0, source_parent)
        return self._wanted in str(index.data(SEARCH_ROLE))


class _RowDelegate(QStyledItemDelegate):
    """Name at the left, remark at the right, tint under the chosen row."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """36 high."""
        return QSize(theme.px(200), theme.px(36))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Ground, name, remark."""
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.fillRect(rect, theme.colour("tint"))
        content = rect.adjusted(theme.px(12), 0, -theme.px(12), 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("body"))
        painter.setPen(theme.colour("ink"))
        name = str(index.data())
        painter.drawText(content, Qt.AlignmentFlag.AlignLeft | middle, name)
        used = QFontMetrics(theme.font("body")).horizontalAdvance(name) + theme.px(16)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink3"))
        rest = content.adjusted(used, 0, 0, 0)
        detail = painter.fontMetrics().elidedText(
            str(index.data(DETAIL_ROLE)), Qt.TextElideMode.ElideRight, rest.width()
        )
        painter.drawText(rest, Qt.AlignmentFlag.AlignRight | middle, detail)


class SearchField(Field):
    """A line that finds entries while typing. What is not in the list is handed over as typed."""

    def __init__(self, entries: tuple[Entry, ...], open_name: str, *, placeholder: str = "") -> None:
        super().__init__()
        self._entries = entries
        self._value: Any = None
        self._shown = ""
        self.edit = bare_edit()
        self.edit.setPlaceholderText(placeholder)
        self._open = IconButton("chevron-down", open_name, box_px=24)
        self._open.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._frame = Frame(self.edit, self._open)
        self._frame.set_padding(13, 0, 6, 0)
        self._frame.setMaximumWidth(theme.px(WIDE_PX))
        fill_row(self, self._frame).setAlignment(Qt.AlignmentFlag.AlignLeft)
        self._build_completer()
        self.edit.editingFinished.connect(self.flush)
        self._open.clicked.connect(self._open_all)

    def _build_completer(self) -> None:
        self._found = _Found(EntryModel(self._entries, self), self)
        self._completer = QCompleter(self._found, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(VISIBLE_ROWS)
        self._popup = popup = QListView()
        popup.setProperty("popup", True)
        popup.setMouseTracking(True)
        self._completer.setPopup(popup)
        popup.setItemDelegate(_RowDelegate(popup))
        popup.setAccessibleName(self._open.accessibleName())
        self._completer.setWidget(self.edit)
        self._completer.activated[QModelIndex].connect(self._take_index)  # type: ignore[index]
        self.edit.textEdited.connect(self._search)

    def _search(self, text: str) -> None:
        self._found.search(text)
        if self._found.rowCount():
            self._completer.complete(self.rect())
        else:
            self._popup.hide()

    def _open_all(self) -> None:
        self.edit.setFocus()
        self._found.search("")
        self._completer.complete(self.rect())

    def _take_index(self, index: QModelIndex) -> None:
        self._take(index.data(Qt.ItemDataRole.UserRole))

    def _take(self, value: Any) -> None:
        before = self._value
        self.show_value(value)
        if value != before:
            self.entered.emit(value)

    def show_value(self, value: Any) -> None:
        """Show the name of a value; a value that is not in the list is shown as it is."""
        being_typed = self.edit.hasFocus() and self.edit.text() != self._shown and value == self._value
        self._value = value
        entry = next((entry for entry in self._entries if entry.value == value), None)
        self._shown = entry.name if entry else str(value or "")
        if not being_typed:
            self.edit.setText(self._shown)
            self.edit.setCursorPosition(0)

    def set_invalid(self, invalid: bool) -> None:
        """Ring in the colour of a block."""
        self._frame.set_invalid(invalid)

    def focus_target(self) -> QWidget:
        """The line."""
        return self.edit

    def flush(self) -> None:
        """Take the entry that was typed in full, or hand over the text."""
        text = self.edit.text().strip()
        if text == self._shown or self._popup.isVisible():
            return
        match = self._matching(text)
        if match is not None:
            self._take(match.value)
        else:
            self._shown = text
            self._value = text
            self.entered.emit(text)

    def _matching(self, text: str) -> Entry | None:
        wanted = normalised(text)
        for entry in self._entries:
            if wanted in (normalised(entry.name), *map(normalised, entry.spellings)):
                return entry
        found = [entry for entry in self._entries if wanted and wanted in normalised(entry.name)]
        return found[0] if len(found) == 1 else None

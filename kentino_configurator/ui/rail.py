"""The list at the left: the questions as numbered steps, the result as views."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from kentino_configurator.ui import icons, theme
from kentino_configurator.ui.widgets.label import label, set_ground

WIDTH_PX = 232
ICONS_ONLY_PX = 64
ICONS_ONLY_GAP_PX = 12
_Index = QModelIndex | QPersistentModelIndex
_ITEM = Qt.ItemDataRole.UserRole


class Kind(StrEnum):
    """What a row of the rail is."""

    HEADING = "heading"
    STEP = "step"
    VIEW = "view"


@dataclass(frozen=True, slots=True, kw_only=True)
class RailItem:
    """One row. ``key`` names page or view; ``mark`` is the number of a step or the icon of a view.

    ``details`` stand under the title, as many as fit. ``badge_role`` colours the badge; a badge in ``warn`` or
    ``block`` carries the triangle or octagon.
    """

    kind: Kind
    title: str
    key: str = ""
    details: tuple[str, ...] = ()
    mark: str = ""
    done: bool = False
    problem: bool = False
    badge: str = ""
    badge_role: str = "ink3"

    @property
    def spoken(self) -> str:
        """Title, detail and badge in one line."""
        return ", ".join(part for part in (self.title, *self.details, self.badge) if part)


_HEIGHT_PX = {Kind.HEADING: 44, Kind.STEP: 48, Kind.VIEW: 32}
_BADGE_ICON = {"warn": "triangle-alert", "block": "octagon-alert"}


class RailModel(QAbstractListModel):
    """The rows."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._items: tuple[RailItem, ...] = ()

    def set_items(self, items: tuple[RailItem, ...]) -> None:
        """Replace the rows; rows of the same shape are only repainted, so the selection stays."""
        if [(item.kind, item.key) for item in items] == [(item.kind, item.key) for item in self._items]:
            self._items = items
            self.dataChanged.emit(self.index(0), self.index(len(items) - 1))
            return
        self.beginResetModel()
        self._items = items
        self.endResetModel()

    def row_of(self, key: str) -> int:
        """The row of a page or view, -1 when it is not there."""
        return next((row for row, item in enumerate(self._items) if item.key == key), -1)

    def item(self, row: int) -> RailItem:
        """The row's item."""
        return self._items[row]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """One row for each item."""
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, spoken text, or the item itself."""
        if not index.isValid():
            return None
        item = self._items[index.row()]
        if role == _ITEM:
            return item
        if role == Qt.ItemDataRole.DisplayRole:
            return item.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return item.spoken
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings cannot be chosen."""
        if index.isValid() and self._items[index.row()].kind is Kind.HEADING:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)


class _RailDelegate(QStyledItemDelegate):
    """Paints circles, ticks, icons, titles and badges."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.icons_only = False

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """44, 48 or 32 high."""
        item: RailItem = index.data(_ITEM)
        height = _HEIGHT_PX[item.kind]
        if self.icons_only and item.kind is Kind.HEADING:
            height = ICONS_ONLY_GAP_PX
        return QSize(theme.px(60), theme.px(height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        item: RailItem = index.data(_ITEM)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if item.kind is Kind.HEADING:
            self._paint_heading(painter, rect, item)
        else:
            here = bool(state & QStyle.StateFlag.State_Selected)
            self._paint_ground(painter, rect, state, here=here)
            if item.kind is Kind.STEP:
                self._paint_step(painter, rect, item, index, here=here)
            else:
                self._paint_view(painter, rect, item, here=here)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, item: RailItem) -> None:
        if self.icons_only:
            return
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink3"))
        line = QRect(theme.px(24), rect.top() + theme.px(17), rect.width(), theme.px(18))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, item.title)

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, *, here: bool) -> None:
        ground = QRectF(rect).adjusted(theme.px(12), 0, -theme.px(12), 0)
        if here:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("tint"))
            painter.drawRoundedRect(ground, theme.px(6), theme.px(6))
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(ground.adjusted(1, 1, -1, -1), theme.px(6), theme.px(6))

    def _centre_x(self, rect: QRect) -> float:
        return rect.width() / 2 if self.icons_only else theme.px(36)

    def _paint_step(
        self, painter: QPainter, rect: QRect, item: RailItem, index: _Index, *, here: bool
    ) -> None:
        centre = QPointF(self._centre_x(rect), rect.center().y() + 0.5)
        radius = theme.px(11)
        self._paint_connector(painter, rect, index, centre, radius)
        painter.setPen(QPen(theme.colour("border"), 1.25))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if here:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accentfill"))
        painter.drawEllipse(centre, radius - 0.6, radius - 0.6)
        place = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        inset = theme.px(5)
        sign = place.adjusted(inset, inset, -inset, -inset)
        if item.problem and not here:
            icons.paint(painter, "octagon-alert", sign, "block")
        elif item.done and not here:
            icons.paint(painter, "check", sign, "ink2")
        else:
            painter.setFont(theme.font("small.label"))
            painter.setPen(theme.colour("onaccent" if here else "ink2"))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, item.mark)
        if not self.icons_only:
            self._paint_step_words(painter, rect, item, here=here)

    def _paint_connector(
        self, painter: QPainter, rect: QRect, index: _Index, centre: QPointF, radius: int
    ) -> None:
        following = index.sibling(index.row() + 1, 0).data(_ITEM)
        before = index.sibling(index.row() - 1, 0).data(_ITEM)
        painter.setPen(QPen(theme.colour("line"), 2))
        gap = theme.px(3)
        if following and following.kind is Kind.STEP:
            painter.drawLine(
                QPointF(centre.x(), centre.y() + radius + gap), QPointF(centre.x(), rect.bottom())
            )
        if before and before.kind is Kind.STEP:
            painter.drawLine(QPointF(centre.x(), rect.top()), QPointF(centre.x(), centre.y() - radius - gap))

    def _paint_step_words(self, painter: QPainter, rect: QRect, item: RailItem, *, here: bool) -> None:
        left = theme.px(60)
        width = rect.width() - left - theme.px(18)
        middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("label"))
        painter.setPen(theme.colour("ink"))
        centre = rect.center().y() + 1
        title = QRect(left, centre - theme.px(17), width, theme.px(20))
        if not item.details:
            title.moveTop(centre - theme.px(10))
        painter.drawText(title, middle, item.title)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink2" if here else "ink3"))
        detail = fitting(item.details, painter.fontMetrics(), width)
        painter.drawText(QRect(left, centre, width, theme.px(18)), middle, detail)

    def _paint_view(self, painter: QPainter, rect: QRect, item: RailItem, *, here: bool) -> None:
        side = theme.px(16)
        place = QRectF(self._centre_x(rect) - side / 2, rect.center().y() - side / 2 + 0.5, side, side)
        icons.paint(painter, item.mark, place, "accent" if here else "ink2")
        if self.icons_only:
            return
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("label" if here else "body"))
        painter.setPen(theme.colour("ink" if here else "ink2"))
        words = rect.adjusted(theme.px(60), 0, -theme.px(28), 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | middle, item.title)
        if item.badge:
            self._paint_badge(painter, words, item)

    def _paint_badge(self, painter: QPainter, words: QRect, item: RailItem) -> None:
        painter.setFont(theme.font("small.label" if item.badge_role != "ink3" else "small"))
        painter.setPen(theme.colour(item.badge_role))
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, item.badge)
        sign = _BADGE_ICON.get(item.badge_role)
        if sign:
            side = theme.px(14)
            left = words.right() - painter.fontMetrics().horizontalAdvance(item.badge) - theme.px(24)
            icons.paint(
                painter, sign, QRectF(left, words.center().y() - side / 2 + 0.5, side, side), item.badge_role
            )


def fitting(parts: tuple[str, ...], metrics: QFontMetrics, width: int) -> str:
    """As many parts as fit on one line; of the first one as much as fits."""
    for count in range(len(parts), 1, -1):
        words = " · ".join(parts[:count])
        if metrics.horizontalAdvance(words) <= width:
            return words
    return metrics.elidedText(parts[0], Qt.TextElideMode.ElideRight, width) if parts else ""


class Rail(QWidget):
    """Steps and views in one list, the catalogue's version at the foot."""

    chosen = Signal(str)

    def __init__(self, list_name: str) -> None:
        super().__init__()
        set_ground(self, "bg")
        self._model = RailModel(self)
        self._delegate = _RailDelegate(self)
        self.list = QListView()
        self.list.setProperty("rail", True)
        self.list.setAccessibleName(list_name)
        self.list.setModel(self._model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._foot_main = label("", "small", "ink2", wrap=True)
        self._foot_detail = label("", "small", "ink3", wrap=True)
        self._lay_out()
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self._telling = True
        self.set_icons_only(False)

    def _lay_out(self) -> None:
        self._layout = layout = QVBoxLayout(self)
        layout.setSpacing(0)
        layout.addWidget(self.list, 1)
        for line in (self._foot_main, self._foot_detail):
            line.setContentsMargins(theme.px(24), 0, theme.px(12), 0)
            layout.addWidget(line)

    def set_items(self, items: tuple[RailItem, ...], current: str) -> None:
        """Show rows and mark the one that is open."""
        self._telling = False
        self._model.set_items(items)
        self._telling = True
        self.show_current(current)

    def show_current(self, key: str) -> None:
        """Mark a page or view as the open one without telling."""
        row = self._model.row_of(key)
        if row >= 0 and row != self.list.currentIndex().row():
            self._telling = False
            self.list.setCurrentIndex(self._model.index(row))
            self._telling = True

    def set_foot(self, main: str, detail: str) -> None:
        """Which catalogue is in use."""
        self._foot_main.setText(main)
        self._foot_detail.setText(detail)

    def set_icons_only(self, icons_only: bool) -> None:
        """Narrow windows show circles and icons; names come on focus and hover."""
        self._delegate.icons_only = icons_only
        self._layout.setContentsMargins(0, theme.px(7), 0, 0 if icons_only else theme.px(20))
        self.setFixedWidth(theme.px(ICONS_ONLY_PX if icons_only else WIDTH_PX))
        for line in (self._foot_main, self._foot_detail):
            line.setVisible(not icons_only)
        self.list.scheduleDelayedItemsLayout()

    def places(self) -> tuple[str, ...]:
        """Pages and views in order of appearance."""
        items = (self._model.item(row) for row in range(self._model.rowCount()))
        return tuple(item.key for item in items if item.key)

    def _on_current(self, current: QModelIndex) -> None:
        item = current.data(_ITEM)
        if not self._telling or item is None:
            return
        if self._delegate.icons_only and self.list.hasFocus():
            rect = self.list.visualRect(current)
            QToolTip.showText(self.list.viewport().mapToGlobal(QPoint(rect.right(), rect.top())), item.spoken)
        self.chosen.emit(item.key)

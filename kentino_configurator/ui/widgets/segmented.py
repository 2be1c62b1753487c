"""A choice between a few options: segments side by side, or rows when the words are long."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import icons, theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing to choose. ``reason`` says why it cannot be chosen; such an option stays visible."""

    value: Any
    words: str
    detail: str = ""
    reason: str = ""


_SIDE_PX = 20
_TICK_PX = 22
_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft)


class Segmented(QWidget):
    """One focusable control; arrow keys move, the chosen option has ring, tint and tick."""

    chosen = Signal(object)

    def __init__(self, options: tuple[Option, ...], value: Any = None) -> None:
        super().__init__()
        self._options = options
        self._value = value
        self._hover = -1
        self._name = ""
        self._heights: dict[int, int] = {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_name(self, name: str) -> None:
        """What is chosen here; spoken together with the chosen option."""
        self._name = name
        self._describe()

    def value(self) -> Any:
        """The value of the chosen option."""
        return self._value

    def set_value(self, value: Any) -> None:
        """Choose without telling."""
        self._value = value
        self._describe()
        self.update()

    def _describe(self) -> None:
        words = next((option.words for option in self._options if option.value == self._value), "")
        self.setAccessibleName(self._name)
        self.setAccessibleDescription(words)

    def _row_width(self) -> int:
        return sum(self._widths)

    @cached_property
    def _widths(self) -> list[int]:
        metrics = QFontMetrics(theme.font("label"))
        padding = theme.px(2 * _SIDE_PX + _TICK_PX)
        return [metrics.horizontalAdvance(option.words) + padding for option in self._options]

    def _stacked(self, width: int) -> bool:
        return self._row_width() > width

    def _row_height(self, option: Option, width: int) -> int:
        words = QFontMetrics(theme.font("label")).boundingRect(
            QRect(0, 0, max(1, width - theme.px(14 + _TICK_PX + 12)), 10_000), _WRAP, option.words
        )
        height = max(theme.px(36), words.height() + theme.px(18))
        return height + theme.px(16) if option.reason else height

    def sizeHint(self) -> QSize:
        """One row of segments, as far as the page allows."""
        width = min(self._row_width(), theme.px(416))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """A few words, stacked and wrapped."""
        return QSize(min(theme.px(200), self._row_width()), theme.px(36))

    def hasHeightForWidth(self) -> bool:
        """Long words are stacked."""
        return True

    def heightForWidth(self, width: int) -> int:
        """36, or the rows when stacked."""
        if not self._stacked(width):
            return theme.px(36)
        if width not in self._heights:
            self._heights[width] = sum(self._row_height(option, width) for option in self._options)
        return self._heights[width]

    def _cells(self) -> list[QRect]:
        return self._rows() if self._stacked(self.width()) else self._columns()

    def _rows(self) -> list[QRect]:
        cells, top = [], 0
        for option in self._options:
            height = self._row_height(option, self.width())
            cells.append(QRect(0, top, self.width(), height))
            top += height
        return cells

    def _columns(self) -> list[QRect]:
        widths = self._widths
        spare = self.width() - sum(widths)
        cells, left = [], 0.0
        for width in widths:
            right = left + width + spare / len(widths)
            cells.append(QRect(round(left), 0, round(right) - round(left), self.height()))
            left = right
        return cells

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame, separators, words, the chosen one on top."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = theme.px(6)
        painter.setPen(QPen(theme.colour("border"), 1))
        painter.setBrush(theme.colour("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        cells = self._cells()
        self._paint_separators(painter, cells)
        for index, cell in enumerate(cells):
            self._paint_option(painter, index, cell)

    def _paint_separators(self, painter: QPainter, cells: list[QRect]) -> None:
        painter.setPen(QPen(theme.colour("line"), 1))
        inset = theme.px(8)
        for before, after in pairwise(cells):
            if before.right() < after.left():
                painter.drawLine(after.left(), inset, after.left(), self.height() - inset)
            else:
                painter.drawLine(inset, after.top(), self.width() - inset, after.top())

    def _paint_option(self, painter: QPainter, index: int, cell: QRect) -> None:
        option = self._options[index]
        is_chosen = option.value == self._value
        if is_chosen:
            self._paint_chosen_ground(painter, cell)
        ink = "ink3" if option.reason else "ink" if is_chosen or index == self._hover else "ink2"
        stacked = self._stacked(self.width())
        painter.setFont(theme.font("label" if is_chosen else "body"))
        painter.setPen(theme.colour(ink))
        words = cell.adjusted(theme.px(14 + _TICK_PX), 0, -theme.px(12), 0) if stacked else cell
        if option.reason:
            words = words.adjusted(0, 0, 0, -theme.px(18))
        side = Qt.AlignmentFlag.AlignLeft if stacked else Qt.AlignmentFlag.AlignHCenter
        if is_chosen:
            words = self._paint_tick(painter, cell, words, option.words, stacked=stacked)
        wrap = Qt.TextFlag.TextWordWrap if stacked else Qt.TextFlag.TextSingleLine
        painter.drawText(words, int(side | Qt.AlignmentFlag.AlignVCenter | wrap), option.words)
        if option.reason:
            self._paint_reason(painter, words, option.reason)

    def _paint_chosen_ground(self, painter: QPainter, cell: QRect) -> None:
        painter.setPen(QPen(theme.colour("accent"), 3 if self.hasFocus() else 2))
        painter.setBrush(theme.colour("tint"))
        radius = theme.px(6)
        painter.drawRoundedRect(QRectF(cell).adjusted(1, 1, -1, -1), radius, radius)

    def _paint_tick(self, painter: QPainter, cell: QRect, words: QRect, text: str, *, stacked: bool) -> QRect:
        side = theme.px(14)
        if stacked:
            left = float(cell.left() + theme.px(12))
        else:
            length = painter.fontMetrics().horizontalAdvance(text)
            left = cell.center().x() - (length + theme.px(_TICK_PX - 4)) / 2
            words = words.adjusted(theme.px(_TICK_PX - 4), 0, 0, 0)
        icons.paint(painter, "check", QRectF(left, words.center().y() - side / 2 + 0.5, side, side), "accent")
        return words

    def _paint_reason(self, painter: QPainter, words: QRect, reason: str) -> None:
        painter.setFont(theme.font("small"))
        below = QRect(words.left(), words.bottom() - theme.px(4), self.width() - words.left(), theme.px(18))
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, reason)

    def _at(self, event: QMouseEvent) -> int:
        place = event.position().toPoint()
        return next((index for index, cell in enumerate(self._cells()) if cell.contains(place)), -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the option under the mouse."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._choose(self._at(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what would be chosen."""
        self._hover = self._at(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        self._hover = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys, Home and End move; everything else belongs to the page."""
        step = _STEPS.get(Qt.Key(event.key()))
        current = next((i for i, option in enumerate(self._options) if option.value == self._value), -1)
        if step is not None:
            self._choose_from(current, step)
        elif event.key() == Qt.Key.Key_Home:
            self._choose_from(-1, 1)
        elif event.key() == Qt.Key.Key_End:
            self._choose_from(len(self._options), -1)
        else:
            super().keyPressEvent(event)

    def _choose_from(self, current: int, step: int) -> None:
        index = current + step
        while 0 <= index < len(self._options) and self._options[index].reason:
            index += step
        self._choose(index)

    def _choose(self, index: int) -> None:
        if not 0 <= index < len(self._options) or self._options[index].reason:
            return
        value = self._options[index].value
        if value != self._value:
            self.set_value(value)
            self.chosen.emit(value)


_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}

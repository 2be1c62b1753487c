"""A row of a table that leads somewhere: name, value, where it comes from."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from kentino_configurator.ui import theme

NAME_SHARE = 0.42
VALUE_SHARE = 0.20
_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


class FactRow(QAbstractButton):
    """Words wrap, nothing is cut. Enter and Space follow the row."""

    def __init__(self, name: str, value: str, source: str) -> None:
        super().__init__()
        self._parts = (name, value, source)
        self.setText(name)
        self.setAccessibleName(f"{name}: {value}. {source}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Words wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """At least 36."""
        heights = [
            QFontMetrics(theme.font(role))
            .boundingRect(QRect(0, 0, cell.width(), 10_000), _WRAP, words)
            .height()
            for words, role, cell in zip(self._parts, _ROLES, self._cells(width), strict=True)
        ]
        return max(theme.px(36), max(heights) + theme.px(18))

    def sizeHint(self) -> QSize:
        """As wide as a page."""
        return QSize(theme.px(600), self.heightForWidth(theme.px(600)))

    def minimumSizeHint(self) -> QSize:
        """As wide as the narrowest page."""
        return QSize(theme.px(400), theme.px(36))

    def _cells(self, width: int) -> tuple[QRect, QRect, QRect]:
        gap = theme.px(16)
        name = round(width * NAME_SHARE) - gap
        value = round(width * VALUE_SHARE) - gap
        left = name + value + 2 * gap
        mark = theme.px(18)
        top = theme.px(9)
        return (
            QRect(0, top, name, 10_000),
            QRect(name + gap, top, value, 10_000),
            QRect(left + mark, top, width - left - mark, 10_000),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter follows; arrows move between rows."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground under the mouse, three cells, open dot, hairline."""
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), theme.colour("tint"))
        cells = self._cells(self.width())
        if self.underMouse() or self.hasFocus():
            cells = (cells[0].translated(theme.px(8), 0), *cells[1:])
        for words, role, ink, cell in zip(self._parts, _ROLES, _INKS, cells, strict=True):
            painter.setFont(theme.font(role))
            painter.setPen(theme.colour(ink))
            painter.drawText(cell, _WRAP, words)
        self._paint_dot(painter, cells[2].left() - theme.px(16))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -2))

    def _paint_dot(self, painter: QPainter, left: int) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("ink2"), 1.25))
        side = theme.px(7)
        painter.drawEllipse(left, theme.px(13), side, side)


_ROLES = ("body", "label", "small")
_INKS = ("ink", "ink", "ink2")

"""One row of "what would change this answer": name, value now, arrow, value then, what it becomes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import icons, theme


class LeverRow(QWidget):
    """One line when it fits, else what it becomes stands on a second line. Nothing is cut."""

    def __init__(self, name: str, now: str, at: str, becomes: str, *, last: bool) -> None:
        super().__init__()
        self._name, self._now, self._at, self._becomes = name, now, at, becomes
        self._last = last
        self.setAccessibleName(f"{name}: {now} → {at}: {becomes}")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Narrow panels need a second line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """38, or as many lines as the consequence needs."""
        if self._fits(width):
            return theme.px(38)
        return theme.px(38) + self._consequence_height(width)

    def _consequence_height(self, width: int) -> int:
        metrics = QFontMetrics(theme.font("small"))
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        return metrics.boundingRect(0, 0, width, 10_000, flags, self._becomes).height() + theme.px(4)

    def sizeHint(self) -> QSize:
        """As wide as the wide panel."""
        return QSize(theme.px(400), self.heightForWidth(theme.px(400)))

    def minimumSizeHint(self) -> QSize:
        """As wide as the narrow panel."""
        return QSize(theme.px(240), theme.px(38))

    def _arrow_left(self, width: int) -> int:
        body = QFontMetrics(theme.font("body"))
        wanted = body.horizontalAdvance(self._name) + body.horizontalAdvance(self._now) + theme.px(24)
        return min(max(theme.px(170), wanted), width - theme.px(80))

    def _fits(self, width: int) -> bool:
        strong = QFontMetrics(theme.font("strong"))
        used = self._arrow_left(width) + theme.px(24) + strong.horizontalAdvance(self._at) + theme.px(16)
        return used + QFontMetrics(theme.font("body")).horizontalAdvance(self._becomes) <= width

    def paintEvent(self, event: QPaintEvent) -> None:
        """Name, now, arrow, then, consequence, hairline."""
        painter = QPainter(self)
        line = QRectF(0, 0, self.width(), theme.px(36))
        arrow = self._arrow_left(self.width())
        self._text(painter, line, self._name, "body", "ink", Qt.AlignmentFlag.AlignLeft)
        before = QRectF(0, 0, arrow - theme.px(6), line.height())
        self._text(painter, before, self._now, "body", "ink2", Qt.AlignmentFlag.AlignRight)
        side = theme.px(14)
        icons.paint(painter, "arrow-right", QRectF(arrow, line.center().y() - side / 2, side, side), "ink2")
        after = line.adjusted(arrow + theme.px(22), 0, 0, 0)
        self._text(painter, after, self._at, "strong", "ink", Qt.AlignmentFlag.AlignLeft)
        if self._fits(self.width()):
            self._text(painter, line, self._becomes, "body", "ink2", Qt.AlignmentFlag.AlignRight)
        else:
            self._paint_consequence(painter)
        if not self._last:
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))

    def _paint_consequence(self, painter: QPainter) -> None:
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink2"))
        below = QRectF(0, theme.px(30), self.width(), self.height() - theme.px(32))
        painter.drawText(below, int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft), self._becomes)

    def _text(
        self, painter: QPainter, rect: QRectF, text: str, role: str, ink: str, side: Qt.AlignmentFlag
    ) -> None:
        painter.setFont(theme.font(role))
        painter.setPen(theme.colour(ink))
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, text)

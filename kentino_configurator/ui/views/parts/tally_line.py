"""Counts beside each other: mark, number, word. They wrap as whole pairs where it is narrow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.views.parts.marks import paint_mark
from kentino_configurator.ui.views.words.bom import Tally

_LINE_PX = 24
_GAP_PX = 26
_MARK_PX = 20


class TallyLine(QWidget):
    """Painted in one piece; its accessible name says all pairs."""

    def __init__(self, tallies: Sequence[Tally]) -> None:
        super().__init__()
        self._tallies = tuple(tallies)
        self.setAccessibleName(", ".join(f"{tally.count} {tally.words}" for tally in tallies))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Pairs wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As many lines as the pairs need."""
        return max((place.bottom() + 1 for place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        """All on one line."""
        width = sum(self._width(tally) + theme.px(_GAP_PX) for tally in self._tallies)
        return QSize(width, theme.px(_LINE_PX))

    def minimumSizeHint(self) -> QSize:
        """The longest pair."""
        return QSize(max(map(self._width, self._tallies), default=0), theme.px(_LINE_PX))

    def _width(self, tally: Tally) -> int:
        number = QFontMetrics(theme.font("small.strong")).horizontalAdvance(str(tally.count))
        words = QFontMetrics(theme.font("small")).horizontalAdvance(tally.words)
        return theme.px(_MARK_PX) + number + theme.px(5) + words + 2

    def _places(self, width: int) -> list[QRect]:
        places, left, top, line = [], 0, 0, theme.px(_LINE_PX)
        for tally in self._tallies:
            wide = self._width(tally)
            if left and left + wide > width:
                left, top = 0, top + line
            places.append(QRect(left, top, wide, line))
            left += wide + theme.px(_GAP_PX)
        return places

    def paintEvent(self, event: QPaintEvent) -> None:
        """All pairs."""
        painter = QPainter(self)
        spare = self.height() - self.heightForWidth(self.width())
        painter.translate(0, max(0, spare // 2))
        for tally, place in zip(self._tallies, self._places(self.width()), strict=True):
            self._paint_pair(painter, tally, place)

    def _paint_pair(self, painter: QPainter, tally: Tally, place: QRect) -> None:
        mark = QRectF(place.left(), place.top(), theme.px(14), place.height())
        paint_mark(painter, tally.mark, mark)
        words = place.adjusted(theme.px(_MARK_PX), 0, 0, 0)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("small.strong"))
        painter.setPen(theme.colour("ink" if tally.mark.role == "ink2" else tally.mark.role))
        painter.drawText(words, left, str(tally.count))
        number = painter.fontMetrics().horizontalAdvance(str(tally.count))
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink2"))
        painter.drawText(words.adjusted(number + theme.px(5), 0, 0, 0), left, tally.words)

"""The strip below the drawing that describes the chosen pair."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.topology_view.pair import PairWords

_PADDING_PX = 20


class PairStrip(QWidget):
    """Tinted ground with the accent bar; two lines, the figure at the right."""

    def __init__(self) -> None:
        super().__init__()
        self._words: PairWords | None = None
        self._hint = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_hint(self, hint: str) -> None:
        """Nothing is chosen: say what to do."""
        self._words, self._hint = None, hint
        self._announce(hint)

    def show_words(self, words: PairWords) -> None:
        """Describe a pair."""
        self._words = words
        self._announce(words.sentence)

    def _announce(self, sentence: str) -> None:
        self.setAccessibleName(sentence)
        self.setToolTip(sentence)
        self.update()

    def sizeHint(self) -> QSize:
        """Two lines."""
        return QSize(theme.px(320), theme.px(62))

    def minimumSizeHint(self) -> QSize:
        """The height is fixed, the width is not."""
        return QSize(theme.px(200), theme.px(62))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, bar, words."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("tint"))
        painter.fillRect(0, 0, 3, self.height(), theme.colour("accent"))
        pad = theme.px(_PADDING_PX)
        upper = QRectF(pad, theme.px(9), self.width() - 2 * pad, theme.px(22))
        lower = upper.translated(0, theme.px(22))
        if self._words is None:
            painter.setFont(theme.font("body"))
            painter.setPen(theme.colour("ink2"))
            room = QRectF(self.rect()).adjusted(pad, 0, -pad, 0)
            painter.drawText(room, int(_LEFT) | Qt.TextFlag.TextWordWrap, self._hint)
            return
        self._paint_words(painter, self._words, upper, lower)

    def _paint_words(self, painter: QPainter, words: PairWords, upper: QRectF, lower: QRectF) -> None:
        used_right = _text(painter, upper, words.rate, "strong", "ink", _RIGHT)
        used = _text(painter, upper, words.title, "strong", "ink", _LEFT) + theme.px(12)
        middle = upper.adjusted(used, 0, -used_right - theme.px(12), 0)
        _text(painter, middle, words.path, "body", "ink2", _LEFT)
        evidence = _text(painter, lower, words.evidence, "small", "ink2", _RIGHT)
        way = lower.adjusted(0, 0, -evidence - theme.px(12), 0)
        _text(painter, way, words.way, "small", "ink2", _LEFT)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _text(
    painter: QPainter, rect: QRectF, text: str, type_role: str, ink: str, flags: Qt.AlignmentFlag
) -> float:
    """Draw a line, shortened in the middle where it must be; returns its width."""
    font = theme.font(type_role)
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, max(0, int(rect.width())))
    painter.setFont(font)
    painter.setPen(theme.colour(ink))
    painter.drawText(rect, flags, shown)
    return float(metrics.horizontalAdvance(shown))

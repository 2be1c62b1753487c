"""A word in a small frame: filled for the chosen one, outlined for the rest."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import theme


class Tag(QWidget):
    """One or two words."""

    def __init__(self, words: str, *, filled: bool) -> None:
        super().__init__()
        self._words, self._filled = words, filled
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The words with 6 px at each side."""
        width = QFontMetrics(theme.font("micro.label")).horizontalAdvance(self._words)
        return QSize(width + theme.px(14), theme.px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame and words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = theme.px(4)
        if self._filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accentfill"))
        else:
            painter.setPen(QPen(theme.colour("border"), 1))
            painter.setBrush(theme.colour("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.setFont(theme.font("micro.label"))
        painter.setPen(theme.colour("onaccent" if self._filled else "ink"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._words)

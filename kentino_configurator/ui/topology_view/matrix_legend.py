"""What the colours of the matrix mean; the number in each cell says it without them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.ui import theme

_SWATCH_PX = 11


class MatrixLegend(QWidget):
    """Swatches with words, in as many lines as the width asks for."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[tuple[str, str], ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_entries(self, entries: tuple[tuple[str, str], ...]) -> None:
        """Colour role and words of each swatch."""
        self._entries = entries
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One line at the usual width."""
        return QSize(theme.px(300), self.heightForWidth(theme.px(340)))

    def heightForWidth(self, width: int) -> int:
        """Lines times their height."""
        places = self._places(width)
        return int(places[-1].bottom()) + 4 if places else 0

    def _places(self, width: int) -> list[QRectF]:
        metrics = QFontMetrics(theme.font("small"))
        line, gap, swatch = theme.px(20), theme.px(16), theme.px(_SWATCH_PX + 6)
        places: list[QRectF] = []
        x, y = 0.0, 0.0
        for _, words in self._entries:
            needed = swatch + metrics.horizontalAdvance(words)
            if x and x + needed > width:
                x, y = 0.0, y + line
            places.append(QRectF(x, y, needed, line))
            x += needed + gap
        return places

    def paintEvent(self, event: QPaintEvent) -> None:
        """Each swatch with its words."""
        painter = QPainter(self)
        painter.setFont(theme.font("small"))
        for (role, words), place in zip(self._entries, self._places(self.width()), strict=True):
            side = theme.px(_SWATCH_PX)
            swatch = QRectF(place.x() + 0.5, place.center().y() - side / 2, side, side)
            painter.fillRect(swatch, theme.colour(role))
            painter.setPen(QPen(theme.colour("border"), 1))
            painter.drawRect(swatch)
            painter.setPen(theme.colour("ink2"))
            text = place.adjusted(theme.px(_SWATCH_PX + 6), 0, 2, 0)
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, words)

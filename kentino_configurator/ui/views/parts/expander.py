"""Something that is opened when it is wanted."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from kentino_configurator.ui import icons, theme


class Toggle(QAbstractButton):
    """A chevron and a word. Right opens, Left closes, Space and Enter do either."""

    def __init__(self, text: str, *, open_: bool) -> None:
        super().__init__()
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setChecked(open_)
        self.setFont(theme.font("small.label"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Chevron and word."""
        width = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(width + theme.px(26), theme.px(24))

    def minimumSizeHint(self) -> QSize:
        """Never cut."""
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Like a row of a tree."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or (
            key in (Qt.Key.Key_Right, Qt.Key.Key_Left) and self.isChecked() is (key == Qt.Key.Key_Left)
        ):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Chevron, word, ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.px(14)
        place = QRectF(theme.px(2), (self.height() - side) / 2, side, side)
        icons.paint(painter, "chevron-down" if self.isChecked() else "chevron-right", place, "accent")
        painter.setFont(self.font())
        painter.setPen(theme.colour("accent"))
        words = self.rect().adjusted(theme.px(20), 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), theme.px(4), theme.px(4))


class Expander(QWidget):
    """A toggle with its content below."""

    opened = Signal(bool)

    def __init__(self, text: str, content: QWidget, *, open_: bool = False) -> None:
        super().__init__()
        self._content = content
        self.toggle = Toggle(text, open_=open_)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.px(4))
        rows.addWidget(self.toggle)
        rows.addWidget(content)
        content.setVisible(open_)
        self.toggle.toggled.connect(self._follow)

    def _follow(self, open_: bool) -> None:
        self._content.setVisible(open_)
        self.opened.emit(open_)

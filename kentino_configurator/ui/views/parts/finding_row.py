"""Findings by severity: a heading with the count, then each finding with its why and its way out."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from kentino_configurator.ui import icons, theme
from kentino_configurator.ui.views.parts.headings import column
from kentino_configurator.ui.views.words.decision import FindingPicture
from kentino_configurator.ui.widgets.label import label

INDENT_PX = 22
_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


class FindingHead(QAbstractButton):
    """What was found, in bold, and a chevron; opens the reason and the way out."""

    def __init__(self, title: str, spoken: str, *, open_: bool) -> None:
        super().__init__()
        self.setText(title)
        self.setAccessibleName(spoken)
        self.setCheckable(True)
        self.setChecked(open_)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """The title wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As many lines as the title needs."""
        metrics = QFontMetrics(theme.font("strong"))
        room = width - theme.px(INDENT_PX + 24)
        height = metrics.boundingRect(0, 0, max(room, 1), 10_000, _WRAP, self.text()).height()
        return height + theme.px(18)

    def sizeHint(self) -> QSize:
        """As wide as the side column."""
        return QSize(theme.px(360), self.heightForWidth(theme.px(360)))

    def minimumSizeHint(self) -> QSize:
        """Narrow; the title wraps."""
        return QSize(theme.px(200), theme.px(36))

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
        """Title, chevron, ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = self.rect().adjusted(theme.px(INDENT_PX), theme.px(10), -theme.px(24), 0)
        painter.setFont(theme.font("strong"))
        painter.setPen(theme.colour("ink"))
        painter.drawText(words, _WRAP, self.text())
        side = theme.px(14)
        place = QRectF(self.width() - side - theme.px(2), theme.px(12), side, side)
        icons.paint(painter, "chevron-down" if self.isChecked() else "chevron-right", place, "ink2")
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), theme.px(4), theme.px(4))


class FindingRow(QWidget):
    """One finding."""

    opened = Signal(str, bool)

    def __init__(self, picture: FindingPicture, *, open_: bool) -> None:
        super().__init__()
        self._key = picture.key
        self.head = FindingHead(picture.title, picture.spoken, open_=open_)
        self._detail = column(
            *(label(words, "small", "ink2", wrap=True) for words in picture.detail),
            spacing_px=3,
            margins_px=(INDENT_PX, 0, 24, 12),
        )
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.head)
        rows.addWidget(self._detail)
        self._detail.setVisible(open_)
        self.head.toggled.connect(self._follow)

    def _follow(self, open_: bool) -> None:
        self._detail.setVisible(open_)
        self.opened.emit(self._key, open_)

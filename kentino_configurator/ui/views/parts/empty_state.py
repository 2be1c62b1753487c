"""What stands where there is nothing to show: what the place is for, in a dashed frame."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.label import label


class EmptyState(QWidget):
    """A title and one sentence, and optionally the one action that fills the place."""

    def __init__(self, title: str, sentence: str, action: QWidget | None = None) -> None:
        super().__init__()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(*(theme.px(24),) * 4)
        rows.setSpacing(theme.px(4))
        rows.addWidget(label(title, "section", wrap=True))
        rows.addWidget(label(sentence, "body", "ink2", wrap=True))
        if action is not None:
            rows.addSpacing(theme.px(8))
            rows.addWidget(action)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("border"), 1, Qt.PenStyle.DashLine))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, theme.px(8), theme.px(8))

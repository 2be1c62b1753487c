"""A finding between the fields that cause it: what it costs and the ways out."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.icon_label import STATE_ICONS, IconLabel
from kentino_configurator.ui.widgets.label import label


class NoticeCard(QWidget):
    """A ground in the colour of the severity with a bar at its left edge; title, detail, links."""

    def __init__(self, role: str, title: str, detail: str = "", actions: tuple[Button, ...] = ()) -> None:
        super().__init__()
        self._role = role
        self.setAccessibleName(f"{title} {detail}".strip())
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        words = QVBoxLayout()
        words.setSpacing(theme.px(3))
        words.addWidget(label(title, "strong", wrap=True))
        if detail:
            words.addWidget(label(detail, "small", "ink2", wrap=True))
        if actions:
            words.addLayout(_links(actions))
        line = QHBoxLayout(self)
        line.setContentsMargins(theme.px(18), theme.px(12), theme.px(16), theme.px(12))
        line.setSpacing(theme.px(12))
        line.addWidget(IconLabel(STATE_ICONS[role], role, 16), 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(f"{self._role}bg"))
        painter.drawRoundedRect(QRectF(self.rect()), theme.px(6), theme.px(6))
        inset = theme.px(6)
        painter.fillRect(0, inset, theme.px(3), self.height() - 2 * inset, theme.colour(self._role))


def _links(actions: tuple[Button, ...]) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(theme.px(24))
    for action in actions:
        line.addWidget(action)
    line.addStretch(1)
    return line


def card_link(words: str) -> Button:
    """A way out inside a card."""
    return Button(words, ButtonKind.LINK, type_role="small.strong")

"""A scrolled column whose bar appears inside the right margin, so that nothing moves when it comes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget

from kentino_configurator.ui import theme

BAR_PX = 10


class ScrollColumn(QScrollArea):
    """Scrolls down only. The content keeps its width whether the bar is there or not."""

    def __init__(self, content: QWidget, layout: QLayout) -> None:
        super().__init__()
        self._layout = layout
        self._right = layout.contentsMargins().right()
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the bar its room out of the margin."""
        if watched is self.verticalScrollBar() and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            taken = theme.px(BAR_PX) if event.type() is QEvent.Type.Show else 0
            margins = self._layout.contentsMargins()
            margins.setRight(max(0, self._right - taken))
            self._layout.setContentsMargins(margins)
        return super().eventFilter(watched, event)

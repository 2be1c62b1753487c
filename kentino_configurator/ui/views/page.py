"""A view of running content: it scrolls down, keeps its place, and is filled anew for every answer."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.views.base import ResultView
from kentino_configurator.ui.widgets.scroll import ScrollColumn

SIDE_PX = 32
TOP_PX = 24


class ScrolledView(ResultView):
    """Subclasses make the content of one answer in ``body``."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Answer, Texts] | None = None
        self._body: QWidget | None = None
        self._content = QWidget()
        self._column = QVBoxLayout(self._content)
        side, top = theme.px(SIDE_PX), theme.px(TOP_PX)
        self._column.setContentsMargins(side, top, side, side)
        self._column.addStretch(1)
        self._scroll = ScrollColumn(self._content, self._column)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._scroll)

    def body(self, answer: Answer, texts: Texts) -> QWidget:
        """The content of an answer."""
        raise NotImplementedError

    def show_answer(self, answer: Answer, texts: Texts) -> None:
        """Fill the view, unless it shows this very answer already."""
        if self._shown is None or self._shown[0] is not answer or self._shown[1] is not texts:
            self._shown = (answer, texts)
            self._replace(self.body(answer, texts))

    def refresh(self) -> None:
        """Fill the view again, after something beside the answer changed."""
        if self._shown is not None:
            self._replace(self.body(*self._shown))

    def _replace(self, body: QWidget) -> None:
        """The page keeps its height until the new content has taken its own: so it keeps its place."""
        old, self._body = self._body, body
        self._content.setMinimumHeight(self._content.height() if old is not None else 0)
        self._column.insertWidget(0, body)
        if old is not None:
            self._column.removeWidget(old)
            old.hide()
            old.setParent(None)
            old.deleteLater()
            QTimer.singleShot(0, self, lambda: self._content.setMinimumHeight(0))

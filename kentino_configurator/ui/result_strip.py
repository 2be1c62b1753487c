"""The answer in one line, above a result view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.texts import Texts
from kentino_configurator.ui import result_words, theme
from kentino_configurator.ui.result_words import KeyFigure
from kentino_configurator.ui.widgets.label import label, set_ground

HEIGHT_PX = 72


class _Figure(QWidget):
    """Name above, value and remark below."""

    def __init__(self, figure: KeyFigure) -> None:
        super().__init__()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.px(3))
        rows.addWidget(label(figure.name, "small", "ink3"))
        line = QHBoxLayout()
        line.setSpacing(theme.px(7))
        line.addWidget(label(figure.value, "name"), 0, Qt.AlignmentFlag.AlignBaseline)
        line.addWidget(label(figure.remark, "small", "ink3"), 0, Qt.AlignmentFlag.AlignBaseline)
        line.addStretch(1)
        rows.addLayout(line)


class ResultStrip(QWidget):
    """Verdict and machine at the left, up to four figures at the right."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        set_ground(self, "panel")
        self.setFixedHeight(theme.px(HEIGHT_PX))
        self._verdict: QLabel = label("", "title")
        self._machine: QLabel = label("", "small", "ink2")
        left = QVBoxLayout()
        left.setSpacing(theme.px(2))
        left.addWidget(self._verdict)
        left.addWidget(self._machine)
        self._figures = QHBoxLayout()
        self._figures.setSpacing(theme.px(36))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(32), theme.px(10), theme.px(32), theme.px(12))
        layout.setSpacing(theme.px(24))
        layout.addLayout(left)
        layout.addStretch(1)
        layout.addLayout(self._figures)
        self._shown: tuple[KeyFigure, ...] = ()
        self._widgets: list[_Figure] = []

    def show_answer(self, answer: Answer) -> None:
        """Replace verdict and figures."""
        self._verdict.setText(result_words.verdict_words(answer, self._texts))
        self._machine.setText(result_words.short_layout(answer, self._texts))
        for widget in self._widgets:
            widget.setParent(None)
            widget.deleteLater()
        self._widgets = [_Figure(figure) for figure in result_words.key_figures(answer, self._texts)]
        for widget in self._widgets:
            self._figures.addWidget(widget)
        self._drop_what_does_not_fit()

    def resizeEvent(self, event: object) -> None:
        """Show as many figures as fit."""
        self._drop_what_does_not_fit()

    def _drop_what_does_not_fit(self) -> None:
        """The price and the first figures stay; middle ones go when the window is narrow."""
        left = max(self._verdict.sizeHint().width(), self._machine.sizeHint().width())
        room = self.width() - left - theme.px(2 * 32 + 24)
        order = [*self._widgets[-1:], *self._widgets[:-1]]
        for widget in order:
            room -= widget.sizeHint().width() + theme.px(36)
            widget.setVisible(room >= -theme.px(36))

"""Below a question page: what the origin marks mean, Back, and Continue, which is never dead."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.icon_label import StateLine
from kentino_configurator.ui.widgets.label import Hairline, label, set_ground
from kentino_configurator.ui.widgets.origin_mark import COMPUTED, CUSTOMER, DEFAULT, OriginMark

HEIGHT_PX = 68


class PageFoot(QWidget):
    """Legend at the left, or one line about what is not usable on this page; buttons at the right."""

    back_wanted = Signal()
    continue_wanted = Signal()

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        set_ground(self, "surface")
        self._legend = self._build_legend()
        self._problems = StateLine()
        self._problems.hide()
        self.back = Button(texts.say("w.foot.back"), ButtonKind.OUTLINE)
        self.go_on = Button("", ButtonKind.FILLED)
        self.back.clicked.connect(self.back_wanted)
        self.go_on.clicked.connect(self.continue_wanted)
        bar = QWidget()
        line = QHBoxLayout(bar)
        line.setContentsMargins(theme.px(40), 0, theme.px(32), 0)
        line.setSpacing(theme.px(8))
        line.addWidget(self._legend, 1000)
        line.addWidget(self._problems, 1000)
        line.addStretch(1)
        line.addWidget(self.back)
        line.addWidget(self.go_on)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(Hairline())
        rows.addWidget(bar, 1)
        self.setFixedHeight(theme.px(HEIGHT_PX) + 1)

    def _build_legend(self) -> QWidget:
        legend = QWidget()
        line = QHBoxLayout(legend)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.px(6))
        for origin in (CUSTOMER, DEFAULT, COMPUTED):
            line.addWidget(OriginMark(origin))
            line.addWidget(label(self._texts.say(f"w.foot.{origin}"), "small", "ink2"))
            line.addSpacing(theme.px(16))
        line.addStretch(1)
        return legend

    def follow(self, last_stop: QWidget) -> None:
        """Tab leads from the last field of a page to Back and Continue."""
        QWidget.setTabOrder(last_stop, self.back)
        QWidget.setTabOrder(self.back, self.go_on)

    def show_neighbours(self, before: str, after: str) -> None:
        """Names of the page before (empty on the first) and of what Continue leads to."""
        self.back.setVisible(bool(before))
        self.back.setAccessibleName(self._texts.say("w.foot.back_to", page=before))
        self.go_on.setText(self._texts.say("w.foot.continue", page=after))
        self.go_on.updateGeometry()
        self._fit_legend()

    @property
    def has_problems(self) -> bool:
        """Whether the line about problems is shown."""
        return not self._problems.isHidden()

    def show_problems(self, words: str) -> None:
        """One line about the page's problems instead of the legend; empty brings the legend back."""
        self._problems.show_state(words, "block")
        self._problems.setVisible(bool(words))
        self._fit_legend()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A legend that would be cut is left out."""
        self._fit_legend()

    def _fit_legend(self) -> None:
        taken = theme.px(40 + 32 + 3 * 8) + self.go_on.sizeHint().width() + self.back.sizeHint().width()
        fits = self._legend.sizeHint().width() + taken <= self.width()
        self._legend.setVisible(fits and not self.has_problems)

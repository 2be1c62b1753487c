"""The alternatives beside what is proposed: differences first, one axis in each row, the reasons last."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.views.base import ViewContext
from kentino_configurator.ui.views.page import SIDE_PX, ScrolledView
from kentino_configurator.ui.views.parts.compare_grid import LEAST_COLUMN_PX, NAMES_PX, CompareGrid
from kentino_configurator.ui.views.parts.empty_state import EmptyState
from kentino_configurator.ui.views.parts.headings import block_title, column, view_title
from kentino_configurator.ui.views.words import alternatives as words
from kentino_configurator.ui.views.words.candidates import (
    Candidate,
    OtherPicture,
    candidates,
    columns_for,
    others_than,
)
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.label import Hairline, label

MOST_COLUMNS = 4


class AlternativesView(ScrolledView):
    """As many columns as fit; the rest is listed below and can be shown beside."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._wanted: list[int] = []
        self._columns = MOST_COLUMNS

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or fewer columns."""
        super().resizeEvent(event)
        columns = _columns_in(event.size().width())
        if columns != self._columns:
            self._columns = columns
            self.refresh()

    def body(self, answer: Answer, texts: Texts) -> QWidget:
        """The columns, what is equal in all, and what has no column."""
        title = view_title(texts.say("w.view.alternatives"), texts.say("view.alternatives.lead"))
        shown = columns_for(candidates(answer), self._wanted, self._columns)
        others = others_than(shown, answer, texts)
        if not shown and not others:
            empty = EmptyState(texts.say("view.alternatives.none"), texts.say("view.none_why"))
            return column(title, empty, spacing_px=16)
        return column(title, *_compared(shown, answer, texts), *self._others(others, texts), spacing_px=24)

    def _others(self, others: tuple[OtherPicture, ...], texts: Texts) -> list[QWidget]:
        if not others:
            return []
        title = block_title(
            texts.say("view.alternatives.others"), texts.say("view.decision.what_would_change")
        )
        rows: list[QWidget] = [title]
        for picture in others:
            rows += [Hairline(), self._other(picture, texts)]
        return [column(*rows, spacing_px=8)]

    def _other(self, picture: OtherPicture, texts: Texts) -> QWidget:
        row = QWidget()
        grid = QGridLayout(row)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.px(16))
        grid.setColumnMinimumWidth(0, theme.px(NAMES_PX - 16))
        grid.setColumnStretch(1, 2)
        grid.setColumnStretch(2, 1)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(label(picture.name, "label", wrap=True), 0, 0, top)
        grid.addWidget(label(picture.why, "body", "ink2", wrap=True), 0, 1)
        change = label(picture.change, "body", "ink2", wrap=True)
        change.setAlignment(Qt.AlignmentFlag.AlignRight | top)
        grid.addWidget(change, 0, 2)
        if picture.index >= 0:
            beside = Button(texts.say("view.alternatives.beside"), ButtonKind.LINK, type_role="small.label")
            beside.setAccessibleName(f"{texts.say('view.alternatives.beside')}: {picture.name}")
            beside.clicked.connect(lambda: self._want(picture.index))
            grid.addWidget(beside, 1, 1, Qt.AlignmentFlag.AlignLeft)
        return row

    def _want(self, index: int) -> None:
        """The newest wish comes first, next to what is proposed."""
        self._wanted = [index, *(other for other in self._wanted if other != index)]
        self.refresh()


def _columns_in(width: int) -> int:
    room = width - 2 * theme.px(SIDE_PX) - theme.px(NAMES_PX)
    return max(1, min(MOST_COLUMNS, room // theme.px(LEAST_COLUMN_PX)))


def _compared(shown: tuple[Candidate, ...], answer: Answer, texts: Texts) -> list[QWidget]:
    if not shown:
        return []
    different, equal = words.rows(shown, texts)
    grid = CompareGrid(words.heads(shown, answer, texts), different)
    return [grid, *_same(equal, texts)]


def _same(equal: tuple[words.RowPicture, ...], texts: Texts) -> list[QWidget]:
    if not equal:
        return []
    count = texts.say("view.alternatives.same", count=len(equal))
    listed = label(words.equal_words(equal), "body", "ink2", wrap=True)
    return [column(Hairline(role="border"), label(count, "label"), listed, spacing_px=6)]

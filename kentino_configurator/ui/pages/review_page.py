"""The last page: every assumption with its value and source, the strongest first, and the note to the customer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator.core.request import Assumption
from kentino_configurator.ui import theme
from kentino_configurator.ui.pages.context import PageContext
from kentino_configurator.ui.pages.question_page import QuestionPage
from kentino_configurator.ui.pages.value_words import value_words
from kentino_configurator.ui.question_words import split_label
from kentino_configurator.ui.widgets.fact_row import NAME_SHARE, VALUE_SHARE, FactRow
from kentino_configurator.ui.widgets.label import Hairline, clear_layout, label
from kentino_configurator.ui.widgets.segmented import Option, Segmented
from kentino_configurator.wizard.assumptions import assumptions_of
from kentino_configurator.wizard.flow import question_at
from kentino_configurator.wizard.questions import Moves, Page

LOOKED_AT = "r_assumptions"
_STRENGTHS = tuple(reversed(Moves))


class ReviewPage(QuestionPage):
    """A page of questions whose first one is a table."""

    question_wanted = Signal(str, int)
    """Question and workload of an assumption that somebody wants to change."""

    def __init__(self, page: Page, context: PageContext) -> None:
        self._table: QWidget | None = None
        self._listed: tuple[Assumption, ...] = ()
        self._looked_at: Segmented | None = None
        super().__init__(page, context)

    def refresh(self) -> None:
        """Follow the answers; the table is built again only when an assumption changed."""
        super().refresh()
        assumptions = by_strength(assumptions_of(self._context.known))
        if assumptions != self._listed:
            self._listed = assumptions
            self._fill_table()
        if self._looked_at is not None:
            answered = self._context.session.answers.get("commercial.assumptions_reviewed")
            self._looked_at.set_value(answered is True)

    def _build_section(self, section_id: str, rows: QVBoxLayout) -> None:
        self._listed = ()
        self._table = QWidget()
        table = QVBoxLayout(self._table)
        table.setContentsMargins(0, theme.px(16), 0, 0)
        table.setSpacing(0)
        rows.addWidget(self._table)
        rows.addSpacing(theme.px(16))
        rows.addWidget(self._build_looked_at(), 0, Qt.AlignmentFlag.AlignLeft)
        questions = [q for q in self.page.questions if q.section == section_id and q.id != LOOKED_AT]
        heading = label(self._context.texts.say("w.review.note"), "section")
        self._add_section(rows, heading, questions, 0)

    def _build_looked_at(self) -> QWidget:
        texts = self._context.texts
        options = (
            Option(value=False, words=texts.say("w.review.not_looked")),
            Option(value=True, words=texts.say("w.review.looked")),
        )
        self._looked_at = Segmented(options, False)
        self._looked_at.set_name(texts.say("q.r_assumptions.label"))
        self._looked_at.chosen.connect(self._set_looked_at)
        return self._looked_at

    def _set_looked_at(self, looked: bool) -> None:
        session = self._context.session
        if looked:
            session.set_answer("commercial.assumptions_reviewed", True)
        else:
            session.clear_answer("commercial.assumptions_reviewed")

    def _fill_table(self) -> None:
        assert self._table is not None
        layout = self._table.layout()
        assert layout is not None
        clear_layout(layout)
        if not self._listed:
            layout.addWidget(label(self._context.texts.say("w.review.none"), "body", "ink2", wrap=True))
            return
        layout.addWidget(self._heads())
        layout.addWidget(Hairline(role="border"))
        for assumption in self._listed:
            row = self._row(assumption)
            if row is not None:
                layout.addWidget(row)

    def _heads(self) -> QWidget:
        heads = QWidget()
        line = QHBoxLayout(heads)
        line.setContentsMargins(0, 0, 0, theme.px(8))
        line.setSpacing(0)
        shares = {"question": NAME_SHARE, "value": VALUE_SHARE, "source": 1 - NAME_SHARE - VALUE_SHARE}
        for name, share in shares.items():
            head = label(self._context.texts.say(f"w.review.{name}"), "small.label", "ink3")
            line.addWidget(head, round(100 * share))
        return heads

    def focus_first(self) -> None:
        """The keyboard starts at the strongest assumption."""
        rows = self.findChildren(FactRow)
        if rows:
            rows[0].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().focus_first()

    def _row(self, assumption: Assumption) -> FactRow | None:
        found = question_at(assumption.field)
        if found is None:
            return None
        question, workload = found
        texts = self._context.texts
        name = split_label(texts.say(question.text("label")))[0]
        if self._context.known.workload_count > 1 and question.per_workload:
            name = texts.say("w.review.of_job", question=name, job=self._job_name(workload))
        value = value_words(question, assumption.value, self._context.snapshot, texts)
        row = FactRow(name, value, texts.say(assumption.origin or "origin.assumption"))
        row.clicked.connect(lambda: self.question_wanted.emit(question.id, workload))
        return row


def by_strength(assumptions: Sequence[Assumption]) -> tuple[Assumption, ...]:
    """Those that move the answer most come first; otherwise in the order of the questions."""
    order = {f"moves.{strength.value}": rank for rank, strength in enumerate(_STRENGTHS)}
    return tuple(sorted(assumptions, key=lambda assumption: order.get(assumption.moves, len(order))))

"""One page of questions: heading, sections, rows. Which rows are shown follows from the answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import Unit
from kentino_configurator.ui import theme
from kentino_configurator.ui.pages.context import PageContext
from kentino_configurator.ui.pages.field_factory import field_for
from kentino_configurator.ui.pages.notices import Notice
from kentino_configurator.ui.pages.question_row import QuestionRow
from kentino_configurator.ui.pages.row_state import TYPED
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.label import clear_layout, label, set_ground
from kentino_configurator.ui.widgets.notice_card import NoticeCard, card_link
from kentino_configurator.ui.widgets.scroll import ScrollColumn
from kentino_configurator.ui.widgets.segmented import Option, Segmented
from kentino_configurator.wizard.answering import add_workload, remove_workload, with_answer
from kentino_configurator.wizard.defaults import tokens_per_word, value_of
from kentino_configurator.wizard.flow import is_visible, workloads_of
from kentino_configurator.wizard.parsing import Alternative, Parsed, ParseProblem, parse
from kentino_configurator.wizard.questions import Page, Question, questionnaire

JOBS_SECTION = "jobs"
MOST_JOBS = 8
DRAFT_AFTER_MS = 250
LONGEST = "d_max_context"
LONG_SHARE = "d_long_share"
NEW_JOB = "batch"


@dataclass(frozen=True, slots=True)
class Place:
    """A question of one workload."""

    question: Question
    workload: int


@dataclass(slots=True)
class _Section:
    """Widgets of one section; the heading hides when no row is shown."""

    heading: QWidget
    rows: list[tuple[Place, QuestionRow]] = field(default_factory=list)


@dataclass(slots=True)
class _Cards:
    """The cards below a row, and what they show."""

    layout: QVBoxLayout
    notices: tuple[Notice, ...] = ()


class QuestionPage(QWidget):
    """A page of the questionnaire. Jobs are listed on the page that asks for them, elsewhere one is chosen."""

    changed = Signal()
    """Rows, their visibility or their problems may be different."""

    def __init__(self, page: Page, context: PageContext, *, expert: bool = False) -> None:
        super().__init__()
        self.page = page
        self._context = context
        self._expert = expert
        self._workload = 0
        self._sections: list[_Section] = []
        self._cards: dict[str, _Cards] = {}
        self._shape: tuple[Any, ...] = ()
        self._typed: tuple[Place, Any] | None = None
        self._draft_timer = QTimer(self)
        self._draft_timer.setSingleShot(True)
        self._draft_timer.setInterval(DRAFT_AFTER_MS)
        self._draft_timer.timeout.connect(self._keep_draft)
        set_ground(self, "surface")
        self._area: ScrollColumn | None = None
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self.refresh()
        QApplication.instance().focusChanged.connect(self._on_focus)  # type: ignore[union-attr]

    # ------------------------------------------------------------ reading

    def rows(self) -> Iterator[tuple[Place, QuestionRow]]:
        """The rows that are shown, from top to bottom."""
        for section in self._sections:
            for place, row in section.rows:
                if not row.isHidden():
                    yield place, row

    def problems(self) -> tuple[tuple[Place, QuestionRow], ...]:
        """The rows that hold something not usable."""
        return tuple((place, row) for place, row in self.rows() if row.problem)

    def last_stop(self) -> QWidget:
        """Where Tab leaves the page."""
        rows = [row for section in self._sections for _, row in section.rows]
        return rows[-1].last_stop if rows else self

    def focus_first(self) -> None:
        """Give the keyboard to the first field."""
        first = next((row for _, row in self.rows()), None)
        if first is not None:
            first.field.focus_target().setFocus(Qt.FocusReason.TabFocusReason)

    def focus_question(self, question_id: str, workload: int | None = None) -> bool:
        """Give the keyboard to a question of this page; false when it is not shown."""
        if workload is not None and workload != self._workload and self._tabs():
            self._choose_workload(workload)
        for place, row in self.rows():
            if place.question.id == question_id and (workload is None or place.workload in (workload, 0)):
                row.field.focus_target().setFocus(Qt.FocusReason.ShortcutFocusReason)
                if self._area:
                    self._area.ensureWidgetVisible(row, 0, theme.px(80))
                return True
        return False

    def flush(self) -> None:
        """Hand over what is typed but not yet handed over."""
        for _, row in self.rows():
            row.field.flush()

    # ------------------------------------------------------------ following the answers

    def refresh(self) -> None:
        """Follow the answers: build again when jobs came or went, else show values."""
        shape = (self._context.known.workload_count, tuple(self._tabs()), self._workload)
        if shape != self._shape:
            self._build()
            self._shape = (self._context.known.workload_count, tuple(self._tabs()), self._workload)
        self._show_states()

    def _show_states(self) -> None:
        for section in self._sections:
            shown = 0
            for place, row in section.rows:
                asked = self._is_asked(place)
                row.setVisible(asked)
                if asked:
                    row.show_state(self._context.state(place.question, place.workload))
                    shown += 1
            section.heading.setVisible(bool(shown))
        self._show_notices()
        self.changed.emit()

    def _show_notices(self) -> None:
        """Findings stand below the question that causes them; nothing is built anew that did not change."""
        found = self._context.notices()
        for question_id, cards in self._cards.items():
            notices = found.get(question_id, ())
            if notices != cards.notices:
                cards.notices = notices
                clear_layout(cards.layout)
                cards.layout.setContentsMargins(0, 0, 0, theme.px(16) if notices else 0)
                for notice in notices:
                    cards.layout.addWidget(self._card(question_id, notice))

    def _card(self, question_id: str, notice: Notice) -> NoticeCard:
        actions: tuple[Button, ...] = ()
        if question_id == LONGEST:
            share = questionnaire().by_id[LONG_SHARE]
            value = Quantity(share.offered, Unit.SHARE)
            link = card_link(self._context.texts.say("w.notice.long_share", share=value))
            link.clicked.connect(lambda: self._answer(Place(share, self._workload), share.offered))
            actions = (link,)
        return NoticeCard(notice.role, notice.title, notice.detail, actions)

    def _tabs(self) -> list[int]:
        """The workloads that this page asks about, when there is more than one to choose from."""
        known = self._context.known
        elsewhere = [q for q in self.page.questions if q.section != JOBS_SECTION]
        if known.workload_count < 2 or not any(question.per_workload for question in elsewhere):
            return []
        return list(workloads_of(known, self.page))

    def _is_asked(self, place: Place) -> bool:
        context = self._context
        return is_visible(
            context.known, place.question, place.workload, expert=self._expert, plan=context.plan
        )

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        tabs = self._tabs()
        if tabs and self._workload not in tabs:
            self._workload = tabs[0]
        if not tabs:
            self._workload = min(self._workload, self._context.known.workload_count - 1)
        column = QWidget()
        rows = QVBoxLayout(column)
        rows.setContentsMargins(theme.px(40), theme.px(30), theme.px(32), theme.px(32))
        rows.setSpacing(0)
        self._sections = []
        self._cards = {}
        self._build_head(rows, tabs)
        for section in self.page.sections:
            self._build_section(section, rows)
        rows.addStretch(1)
        self._replace_area(ScrollColumn(column, rows))

    def _replace_area(self, area: ScrollColumn) -> None:
        if self._area is not None:
            self._outer.removeWidget(self._area)
            self._area.setParent(None)
            self._area.deleteLater()
        self._area = area
        self._outer.addWidget(area)

    def _build_head(self, rows: QVBoxLayout, tabs: list[int]) -> None:
        texts = self._context.texts
        rows.addWidget(label(texts.say(f"page.{self.page.id}.question"), "question", wrap=True))
        rows.addSpacing(theme.px(3))
        rows.addWidget(label(texts.say("w.page.lead"), "body", "ink2", wrap=True))
        if len(tabs) > 1:
            rows.addSpacing(theme.px(16))
            rows.addWidget(self._build_tabs(tabs), 0, Qt.AlignmentFlag.AlignLeft)

    def _build_tabs(self, tabs: list[int]) -> Segmented:
        options = tuple(Option(value=workload, words=self._job_name(workload)) for workload in tabs)
        chooser = Segmented(options, self._workload)
        chooser.set_name(self._context.texts.say("w.job.which"))
        chooser.chosen.connect(self._choose_workload)
        return chooser

    def _job_name(self, workload: int) -> str:
        return str(value_of(self._context.known, "j_workload_name", workload))

    def _choose_workload(self, workload: int) -> None:
        self.flush()
        self._workload = workload
        self.refresh()

    def _build_section(self, section_id: str, rows: QVBoxLayout) -> None:
        questions = [question for question in self.page.questions if question.section == section_id]
        if section_id == JOBS_SECTION:
            for workload in range(self._context.known.workload_count):
                self._add_section(rows, self._job_heading(workload), questions, workload)
            self._add_job_button(rows)
            return
        words = self._context.texts.say(f"section.{section_id}.label")
        self._add_section(rows, label(words, "section"), questions, self._workload)

    def _add_section(
        self, rows: QVBoxLayout, heading: QWidget, questions: list[Question], workload: int
    ) -> None:
        section = _Section(heading=heading)
        heading.setContentsMargins(0, theme.px(18), 0, theme.px(10))
        rows.addWidget(heading)
        for question in questions:
            place = Place(question, workload if question.per_workload else 0)
            row = self._build_row(place)
            section.rows.append((place, row))
            rows.addWidget(row)
            self._add_cards(question.id, rows)
        self._sections.append(section)

    def _add_cards(self, question_id: str, rows: QVBoxLayout) -> None:
        """Room for cards below the first row of a question that findings speak of."""
        if question_id in self._cards:
            return
        layout = QVBoxLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        rows.addLayout(layout)
        self._cards[question_id] = _Cards(layout)

    def _job_heading(self, workload: int) -> QWidget:
        texts = self._context.texts
        if self._context.known.workload_count == 1:
            return label(texts.say("section.jobs.label"), "section")
        heading = QWidget()
        line = QHBoxLayout(heading)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.px(16))
        words = texts.say("w.job.number", number=workload + 1, name=self._job_name(workload))
        line.addWidget(label(words, "section"))
        remove = Button(texts.say("w.job.remove"), ButtonKind.LINK)
        remove.setAccessibleName(f"{texts.say('w.job.remove')}: {words}")
        remove.clicked.connect(lambda: self._remove_job(workload))
        line.addWidget(remove)
        line.addStretch(1)
        return heading

    def _add_job_button(self, rows: QVBoxLayout) -> None:
        if self._context.known.workload_count >= MOST_JOBS:
            return
        add = Button(self._context.texts.say("w.job.add"), ButtonKind.LINK, icon="plus")
        add.clicked.connect(self._add_job)
        rows.addSpacing(theme.px(8))
        rows.addWidget(add, 0, Qt.AlignmentFlag.AlignLeft)

    def _build_row(self, place: Place) -> QuestionRow:
        texts, question = self._context.texts, place.question
        widget = field_for(question, self._context.snapshot, texts)
        row = QuestionRow(texts.say(question.text("label")), self._help_words(question), widget, texts)
        row.setAccessibleIdentifier(f"{question.id}[{place.workload}]")
        row.entered.connect(lambda value: self._on_entered(place, row, value))
        row.typing.connect(lambda given: self._on_typing(place, given))
        row.reset_wanted.connect(lambda: self._reset(place, row))
        row.other_reading_wanted.connect(lambda value: self._answer(place, value))
        return row

    def _help_words(self, question: Question) -> str:
        return self._context.texts.say(question.text("help"))

    # ------------------------------------------------------------ taking answers

    def _on_entered(self, place: Place, row: QuestionRow, given: Any) -> None:
        if place.question.kind in TYPED:
            self._take_typed(place, row, given)
        else:
            self._answer(place, given)

    def _take_typed(self, place: Place, row: QuestionRow, given: Any) -> None:
        """Store what the text means; text that means nothing is stored as it is, so that it is not lost."""
        parsed = self._parsed(place, given)
        if isinstance(parsed, Parsed):
            self._answer(place, parsed.value)
            self._show_reading(row, parsed)
        else:
            self._answer(place, parsed.text)

    def _on_typing(self, place: Place, given: Any) -> None:
        """Text in a field that was not left yet survives a crash."""
        self._typed = (place, given)
        self._draft_timer.start()

    def _keep_draft(self) -> None:
        if self._typed is None:
            return
        place, given = self._typed
        parsed = self._parsed(place, given)
        value = parsed.value if isinstance(parsed, Parsed) else parsed.text
        session, known = self._context.session, self._context.known
        session.keep_draft(with_answer(known, session.answers, place.question, value, place.workload))

    def _parsed(self, place: Place, given: Any) -> Parsed | ParseProblem:
        text, unit = (given["amount"], given["unit"]) if isinstance(given, dict) else (given, "")
        return parse(
            place.question,
            text,
            tokens_per_word=tokens_per_word(self._context.known, place.workload),
            decimal_sign=self._context.texts.numbers.decimal_sign,
            amount_unit=unit,
        )

    def _show_reading(self, row: QuestionRow, parsed: Parsed) -> None:
        if parsed.understood is None:
            return
        texts = self._context.texts
        other = parsed.alternative
        words = texts.say("read.instead", value=other.words) if isinstance(other, Alternative) else ""
        row.show_reading(texts.say(parsed.understood), other.value if other else None, words)

    def _answer(self, place: Place, value: Any) -> None:
        session = self._context.session
        self._draft_timer.stop()
        answers = with_answer(self._context.known, session.answers, place.question, value, place.workload)
        merges = place.question.path(place.workload) if place.question.kind in TYPED else ""
        session.replace_answers(answers, merges)
        if answers is session.answers:
            self._show_states()

    def _reset(self, place: Place, row: QuestionRow) -> None:
        row.show_reading("")
        self._answer(place, ABSENT)
        row.field.focus_target().setFocus()

    def _add_job(self) -> None:
        session, known = self._context.session, self._context.known
        session.replace_answers(add_workload(known, session.answers, NEW_JOB))
        self.focus_question("j_job_kind", known.workload_count)

    def _remove_job(self, workload: int) -> None:
        session = self._context.session
        session.replace_answers(remove_workload(self._context.known, session.answers, workload))
        self.focus_first()

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        for _, row in self.rows():
            inside = now is not None and (now is row or row.isAncestorOf(now))
            row.set_focused(inside)
            if inside and self._area:
                self._area.ensureWidgetVisible(row, 0, theme.px(24))

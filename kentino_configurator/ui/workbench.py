"""A project open in the window: which page or view is shown, and how every part follows the session."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget

from kentino_configurator.core.answers import Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.project.document import with_copy_of_variant, with_variant_shown, without_variant
from kentino_configurator.texts import Texts
from kentino_configurator.ui import result_words
from kentino_configurator.ui.navigation import page_items, view_items
from kentino_configurator.ui.pages.context import PageContext
from kentino_configurator.ui.pages.expert_page import ExpertPage
from kentino_configurator.ui.pages.question_page import QuestionPage
from kentino_configurator.ui.pages.review_page import ReviewPage
from kentino_configurator.ui.places import EXPERT_ID, PAGE, VIEW, page_key, view_key
from kentino_configurator.ui.result_panel import ResultPanel, WeightLimits
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.top_bar import TopBar
from kentino_configurator.ui.views import VIEWS, ResultView, ViewContext, ViewSpec
from kentino_configurator.ui.widgets.variant_tabs import VariantWords
from kentino_configurator.ui.workspace import Workspace
from kentino_configurator.wizard.flow import question_at, visible_pages
from kentino_configurator.wizard.questions import Page, questionnaire

if TYPE_CHECKING:
    from kentino_configurator.answer.service import Evaluation

REVIEW_ID = "review"
ANNOUNCE_AFTER_MS = 1000
IDLE_MS = 300
SHOWN_VARIANT = "variant shown"


class Workbench(QWidget):
    """Navigation between pages and views. Pages and views are built when they are first shown."""

    shown = Signal(str)
    """The key of the page or view that is shown now."""

    def __init__(
        self,
        session: Session,
        snapshot: CatalogSnapshot,
        texts: Texts,
        project_menu: QMenu,
        views: Sequence[ViewSpec] = VIEWS,
    ) -> None:
        super().__init__()
        self._session = session
        self._texts = texts
        self._specs = tuple(views)
        self._pages: dict[str, QuestionPage] = {}
        self._views: dict[str, ResultView] = {}
        self._context = PageContext(session, snapshot, texts)
        self._view_context = ViewContext(session=session, snapshot=snapshot)
        self.top_bar = TopBar(texts, project_menu)
        self._panel = ResultPanel(texts, weight_limits(snapshot))
        self.space = Workspace(texts, self.top_bar, self._panel)
        self._current = ""
        self._verdicts: dict[str, str] = {}
        self._announcer = _Announcer(self)
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(IDLE_MS)
        self._idle.timeout.connect(self.build_ahead)
        self._lay_out(snapshot)
        self._connect()
        self._follow_answers(session.answers)
        if session.evaluation is not None:
            self._follow_answer(session.evaluation)

    def build_ahead(self) -> None:
        """Build one page that was not shown yet; the event loop calls it while nobody does anything."""
        for key in self.places():
            page_id = key.removeprefix(PAGE)
            if key.startswith(PAGE) and page_id not in self._pages:
                self._add_page(page_id)
                self._idle.start()
                return

    def _lay_out(self, snapshot: CatalogSnapshot) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.space)
        say = self._texts.say
        self.space.rail.set_foot(
            say("w.rail.catalogue", version=snapshot.version),
            say("w.rail.catalogue_date", date=short_date(snapshot.date, self._texts)),
        )

    def _connect(self) -> None:
        self.top_bar.variants.chosen.connect(self.show_variant)
        self.top_bar.variants.add_wanted.connect(self.add_variant)
        self.space.rail.chosen.connect(self.show_key)
        self.space.foot.back_wanted.connect(self.go_back)
        self.space.foot.continue_wanted.connect(self.go_on)
        self._panel.findings_wanted.connect(self.show_findings)
        self._panel.question_wanted.connect(self.show_question)
        self._panel.assumptions_wanted.connect(lambda: self.show_key(page_key(REVIEW_ID)))
        self._session.answers_changed.connect(self._follow_answers)
        self._session.answer_changed.connect(self._follow_answer)
        self._session.computing_changed.connect(self._panel.set_computing)
        self._session.evaluation_failed.connect(self._panel.show_failure)

    # ------------------------------------------------------------ where we are

    @property
    def current(self) -> str:
        """The key of the page or view that is shown."""
        return self._current

    @property
    def page(self) -> QuestionPage | None:
        """The page that is shown, ``None`` when it is a view."""
        return self._pages.get(self._current.removeprefix(PAGE)) if self._current.startswith(PAGE) else None

    @property
    def view(self) -> ResultView | None:
        """The view that is shown, ``None`` when it is a page."""
        return self._views.get(self._current.removeprefix(VIEW)) if self._current.startswith(VIEW) else None

    def places(self) -> tuple[str, ...]:
        """Every page and view in the order of the rail."""
        return self.space.rail.places()

    def show_key(self, key: str) -> None:
        """Show a page or a view."""
        if self.page is not None:
            self.page.flush()
        if key.startswith(VIEW):
            self._show_view(key.removeprefix(VIEW))
        else:
            self._show_page(key.removeprefix(PAGE))
        self.space.rail.show_current(key)
        self.shown.emit(key)

    def show_question(self, question_id: str, workload: int = 0) -> None:
        """Open the page of a question and give it the keyboard."""
        question = questionnaire().by_id[question_id]
        if self._current != page_key(EXPERT_ID):
            self.show_key(page_key(question.page))
        if self.page is not None:
            self.page.focus_question(question_id, workload)

    def add_variant(self) -> None:
        """Keep the present answers and go on with a copy of them."""
        if self.page is not None:
            self.page.flush()
        self._verdicts.setdefault(self._session.project.active_variant.name, "")
        self._session.replace_project(with_copy_of_variant(self._session.project))

    def show_variant(self, index: int) -> None:
        """Show another variant of the project."""
        if self.page is not None:
            self.page.flush()
        self._session.replace_project(with_variant_shown(self._session.project, index), SHOWN_VARIANT)

    def remove_variant(self) -> None:
        """Drop the variant that is shown; the last one stays."""
        project = self._session.project
        self._session.replace_project(without_variant(project, project.active))

    def show_findings(self) -> None:
        """Where open decisions are explained: the first view."""
        if self._specs:
            self.show_key(view_key(self._specs[0].id))

    def go_on(self) -> None:
        """Continue. A page with something not usable says so once and then lets go."""
        page = self.page
        if page is None:
            return
        page.flush()
        problems = page.problems()
        if problems and not self.space.foot.has_problems:
            self.space.foot.show_problems(problem_line(problems[0][1].title, len(problems), self._texts))
            problems[0][1].field.focus_target().setFocus()
            return
        self.show_key(self._neighbour(1))
        self._focus_page()

    def go_back(self) -> None:
        """The page before."""
        self.show_key(self._neighbour(-1))
        self._focus_page()

    def _focus_page(self) -> None:
        if self.page is not None:
            self.page.focus_first()

    def _neighbour(self, step: int) -> str:
        keys = list(self.places())
        if self._current not in keys:
            return keys[0]
        index = keys.index(self._current) + step
        return keys[max(0, min(index, len(keys) - 1))]

    # ------------------------------------------------------------ showing

    def _show_page(self, page_id: str) -> None:
        page = self._pages.get(page_id)
        if page is None:
            page = self._add_page(page_id)
        else:
            page.refresh()
        self._current = page_key(page_id)
        self.space.show_notice("")
        self.space.stack.setCurrentWidget(page)
        self.space.show_as_page(True)
        self._follow_page()

    def _add_page(self, page_id: str) -> QuestionPage:
        page = self._build_page(page_id)
        self._pages[page_id] = page
        self.space.stack.addWidget(page)
        return page

    def _build_page(self, page_id: str) -> QuestionPage:
        page: QuestionPage
        if page_id == EXPERT_ID:
            page = ExpertPage(self._context)
        elif page_id == REVIEW_ID:
            review = ReviewPage(questionnaire().page(page_id), self._context)
            review.question_wanted.connect(self.show_question)
            page = review
        else:
            page = QuestionPage(questionnaire().page(page_id), self._context)
        page.changed.connect(self._follow_page)
        return page

    def _show_view(self, view_id: str) -> None:
        view = self._views.get(view_id)
        if view is None:
            spec = next(spec for spec in self._specs if spec.id == view_id)
            view = spec.factory(self._view_context)
            view.question_wanted.connect(self.show_question)
            view.view_wanted.connect(lambda wanted: self.show_key(view_key(wanted)))
            self._views[view_id] = view
            self.space.stack.addWidget(view)
        self._current = view_key(view_id)
        self.space.stack.setCurrentWidget(view)
        self.space.show_as_page(False)
        self._render_view()

    def _render_view(self) -> None:
        evaluation = self._session.evaluation
        if evaluation is None or evaluation.answer is None:
            self.space.show_notice(self._texts.say("w.panel.nothing"))
            return
        self.space.show_notice("")
        self.space.strip.show_answer(evaluation.answer)
        if self.view is not None:
            self.view.show_answer(evaluation.answer, self._texts)

    # ------------------------------------------------------------ following the session

    def _follow_variants(self) -> None:
        project = self._session.project
        words = tuple(VariantWords(v.name, self._verdicts.get(v.name, "")) for v in project.variants)
        self.top_bar.show_variants(words, project.active)

    def _follow_answers(self, _answers: Answers) -> None:
        self._follow_variants()
        if self.page is not None:
            self.page.refresh()
        self._follow_rail()

    def _follow_answer(self, evaluation: Evaluation) -> None:
        if evaluation.answer is not None:
            self._panel.show_answer(evaluation.answer, complete=self._session.is_complete)
            verdict = result_words.verdict_words(evaluation.answer, self._texts)
            self._verdicts[self._session.project.active_variant.name] = verdict
            self._follow_variants()
            self._announcer.announce(self._texts.say("w.announce.verdict", verdict=verdict))
        if self.view is not None:
            self._render_view()
        if self.page is not None:
            self.page.refresh()
        self._follow_rail()
        self._idle.start()

    def _follow_rail(self) -> None:
        evaluation = self._session.evaluation
        problems = evaluation.problems if evaluation else ()
        answer = evaluation.answer if evaluation else None
        known = self._context.known
        steps = page_items(self._rail_pages(), known, problems, self._texts)
        self.space.rail.set_items((*steps, *view_items(self._specs, answer, self._texts)), self._current)
        if self._current.startswith(PAGE) and self._current not in (*self.places(), page_key(EXPERT_ID)):
            self.show_key(self.places()[0])

    def _rail_pages(self) -> tuple[Page, ...]:
        return visible_pages(self._context.known)

    def _follow_page(self) -> None:
        """Names on Back and Continue; the line about problems goes when there are none left."""
        page = self.page
        if page is None:
            return
        keys = self.places()
        index = keys.index(self._current) if self._current in keys else 0
        before = keys[index - 1] if index > 0 else ""
        after = keys[index + 1] if index + 1 < len(keys) else keys[-1]
        self.space.foot.show_neighbours(self._name(before), self._name(after))
        self.space.foot.follow(page.last_stop())
        if not page.problems():
            self.space.foot.show_problems("")

    def _name(self, key: str) -> str:
        if key.startswith(VIEW):
            return self._texts.say(f"w.view.{key.removeprefix(VIEW)}")
        return self._texts.say(f"page.{key.removeprefix(PAGE)}.label") if key else ""

    def cycle_focus(self) -> None:
        """The keyboard goes from the rail to the page and on to the answer."""
        page, panel = self.page, self._panel
        regions = [self.space.rail.list, *([page, panel] if page is not None else [self.view])]
        focused = QApplication.focusWidget()
        here = next(
            (i for i, r in enumerate(regions) if r and focused and (r is focused or r.isAncestorOf(focused))),
            -1,
        )
        following = regions[(here + 1) % len(regions)]
        if following is page and page is not None:
            page.focus_first()
        elif following is not None:
            _focus_inside(following)

    def problem_place(self, path: str) -> None:
        """Open the question at a path of the answers."""
        found = question_at(path)
        if found is not None:
            self.show_question(found[0].id, found[1])


def _focus_inside(region: QWidget) -> None:
    """Give the keyboard to a region: to itself if it takes it, else to the first widget in it that does."""
    takers = [region, *region.findChildren(QWidget)]
    for widget in takers:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled():
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


class _Announcer(QObject):
    """Tells assistive tools about a new verdict, politely and at most once a second."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent
        self._said = self._waiting = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(ANNOUNCE_AFTER_MS)
        self._timer.timeout.connect(self._speak)

    def announce(self, words: str) -> None:
        """Say these words unless they are what was said last."""
        self._waiting = words
        if words != self._said:
            self._timer.start()

    def _speak(self) -> None:
        if self._waiting != self._said:
            self._said = self._waiting
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._widget, self._said))


def weight_limits(snapshot: CatalogSnapshot) -> WeightLimits:
    """The two shares of the policy that judge the weights."""
    policy = snapshot.policy
    return WeightLimits(policy["weights.comfortable_share"], policy["weights.ceiling_share"])


def problem_line(first: str, count: int, texts: Texts) -> str:
    """One line about what is not usable on a page."""
    return texts.say("err.page_summary", count=count, first=first)


def short_date(iso_date: str, texts: Texts) -> str:
    """A date of the catalogue in words of the window; what is no date is shown as it is."""
    try:
        return texts.short_date(date.fromisoformat(iso_date))
    except ValueError:
        return iso_date

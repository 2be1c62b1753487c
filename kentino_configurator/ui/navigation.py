"""What the rail lists: pages with their state and answer in short, views with what is open in them."""

from __future__ import annotations

from collections.abc import Sequence

from kentino_configurator.core.answer import Answer
from kentino_configurator.texts import Texts
from kentino_configurator.ui.places import page_key, view_key
from kentino_configurator.ui.rail import Kind, RailItem
from kentino_configurator.ui.views import ViewSpec
from kentino_configurator.wizard.flow import PageState, page_state, short_answer
from kentino_configurator.wizard.known import Known
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.questions import Page


def page_items(
    pages: Sequence[Page], known: Known, problems: Sequence[Problem], texts: Texts
) -> tuple[RailItem, ...]:
    """Heading and one step for each page."""
    steps = [_step(number, page, known, problems, texts) for number, page in enumerate(pages, start=1)]
    return (RailItem(kind=Kind.HEADING, title=texts.say("w.rail.questions")), *steps)


def _step(number: int, page: Page, known: Known, problems: Sequence[Problem], texts: Texts) -> RailItem:
    state = page_state(known, page, problems)
    return RailItem(
        kind=Kind.STEP,
        title=texts.say(f"page.{page.id}.label"),
        key=page_key(page.id),
        details=tuple(texts.words(part) for part in short_answer(known, page)),
        mark=str(number),
        done=state is PageState.ANSWERED,
        problem=state is PageState.PROBLEMS,
    )


def view_items(specs: Sequence[ViewSpec], answer: Answer | None, texts: Texts) -> tuple[RailItem, ...]:
    """Heading and one row for each view; nothing when there are no views."""
    rows = [_view(spec, answer, texts) for spec in specs]
    return (RailItem(kind=Kind.HEADING, title=texts.say("w.rail.result")), *rows) if rows else ()


def _view(spec: ViewSpec, answer: Answer | None, texts: Texts) -> RailItem:
    badge = spec.badge(answer, texts) if answer is not None else None
    return RailItem(
        kind=Kind.VIEW,
        title=texts.say(f"w.view.{spec.id}"),
        key=view_key(spec.id),
        mark=spec.icon,
        badge=badge.words if badge else "",
        badge_role=badge.role if badge else "ink3",
    )

"""All questions on one page, for people who know what they want to say."""

from __future__ import annotations

from kentino_configurator.ui.pages.context import PageContext
from kentino_configurator.ui.pages.question_page import QuestionPage
from kentino_configurator.ui.places import EXPERT_ID
from kentino_configurator.wizard.questions import Page, questionnaire


class ExpertPage(QuestionPage):
    """The same rows over the same answers, the rarely asked ones included."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(all_questions(), context, expert=True)


def all_questions() -> Page:
    """One page with the sections of every page but the review."""
    pages = [page for page in questionnaire().pages if page.id != "review"]
    return Page(
        id=EXPERT_ID,
        shown_when="always",
        sections=tuple(section for page in pages for section in page.sections),
        questions=tuple(question for page in pages for question in page.questions),
    )

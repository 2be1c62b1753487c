"""What every page of questions needs: the session, the catalogue, the words, and what is known right now."""

from __future__ import annotations

from collections.abc import Mapping

from kentino_configurator.core.answers import Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.texts import Texts
from kentino_configurator.ui.pages.notices import Notice, notices_by_question
from kentino_configurator.ui.pages.row_state import RowState, by_path, row_state
from kentino_configurator.ui.session import Session
from kentino_configurator.wizard.flow import NO_PLAN, PlanFacts
from kentino_configurator.wizard.known import Known, know
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.questions import Question


class PageContext:
    """Reads the session's answers for the pages; works everything out once per change."""

    def __init__(self, session: Session, snapshot: CatalogSnapshot, texts: Texts) -> None:
        self.session = session
        self.snapshot = snapshot
        self.texts = texts
        self._read: Answers | None = None
        self._known: Known | None = None
        self._problems: Mapping[str, Problem] = {}

    @property
    def known(self) -> Known:
        """The usable part of the present answers."""
        answers = self.session.answers
        if self._known is None or self._read is not answers:
            self._known, problems = know(answers, self.snapshot)
            self._problems = by_path(problems)
            self._read = answers
        return self._known

    @property
    def plan(self) -> PlanFacts:
        """What the last answer adds to the questions."""
        evaluation = self.session.evaluation
        if evaluation is None or evaluation.answer is None:
            return NO_PLAN
        configuration = evaluation.answer.decision.configuration
        if configuration is None:
            return NO_PLAN
        return PlanFacts(
            geforce_offered=configuration.node.gpu.is_geforce and configuration.node.form == "rack",
            several_machines=configuration.nodes > 1,
        )

    def notices(self) -> dict[str, tuple[Notice, ...]]:
        """Cards by question id, of the last answer."""
        evaluation = self.session.evaluation
        if evaluation is None:
            return {}
        return notices_by_question(evaluation.answer, evaluation.problems, self.texts)

    def state(self, question: Question, workload: int) -> RowState:
        """What the row of a question shows now. Contradictions are known once the answer is there."""
        known = self.known
        evaluation = self.session.evaluation
        found = dict(self._problems)
        for problem in evaluation.problems if evaluation else ():
            found.setdefault(problem.path, problem)
        return row_state(question, workload, self.session.answers, known, found, self.texts)

"""One answer for every verdict, and views that show it outside of a window."""

from __future__ import annotations

from functools import cache
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from kentino_configurator.answer.service import Evaluation, Service
from kentino_configurator.core.answer import Answer
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.views import VIEWS, ResultView, ViewContext
from kentino_configurator.ui.workers import wait_for_all
from kentino_configurator.wizard.presets import load_preset

VERDICTS: Final = {
    "single_node": "assistant_200_employees",
    "single_node_int4": "team_671b_int4",
    "replicas": "growing_service",
    "multi_node": "production_405b",
    "refer_sxm": "pretrain_70b",
    "no_answer": "cannot_405b_office",
    "training": "lora_70b",
    "batch": "corpus_by_friday",
    "several": "university_lab",
}
VIEW_IDS: Final = tuple(spec.id for spec in VIEWS)
W = TypeVar("W", bound=QWidget)


@cache
def answer_of(service: Service, preset: str) -> Answer:
    """The whole answer to a preset, decided once in a test run."""
    answer = service.evaluate(load_preset(preset)).answer
    assert answer is not None
    return answer


class Stage:
    """Shows views with answers decided elsewhere; its own session has finished deciding."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._views: list[ResultView] = []
        self.session = Session(lambda _, *, quick=False: Evaluation(answer=None, problems=()))
        self.session.evaluate_now()

    def view(self, view_id: str, size: tuple[int, int] = (1200, 780)) -> ResultView:
        spec = next(spec for spec in VIEWS if spec.id == view_id)
        view = spec.factory(ViewContext(session=self.session, snapshot=self._service.snapshot))
        self._views.append(view)
        view.resize(*size)
        view.show()
        return view

    def show(
        self, view_id: str, preset: str, language: str = "en", size: tuple[int, int] = (1200, 780)
    ) -> ResultView:
        view = self.view(view_id, size)
        self.fill(view, preset, language)
        return view

    def fill(self, view: ResultView, preset: str, language: str = "en") -> Answer:
        answer = answer_of(self._service, preset)
        view.show_answer(answer, load_texts(language))
        settle()
        return answer

    def clear(self) -> None:
        """Let what runs in the background end, and take the views away for good: those that stay cost every test."""
        wait_for_all()
        settle()
        for view in self._views:
            view.close()
            view.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.session.close()


def settle() -> None:
    """Let layouts come to rest."""
    for _ in range(4):
        QApplication.processEvents()


def parts(view: QWidget, kind: type[W]) -> list[W]:
    """Visible widgets of a kind, in the order in which they were made."""
    return [widget for widget in view.findChildren(kind) if widget.isVisible()]

"""A dressed application, one catalogue, one engine and windows for the tests of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Evaluation, Service
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.answers import Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.settings import Preferences
from kentino_configurator.settings import Theme as Preference
from kentino_configurator.texts import Texts, load_texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.session import Session
from kentino_configurator.wizard.known import know
from tests.ui.samples import sample_answer
from tests.ui.views import Stage


def forget_changes(window: MainWindow) -> None:
    """A window that is closed by a test asks nothing."""
    window._flush()
    window.session._undo_stack.setClean()


OpenWindow = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> Iterator[None]:
    """Every test starts light, at 100 %."""
    if theme.active() is not theme.LIGHT or theme.px(100) != 100 or not qapp.styleSheet():
        theme.start(qapp, Preference.LIGHT)
    yield


@pytest.fixture(scope="session")
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


@pytest.fixture(scope="session")
def service(snapshot: CatalogSnapshot) -> Service:
    return Service(snapshot)


@pytest.fixture
def texts() -> Texts:
    return load_texts("en")


@pytest.fixture
def open_window(qtbot: QtBot, service: Service, tmp_path: object) -> Iterator[OpenWindow]:
    """Opens windows whose answer is the sample, ``answer``, or with ``real`` the engine's; closes their sessions."""
    opened: list[MainWindow] = []
    shown = [sample_answer()]

    def no_engine(answers: Answers, *, quick: bool = False) -> Evaluation:
        problems = know(answers, service.snapshot)[1]
        return Evaluation(answer=shown[0], problems=problems)

    def open_one(
        language: str = "en",
        size: tuple[int, int] = (1440, 900),
        *,
        real: bool = False,
        answer: Answer | None = None,
    ) -> MainWindow:
        shown[0] = answer or sample_answer()
        session = Session(service.evaluate if real else no_engine)
        window = MainWindow(session, Preferences(window_language=language))  # type: ignore[arg-type]
        qtbot.addWidget(window, before_close_func=forget_changes)
        window.resize(*size)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        window.show_catalogue(service.snapshot)
        opened.append(window)
        return window

    yield open_one
    for window in opened:
        window.session.close()


@pytest.fixture
def stage(service: Service) -> Iterator[Stage]:
    """Views outside of a window, taken away for good at the end."""
    stage = Stage(service)
    yield stage
    stage.clear()

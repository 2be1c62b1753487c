"""A dressed application, one catalogue, one engine and windows for the tests of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.settings import Preferences
from kentino_configurator.settings import Theme as Preference
from kentino_configurator.texts import Texts, load_texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.session import Session

OpenWindow = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> Iterator[None]:
    """Every test starts light, at 100 %."""
    theme.start(qapp, Preference.LIGHT)
    yield
    theme.start(qapp, Preference.LIGHT)


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
    """Opens windows that decide at once; their sessions are closed at the end."""
    opened: list[MainWindow] = []

    def open_one(language: str = "en", size: tuple[int, int] = (1440, 900)) -> MainWindow:
        window = MainWindow(Session(service.evaluate), Preferences(window_language=language))  # type: ignore[arg-type]
        qtbot.addWidget(window, before_close_func=lambda shown: shown.session.new())
        window.resize(*size)
        window.show()
        window.show_catalogue(service.snapshot)
        opened.append(window)
        return window

    yield open_one
    for window in opened:
        window.session.close()

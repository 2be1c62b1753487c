"""The composition root of the window: fonts, theme, session, window; the catalogue after the first paint."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from kentino_configurator import logs
from kentino_configurator.settings import Preferences, load_preferences
from kentino_configurator.ui import theme
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.workers import wait_for_all


def run(file: Path | None = None, catalog: Path | None = None) -> int:
    """Open the window, optionally with a project or request, and stay until it is closed."""
    logs.start_logging()
    preferences = load_preferences()
    app = dressed_application(preferences)
    window = MainWindow(Session(in_background=True), preferences)
    window.catalogue_wanted.connect(lambda: load_catalogue(window, catalog))
    window.show()
    QTimer.singleShot(0, lambda: _begin(window, file, catalog))
    code = app.exec()
    wait_for_all()
    return code


def dressed_application(preferences: Preferences) -> QApplication:
    """The application object with our font, palette and style sheet."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Kentino Configurator")
    theme.start(app, preferences.theme, preferences.text_scale_percent)
    return app


def load_catalogue(window: MainWindow, catalog: Path | None = None) -> None:
    """Give the window its catalogue and the session its engine; say so when that fails or another one is used."""
    from kentino_configurator.answer.service import Service
    from kentino_configurator.catalog.errors import CatalogError
    from kentino_configurator.catalog.last_good import open_last_good

    try:
        opened = open_last_good(catalog)
    except CatalogError as error:
        window.show_problem(window.texts.say("w.error.catalog"), str(error))
        return
    if opened.refusal:
        window.show_problem(window.texts.say("w.error.catalog_replaced"), opened.refusal)
    service = Service(opened.snapshot)
    window.show_catalogue(service.snapshot)
    window.session.set_evaluate(service.evaluate)


def take_pictures(folder: Path, preset: str, *, every_look: bool = False) -> list[Path]:
    """Pictures of every page and view of a preset, drawn without a screen; returns the files.

    ``every_look`` adds dark, the other languages, the smallest window and large text. The platform must have been
    chosen before: without a screen ``QT_QPA_PLATFORM`` has to be ``offscreen``.
    """
    from kentino_configurator.answer.service import Service
    from kentino_configurator.catalog.repository import load_snapshot
    from kentino_configurator.ui.screenshots import LOOKS, take

    return take(folder, Service(load_snapshot()), preset, LOOKS if every_look else LOOKS[:1])


def _begin(window: MainWindow, file: Path | None, catalog: Path | None) -> None:
    load_catalogue(window, catalog)
    if file is not None:
        window.open_file(file)

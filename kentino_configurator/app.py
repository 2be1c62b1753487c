"""The composition root of the window: fonts, theme, session, window; the catalogue after the first paint."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from kentino_configurator import logs
from kentino_configurator.screen import draw_in_memory_without_screen, has_screen
from kentino_configurator.settings import Preferences, load_preferences
from kentino_configurator.ui import theme
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.workers import wait_for_all

NO_SCREEN = 2


def run(file: Path | None = None, catalog: Path | None = None) -> int:
    """Open the window, optionally with a project or request, and stay until it is closed."""
    if not has_screen():
        print(
            "There is no screen to open the window on. Without one: kentino-configurator demo",
            file=sys.stderr,
        )
        return NO_SCREEN
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

    ``every_look`` adds dark, the other languages, the smallest window and large text.
    """
    from kentino_configurator.answer.service import Service
    from kentino_configurator.catalog.repository import load_snapshot
    from kentino_configurator.ui.screenshots import LOOKS, take

    draw_in_memory_without_screen()
    return take(folder, Service(load_snapshot()), preset, LOOKS if every_look else LOOKS[:1])


def open_and_close() -> str:
    """Open the window with its catalogue, paint it once and close it; returns the platform and the size it had."""
    draw_in_memory_without_screen()
    preferences = Preferences()
    app = dressed_application(preferences)
    window = MainWindow(Session(), preferences)
    window.show()
    load_catalogue(window)
    app.processEvents()
    picture = window.grab()
    window.session.close()
    window.hide()
    window.deleteLater()
    return f"{app.platformName()}, {picture.width()} x {picture.height()}"


def _begin(window: MainWindow, file: Path | None, catalog: Path | None) -> None:
    load_catalogue(window, catalog)
    if file is not None:
        window.open_file(file)

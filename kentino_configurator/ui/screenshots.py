"""Pictures of every page and view, drawn without a screen: for documents, and for people to look at."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QApplication, QWidget

from kentino_configurator.settings import Preferences
from kentino_configurator.settings import Theme as Preference
from kentino_configurator.ui import theme
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.places import EXPERT_ID, page_key
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.views.proposal import ProposalView

if TYPE_CHECKING:
    from kentino_configurator.answer.service import Service
    from kentino_configurator.ui.workbench import Workbench

DRAWN: Final = (1440, 900)
SMALLEST: Final = (1100, 640)
SETTLING: Final = 3
PRINTING_S: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One way the window can look."""

    name: str
    language: str = "en"
    scheme: Preference = Preference.LIGHT
    text_percent: int = 100
    size: tuple[int, int] = DRAWN


LOOKS: Final = (
    Look(name="light"),
    Look(name="dark", scheme=Preference.DARK),
    Look(name="pt", language="pt"),
    Look(name="cs", language="cs"),
    Look(name="small", size=SMALLEST),
    Look(name="150", text_percent=150, size=(2160, 1350)),
)


def take(folder: Path, service: Service, preset: str, looks: tuple[Look, ...] = LOOKS[:1]) -> list[Path]:
    """PNG files ``<look>-<page or view>.png`` of a preset in every look; returns the files."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    folder.mkdir(parents=True, exist_ok=True)
    files = [file for look in looks for file in _take_look(app, folder, service, preset, look)]
    theme.start(app, Preference.LIGHT)
    return files


def _take_look(app: QApplication, folder: Path, service: Service, preset: str, look: Look) -> list[Path]:
    theme.start(app, look.scheme, look.text_percent)
    preferences = Preferences(window_language=look.language, theme=look.scheme)  # type: ignore[arg-type]
    window = MainWindow(Session(service.evaluate), preferences)
    window.resize(*look.size)
    window.show()
    window.show_catalogue(service.snapshot)
    files = [_save(app, window, folder / f"{look.name}-start.png")]
    window.open_example(preset)
    window.session.evaluate_now()
    files += _take_workbench(app, window, folder, look)
    window.session.close()
    window.hide()
    window.deleteLater()
    return files


def _take_workbench(app: QApplication, window: MainWindow, folder: Path, look: Look) -> list[Path]:
    bench = window.workbench
    assert bench is not None
    files = []
    for key in (*bench.places(), page_key(EXPERT_ID)):
        bench.show_key(key)
        if bench.page is not None:
            bench.page.focus_first()
        _await_document(app, bench)
        files.append(_save(app, window, folder / f"{look.name}-{key.replace(':', '-')}.png"))
    return files


def _await_document(app: QApplication, bench: Workbench) -> None:
    """The proposal is printed in the background; its picture is of the pages, not of the waiting."""
    until = monotonic() + PRINTING_S
    while isinstance(bench.view, ProposalView) and bench.view.document is None and monotonic() < until:
        app.processEvents()
        sleep(0.02)


def _save(app: QApplication, window: QWidget, file: Path) -> Path:
    for _ in range(SETTLING):
        app.processEvents()
    window.grab().save(str(file))
    return file

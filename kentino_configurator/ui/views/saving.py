"""Saving a file from a view: ask where, write it whole, tell in place how it went."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from kentino_configurator.files import write_atomically
from kentino_configurator.settings import load_preferences
from kentino_configurator.texts import Texts
from kentino_configurator.ui.workers import Job, run_in_background

_log = logging.getLogger(__name__)


class FileSaver(QObject):
    """``told`` carries words and their colour role: ``ok`` when the file is there, ``block`` when it is not."""

    told = Signal(str, str)

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._job: Job | None = None

    def save(self, proposed: str, kind: str, make: Callable[[], bytes], texts: Texts) -> None:
        """Ask for a file of ``kind``; make its bytes in the background and put them there in one step."""
        folder = Path(load_preferences().last_folder or "")
        title = texts.say("view.save.title")
        chosen, _ = QFileDialog.getSaveFileName(self._owner, title, str(folder / proposed), kind)
        if chosen:
            self.save_to(_with_suffix(Path(chosen), Path(proposed).suffix), make, texts)

    def save_to(self, path: Path, make: Callable[[], bytes], texts: Texts) -> None:
        """The same without asking. The file is written even when the view goes away meanwhile."""
        self.told.emit(texts.say("view.save.writing", file=path.name), "ink2")
        self._job = run_in_background(
            lambda: write_atomically(path, make()),
            lambda _: self._told(texts.say("view.save.done", file=str(path)), "ok"),
            lambda error: self._failed(path, error, texts),
        )
        self.destroyed.connect(self._job.cancel)

    def _told(self, words: str, role: str) -> None:
        self._job = None
        self.told.emit(words, role)

    def _failed(self, path: Path, error: Exception, texts: Texts) -> None:
        if isinstance(error, OSError):
            reason = error.strerror or type(error).__name__
            self._told(texts.say("view.save.refused", file=str(path), reason=reason), "block")
            return
        _log.error("a file could not be made", exc_info=error)
        self._told(texts.say("view.save.broken", file=path.name), "block")


def _with_suffix(path: Path, suffix: str) -> Path:
    """A name typed without its ending gets it."""
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


def safe_name(title: str, fallback: str) -> str:
    """A title without what file systems refuse."""
    kept = "".join(sign for sign in title if sign.isalnum() or sign in " -_").strip()
    return kept or fallback

"""The one thing in the window that changes: the project, with undo, and the result that follows from it."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from kentino_configurator import __version__
from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.project.document import Project, new_project, timestamp, with_answers
from kentino_configurator.project.lock import Lock, Owner, acquire
from kentino_configurator.project.recovery import Recoverable, RecoverySession, discard, start_session
from kentino_configurator.project.store import load_project, save_project
from kentino_configurator.ui.workers import Job, run_in_background

if TYPE_CHECKING:
    from kentino_configurator.answer.service import Evaluation

UNDO_STEPS = 500
NOTICED_AFTER_MS = 300
COMPLETE_AFTER_MS = 200
_log = logging.getLogger(__name__)


class Evaluate(Protocol):
    """Answers to the whole answer. ``quick`` leaves out what takes long."""

    def __call__(self, answers: Answers, *, quick: bool = False) -> Evaluation:
        """Decide."""
        ...


def _single_shot(owner: QObject, milliseconds: int, call: Callable[[], None]) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(call)
    return timer


class _Change(QUndoCommand):
    """Swaps one state of the project for another. Consecutive edits of one field are one step."""

    def __init__(self, session: Session, before: Project, after: Project, field: str) -> None:
        super().__init__()
        self._session = session
        self._before = before
        self._after = after
        self._field = field

    def id(self) -> int:
        """Commands about one field may merge."""
        return 1 if self._field else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over a later edit of the same field; two edits that cancel out leave nothing."""
        if not isinstance(other, _Change) or other._field != self._field:
            return False
        self._after = other._after
        self.setObsolete(self._after == self._before)
        return True

    def undo(self) -> None:
        """Back to the state before."""
        self._session._put(self._before)

    def redo(self) -> None:
        """On to the state after."""
        self._session._put(self._after)


class Session(QObject):
    """Current project, undo stack, file, and the evaluation that follows on the next turn of the event loop."""

    answers_changed = Signal(object)
    """The new ``Answers``; sent for edits, undo, redo and another project."""
    answer_changed = Signal(object)
    """The new ``Evaluation``."""
    document_changed = Signal()
    """Name, variants, saved state, undo or redo became different."""

    computing_changed = Signal(bool)
    """A result is awaited longer than a person notices, or no longer."""
    evaluation_failed = Signal()
    """The engine broke; the last result stays."""

    def __init__(self, evaluate: Evaluate | None = None, *, in_background: bool = False) -> None:
        super().__init__()
        self._evaluate = evaluate
        self._in_background = in_background
        self._evaluation: Evaluation | None = None
        self._is_complete = False
        self._job: Job | None = None
        self._project = new_project()
        self._file: Path | None = None
        self._file_lock: Lock | None = None
        self._other_owner: Owner | None = None
        self._read_only = False
        self._saved_at: datetime.datetime | None = None
        self._recovery: RecoverySession | None = None
        self._draft: Answers | None = None
        self._undo_stack = QUndoStack(self)
        self._undo_stack.setUndoLimit(UNDO_STEPS)
        self._undo_stack.indexChanged.connect(self._on_step)
        self._soon = _single_shot(self, 0, self._settle)
        self._later = _single_shot(self, COMPLETE_AFTER_MS, lambda: self._compute(quick=False))
        self._patience = _single_shot(self, NOTICED_AFTER_MS, lambda: self.computing_changed.emit(True))

    # ------------------------------------------------------------ reading

    @property
    def project(self) -> Project:
        """The project as it would be saved now."""
        return self._project

    @property
    def answers(self) -> Answers:
        """What was answered so far in the variant shown."""
        return self._project.active_answers

    @property
    def evaluation(self) -> Evaluation | None:
        """The last result, ``None`` before there is one."""
        return self._evaluation

    @property
    def title(self) -> str:
        """The project's title, else the customer's name, else the file's name, else nothing."""
        customer = self.answers.get("customer.name")
        name = customer if isinstance(customer, str) else ""
        return self._project.title or name or (self._file.stem if self._file else "")

    @property
    def file(self) -> Path | None:
        """Where the project was opened or saved."""
        return self._file

    @property
    def read_only(self) -> bool:
        """Whether the file must not be overwritten: a newer format, or open in another window."""
        return self._read_only

    @property
    def other_owner(self) -> Owner | None:
        """Who else has the file open."""
        return self._other_owner

    @property
    def saved_at(self) -> datetime.datetime | None:
        """When the project was last saved to its file in this session, local time."""
        return self._saved_at

    @property
    def is_saved(self) -> bool:
        """Whether the file holds the present state; an untouched new project counts as saved."""
        return self._undo_stack.isClean()

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._undo_stack.canUndo()

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to take again."""
        return self._undo_stack.canRedo()

    # ------------------------------------------------------------ editing

    def set_answer(self, path: str, value: Any) -> None:
        """Answer a question (undoable). ``None`` means "no such requirement"."""
        self.replace_answers(self.answers.with_value(path, value), path)

    def clear_answer(self, path: str) -> None:
        """Back to "not answered": the default applies again (undoable)."""
        if self.answers.get(path) is not ABSENT:
            self.replace_answers(self.answers.without(path))

    def keep_draft(self, answers: Answers) -> None:
        """Keep what is being typed against a crash. It is no answer yet: nothing is decided, nothing to undo."""
        self._draft = answers
        self.autosave()

    def replace_answers(self, answers: Answers, field: str = "") -> None:
        """Any other edit as one undo step. Consecutive edits with the same non-empty ``field`` merge."""
        if answers.tree != self.answers.tree:
            self.replace_project(with_answers(self._project, answers), field)

    def replace_project(self, project: Project, field: str = "") -> None:
        """An edit of the project itself, such as another variant, as one undo step."""
        if project != self._project:
            self._undo_stack.push(_Change(self, self._project, project, field))

    def undo(self) -> None:
        """Take back one step."""
        self._undo_stack.undo()

    def redo(self) -> None:
        """Take one step again."""
        self._undo_stack.redo()

    def _on_step(self, _index: int) -> None:
        self.document_changed.emit()

    def _put(self, project: Project) -> None:
        self._project = project
        self._draft = None
        self._soon.start()
        self.answers_changed.emit(project.active_answers)

    # ------------------------------------------------------------ evaluating

    def set_evaluate(self, evaluate: Evaluate) -> None:
        """Give the session its engine (after the catalogue is loaded)."""
        self._evaluate = evaluate
        self._soon.start()

    @property
    def is_complete(self) -> bool:
        """Whether the last result holds everything, tipping points included."""
        return self._is_complete

    def evaluate_now(self) -> None:
        """Decide completely and tell, without waiting for the event loop: for tests and pictures."""
        if self._evaluate is not None:
            self._stop_computing()
            self._take(self._evaluate(self.answers), complete=True)

    def _settle(self) -> None:
        self.autosave()
        if self._in_background:
            self._compute(quick=True)
        else:
            self.evaluate_now()

    def _compute(self, *, quick: bool) -> None:
        """Decide in a thread: quickly after each change, completely once nothing changed for a moment."""
        evaluate, answers = self._evaluate, self.answers
        if evaluate is None:
            return
        self._stop_computing()
        self._patience.start()
        self._job = run_in_background(
            lambda: evaluate(answers, quick=quick),
            lambda evaluation: self._take(evaluation, complete=not quick),
            self._on_failure,
        )

    def _stop_computing(self) -> None:
        self._later.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _take(self, evaluation: Evaluation, *, complete: bool) -> None:
        self._job = None
        self._patience.stop()
        self._evaluation = evaluation
        self._is_complete = complete
        self.computing_changed.emit(False)
        self.answer_changed.emit(evaluation)
        if not complete:
            self._later.start()

    def _on_failure(self, error: Exception) -> None:
        _log.error("the engine broke", exc_info=error)
        self._job = None
        self._patience.stop()
        self.computing_changed.emit(False)
        self.evaluation_failed.emit()

    # ------------------------------------------------------------ files

    def new(self, answers: Answers | None = None, title: str = "") -> None:
        """Begin a new project."""
        self._adopt(new_project(answers, title))

    def open(self, path: Path) -> None:
        """Open a project file; raises ``ProjectError`` and then nothing has changed."""
        loaded = load_project(path)
        lock = acquire(path)
        self._adopt(loaded.project, path, lock)
        self._read_only = loaded.read_only or isinstance(lock, Owner)
        self.document_changed.emit()

    def recover(self, found: Recoverable) -> None:
        """Continue with the work of a window that ended without being closed."""
        lock = acquire(found.file) if found.file is not None else None
        self._adopt(found.project, found.file, lock)
        self._read_only = isinstance(lock, Owner)
        self._undo_stack.resetClean()
        discard(found)
        self.autosave()
        self.document_changed.emit()

    def save(self, path: Path | None = None) -> None:
        """Write the project to ``path`` or to its own file; raises ``ProjectError``."""
        target = path or self._file
        if target is None:
            raise ValueError("a project without a file needs a path")
        if target != self._file:
            self._change_file(target)
        save_project(self._stamped(), target)
        self._saved_at = datetime.datetime.now()
        self._undo_stack.setClean()
        self.document_changed.emit()

    def autosave(self) -> None:
        """Keep the present state against a crash. Nothing is written before the first change."""
        if self.is_saved and self._recovery is None and self._draft is None:
            return
        if self._recovery is None:
            self._recovery = start_session()
        project = self._project if self._draft is None else with_answers(self._project, self._draft)
        self._recovery.write(project, self._file)

    def close(self) -> None:
        """The window is closed normally: give locks up, remove what was kept against a crash."""
        self._soon.stop()
        self._patience.stop()
        self._stop_computing()
        self._release()

    def _adopt(self, project: Project, file: Path | None = None, lock: Lock | Owner | None = None) -> None:
        self._release()
        self._file = file
        self._file_lock = lock if isinstance(lock, Lock) else None
        self._other_owner = lock if isinstance(lock, Owner) else None
        self._read_only = False
        self._saved_at = None
        self._undo_stack.clear()
        self._put(project)
        self.document_changed.emit()

    def _release(self) -> None:
        if self._file_lock is not None:
            self._file_lock.release()
        if self._recovery is not None:
            self._recovery.close()
        self._file_lock = self._recovery = None

    def _change_file(self, path: Path) -> None:
        if self._file_lock is not None:
            self._file_lock.release()
        lock = acquire(path)
        self._file_lock = lock if isinstance(lock, Lock) else None
        self._other_owner = lock if isinstance(lock, Owner) else None
        self._file = path
        self._read_only = False

    def _stamped(self) -> Project:
        """The project with the time and with the catalogue of its result."""
        project = replace(self._project, modified=timestamp(), app_version=__version__)
        answer = None if self._evaluation is None else self._evaluation.answer
        if answer is None:
            return project
        return replace(project, catalog_version=answer.catalog_version, catalog_sha256=answer.catalog_sha256)

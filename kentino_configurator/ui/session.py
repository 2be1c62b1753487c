"""The one thing in the window that changes: the answers, with undo, and the result that follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from kentino_configurator.core.answers import ABSENT, Answers

if TYPE_CHECKING:
    from kentino_configurator.answer.service import Evaluation

EMPTY = Answers({})


class Evaluate(Protocol):
    """Answers to the whole answer. ``quick`` leaves out what takes long (tipping points)."""

    def __call__(self, answers: Answers, *, quick: bool = False) -> Evaluation:
        """Decide."""
        ...


class _Change(QUndoCommand):
    """Swaps one state of the answers for another. Consecutive edits of one field are one step."""

    def __init__(self, session: Session, before: Answers, after: Answers, field: str) -> None:
        super().__init__()
        self._session = session
        self._before = before
        self._after = after
        self._field = field

    def id(self) -> int:
        """Commands of this kind may merge."""
        return 1 if self._field else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over a later edit of the same field; two edits that cancel out leave nothing."""
        if not isinstance(other, _Change) or other._field != self._field:
            return False
        self._after = other._after
        self.setObsolete(self._after.tree == self._before.tree)
        return True

    def undo(self) -> None:
        """Back to the answers before."""
        self._session._put(self._before)

    def redo(self) -> None:
        """On to the answers after."""
        self._session._put(self._after)


class Session(QObject):
    """Current answers and project, undo stack, and the evaluation that follows on the next turn of the event loop."""

    answers_changed = Signal(object)
    """The new ``Answers``; sent for edits, undo, redo and a newly opened project."""
    answer_changed = Signal(object)
    """The new ``Evaluation``."""
    document_changed = Signal()
    """Name, saved state, undo or redo became different."""

    def __init__(self, evaluate: Evaluate | None = None) -> None:
        super().__init__()
        self._evaluate = evaluate
        self._answers = EMPTY
        self._evaluation: Evaluation | None = None
        self.undo_stack = QUndoStack(self)
        self.undo_stack.indexChanged.connect(self._on_step)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.evaluate_now)

    # ------------------------------------------------------------ reading

    @property
    def answers(self) -> Answers:
        """What was answered so far."""
        return self._answers

    @property
    def evaluation(self) -> Evaluation | None:
        """The last result, ``None`` before the catalogue is loaded."""
        return self._evaluation

    # ------------------------------------------------------------ editing

    def set_answer(self, path: str, value: Any) -> None:
        """Answer a question (undoable). ``None`` means "no such requirement"."""
        if self._answers.get(path) != value or self._answers.get(path) is ABSENT:
            self.replace_answers(self._answers.with_value(path, value), path)

    def clear_answer(self, path: str) -> None:
        """Back to "not answered": the default applies again (undoable)."""
        if self._answers.get(path) is not ABSENT:
            self.replace_answers(self._answers.without(path), "")

    def replace_answers(self, answers: Answers, field: str = "") -> None:
        """Any other edit as one undo step. Edits with the same non-empty ``field`` merge."""
        if answers.tree != self._answers.tree:
            self.undo_stack.push(_Change(self, self._answers, answers, field))

    def end_edit(self) -> None:
        """The next edit of the same field is a step of its own."""

    def _on_step(self, _index: int) -> None:
        self.document_changed.emit()

    def _put(self, answers: Answers) -> None:
        self._answers = answers
        self.answers_changed.emit(answers)
        self._soon.start()

    # ------------------------------------------------------------ evaluating

    def set_evaluate(self, evaluate: Evaluate) -> None:
        """Give the session its engine (after the catalogue is loaded) and evaluate."""
        self._evaluate = evaluate
        self._soon.start()

    def evaluate_now(self) -> None:
        """Decide and tell. Called by the event loop after each change; tests may call it directly."""
        self._soon.stop()
        if self._evaluate is None:
            return
        self._evaluation = self._evaluate(self._answers)
        self.answer_changed.emit(self._evaluation)

"""The whole threading of the window: run a function in the background, get its result in the event loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

Result = TypeVar("Result")


class Job(QObject):
    """A function under way. ``cancel`` drops its result; the function itself runs to its end."""

    _ended = Signal(object, object)

    def __init__(self, done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        super().__init__()
        self._done = done
        self._failed = failed
        self._cancelled = False
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Nobody wants the result any more."""
        self._cancelled = True
        _running.discard(self)

    def _deliver(self, result: Any, error: Exception | None) -> None:
        _running.discard(self)
        if self._cancelled:
            return
        if error is None:
            self._done(result)
        else:
            self._failed(error)


class _Task(QRunnable):
    def __init__(self, function: Callable[[], Any], job: Job) -> None:
        super().__init__()
        self._function = function
        self._job = job

    def run(self) -> None:
        try:
            result, error = self._function(), None
        except Exception as problem:
            result, error = None, problem
        self._job._ended.emit(result, error)


_running: set[Job] = set()


def run_in_background(
    function: Callable[[], Result], done: Callable[[Result], None], failed: Callable[[Exception], None]
) -> Job:
    """Run ``function`` in a thread; call ``done`` or ``failed`` in the thread of the window.

    The function gets nothing that changes and returns a value; it must not touch a widget.
    """
    job = Job(done, failed)
    _running.add(job)
    _pool().start(_Task(function, job))
    return job


@cache
def _pool() -> QThreadPool:
    """One thread: what the window asks for never runs twice at the same time."""
    pool = QThreadPool()
    pool.setMaxThreadCount(1)
    return pool


def wait_for_all() -> None:
    """Let every background job end, before the program goes."""
    _pool().waitForDone()

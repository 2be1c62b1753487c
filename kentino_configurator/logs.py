"""The log file: what the program did and where it broke, without a word of what the customer said.

An exception's text often quotes what was typed in (a name, a price, a path), so a crash is logged by type and
place only. Code that logs names things of the program, never values of a project.
"""

from __future__ import annotations

import copy
import logging
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Final

from kentino_configurator import paths

LOG_NAME: Final = "kentino-configurator.log"
MAX_FILE_BYTES: Final = 512 * 1024
OLD_FILES_KEPT: Final = 3

_log = logging.getLogger("kentino_configurator")


class DiscreetFormatter(logging.Formatter):
    """Writes the type of an exception and the lines it passed, not its text."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The record and its frames. What another handler made of the exception is not reused."""
        record = copy.copy(record)
        record.exc_text = None
        return super().format(record)

    def formatException(self, ei: _ExceptionInfo) -> str:
        """Frames, then the exception's type."""
        kind, _, trace = ei
        frames = "".join(traceback.format_tb(trace))
        return f"{frames}{kind.__qualname__ if kind else 'no exception'}"


_ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def start_logging(folder: Path | None = None) -> Path | None:
    """Log to a rotating file and record unhandled exceptions there too.

    Returns the log file, or ``None`` when its folder cannot be written: the program runs without a log then.
    """
    path = (folder or paths.user_log_dir()) / LOG_NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            path, maxBytes=MAX_FILE_BYTES, backupCount=OLD_FILES_KEPT, encoding="utf-8"
        )
    except OSError:
        return None
    handler.setFormatter(DiscreetFormatter())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    record_unhandled_exceptions()
    return path


def record_unhandled_exceptions() -> None:
    """Log every exception that nothing catches, in any thread, before Python reports it as usual."""
    report = sys.excepthook
    report_in_thread = threading.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            _log.critical("unhandled exception", exc_info=(kind, error, trace))
        report(kind, error, trace)

    def thread_hook(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            info = (args.exc_type, args.exc_value, args.exc_traceback)
            _log.critical("unhandled exception in a thread", exc_info=info)
        report_in_thread(args)

    sys.excepthook = hook
    threading.excepthook = thread_hook

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kentino_configurator.logs import start_logging


@pytest.fixture
def log_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    path = start_logging(tmp_path / "log")
    assert path is not None
    yield path
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def test_a_message_reaches_the_file(log_file: Path) -> None:
    logging.getLogger("kentino_configurator.catalog").info("catalogue opened")
    assert "INFO kentino_configurator.catalog: catalogue opened" in log_file.read_text("utf-8")


def test_a_crash_is_logged_by_place_and_type_but_without_what_the_customer_said(log_file: Path) -> None:
    what_was_typed = "Hospital of Example, 80 000 EUR"
    try:
        raise ValueError(what_was_typed)
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    text = log_file.read_text("utf-8")
    assert "unhandled exception" in text
    assert "ValueError" in text and "test_logs.py" in text
    assert "Hospital" not in text


def test_a_crash_in_a_thread_is_logged_too(log_file: Path) -> None:
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    assert "ZeroDivisionError" in log_file.read_text("utf-8")


def test_a_folder_that_cannot_be_written_leaves_the_program_without_a_log(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert start_logging(tmp_path / "file" / "log") is None

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kentino_configurator.core.answers import Answers
from kentino_configurator.project.document import new_project
from kentino_configurator.project.recovery import discard, recoverable_sessions, recovery_dir, start_session

_EDIT_AND_WAIT = """
from pathlib import Path
from kentino_configurator.core.answers import Answers
from kentino_configurator.project.document import new_project
from kentino_configurator.project.recovery import start_session

session = start_session()
for number in range(1, 4):
    session.write(new_project(Answers({"number": number})), Path("/somewhere/a.kentino"))
print("written", flush=True)
input()
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("KENTINO_HOME", str(tmp_path))
    yield


def test_nothing_is_recovered_where_nothing_crashed() -> None:
    assert recoverable_sessions() == ()


def test_an_open_window_is_not_offered_and_a_closed_one_leaves_nothing() -> None:
    session = start_session()
    session.write(new_project(Answers({"number": 1})), None)
    assert recoverable_sessions() == ()
    session.close()
    assert recoverable_sessions() == ()
    assert list(recovery_dir().iterdir()) == []


def test_a_session_that_wrote_nothing_leaves_nothing() -> None:
    start_session().close()
    assert list(recovery_dir().iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_window_loses_nothing_that_was_written() -> None:
    command = [sys.executable, "-c", _EDIT_AND_WAIT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        assert recoverable_sessions() == ()
        process.send_signal(signal.SIGKILL)
    (crashed,) = recoverable_sessions()
    assert crashed.project.active_answers.get("number") == 3
    assert crashed.file == Path("/somewhere/a.kentino")
    discard(crashed)
    assert recoverable_sessions() == ()
    assert list(recovery_dir().iterdir()) == []


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"project": {}, "file": null, "written": ""}', "[" * 100_000]
)
def test_a_session_file_that_cannot_be_read_is_left_out(content: str) -> None:
    recovery_dir().mkdir(parents=True)
    (recovery_dir() / "x.session").write_text(content, encoding="utf-8")
    assert recoverable_sessions() == ()


def test_a_folder_that_cannot_be_made_does_not_stop_the_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be", encoding="utf-8")
    session = start_session()
    session.write(new_project(), None)
    session.close()
    assert "could not be written" in caplog.text

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kentino_configurator.project.lock import Lock, Owner, acquire, lock_file

_HOLD = """
import sys
from pathlib import Path
from kentino_configurator.project.lock import acquire

lock = acquire(Path(sys.argv[1]))
print("held", flush=True)
input()
"""


def test_a_second_owner_is_told_who_the_first_is(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    first = acquire(path)
    assert isinstance(first, Lock)
    second = acquire(path)
    assert isinstance(second, Owner)
    assert second.process == os.getpid()
    assert second.since
    first.release()
    third = acquire(path)
    assert isinstance(third, Lock)
    third.release()


def test_a_released_lock_leaves_no_file_and_may_be_released_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    lock = acquire(path)
    assert isinstance(lock, Lock)
    assert lock_file(path).exists()
    lock.release()
    lock.release()
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_dies_frees_its_lock(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    command = [sys.executable, "-c", _HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        held = acquire(path)
        assert isinstance(held, Owner)
        assert held.process == process.pid
        process.kill()
    lock = acquire(path)
    assert isinstance(lock, Lock)
    assert lock.stream is not None
    lock.release()


def test_a_folder_without_room_for_a_lock_does_not_stop_the_work(tmp_path: Path) -> None:
    lock = acquire(tmp_path / "missing" / "a.kentino")
    assert isinstance(lock, Lock)
    assert lock.stream is None
    lock.release()


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"user": 1}'])
def test_a_note_that_cannot_be_read_names_nobody(note: str, tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    lock = acquire(path)
    assert isinstance(lock, Lock)
    lock_file(path).write_text(note, encoding="utf-8")
    assert acquire(path) == Owner()
    lock.release()

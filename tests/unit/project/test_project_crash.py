from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kentino_configurator.project.store import backup_of, load_project

KILLS = 36
_SAVE_FOREVER = """
import sys
from pathlib import Path
from kentino_configurator.core.answers import Answers
from kentino_configurator.project.document import new_project
from kentino_configurator.project.store import save_project

path, number = Path(sys.argv[1]), 0
while True:
    number += 1
    save_project(new_project(Answers({"number": number, "filling": "x" * 200_000, "again": number})), path)
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_process_killed_while_saving_leaves_a_whole_project(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    lot = random.Random(1)
    for _ in range(KILLS):
        saved = _save_until_killed(path, lot.uniform(0.0, 0.03))
        answers = load_project(path).project.active_answers
        assert answers.get("number") == answers.get("again")
        assert answers.get("number") in (saved, saved + 1)
        if backup_of(path).exists():
            assert load_project(backup_of(path)).project.active_answers.get("again") >= 1


def _save_until_killed(path: Path, after_s: float) -> int:
    """Save in another process, kill it a moment after its first save; the number of the last save it reported."""
    command = [sys.executable, "-c", _SAVE_FOREVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
    return int(rest[-1]) if rest else 1

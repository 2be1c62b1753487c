from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).parents[2] / "dev.py"


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """dev.py, at work on an empty checkout."""
    spec = importlib.util.spec_from_file_location("dev_under_test", SOURCE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("ROOT", "LOCK", "VENV", "VENV_PYTHON", "DEBS"):
        old: Path = getattr(module, name)
        monkeypatch.setattr(module, name, tmp_path / old.relative_to(SOURCE.parent))
    return module


def sentence_of(exit_: pytest.ExceptionInfo[SystemExit]) -> str:
    return str(exit_.value.code)


def test_a_python_that_is_too_old_can_read_the_script_and_gets_one_sentence(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ast.parse(SOURCE.read_text("utf-8"), feature_version=(3, 8))
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    with pytest.raises(SystemExit) as exit_:
        dev.require_python()
    assert sentence_of(exit_) == "Python 3.11 or newer is needed; /usr/bin/python3 is 3.9.2."


def test_no_command_explains_itself_and_an_unknown_one_fails(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["dev.py"])
    assert dev.main() == 0
    monkeypatch.setattr(sys, "argv", ["dev.py", "tset"])
    assert dev.main() == 2
    assert capsys.readouterr().out.count("python3 dev.py run") == 2


def test_packages_are_installed_once_per_lock(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[object]] = []
    monkeypatch.setattr(dev, "venv_with_pip", lambda: ["pip"])

    def run(command: list[object]) -> Finished:
        calls.append(command)
        return Finished(0)

    monkeypatch.setattr(dev.subprocess, "run", run)
    dev.VENV.mkdir()
    dev.LOCK.write_text("one==1 --hash=sha256:00", "utf-8")
    dev.install(dev.LOCK)
    dev.install(dev.LOCK)
    assert len(calls) == 1 and "--require-hashes" in calls[0]
    dev.LOCK.write_text("one==2 --hash=sha256:00", "utf-8")
    dev.install(dev.LOCK)
    assert len(calls) == 2
    digest = hashlib.sha256(dev.LOCK.read_bytes()).hexdigest()
    assert digest in (dev.VENV / "installed-requirements.lock").read_text("utf-8")


def test_a_failed_installation_is_tried_again_next_time(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "venv_with_pip", lambda: ["pip"])
    monkeypatch.setattr(dev.subprocess, "run", lambda _: Finished(1))
    dev.VENV.mkdir()
    dev.LOCK.write_text("one==1", "utf-8")
    with pytest.raises(SystemExit, match="could not be installed"):
        dev.install(dev.LOCK)
    assert list(dev.VENV.iterdir()) == []


@pytest.fixture
def bare_linux(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(dev, "system_has", lambda _: False)
    monkeypatch.setattr(dev, "may_install", lambda: False)
    return dev


def test_unpacked_libraries_are_found_without_fetching(
    bare_linux: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bare_linux.DEBS / "usr" / "lib" / "x86_64-linux-gnu"
    folder.mkdir(parents=True)
    for name in bare_linux.QT_LIBRARIES:
        (folder / name).touch()
    monkeypatch.setattr(bare_linux, "unpack_debs", lambda _: pytest.fail("nothing had to be fetched"))
    assert bare_linux.qt_library_folders(for_window=False) == [folder]


def test_a_linux_without_apt_gets_one_sentence_that_names_the_libraries(
    bare_linux: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bare_linux.shutil, "which", lambda _: None)
    with pytest.raises(SystemExit) as exit_:
        bare_linux.qt_library_folders(for_window=False)
    assert "libEGL.so.1" in sentence_of(exit_)
    assert "sudo apt-get install" in sentence_of(exit_) and "libegl1" in sentence_of(exit_)


def test_other_systems_need_no_libraries(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert dev.qt_library_folders(for_window=True) == []


class Finished:
    """What ``subprocess.run`` returns."""

    def __init__(self, returncode: int) -> None:
        self.returncode = returncode

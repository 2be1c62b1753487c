"""What the project's files must not hold: traces of one machine, or the address of one package mirror."""

from __future__ import annotations

import os
import re

import pytest

from tests.architecture.source_tree import ROOT, text_files

# Written in pieces, or this file would be the first one found.
REGISTRIES = ("pypi" + ".org", "pythonhosted" + ".org", "registry.npmjs" + ".org", "deb.debian" + ".org")
MACHINE_FOLDERS = re.compile(r"(?<![\w.:/-])/" + r"(?:work|workspace|builds?)/\w")
LOCKS = ("requirements.lock", "packaging/requirements.lock")


def test_no_file_names_a_folder_of_one_machine() -> None:
    found = [
        str(path) for path, text in text_files() if MACHINE_FOLDERS.search(text) or f"{ROOT}{os.sep}" in text
    ]
    assert found == []


def test_no_file_names_a_package_registry() -> None:
    assert [str(path) for path, text in text_files() if any(host in text for host in REGISTRIES)] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_a_hash_for_every_package_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text and " @ " not in text
    pinned = re.split(r"\n(?=\S)", "\n" + text)[1:]
    packages = [entry for entry in pinned if not entry.startswith("#")]
    assert len(packages) > 5
    assert all("==" in entry and "--hash=sha256:" in entry for entry in packages)


def test_every_command_of_dev_py_is_one_the_contract_names() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "python3 dev.py test" in script
    assert os.access(ROOT / ".ci" / "run", os.X_OK) or os.name == "nt"

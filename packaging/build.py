#!/usr/bin/env python3
"""Builds the program that needs no Python, into dist/kentino-configurator, and lets it test itself.

    python3 dev.py package

Prove the result on bare systems with packaging/bare_tree.py. PyInstaller does not build for another operating
system, so each one builds its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "kentino-configurator"
PROGRAM_FOLDER = ROOT / "dist" / NAME
PROGRAM = PROGRAM_FOLDER / (f"{NAME}.exe" if os.name == "nt" else NAME)
LICENCE_FILE = re.compile(r"licen[cs]e|copying|notice|authors", re.IGNORECASE)
MEGABYTE = 10**6
# sqlite-utils asks for it, for its command line only.
NOT_SHIPPED = {"pip"}


def main() -> int:
    started = time.monotonic()
    freeze()
    packages = copy_licences()
    size = sum(file.lstat().st_size for file in PROGRAM_FOLDER.rglob("*"))
    seconds = time.monotonic() - started
    print(f"{PROGRAM_FOLDER}: {size / MEGABYTE:.0f} MB, licences of {packages} packages, {seconds:.0f} s")
    return subprocess.run([PROGRAM, "self-test"]).returncode


def freeze() -> None:
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    folders = [f"--distpath={ROOT / 'dist'}", f"--workpath={ROOT / 'build'}"]
    subprocess.run([*command, *folders, "packaging/pyinstaller.spec"], cwd=ROOT, check=True)


def copy_licences() -> int:
    """Put the licence texts of every package that the program needs beside it; returns how many packages."""
    target = PROGRAM_FOLDER / "licences"
    shutil.copytree(ROOT / "resources" / "licences", target, dirs_exist_ok=True)
    packages = needed_packages()
    for package in packages:
        distribution = metadata.distribution(package)
        for file in distribution.files or ():
            if LICENCE_FILE.search(file.name) and file.suffix not in (".py", ".pyc"):
                copy = target / package / file.name
                copy.parent.mkdir(exist_ok=True)
                shutil.copy(str(distribution.locate_file(file)), copy)
    return len(packages)


def needed_packages() -> list[str]:
    """What the program depends on, directly or not, as installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting = list(project["dependencies"])
    found = set(NOT_SHIPPED)
    while waiting:
        name = re.split(r"[^\w.-]", waiting.pop(), maxsplit=1)[0].lower().replace("_", "-")
        if name not in found and is_installed(name):
            found.add(name)
            waiting += [need for need in metadata.requires(name) or () if "extra ==" not in need]
    return sorted(found - NOT_SHIPPED)


def is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())

"""The project's own files, found without git, so that the tests also run in an unpacked archive."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "kentino_configurator"
FOLDERS = (".ci", "docs", "kentino_configurator", "packaging", "resources", "tests")


@cache
def modules() -> dict[str, ast.Module]:
    """Dotted name -> syntax tree of every module of the package."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {_dotted(file): ast.parse(file.read_text("utf-8"), str(file)) for file in files}


def imports(tree: ast.Module) -> Iterator[str]:
    """Every module that a syntax tree imports, wherever it stands; names of ``from`` imports included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def text_files() -> Iterator[tuple[Path, str]]:
    """Every text file that is part of the project, with its content."""
    files = [file for file in ROOT.iterdir() if file.is_file()]
    for folder in FOLDERS:
        files += [file for file in (ROOT / folder).rglob("*") if file.is_file()]
    for file in files:
        if "__pycache__" not in file.parts and b"\0" not in (content := file.read_bytes()):
            yield file.relative_to(ROOT), content.decode("utf-8", errors="replace")


def _dotted(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")

"""Reading a request, project or layout file: either usable, or one clear line per problem."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kentino_configurator import files
from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.last_good import open_last_good
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.answers import Answers

if TYPE_CHECKING:
    from kentino_configurator.project.document import Project

UNUSABLE = 2
"""Exit code when the input is not usable."""


@dataclass(frozen=True, slots=True)
class Unusable(Exception):
    """The input cannot be used; each line says where, what, and what would be right."""

    lines: tuple[str, ...]


def complain(lines: Iterable[str]) -> None:
    """Prints problems to stderr, one line each."""
    for line in lines:
        print(" ".join(line.split()), file=sys.stderr)


def open_service(catalog: Path | None) -> Service:
    """The service on the catalogue that was named, or on the installed one.

    A named catalogue that cannot be used raises ``Unusable``: nobody gets prices from another one than asked for.
    Instead of a damaged installed one the last good one is used, which is said.
    """
    try:
        if catalog is not None:
            return Service(load_snapshot(catalog))
        opened = open_last_good()
    except CatalogError as error:
        raise Unusable((str(error),)) from error
    if opened.refusal:
        complain([opened.refusal])
    return Service(opened.snapshot)


def read_json(path: Path) -> Any:
    """The JSON value of a file; raises ``Unusable``."""
    try:
        return files.read_json(path)
    except files.UnreadableFileError as error:
        raise Unusable((str(error),)) from error


def answers_of(path: Path) -> Answers:
    """Answers of a request file, or of the active variant of a ``.kentino`` project or of a PDF with one inside."""
    if path.suffix.lower() == ".pdf":
        return project_of(path).active_answers
    tree = read_json(path)
    if not isinstance(tree, dict):
        raise Unusable((f"{path}: holds no JSON object; a request starts with {{ and names its workloads.",))
    return project_of(path).active_answers if "variants" in tree else Answers(tree)


def project_of(path: Path) -> Project:
    """The project in a ``.kentino`` file or in a PDF of ours; that of a request file holds its answers only."""
    from kentino_configurator.project.document import project_of_request
    from kentino_configurator.project.from_pdf import project_from_pdf
    from kentino_configurator.project.store import SUFFIX, ProjectError, load_project

    try:
        if path.suffix.lower() == ".pdf":
            return project_from_pdf(path)
        if path.suffix == SUFFIX or "variants" in read_json(path):
            return load_project(path).project
    except ProjectError as error:
        raise Unusable((str(error),)) from error
    return project_of_request(answers_of(path), path.stem, date.today())


def answer_of(path: Path, service: Service) -> Answer:
    """The whole answer to a request file; raises ``Unusable`` with every problem found."""
    evaluation = service.evaluate(answers_of(path), lenient=False, base_dir=path.parent)
    if evaluation.answer is None:
        raise Unusable(tuple(f"{path.name}: {problem.line()}" for problem in evaluation.problems))
    return evaluation.answer

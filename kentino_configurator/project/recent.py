"""What the start page shows of recently opened project files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.project.document import Project
from kentino_configurator.project.store import ProjectError, load_project


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentProject:
    """One line of the list. ``project`` is ``None`` when the file is gone or cannot be read; ``reason`` says why."""

    path: Path
    project: Project | None
    reason: str = ""

    @property
    def title(self) -> str:
        """The project's title, else the customer's name, else the file's name."""
        if self.project is None:
            return self.path.stem
        customer = self.project.active_answers.get("customer.name")
        name = customer if customer is not ABSENT and isinstance(customer, str) else ""
        return self.project.title or name or self.path.stem


def recent_projects(files: Iterable[str]) -> tuple[RecentProject, ...]:
    """The files of a list of recent ones, in its order."""
    return tuple(_recent(Path(file)) for file in files)


def _recent(path: Path) -> RecentProject:
    try:
        return RecentProject(path=path, project=load_project(path).project)
    except ProjectError as error:
        return RecentProject(path=path, project=None, reason=str(error))

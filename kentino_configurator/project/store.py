"""Project files: loading with clear refusals, saving without ever losing the last good state."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kentino_configurator.files import DamagedFileError, UnreadableFileError, read_json, write_atomically
from kentino_configurator.project.document import SCHEMA_VERSION, Project
from kentino_configurator.project.json_form import FormError, encode, project_from_json, project_to_json
from kentino_configurator.project.migrate import migrate, version_of

SUFFIX: Final = ".kentino"
BACKUP_SUFFIX: Final = ".bak"


class ProjectError(Exception):
    """A project file cannot be used or written; the message is one sentence: where, what, what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A loaded project. ``newer_version`` is the version of a file that this program may read but not overwrite."""

    project: Project
    newer_version: int | None = None

    @property
    def read_only(self) -> bool:
        """Whether the file must not be overwritten."""
        return self.newer_version is not None


def load_project(path: Path) -> Loaded:
    """The project in a file, brought to the current form. Raises ``ProjectError``."""
    tree = _read(path)
    version = version_of(tree)
    if version is None:
        raise ProjectError(f'{path}: is no project file ("schema_version" is missing){_hint(path)}')
    try:
        project = project_from_json(migrate(tree, version))
    except FormError as error:
        if version > SCHEMA_VERSION:
            raise ProjectError(
                f"{path}: was written by a newer version of the program (format {version}); update the program."
            ) from error
        raise ProjectError(f"{path}: is damaged ({error}){_hint(path)}") from error
    return Loaded(project=project, newer_version=version if version > SCHEMA_VERSION else None)


def save_project(project: Project, path: Path) -> None:
    """Write a project; the state before is kept beside it as ``<name>.bak``. Raises ``ProjectError``.

    The file is replaced in one step, so a crash leaves either the old or the new project.
    """
    try:
        _keep_backup(path)
        write_atomically(path, encode(project_to_json(project)))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ProjectError(f"{path}: cannot be written ({reason}); choose another folder.") from error


def backup_of(path: Path) -> Path:
    """Where the state before the last save is kept."""
    return path.with_name(path.name + BACKUP_SUFFIX)


def _keep_backup(path: Path) -> None:
    """Copy the present file, if it is one that can be loaded: a damaged file never replaces a good backup."""
    if not path.is_file():
        return
    with suppress(ProjectError):
        load_project(path)
        write_atomically(backup_of(path), path.read_bytes())


def _read(path: Path) -> Mapping[str, Any]:
    try:
        tree = read_json(path)
    except DamagedFileError as error:
        raise ProjectError(f"{path}: is damaged (no valid JSON){_hint(path)}") from error
    except UnreadableFileError as error:
        raise ProjectError(str(error)) from error
    if not isinstance(tree, Mapping):
        raise ProjectError(f"{path}: is no project file (it holds no JSON object){_hint(path)}")
    return tree


def _hint(path: Path) -> str:
    """The way out: the backup when there is one."""
    backup = backup_of(path)
    if backup.is_file():
        return f"; the state before the last save is in {backup}."
    return "; there is no backup beside it, look among the recovered projects."

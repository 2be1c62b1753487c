"""What survives a crash: every change of an open project is written to a session file of its window.

A session file is removed when its window is closed normally. One whose window is gone without that belongs to a
crash and is offered at the next start.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kentino_configurator import paths
from kentino_configurator.files import parse_json, write_atomically
from kentino_configurator.project.document import Project, timestamp
from kentino_configurator.project.json_form import FormError, encode, project_from_json, project_to_json
from kentino_configurator.project.lock import Lock, acquire, lock_file
from kentino_configurator.project.migrate import migrate, version_of

SESSION_SUFFIX: Final = ".session"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecoverySession:
    """The session file of one open window, alive as long as its lock is held."""

    path: Path
    lock: Lock

    def write(self, project: Project, file: Path | None) -> None:
        """Keep the present state. ``file`` is where the project was opened or saved, ``None`` for a new one.

        A full disk does not stop the work: the failure is logged and the state before stays.
        """
        note = {"file": None if file is None else str(file), "written": timestamp()}
        try:
            write_atomically(self.path, encode({**note, "project": project_to_json(project)}))
        except OSError as error:
            _log.warning("the recovery file could not be written: %s", error)

    def close(self) -> None:
        """Remove the session file: the window was closed normally."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.lock.release()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recoverable:
    """A project of a window that ended without being closed."""

    path: Path
    project: Project
    file: Path | None
    written: str


def recovery_dir() -> Path:
    """Where session files lie."""
    return paths.user_data_dir() / "recovery"


def start_session() -> RecoverySession:
    """A session for a new window. Nothing is written before the first ``write``."""
    folder = recovery_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _log.warning("the recovery folder cannot be made: %s", error)
    path = folder / f"{uuid.uuid4().hex}{SESSION_SUFFIX}"
    lock = acquire(path)
    return RecoverySession(path, lock if isinstance(lock, Lock) else Lock(lock_file(path), None))


def recoverable_sessions() -> tuple[Recoverable, ...]:
    """The projects of crashed windows, the latest first. Session files that cannot be read are left out."""
    found = [_recoverable(path) for path in recovery_dir().glob(f"*{SESSION_SUFFIX}")]
    usable = [session for session in found if session is not None]
    return tuple(sorted(usable, key=lambda session: session.written, reverse=True))


def discard(session: Recoverable) -> None:
    """Forget a crashed window's project, after it was opened again or when nobody wants it."""
    session.path.unlink(missing_ok=True)
    lock_file(session.path).unlink(missing_ok=True)


def _project(tree: Mapping[str, Any]) -> Project:
    version = version_of(tree)
    if version is None:
        raise FormError("its schema_version is missing")
    return project_from_json(migrate(tree, version))


def _recoverable(path: Path) -> Recoverable | None:
    lock = acquire(path)
    if not isinstance(lock, Lock):
        return None
    lock.release()
    try:
        note: dict[str, Any] = parse_json(path.read_text(encoding="utf-8"))
        project = _project(note["project"])
        file = None if note["file"] is None else Path(note["file"])
        return Recoverable(path=path, project=project, file=file, written=str(note["written"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, FormError) as error:
        _log.warning("recovery file %s cannot be read: %s", path.name, error)
        return None

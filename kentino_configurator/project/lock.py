"""One file, one owner: a lock that the operating system frees when its process ends, however it ends."""

from __future__ import annotations

import json
import os
import platform
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from kentino_configurator.project.document import timestamp

# The byte that is locked lies behind the note, so that other programs can read the note on Windows too.
_LOCKED_BYTE: Final = 1 << 20
_MOST_TRIES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who holds a lock, as written by the holder; empty where it could not be read."""

    user: str = ""
    host: str = ""
    process: int = 0
    since: str = ""


@dataclass(frozen=True, slots=True)
class Lock:
    """A held lock; ``release`` gives it up. Without a file it locks nothing (folders that cannot be written)."""

    path: Path
    stream: IO[bytes] | None

    def release(self) -> None:
        """Give the lock up and remove its file."""
        if self.stream is None or self.stream.closed:
            return
        if os.name == "nt":
            self.stream.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.stream.close()


def lock_file(path: Path) -> Path:
    """The file that carries the lock of ``path``."""
    return path.with_name(f".{path.name}.lock")


def acquire(path: Path) -> Lock | Owner:
    """The lock of a file, or who holds it already. Where no lock file can be written nothing is locked."""
    place = lock_file(path)
    for _ in range(_MOST_TRIES):
        try:
            stream = place.open("a+b")
        except OSError:
            return Lock(place, None)
        if not _locked(stream):
            stream.close()
            return _owner(place)
        if _is_the_file_at(place, stream):
            _write_owner(stream)
            return Lock(place, stream)
        stream.close()
    return Lock(place, None)


def _is_the_file_at(place: Path, stream: IO[bytes]) -> bool:
    """Whether the locked file is still the one with that name: its last owner may just have removed it."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), place.stat())
    except OSError:
        return False


def _write_owner(stream: IO[bytes]) -> None:
    note = {
        "user": os.environ.get("USERNAME") or os.environ.get("USER") or "",
        "host": platform.node(),
        "process": os.getpid(),
        "since": timestamp(),
    }
    stream.seek(0)
    stream.truncate()
    stream.write(json.dumps(note).encode("utf-8"))
    stream.flush()


def _owner(place: Path) -> Owner:
    try:
        note: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
        return Owner(
            user=str(note["user"]),
            host=str(note["host"]),
            process=int(note["process"]),
            since=str(note["since"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Owner()


if sys.platform == "win32":
    import msvcrt

    def _locked(stream: IO[bytes]) -> bool:
        stream.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

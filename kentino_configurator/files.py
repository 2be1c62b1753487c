"""How a file is written so that a crash or a power cut leaves the old one or the new one, never a half."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replace ``path`` with ``data``, making its folder when it is missing.

    Raises ``OSError`` when the folder cannot be written or, on Windows, while another program holds the file
    open; the old file is then untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_permissions(path, unfinished)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _keep_permissions(old: Path, new: Path) -> None:
    """Give ``new`` the permissions of ``old``, or those any new file gets (a temporary file is private)."""
    if os.name == "nt":
        return
    if old.exists():
        new.chmod(old.stat().st_mode & 0o777)
        return
    umask = os.umask(0)
    os.umask(umask)
    new.chmod(0o666 & ~umask)

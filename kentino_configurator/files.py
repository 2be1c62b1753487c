"""How a file is written so that a crash leaves the old one or the new one, never a half; and how JSON is read."""

from __future__ import annotations

import json
import math
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

LARGEST_FILE_BYTES: Final = 20 * 2**20
"""Requests, layouts and projects are far smaller; a larger file was chosen by mistake and would stop the window."""


class UnreadableFileError(Exception):
    """A file holds no JSON that can be used; the message is one sentence: where, what, what would be right."""


class DamagedFileError(UnreadableFileError):
    """The file is there, but its content is no JSON."""


def write_atomically(path: Path, data: bytes) -> None:
    """Replace ``path`` with ``data``, making its folder when it is missing.

    Raises ``OSError`` when ``path`` is a folder or a device, when its folder cannot be written or, on Windows, while
    another program holds the file open; the old file is then untouched.
    """
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is no ordinary file")
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


def read_json(path: Path) -> Any:
    """The JSON value of a file. Raises ``UnreadableFileError``."""
    try:
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise UnreadableFileError(f"{path}: larger than 20 MB; a request or project is far smaller.")
        return parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnreadableFileError(
            f"{path}: cannot be read ({reason}); name an existing JSON file."
        ) from error
    except UnicodeDecodeError as error:
        raise DamagedFileError(f"{path}: is not UTF-8 text; save it as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(
            f"{path}: is not valid JSON{_place(error)}; check brackets, commas and quotes."
        ) from error


def _place(error: Exception) -> str:
    """Where a text stops being JSON, or which word JSON does not know."""
    if isinstance(error, json.JSONDecodeError):
        return f" at line {error.lineno}"
    return f" ({error})" if type(error) is ValueError else ""


def parse_json(text: str) -> Any:
    """The value of a JSON text. Raises ``ValueError`` also for NaN, Infinity and numbers too large for a float."""
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _no_number(digits)

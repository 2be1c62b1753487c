"""What the person at the screen prefers, kept in one JSON file. Nothing in here changes an answer."""

from __future__ import annotations

import dataclasses
import logging
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Literal

from annotated_types import Ge, Le, MaxLen
from pydantic import TypeAdapter, ValidationError

from kentino_configurator import paths
from kentino_configurator.files import write_atomically

FILE_NAME: Final = "preferences.json"
RECENT_FILES_KEPT: Final = 12
DAMAGED_SUFFIX: Final = ".damaged"

Language = Literal["en", "pt", "cs"]
_log = logging.getLogger(__name__)


class Theme(StrEnum):
    """Which colours the window uses."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """One person's preferences on one machine; every field has a default.

    ``window_language`` ``None`` follows the system. ``document_language`` is that of new projects' proposals.
    ``text_scale_percent`` enlarges the window's text beyond the system's own scaling. ``author_prefix`` and
    ``next_quote_number`` make quote numbers unique per author. ``window_geometry`` is the window's own form,
    in base64.
    """

    window_language: Language | None = None
    document_language: Language = "en"
    theme: Theme = Theme.SYSTEM
    text_scale_percent: Annotated[int, Ge(80), Le(200)] = 100
    recent_files: tuple[str, ...] = ()
    last_folder: str | None = None
    author_name: Annotated[str, MaxLen(120)] = ""
    author_prefix: Annotated[str, MaxLen(12)] = ""
    next_quote_number: Annotated[int, Ge(1)] = 1
    window_geometry: str | None = None


_FORMAT: Final = TypeAdapter(Preferences)


def preferences_path() -> Path:
    """Where the preferences of this user are kept."""
    return paths.user_config_dir() / FILE_NAME


def load_preferences(path: Path | None = None) -> Preferences:
    """The saved preferences; the defaults when there are none.

    A file that cannot be understood is renamed to ``....damaged`` and the defaults are used: preferences must
    never keep the program from starting. Unknown keys (of a newer version) are left out.
    """
    path = path or preferences_path()
    try:
        return _FORMAT.validate_json(path.read_bytes())
    except ValidationError:
        _put_aside(path)
    except OSError:
        pass
    return Preferences()


def save_preferences(preferences: Preferences, path: Path | None = None) -> None:
    """Write the preferences; raises ``OSError`` when the folder cannot be written."""
    data = _FORMAT.dump_json(preferences, indent=2)
    write_atomically(path or preferences_path(), data + b"\n")


def with_recent_file(preferences: Preferences, file: Path) -> Preferences:
    """The preferences with ``file`` first in the list of recent files."""
    newest = str(file.absolute())
    others = tuple(known for known in preferences.recent_files if known != newest)
    return dataclasses.replace(preferences, recent_files=(newest, *others)[:RECENT_FILES_KEPT])


def without_recent_file(preferences: Preferences, file: str) -> Preferences:
    """The preferences without ``file`` in the list, for one that is gone."""
    left = tuple(known for known in preferences.recent_files if known != file)
    return dataclasses.replace(preferences, recent_files=left)


def _put_aside(path: Path) -> None:
    _log.warning("the preferences could not be understood and were put aside")
    try:
        path.replace(path.with_name(path.name + DAMAGED_SUFFIX))
    except OSError:
        _log.warning("the damaged preferences could not be renamed")

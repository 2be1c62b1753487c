"""Where things live: the files the program brings along, and the folders of its user.

Shipped files are found in three situations: a checkout (``resources/`` and ``catalog.db`` lie beside the
package), a wheel and a frozen program (both lie inside the package).

User folders follow the operating system's customs, unless ``KENTINO_HOME`` names one folder for everything
(tests, USB sticks) or a file ``portable.txt`` lies beside the frozen program. None of these functions creates
a folder: the code that writes a file makes its parent.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import platformdirs

APP_NAME: Final = "kentino-configurator"
HOME_VARIABLE: Final = "KENTINO_HOME"
PORTABLE_MARKER: Final = "portable.txt"
PORTABLE_FOLDER: Final = "user"

_PACKAGE: Final = Path(__file__).resolve().parent


def shipped_root() -> Path:
    """The folder that holds ``resources/`` and ``catalog.db``."""
    return _PACKAGE if (_PACKAGE / "resources").is_dir() else _PACKAGE.parent


def resource_dir() -> Path:
    """The shipped, read-only resources: texts, policy, questions, fonts, icons, catalogue sources."""
    return shipped_root() / "resources"


def catalog_path() -> Path:
    """The shipped, read-only catalogue. The file is missing in a checkout in which it was never built."""
    return shipped_root() / "catalog.db"


def user_data_dir() -> Path:
    """What the user would miss if it were lost: autosaves, installed catalogues."""
    return _user_dir("data", platformdirs.user_data_path(APP_NAME, appauthor=False, roaming=False))


def user_config_dir() -> Path:
    """The user's preferences."""
    return _user_dir("config", platformdirs.user_config_path(APP_NAME, appauthor=False, roaming=False))


def user_log_dir() -> Path:
    """The log files."""
    return _user_dir("log", platformdirs.user_log_path(APP_NAME, appauthor=False))


def user_cache_dir() -> Path:
    """What can be made again at any time."""
    return _user_dir("cache", platformdirs.user_cache_path(APP_NAME, appauthor=False))


def portable_home() -> Path | None:
    """The one folder for all user files, or ``None`` when the operating system's folders are used."""
    if chosen := os.environ.get(HOME_VARIABLE):
        return Path(chosen)
    program_folder = Path(sys.executable).parent
    if is_frozen() and (program_folder / PORTABLE_MARKER).is_file():
        return program_folder / PORTABLE_FOLDER
    return None


def is_frozen() -> bool:
    """Whether this is the packaged program, which brings its own Python."""
    return bool(getattr(sys, "frozen", False))


def _user_dir(name: str, usual: Path) -> Path:
    home = portable_home()
    return usual if home is None else home / name

"""Whether there is a screen to open a window on. Qt ends the whole process when it finds none."""

from __future__ import annotations

import os
import sys
from typing import Final

from kentino_configurator import paths

PLATFORM_VARIABLE: Final = "QT_QPA_PLATFORM"
DISPLAY_VARIABLES: Final = ("DISPLAY", "WAYLAND_DISPLAY")


def has_screen() -> bool:
    """Windows and macOS always have one; on Linux it is named in the environment, or Qt's platform is chosen there."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in (PLATFORM_VARIABLE, *DISPLAY_VARIABLES))


def draw_in_memory_without_screen() -> None:
    """Let windows be drawn all the same, on every Linux alike. Call it before the application object is made."""
    if not has_screen():
        os.environ[PLATFORM_VARIABLE] = "offscreen"
        os.environ.setdefault("FONTCONFIG_FILE", str(paths.resource_dir() / "fonts" / "fonts.conf"))

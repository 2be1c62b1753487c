"""What holds for every test: no screen, no network, no file of the person who runs it, no random luck."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Qt reads these when it is first imported, and without a screen it would abort the whole test run.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_FONTS_CONF = Path(__file__).parents[1] / "resources" / "fonts" / "fonts.conf"
if _FONTS_CONF.is_file():
    os.environ.setdefault("FONTCONFIG_FILE", str(_FONTS_CONF))

# A text id or argument that is wrong fails the test instead of showing "[id]".
os.environ.setdefault("KENTINO_STRICT_TEXTS", "1")

# Two busy cores make any deadline a lottery; the same examples every time make a failure one's own.
settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """User files of this test run live in a folder of its own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KENTINO_HOME", str(home))
        yield home


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """A connection to another machine fails the test that asks for it."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded_connect(self: socket.socket, address: object) -> None:
        _refuse_remote(self, address)
        connect(self, address)  # type: ignore[arg-type]

    def guarded_connect_ex(self: socket.socket, address: object) -> int:
        _refuse_remote(self, address)
        return connect_ex(self, address)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        yield


def _refuse_remote(connection: socket.socket, address: object) -> None:
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return
    host = address[0] if isinstance(address, tuple) else address
    if host not in ("127.0.0.1", "::1", "localhost"):
        pytest.fail(f"the program works offline, but something tried to connect to {host}")

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from kentino_configurator import app


def test_without_a_screen_one_sentence_says_so_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert app.run() == app.NO_SCREEN
    assert capsys.readouterr().err.splitlines() == [
        "There is no screen to open the window on. Without one: kentino-configurator demo"
    ]


def test_the_window_opens_with_its_catalogue_paints_and_closes(qtbot: QtBot) -> None:
    platform, size = app.open_and_close().split(", ")
    assert platform == "offscreen"
    assert int(size.split(" x ")[0]) >= 1000

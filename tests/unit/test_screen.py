from __future__ import annotations

import os
import sys

import pytest

from kentino_configurator.screen import draw_in_memory_without_screen, has_screen


@pytest.fixture
def bare_linux(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("FONTCONFIG_FILE", "chosen by hand")
    return monkeypatch


def test_linux_without_a_display_draws_in_memory(bare_linux: pytest.MonkeyPatch) -> None:
    assert not has_screen()
    draw_in_memory_without_screen()
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
    assert os.environ["FONTCONFIG_FILE"] == "chosen by hand"


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_linux_with_a_display_is_left_as_it_is(bare_linux: pytest.MonkeyPatch, name: str) -> None:
    bare_linux.setenv(name, ":0")
    assert has_screen()
    draw_in_memory_without_screen()
    assert os.environ["QT_QPA_PLATFORM"] == ""


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_windows_and_macos_always_have_a_screen(bare_linux: pytest.MonkeyPatch, system: str) -> None:
    bare_linux.setattr(sys, "platform", system)
    assert has_screen()

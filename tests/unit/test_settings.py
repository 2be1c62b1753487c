from __future__ import annotations

import json
from pathlib import Path

import pytest

from kentino_configurator import settings
from kentino_configurator.settings import Preferences, Theme


def test_preferences_come_back_as_they_were_saved(tmp_path: Path) -> None:
    path = tmp_path / "config" / "preferences.json"
    wanted = Preferences(
        window_language="pt", theme=Theme.DARK, recent_files=("/a.kentino",), author_prefix="MB"
    )
    settings.save_preferences(wanted, path)
    assert settings.load_preferences(path) == wanted


def test_the_usual_place_is_the_users_configuration_folder(own_home: Path) -> None:
    settings.save_preferences(Preferences(text_scale_percent=125))
    assert settings.load_preferences().text_scale_percent == 125
    assert (own_home / "config" / "preferences.json").is_file()


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert settings.load_preferences(tmp_path / "none.json") == Preferences()


@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xfe", b'{"theme": "pink"}', b'{"text_scale_percent": 5000}', b"[]"]
)
def test_a_damaged_file_gives_defaults_and_is_kept_beside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "preferences.json"
    path.write_bytes(content)
    assert settings.load_preferences(path) == Preferences()
    assert not path.exists()
    assert (tmp_path / "preferences.json.damaged").read_bytes() == content


def test_keys_of_a_newer_version_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    path.write_text(json.dumps({"theme": "light", "of_the_future": 1}), "utf-8")
    assert settings.load_preferences(path) == Preferences(theme=Theme.LIGHT)


def test_the_newest_file_comes_first_once_and_the_list_stays_short() -> None:
    preferences = Preferences()
    for number in range(20):
        preferences = settings.with_recent_file(preferences, Path(f"/p/{number}.kentino"))
    preferences = settings.with_recent_file(preferences, Path("/p/15.kentino"))
    names = [Path(name).stem for name in preferences.recent_files]
    assert names[:3] == ["15", "19", "18"]
    assert len(names) == len(set(names)) == settings.RECENT_FILES_KEPT
    gone = settings.without_recent_file(preferences, preferences.recent_files[0])
    assert [Path(name).stem for name in gone.recent_files][:2] == ["19", "18"]

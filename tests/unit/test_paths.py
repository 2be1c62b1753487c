from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kentino_configurator import paths


@pytest.fixture
def package_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "kentino_configurator"
    package.mkdir()
    monkeypatch.setattr(paths, "_PACKAGE", package)
    return package


def test_a_checkout_keeps_resources_and_catalogue_beside_the_package(package_folder: Path) -> None:
    (package_folder.parent / "resources").mkdir()
    assert paths.resource_dir() == package_folder.parent / "resources"
    assert paths.catalog_path() == package_folder.parent / "catalog.db"


def test_a_wheel_and_a_frozen_program_keep_them_inside_the_package(package_folder: Path) -> None:
    (package_folder / "resources").mkdir()
    assert paths.resource_dir() == package_folder / "resources"
    assert paths.catalog_path() == package_folder / "catalog.db"


def test_this_checkout_has_its_resources() -> None:
    assert (paths.resource_dir() / "fonts").is_dir()


def test_kentino_home_takes_all_user_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KENTINO_HOME", str(tmp_path))
    folders = [paths.user_data_dir(), paths.user_config_dir(), paths.user_log_dir(), paths.user_cache_dir()]
    assert folders == [tmp_path / name for name in ("data", "config", "log", "cache")]


def test_without_kentino_home_the_systems_folders_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KENTINO_HOME")
    assert paths.portable_home() is None
    assert "kentino-configurator" in paths.user_data_dir().parts


def test_a_frozen_program_beside_portable_txt_writes_beside_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KENTINO_HOME")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "kentino-configurator"))
    assert paths.portable_home() is None
    (tmp_path / "portable.txt").touch()
    assert paths.user_data_dir() == tmp_path / "user" / "data"


def test_asking_for_a_folder_does_not_make_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KENTINO_HOME", str(tmp_path / "new"))
    paths.user_config_dir()
    assert not (tmp_path / "new").exists()

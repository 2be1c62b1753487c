"""A catalogue built from the shipped sources, once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from kentino_configurator.catalog.build import build_catalog
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.paths import resource_dir


@pytest.fixture(scope="session")
def sources() -> Path:
    return resource_dir() / "catalog"


@pytest.fixture(scope="session")
def policy() -> Path:
    return resource_dir() / "policy.toml"


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory, sources: Path, policy: Path) -> Path:
    path = tmp_path_factory.mktemp("catalog") / "catalog.db"
    build_catalog(sources, policy, path)
    return path


@pytest.fixture(scope="session")
def snapshot(database: Path) -> CatalogSnapshot:
    return load_snapshot(database)

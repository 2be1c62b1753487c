"""Sources to database: same bytes for the same input, and one sentence for a wrong row."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kentino_configurator.catalog.build import build_catalog, collect
from kentino_configurator.catalog.content import content_hash, read_records
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.repository import load_snapshot, open_catalog
from kentino_configurator.catalog.schema import SCHEMA_VERSION

Edit = Callable[[str], str]


@pytest.fixture
def copy(tmp_path: Path, sources: Path) -> Path:
    target = tmp_path / "sources"
    shutil.copytree(sources, target)
    return target


def edit(folder: Path, name: str, change: Edit) -> None:
    path = folder / name
    path.write_text(change(path.read_text("utf-8")), "utf-8")


def test_two_builds_are_equal_to_the_byte(
    database: Path, tmp_path: Path, sources: Path, policy: Path
) -> None:
    again = tmp_path / "again.db"
    build_catalog(sources, policy, again)
    assert again.read_bytes() == database.read_bytes()


def test_the_recorded_hash_is_that_of_the_content(database: Path, sources: Path, policy: Path) -> None:
    with closing(open_catalog(database)) as connection:
        read_back = read_records(connection)
    assert content_hash(read_back) == content_hash(collect(sources, policy)) == load_snapshot(database).sha256


def test_the_file_keeps_every_constraint(database: Path) -> None:
    with closing(open_catalog(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall()[0][0] == "ok"
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal"
        loose = connection.execute(
            "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict AND schema = 'main' "
            "AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_text_fts%'"
        )
        assert loose.fetchall() == []


def test_money_is_stored_in_whole_cents(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        kinds = connection.execute("SELECT DISTINCT typeof(net_cents) FROM price").fetchall()
    assert {kind for (kind,) in kinds} <= {"integer", "null"}


def test_a_changed_fact_changes_the_hash(copy: Path, policy: Path, tmp_path: Path) -> None:
    before = build_catalog(copy, policy, tmp_path / "a.db")
    edit(copy, "gpus.csv", lambda text: text.replace(",1792,", ",1793,", 1))
    assert build_catalog(copy, policy, tmp_path / "b.db") != before


def test_a_failing_build_leaves_the_old_catalogue_alone(copy: Path, policy: Path, tmp_path: Path) -> None:
    target = tmp_path / "catalog.db"
    build_catalog(copy, policy, target)
    before = target.read_bytes()
    edit(copy, "reference_builds.csv", lambda text: text.replace("2x amd-epyc-9355 ", "2x no-such-part ", 1))
    edit(copy, "reference_builds.csv", lambda text: text.replace("2x amd-epyc-9355,", "2x no-such-part,", 1))
    with pytest.raises(CatalogError, match="contradict each other: FOREIGN KEY"):
        build_catalog(copy, policy, target)
    assert target.read_bytes() == before
    assert [file.name for file in tmp_path.glob("*.new")] == []


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "gpus.csv",
            lambda t: t.replace(",1792,", ",fast,", 1),
            r"gpus\.csv, row 2: mem_bw_gb_s must be a number",
        ),
        ("gpus.csv", lambda t: t + "one,two\n", r"gpus\.csv, row \d+: the number of cells differs"),
        (
            "prices.csv",
            lambda t: t.replace(",street,", ",rumour,", 1),
            r"prices\.csv, row \d+: kind must be one of",
        ),
        ("prices.csv", lambda t: t.replace("1999", "cheap", 1), r"prices\.csv, row 2: low must be a number"),
        ("prices.csv", lambda t: t.replace("rtx-5090,", "rtx-5091,", 1), "FOREIGN KEY"),
        (
            "models.json",
            lambda t: t.replace('"hidden_size"', '"hiden_size"', 1),
            r"models\.json, llama-3\.1-8b",
        ),
        ("models.json", lambda t: t[:-20], r"models\.json: cannot be read as JSON"),
        ("models.json", lambda t: t.replace('"aliases": []', '"aliases": ["gpt-oss-20b"]', 1), "names both"),
        ("cpus.csv", lambda t: t + t.splitlines()[1] + "\n", "UNIQUE"),
        ("catalog.toml", lambda t: t + "=", r"catalog\.toml: cannot be read as TOML"),
    ],
)
def test_a_wrong_row_is_named(
    copy: Path, policy: Path, tmp_path: Path, name: str, change: Edit, message: str
) -> None:
    edit(copy, name, change)
    with pytest.raises(CatalogError, match=message) as caught:
        build_catalog(copy, policy, tmp_path / "catalog.db")
    assert "\n" not in str(caught.value)


def test_a_missing_source_file_is_named(copy: Path, policy: Path, tmp_path: Path) -> None:
    (copy / "nics.csv").unlink()
    with pytest.raises(CatalogError, match=r"nics\.csv: cannot be read"):
        build_catalog(copy, policy, tmp_path / "catalog.db")

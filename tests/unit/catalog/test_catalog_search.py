"""Finding entries by words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.catalog.repository import open_catalog
from kentino_configurator.catalog.search import search


@pytest.fixture(scope="module")
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    opened = open_catalog(database)
    yield opened
    opened.close()


def ids(connection: sqlite3.Connection, text: str) -> list[str]:
    return [hit.item_id for hit in search(connection, text)]


def test_the_beginning_of_a_part_number_finds_the_part(connection: sqlite3.Connection) -> None:
    assert "nvidia-mcx75310aas-neat" in ids(connection, "mcx753")


def test_all_words_must_match(connection: sqlite3.Connection) -> None:
    assert set(ids(connection, "epyc 9355")) == {"amd-epyc-9355", "amd-epyc-9355p"}


def test_accents_and_case_do_not_matter(connection: sqlite3.Connection) -> None:
    assert ids(connection, "ÉPYC 9355p") == ["amd-epyc-9355p"]


def test_a_hit_says_what_it_is(connection: sqlite3.Connection) -> None:
    (hit,) = search(connection, "mixtral 8x22b")
    assert (hit.kind, hit.name, hit.maker) == ("model", "Mixtral 8x22B Instruct", "mistralai")


@pytest.mark.parametrize("text", ["", "  ", '"', "*", "NEAR(", "a' OR 1=1 --", "no such thing"])
def test_nothing_is_found_for_signs_without_meaning(connection: sqlite3.Connection, text: str) -> None:
    assert search(connection, text) == ()


@given(st.text(max_size=40))
def test_any_text_may_be_typed(connection: sqlite3.Connection, text: str) -> None:
    assert len(search(connection, text, limit=3)) <= 3

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answers import Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.wizard.known import Known, know
from kentino_configurator.wizard.reading import Reading, read_request
from kentino_configurator.wizard.schema import known_paths

json_trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=20,
)


@st.composite
def _trees_with_real_keys(draw: st.DrawFn) -> dict[str, Any]:
    """Trees with real keys and arbitrary values, where a reader can go wrong."""
    answers = Answers({})
    for path in draw(st.lists(st.sampled_from(known_paths()), max_size=8)):
        answers = answers.with_value(path.replace("[]", "[0]"), draw(json_trees))
    return dict(answers.tree)


@pytest.fixture(scope="session")
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


@pytest.fixture
def known(snapshot: CatalogSnapshot) -> Callable[[dict[str, Any]], Known]:
    def build(tree: dict[str, Any]) -> Known:
        found, problems = know(Answers(tree), snapshot)
        assert [problem.line() for problem in problems] == []
        return found

    return build


@pytest.fixture
def read(snapshot: CatalogSnapshot) -> Callable[..., Reading]:
    def read_tree(tree: dict[str, Any], *, lenient: bool = False) -> Reading:
        return read_request(Answers(tree), snapshot, lenient=lenient)

    return read_tree


@pytest.fixture(scope="session")
def request_trees() -> st.SearchStrategy[dict[str, Any]]:
    """Arbitrary JSON objects, and trees with a request's keys and arbitrary values."""
    return st.dictionaries(st.text(max_size=12), json_trees, max_size=5) | _trees_with_real_keys()

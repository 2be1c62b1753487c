from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.answers import Answers
from kentino_configurator.project.document import Project, new_project, with_answers, with_copy_of_variant
from kentino_configurator.project.json_form import project_from_json, project_to_json
from kentino_configurator.project.store import ProjectError, backup_of, load_project, save_project

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip


def example() -> Project:
    answers = Answers({"customer": {"name": "Žluťoučký kůň, Évora"}, "workloads": [{"ttft_s": None}]})
    return with_copy_of_variant(with_answers(new_project(title="Test"), answers))


def test_a_saved_project_is_loaded_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder" / "a.kentino"
    save_project(example(), path)
    loaded = load_project(path)
    assert not loaded.read_only
    again = load_project(path).project
    assert again == loaded.project
    assert [v.answers.tree for v in again.variants] == [v.answers.tree for v in example().variants]
    assert again.active == 1


def test_no_requirement_and_not_answered_stay_different(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    save_project(example(), path)
    answers = load_project(path).project.active_answers
    assert answers.get("workloads[0].ttft_s") is None
    assert "tokens_per_s_per_user" not in answers.get("workloads[0]")


@given(st.dictionaries(st.text(), json_values, max_size=5))
def test_any_answers_survive_the_file(tree: dict[str, Any]) -> None:
    project = with_answers(new_project(), Answers(tree))
    form = json.loads(json.dumps(project_to_json(project)))
    assert project_from_json(form) == project


def test_text_that_utf8_cannot_hold_is_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    project = with_answers(new_project(), Answers({"customer": {"name": "half \ud83d"}}))
    save_project(project, path)
    assert load_project(path).project == project


def test_the_state_before_the_last_save_is_kept_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    first = example()
    second = with_answers(first, Answers({"growth": {"factor": 2}}))
    save_project(first, path)
    assert not backup_of(path).exists()
    save_project(second, path)
    assert load_project(path).project == second
    assert load_project(backup_of(path)).project == first
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.kentino", "a.kentino.bak"]


def test_a_damaged_file_is_refused_with_the_name_of_its_backup_and_never_replaces_it(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    first = example()
    save_project(first, path)
    save_project(first, path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ProjectError, match=r"damaged.*a\.kentino\.bak"):
        load_project(path)
    save_project(first, path)
    assert load_project(backup_of(path)).project == first


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "damaged"),
        (b"\xff\xfe\x00", "damaged"),
        (b"[" * 100_000, "damaged"),
        (b"[]", "no project file"),
        (b"{}", "schema_version"),
        (b'{"schema_version": true}', "schema_version"),
        (b'{"schema_version": 1}', "variants"),
        (b'{"schema_version": 1, "variants": []}', "variants"),
        (b'{"schema_version": 1, "variants": [{}]}', "answers"),
        (b'{"schema_version": 1, "variants": [{"answers": {}}], "active": 1}', "active"),
        (b'{"schema_version": 1, "variants": [{"answers": {}}], "title": 5}', "title"),
        (b'{"schema_version": 99, "pages": []}', "newer version"),
    ],
)
def test_what_is_no_project_is_refused_in_one_sentence(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    path.write_bytes(content)
    with pytest.raises(ProjectError) as refused:
        load_project(path)
    assert words in str(refused.value)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="cannot be read"):
        load_project(tmp_path / "none.kentino")


def test_a_newer_file_may_be_read_but_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.kentino"
    path.write_text(
        json.dumps({**project_to_json(example()), "schema_version": 7, "colour": "blue"}), "utf-8"
    )
    loaded = load_project(path)
    assert loaded.read_only
    assert loaded.newer_version == 7
    assert loaded.project.title == "Test"


def test_a_path_that_is_a_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="cannot be written"):
        save_project(example(), tmp_path)

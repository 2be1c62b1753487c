from __future__ import annotations

import datetime

from kentino_configurator.core.answers import Answers
from kentino_configurator.project.document import (
    new_project,
    timestamp,
    with_answers,
    with_copy_of_variant,
    with_variant_renamed,
    with_variant_shown,
    without_variant,
)

NOON = datetime.datetime(2026, 12, 1, 13, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))


def test_a_new_project_has_one_empty_variant_and_an_identity() -> None:
    project, other = new_project(now=NOON), new_project(now=NOON)
    assert project.active_answers == Answers({})
    assert project.created == project.modified == "2026-12-01T12:00:00+00:00"
    assert project.id != other.id
    assert timestamp(NOON) == "2026-12-01T12:00:00+00:00"


def test_a_copy_stands_behind_its_variant_and_is_shown() -> None:
    project = with_copy_of_variant(with_answers(new_project(), Answers({"growth": {"factor": 2}})))
    project = with_answers(project, Answers({"growth": {"factor": 3}}))
    assert [variant.name for variant in project.variants] == ["A", "B"]
    assert [variant.answers.get("growth.factor") for variant in project.variants] == [2, 3]
    assert project.active == 1
    project = with_copy_of_variant(with_variant_shown(project, 0))
    assert [variant.name for variant in project.variants] == ["A", "C", "B"]


def test_removing_variants_keeps_one_and_shows_a_neighbour() -> None:
    project = with_copy_of_variant(with_copy_of_variant(new_project()))
    project = without_variant(project, 2)
    assert project.active == 1
    project = without_variant(project, 0)
    assert (project.active, [variant.name for variant in project.variants]) == (0, ["B"])
    assert without_variant(project, 0) == project


def test_a_variant_is_renamed_and_its_old_letter_is_free_again() -> None:
    project = with_variant_renamed(new_project(), 0, "cheap")
    assert [variant.name for variant in with_copy_of_variant(project).variants] == ["cheap", "A"]

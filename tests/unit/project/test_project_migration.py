from __future__ import annotations

from pathlib import Path

import pytest

from kentino_configurator.project.document import SCHEMA_VERSION
from kentino_configurator.project.migrate import STEPS
from kentino_configurator.project.store import load_project

SAMPLES = Path(__file__).parents[2] / "data" / "projects"


def test_every_older_version_has_its_step_and_every_version_its_sample() -> None:
    assert set(STEPS) == set(range(SCHEMA_VERSION))
    assert {path.stem for path in SAMPLES.glob("v*.kentino")} == {f"v{n}" for n in range(SCHEMA_VERSION + 1)}


@pytest.mark.parametrize("version", range(SCHEMA_VERSION + 1))
def test_the_sample_of_every_version_opens(version: int) -> None:
    loaded = load_project(SAMPLES / f"v{version}.kentino")
    assert not loaded.read_only
    assert loaded.project.id
    assert loaded.project.active_answers.get("workloads[0].kind") in ("lora", "inference")


def test_the_one_set_of_answers_became_the_first_variant() -> None:
    project = load_project(SAMPLES / "v0.kentino").project
    assert project.title == "Old laboratory"
    assert [variant.name for variant in project.variants] == ["A"]
    assert project.active_answers.get("workloads[0].deadline_days") == 7
    assert project.catalog_version == "2026.09"


def test_the_current_sample_keeps_every_field() -> None:
    project = load_project(SAMPLES / "v1.kentino").project
    assert (project.title, project.document_language, project.active) == ("Two ways", "pt", 1)
    assert project.internal_notes == "ask about the lift"
    assert project.active_answers.get("workloads[0].model") == "llama-3.1-8b"
    assert project.variants[0].answers.get("workloads[0].ttft_s") is None

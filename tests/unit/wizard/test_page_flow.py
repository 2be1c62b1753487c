from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kentino_configurator.core.answers import Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.texts import load_texts
from kentino_configurator.wizard.flow import (
    PageState,
    PlanFacts,
    page_state,
    question_at,
    short_answer,
    visible_pages,
    visible_questions,
    workloads_of,
)
from kentino_configurator.wizard.known import Known, know
from kentino_configurator.wizard.presets import load_preset, presets
from kentino_configurator.wizard.questions import questionnaire

Build = Callable[[dict[str, Any]], Known]


def shown(known: Known, page: str, workload: int = 0, **options: Any) -> set[str]:
    return {q.id for q in visible_questions(known, questionnaire().page(page), workload, **options)}


def pages(known: Known) -> list[str]:
    return [page.id for page in visible_pages(known)]


def test_pages_without_a_question_disappear(known: Build) -> None:
    assert pages(known({})) == ["job", "model", "demand", "site", "terms", "review"]
    assert pages(known({"workloads": [{"kind": "lora"}]})) == [
        "job",
        "model",
        "training",
        "site",
        "terms",
        "review",
    ]
    both = known({"workloads": [{"kind": "batch"}, {"kind": "lora"}]})
    assert {"demand", "training"} <= set(pages(both))


def test_a_page_asks_about_the_workloads_it_concerns(known: Build) -> None:
    found = known({"workloads": [{"kind": "inference"}, {"kind": "lora"}, {"kind": "batch"}]})
    page = questionnaire().page
    assert workloads_of(found, page("demand")) == (0, 2)
    assert workloads_of(found, page("training")) == (1,)
    assert workloads_of(found, page("model")) == (0, 1, 2)


def test_the_plan_is_asked_for_only_when_there_is_one(known: Build) -> None:
    assert "j_plan_nodes" not in shown(known({}), "job")
    assert "j_plan_nodes" not in shown(known({"limits": {"requested": None}}), "job")
    assert {"j_plan_nodes", "j_plan_gpus", "j_plan_gpu"} <= shown(known({"limits": {"requested": {}}}), "job")


def test_whether_jobs_share_the_machine_is_asked_from_the_second_on(known: Build) -> None:
    found = known({"workloads": [{"kind": "inference"}, {"kind": "lora"}]})
    assert "j_runs" not in shown(found, "job", 0)
    assert "j_runs" in shown(found, "job", 1)


@pytest.mark.parametrize(
    ("basis", "asked", "not_asked"),
    [
        (
            "people",
            {"d_named_users", "d_active_share", "d_think_time", "d_concurrent_requests"},
            {"d_requests_per_s"},
        ),
        ("rate", {"d_requests_per_s", "d_concurrent_requests"}, {"d_named_users"}),
        ("concurrent", {"d_concurrent_requests"}, {"d_named_users", "d_requests_per_s"}),
    ],
)
def test_the_basis_of_the_load_decides_what_is_asked(
    basis: str, asked: set[str], not_asked: set[str], known: Build
) -> None:
    found = shown(known({"workloads": [{"hints": {"load": basis}}]}), "demand")
    assert asked <= found
    assert not found & not_asked


def test_expert_questions_appear_in_expert_mode_or_when_they_were_answered(known: Build) -> None:
    assert "m_weights_precision" not in shown(known({}), "model")
    assert "m_weights_precision" in shown(known({}), "model", expert=True)
    assert "m_weights_precision" in shown(known({"workloads": [{"weights_precision": "bf16"}]}), "model")
    assert "m_weights_precision" not in shown(known({"workloads": [{"weights_precision": "auto"}]}), "model")


def test_the_size_class_is_asked_until_a_model_is_named(known: Build) -> None:
    assert {"m_size_class", "m_config_file"} <= shown(known({}), "model")
    assert not {"m_size_class", "m_config_file"} & shown(
        known({"workloads": [{"model": "llama-3.1-8b"}]}), "model"
    )


def test_the_answer_of_the_engine_adds_questions(known: Build) -> None:
    found = known({})
    assert "b_geforce_ack" not in shown(found, "terms")
    assert "b_geforce_ack" in shown(found, "terms", plan=PlanFacts(geforce_offered=True))
    assert "s_switch_ports" in shown(found, "site", plan=PlanFacts(several_machines=True))


def test_an_office_has_no_rack(known: Build) -> None:
    assert not {"s_rack_units", "s_feeds"} & shown(known({"customer": {"site": "office"}}), "site")
    assert "s_office" not in shown(known({"customer": {"site": "colocation"}}), "site")


def test_full_length_for_everybody_is_questioned_when_it_is_far_from_typical(known: Build) -> None:
    assert "d_long_share" in shown(known({"workloads": [{"max_context_tokens": 32768}]}), "demand")
    assert "d_long_share" not in shown(known({"workloads": [{"max_context_tokens": 2048}]}), "demand")


def test_a_page_is_to_do_then_answered_then_in_trouble(snapshot: CatalogSnapshot) -> None:
    page = questionnaire().page("demand")
    states = []
    for workload in ({}, {"input_tokens": 3000}, {"input_tokens": -1}):
        known, problems = know(Answers({"workloads": [workload]}), snapshot)
        states.append(page_state(known, page, problems))
    assert states == [PageState.TODO, PageState.ANSWERED, PageState.PROBLEMS]


def test_the_review_is_answered_once_somebody_looked(known: Build) -> None:
    review = questionnaire().page("review")
    assert page_state(known({}), review) is PageState.TODO
    assert page_state(known({"commercial": {"assumptions_reviewed": True}}), review) is PageState.ANSWERED


@pytest.mark.parametrize(
    ("path", "question", "workload"),
    [
        ("workloads[2].ttft_s", "d_ttft_s", 2),
        ("workloads[1].kind", "j_job_kind", 1),
        ("workloads[0].hints.corpus.amount", "d_corpus_amount", 0),
        ("workloads[0].model.config", "m_config_file", 0),
        ("site.circuits[3]", "s_circuits", 0),
        ("limits.gpus[1]", "b_gpus", 0),
        ("limits.requested.gpu", "j_plan_gpu", 0),
    ],
)
def test_a_problem_is_shown_at_its_question(path: str, question: str, workload: int) -> None:
    found = question_at(path)
    assert found is not None
    assert (found[0].id, found[1]) == (question, workload)


def test_entries_without_a_question_belong_nowhere() -> None:
    assert question_at("growth.buy_now") is None
    assert question_at("") is None


@pytest.mark.parametrize("language", ["en", "pt", "cs"])
@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_every_page_has_a_short_answer(preset: Any, language: str, snapshot: CatalogSnapshot) -> None:
    known, _ = know(load_preset(preset.name), snapshot)
    texts = load_texts(language)
    for page in visible_pages(known):
        words = [texts.words(part) for part in short_answer(known, page)]
        assert words
        assert all(words), page.id


def test_short_answers_are_short(snapshot: CatalogSnapshot) -> None:
    known, _ = know(load_preset("assistant_200_employees"), snapshot)
    english = load_texts("en")
    found = {
        page.id: " · ".join(english.words(part) for part in short_answer(known, page)).replace("\u00a0", " ")
        for page in visible_pages(known)
    }
    assert found["job"] == "Example Company · Assistant"
    assert found["demand"] == "12 requests at once · context 8,192 tokens"
    assert found["site"] == "Own server room · 2 circuits"

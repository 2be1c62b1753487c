from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.wizard.answering import (
    add_workload,
    answer_of,
    remove_workload,
    suggested_job,
    with_answer,
)
from kentino_configurator.wizard.defaults import value_of
from kentino_configurator.wizard.known import know
from kentino_configurator.wizard.presets import load_preset
from kentino_configurator.wizard.questions import questionnaire
from kentino_configurator.wizard.reading import read_request

BY_ID = questionnaire().by_id


class Form:
    """Answers given one after the other, as in the window."""

    def __init__(self, snapshot: CatalogSnapshot, answers: Answers | None = None) -> None:
        self.snapshot = snapshot
        self.answers = answers or Answers({})

    @property
    def known(self) -> Any:
        return know(self.answers, self.snapshot)[0]

    def give(self, question_id: str, value: Any, workload: int = 0) -> Form:
        self.answers = with_answer(self.known, self.answers, BY_ID[question_id], value, workload)
        return self

    def shown(self, question_id: str, workload: int = 0) -> Any:
        return answer_of(self.known, BY_ID[question_id], workload)


@pytest.fixture
def form(snapshot: CatalogSnapshot) -> Form:
    return Form(snapshot)


@pytest.mark.parametrize("job", [job for job in questionnaire().jobs if job != "lab"])
def test_a_job_sets_the_kind_of_the_request(job: str, form: Form) -> None:
    form.give("j_job_kind", job)
    assert form.answers.get("workloads[0].kind") == questionnaire().jobs[job].kind
    assert form.shown("j_job_kind") == job


def test_a_laboratory_is_three_jobs_by_turns(form: Form) -> None:
    form.give("j_job_kind", "lab")
    kinds = [form.answers.get(f"workloads[{index}].kind") for index in range(3)]
    runs = {form.answers.get(f"workloads[{index}].runs") for index in range(3)}
    assert kinds == ["inference", "lora", "full_finetune"]
    assert runs == {"exclusive"}


def test_another_job_keeps_what_was_typed(form: Form) -> None:
    form.give("d_input_tokens", 9000).give("j_job_kind", "lora").give("j_job_kind", "assistant")
    assert value_of(form.known, "d_input_tokens") == 9000


def test_a_profile_lets_the_lengths_follow_it_again(form: Form) -> None:
    form.give("d_input_tokens", 9000).give("d_use_case", "rag")
    assert value_of(form.known, "d_input_tokens") == 4000


def test_a_word_for_waiting_lets_both_numbers_follow_it_again(form: Form) -> None:
    form.give("d_ttft_s", 9).give("d_latency_feel", "none")
    assert value_of(form.known, "d_ttft_s") is None
    assert value_of(form.known, "d_tokens_per_s_user") is None


def test_an_amount_lets_the_tokens_follow_it_again(form: Form) -> None:
    form.give("j_job_kind", "batch").give("d_corpus_input_tokens", 5_000_000)
    form.give("d_corpus_amount", {"amount": 1, "unit": "gigabytes"})
    assert value_of(form.known, "d_corpus_input_tokens") > 250_000_000


def test_naming_a_model_replaces_the_size_class_and_the_other_way_round(form: Form) -> None:
    form.give("m_size_class", "small").give("m_model", "llama-3.1-8b")
    assert form.answers.get("workloads[0].hints.size_class") is ABSENT
    form.give("m_size_class", "frontier")
    assert form.answers.get("workloads[0].model") is ABSENT
    assert value_of(form.known, "m_model") == "llama-3.1-405b"


def test_a_description_file_becomes_the_model(form: Form) -> None:
    form.give("m_config_file", "config.json")
    assert form.answers.get("workloads[0].model") == {"config": "config.json"}
    assert form.give("m_config_file", ABSENT).answers.get("workloads[0].model") is ABSENT


def test_a_plan_starts_with_defaults_and_can_be_taken_back(form: Form) -> None:
    assert form.shown("j_has_plan") is ABSENT
    assert form.give("j_has_plan", True).shown("j_has_plan") is True
    assert value_of(form.known, "j_plan_nodes") == 2
    assert form.give("j_has_plan", False).shown("j_has_plan") is False
    assert form.answers.get("limits.requested") is None


def test_stating_people_replaces_a_typed_concurrency(form: Form) -> None:
    form.give("d_concurrent_requests", 64).give("d_load_basis", "people").give("d_named_users", 200)
    assert value_of(form.known, "d_concurrent_requests") == 12
    form.give("d_concurrent_requests", 20)
    assert value_of(form.known, "d_concurrent_requests") == 20


def test_a_rate_counts_only_while_it_is_the_basis(form: Form, snapshot: CatalogSnapshot) -> None:
    form.give("d_load_basis", "rate").give("d_requests_per_s", 20).give("d_load_basis", "people")
    request = read_request(form.answers, snapshot).request
    assert request is not None
    assert request.workloads[0].requests_per_s is None
    assert form.answers.get("workloads[0].requests_per_s") == 20


def test_more_models_at_once_are_more_jobs_that_run_together(form: Form) -> None:
    form.give("j_job_kind", "assistant").give("d_named_users", 30).give("m_models_at_once", 3)
    assert form.shown("m_models_at_once") == 3
    assert [form.answers.get(f"workloads[{i}].load_basis.named_users") for i in range(3)] == [30, 30, 30]
    assert form.give("m_models_at_once", 1).shown("m_models_at_once") == 1


def test_jobs_are_added_and_removed_but_one_stays(form: Form) -> None:
    form.answers = add_workload(form.known, form.answers, "lora")
    assert [form.answers.get(f"workloads[{i}].kind") for i in range(2)] == ["inference", "lora"]
    form.answers = remove_workload(form.known, form.answers, 0)
    assert form.answers.get("workloads[0].kind") == "lora"
    assert remove_workload(form.known, form.answers, 0) == form.answers


def test_a_goal_suggests_a_job_but_sets_none(form: Form) -> None:
    assert [suggested_job(option.value) for option in BY_ID["t_goal"].options if isinstance(option.value, str)] == [
        "lora", "lora", "full_finetune", "pretrain",
    ]  # fmt: skip
    form.give("t_goal", "own_model")
    assert form.answers.get("workloads[0].kind") is ABSENT


def test_taking_every_answer_back_leaves_only_defaults(snapshot: CatalogSnapshot) -> None:
    form = Form(snapshot, load_preset("university_lab"))
    for question in questionnaire().questions:
        if question.field and not question.per_workload:
            form.give(question.id, ABSENT)
    request = read_request(form.answers, snapshot).request
    assert request is not None
    assert request.customer.country == "CZ"
    assert request.site.circuits is None


@given(data=st.data())
def test_answers_by_choice_are_always_usable(data: st.DataObject, snapshot: CatalogSnapshot) -> None:
    form = Form(snapshot)
    choices = [
        question for question in questionnaire().questions if question.options and question.kind == "choice"
    ]
    for _ in range(6):
        question = data.draw(st.sampled_from(choices))
        form.give(question.id, data.draw(st.sampled_from([option.value for option in question.options])))
    assert [problem.line() for problem in read_request(form.answers, snapshot).problems] == []

"""Giving an answer: most questions fill one field, some change several. Every function returns new ``Answers``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.request import JobKind, Runs
from kentino_configurator.wizard.known import Known, job_of, kind_of
from kentino_configurator.wizard.questions import Question, questionnaire

LAB_JOBS: Final = ("lora", "full_finetune")
_GOAL_JOBS: Final = {"style": "lora", "domain": "lora", "skill": "full_finetune", "own_model": "pretrain"}

Apply = Callable[[Known, Answers, int, Any], Answers]


def with_answer(known: Known, answers: Answers, asked: Question, value: Any, workload: int = 0) -> Answers:
    """``answers`` with one question answered. ``ABSENT`` takes the answer back, ``None`` means "no such requirement".

    ``known`` is what was known before; ``answers`` may hold more than the usable part.
    """
    if asked.id in _APPLY:
        return _APPLY[asked.id](known, answers, workload, value)
    return _put(answers, asked.path(workload), value)


def answer_of(known: Known, asked: Question, workload: int = 0) -> Any:
    """The stated answer as the question's own field shows it, ``ABSENT`` when it was not given."""
    if asked.id == "m_models_at_once":
        return len(_interactive(known))
    if asked.id == "j_has_plan":
        plan = known.answers.get("limits.requested")
        return plan if plan is ABSENT else plan is not None
    if asked.id == "j_job_kind":
        return ABSENT if known.answers.get(f"workloads[{workload}]") is ABSENT else job_of(known, workload).id
    return known.stated(asked, workload)


def suggested_job(goal: str) -> str:
    """The job kind that a training goal usually needs; a suggestion, never set by itself."""
    return _GOAL_JOBS[goal]


# ------------------------------------------------------------------ workloads


def add_workload(known: Known, answers: Answers, job: str) -> Answers:
    """One more job at the end."""
    answers = _put_job(answers, known.workload_count, job)
    return answers if known.answers.get("workloads") else _put_job(answers, 0, job_of(known).id)


def remove_workload(known: Known, answers: Answers, workload: int) -> Answers:
    """One job less; the last one stays."""
    return answers if known.workload_count == 1 else answers.without(f"workloads[{workload}]")


def _put_job(answers: Answers, workload: int, job: str) -> Answers:
    place = f"workloads[{workload}]"
    answers = answers.with_value(f"{place}.kind", questionnaire().jobs[job].kind)
    return answers.with_value(f"{place}.hints.job", job)


def _put(answers: Answers, path: str, value: Any) -> Answers:
    return answers.without(path) if value is ABSENT else answers.with_value(path, value)


# ------------------------------------------------------------------ answers that change several fields


def _job(known: Known, answers: Answers, workload: int, value: Any) -> Answers:
    """The request's kind follows the job; a laboratory is three jobs that take turns."""
    if value is ABSENT:
        return answers.without(f"workloads[{workload}].hints.job").without(f"workloads[{workload}].kind")
    answers = _put_job(answers, workload, value)
    if value != "lab":
        return answers
    for offset, job in enumerate(LAB_JOBS):
        answers = _put_job(answers, known.workload_count + offset, job)
    for index in (workload, *range(known.workload_count, known.workload_count + len(LAB_JOBS))):
        answers = answers.with_value(f"workloads[{index}].runs", Runs.EXCLUSIVE.value)
    return answers


def _plan(known: Known, answers: Answers, workload: int, value: Any) -> Answers:
    return _put(answers, "limits.requested", {} if value is True else None if value is False else value)


def _model(known: Known, answers: Answers, workload: int, value: Any) -> Answers:
    answers = _put(answers, f"workloads[{workload}].model", value)
    return answers.without(f"workloads[{workload}].hints.size_class")


def _model_form(form: str) -> Apply:
    def apply(known: Known, answers: Answers, workload: int, value: Any) -> Answers:
        entry = ABSENT if value in (ABSENT, None, "") else {form: value}
        return _put(answers, f"workloads[{workload}].model", entry)

    return apply


def _with_fields_reset(field: str, *reset: str) -> Apply:
    """A word that stands for several figures: choosing it lets the figures follow it again."""

    def apply(known: Known, answers: Answers, workload: int, value: Any) -> Answers:
        for name in reset:
            answers = answers.without(f"workloads[{workload}].{name}")
        return _put(answers, f"workloads[{workload}].{field}", value)

    return apply


def _load_basis(known: Known, answers: Answers, workload: int, value: Any) -> Answers:
    """People and rates lead to a concurrency, so one that was typed gives way; it stays when it is the basis."""
    if value != "concurrent":
        answers = answers.without(f"workloads[{workload}].concurrent_requests")
    return _put(answers, f"workloads[{workload}].hints.load", value)


def _models_at_once(known: Known, answers: Answers, workload: int, value: Any) -> Answers:
    """As many interactive jobs that run together; the added ones differ from the first only by their model."""
    present = _interactive(known)
    wanted = 1 if value in (ABSENT, None) else int(value)
    for index in reversed(present[wanted:]):
        answers = answers.without(f"workloads[{index}]")
    for added in range(known.workload_count, known.workload_count + wanted - len(present)):
        copied = {
            name: entry for name, entry in _entry(answers, workload).items() if name not in ("name", "model")
        }
        answers = answers.with_value(f"workloads[{added}]", {**copied, "runs": Runs.TOGETHER.value})
    return answers


def _interactive(known: Known) -> list[int]:
    return [i for i in range(known.workload_count) if kind_of(known, i) is JobKind.INFERENCE]


def _entry(answers: Answers, workload: int) -> Mapping[str, Any]:
    entry = answers.get(f"workloads[{workload}]")
    return entry if isinstance(entry, Mapping) else {}


_APPLY: Final[Mapping[str, Apply]] = {
    "j_job_kind": _job,
    "j_has_plan": _plan,
    "m_model": _model,
    "m_size_class": _with_fields_reset("hints.size_class", "model"),
    "m_config_file": _model_form("config"),
    "m_architecture": _model_form("architecture"),
    "m_models_at_once": _models_at_once,
    "d_load_basis": _load_basis,
    "d_use_case": _with_fields_reset("hints.profile", "input_tokens", "output_tokens", "max_context_tokens"),
    "d_latency_feel": _with_fields_reset("hints.latency", "ttft_s", "tokens_per_s_per_user"),
    "d_corpus_amount": _with_fields_reset("hints.corpus", "corpus_input_tokens", "corpus_output_tokens"),
}

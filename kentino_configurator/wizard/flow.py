"""Which pages and questions are shown, how far each page is, and its answer in short. Pure functions of ``Known``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from kentino_configurator.core.answers import ABSENT, format_path, parse_path
from kentino_configurator.core.decision import Severity
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.request import JobKind
from kentino_configurator.core.units import Unit
from kentino_configurator.wizard.assumptions import assumptions_of
from kentino_configurator.wizard.defaults import default_of, model_of, value_of
from kentino_configurator.wizard.known import Known, job_of, kind_of
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.questions import Page, Question, questionnaire
from kentino_configurator.wizard.relevance import is_relevant


class PageState(StrEnum):
    """How far a page is."""

    TODO = "todo"
    ANSWERED = "answered"
    PROBLEMS = "problems"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFacts:
    """What the last answer of the engine adds to the questions: GeForce in a rack, more than one machine."""

    geforce_offered: bool = False
    several_machines: bool = False


NO_PLAN: Final = PlanFacts()


def visible_pages(known: Known) -> tuple[Page, ...]:
    """The pages that have a question to ask, in order."""
    return tuple(page for page in questionnaire().pages if is_relevant(page.shown_when, known))


def visible_questions(
    known: Known, page: Page, workload: int = 0, *, expert: bool = False, plan: PlanFacts = NO_PLAN
) -> tuple[Question, ...]:
    """The questions of a page for one workload: its own (``per_workload``) and those of the whole project.

    An expert question is shown outside expert mode too when its answer differs from the default: what counts is seen.
    """
    return tuple(
        asked for asked in page.questions if is_visible(known, asked, workload, expert=expert, plan=plan)
    )


def is_visible(
    known: Known, asked: Question, workload: int = 0, *, expert: bool = False, plan: PlanFacts = NO_PLAN
) -> bool:
    """Whether one question is shown."""
    if asked.expert and not expert and not _is_changed(known, asked, workload):
        return False
    if asked.shown_when in _OF_THE_PLAN:
        return bool(getattr(plan, asked.shown_when)) or _is_changed(known, asked, workload)
    return is_relevant(asked.shown_when, known, workload)


_OF_THE_PLAN: Final = ("geforce_offered", "several_machines")


def _is_changed(known: Known, asked: Question, workload: int) -> bool:
    stated = known.stated(asked, workload)
    return stated is not ABSENT and stated != default_of(known, asked, workload).value


def workloads_of(known: Known, page: Page) -> tuple[int, ...]:
    """The workloads a page asks about: demand those that serve, training those that train, other pages all."""
    kinds = [kind_of(known, index) for index in range(known.workload_count)]
    if page.id == "training":
        return tuple(index for index, kind in enumerate(kinds) if kind.is_training)
    if page.id == "demand":
        return tuple(index for index, kind in enumerate(kinds) if not kind.is_training)
    return tuple(range(len(kinds)))


# ------------------------------------------------------------------ where a path belongs


def question_at(path: str) -> tuple[Question, int] | None:
    """The question whose answer is at or around ``path``, with the workload; ``None`` for entries without one."""
    steps = parse_path(path)
    workload = (
        next((step for step in steps if isinstance(step, int)), 0) if steps[:1] == ("workloads",) else 0
    )
    general = tuple(
        "i" if index == 1 and steps[0] == "workloads" else step for index, step in enumerate(steps)
    )
    for length in range(len(general), 0, -1):
        if found := _by_steps().get(format_path(general[:length])):
            return found, workload
    return None


@cache
def _by_steps() -> dict[str, Question]:
    found = {asked.field.replace("[i]", ".i"): asked for asked in questionnaire().questions if asked.field}
    found["workloads.i.kind"] = questionnaire().by_id["j_job_kind"]
    return found


# ------------------------------------------------------------------ rail


def page_state(known: Known, page: Page, problems: Iterable[Problem] = ()) -> PageState:
    """``PROBLEMS`` when an answer of the page cannot be used, ``ANSWERED`` once one was given."""
    blocked = (question_at(problem.path) for problem in problems if problem.severity is Severity.BLOCK)
    if any(found is not None and found[0].page == page.id for found in blocked):
        return PageState.PROBLEMS
    if page.id == "review":
        return PageState.ANSWERED if value_of(known, "r_assumptions") else PageState.TODO
    answered = any(
        known.stated(asked, workload) is not ABSENT
        for workload in range(known.workload_count)
        for asked in page.questions
    )
    return PageState.ANSWERED if answered else PageState.TODO


def short_answer(known: Known, page: Page) -> tuple[Arg, ...]:
    """What counts on a page in a few words, for the line under its name; the parts are joined by the caller."""
    return _SHORT[page.id](known)


def _short_job(known: Known) -> tuple[Arg, ...]:
    jobs = dict.fromkeys(job_of(known, index).id for index in range(known.workload_count))
    name = value_of(known, "j_customer_name")
    return (*((name,) if name else ()), *(message(f"job.{job}") for job in jobs))


def _short_model(known: Known) -> tuple[Arg, ...]:
    return tuple(dict.fromkeys(model_of(known, index).name for index in range(known.workload_count)))


def _short_demand(known: Known) -> tuple[Arg, ...]:
    parts: list[Arg] = []
    for index in range(known.workload_count):
        if kind_of(known, index) is JobKind.INFERENCE:
            parts += _short_load(known, index)
        elif kind_of(known, index) is JobKind.BATCH:
            parts.append(Quantity(value_of(known, "d_corpus_input_tokens", index), Unit.TOKENS))
    return tuple(parts)


def _short_load(known: Known, index: int) -> tuple[Arg, ...]:
    requests = value_of(known, "d_concurrent_requests", index)
    rate = value_of(known, "d_requests_per_s", index)
    longest = Quantity(value_of(known, "d_max_context", index), Unit.TOKENS)
    load: tuple[Arg, ...] = ()
    if requests is not None:
        load = (message("rail.requests", requests=Quantity(requests, Unit.REQUESTS)),)
    elif rate is not None:
        load = (Quantity(rate, Unit.REQUESTS_PER_S),)
    return (*load, message("rail.context", tokens=longest))


def _short_training(known: Known) -> tuple[Arg, ...]:
    parts: list[Arg] = []
    for index in range(known.workload_count):
        if kind_of(known, index).is_training:
            days = value_of(known, "t_deadline_days", index)
            parts.append(Quantity(value_of(known, "t_dataset_tokens", index), Unit.TOKENS))
            parts += [] if days is None else [Quantity(days, Unit.DAYS)]
    return tuple(parts)


def _short_site(known: Known) -> tuple[Arg, ...]:
    place = message(f"o.place.{value_of(known, 's_place')}")
    circuits = value_of(known, "s_circuits") or ()
    count = sum(row["count"] for row in circuits)
    return (place, message("rail.circuits", count=count)) if count else (place,)


def _short_terms(known: Known) -> tuple[Arg, ...]:
    budget = value_of(known, "b_budget")
    limit: Arg = message("rail.no_limit") if budget is None else Quantity(budget, Unit.EUR)
    return (limit, str(value_of(known, "b_incoterm")))


def _short_review(known: Known) -> tuple[Arg, ...]:
    if value_of(known, "r_assumptions"):
        return (message("rail.reviewed"),)
    return (message("rail.assumptions", count=len(assumptions_of(known))),)


_SHORT: Final = {
    "job": _short_job,
    "model": _short_model,
    "demand": _short_demand,
    "training": _short_training,
    "site": _short_site,
    "terms": _short_terms,
    "review": _short_review,
}

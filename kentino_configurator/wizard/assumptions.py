"""Every default that was used, with its source and how strongly it moves the answer."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.core.request import Assumption
from kentino_configurator.texts import load_texts
from kentino_configurator.wizard.defaults import Default, default_of
from kentino_configurator.wizard.known import Known, kind_of
from kentino_configurator.wizard.questions import Moves, Question, questionnaire
from kentino_configurator.wizard.relevance import is_relevant


def assumptions_of(known: Known) -> tuple[Assumption, ...]:
    """One entry for every question that matters here and was not answered, the workloads first."""
    return (*_of_workloads(known), *_of_the_rest(known))


def _of_workloads(known: Known) -> Iterator[Assumption]:
    for index in range(known.workload_count):
        if known.answers.get(f"workloads[{index}].kind") is ABSENT:
            kind = Default(kind_of(known, index).value, "origin.job")
            yield _assumption(f"workloads[{index}].kind", kind, Moves.VERY_STRONG)
        for asked in questionnaire().questions:
            if asked.per_workload and _is_assumed(asked, known, index):
                yield _assumption(asked.path(index), default_of(known, asked, index), asked.moves)


def _of_the_rest(known: Known) -> Iterator[Assumption]:
    for asked in questionnaire().questions:
        if not asked.per_workload and _is_assumed(asked, known, 0):
            yield _assumption(asked.path(), default_of(known, asked), asked.moves)


def _is_assumed(asked: Question, known: Known, index: int) -> bool:
    if not asked.listed or not asked.field or known.stated(asked, index) is not ABSENT:
        return False
    return is_relevant(asked.assumed_when, known, index)


def _assumption(field: str, default: Default, moves: Moves) -> Assumption:
    english = load_texts("en")
    return Assumption(
        field=field,
        value=default.value,
        source=english.say(default.origin),
        effect=english.say(f"moves.{moves}"),
        origin=default.origin,
        moves=f"moves.{moves}",
    )

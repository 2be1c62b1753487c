"""Which findings are shown beside which question, in words. No widget in here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kentino_configurator.answer.sentences import finding_sentence
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Finding, Severity
from kentino_configurator.texts import Texts
from kentino_configurator.wizard.flow import question_at
from kentino_configurator.wizard.problems import Problem

# A finding stands below the question whose answer causes it; the others are in the view of the decision.
QUESTION_OF: Final = MappingProxyType(
    {
        "peak_context_everywhere": "d_max_context",
        "data_centre_scale": "d_requests_per_s",
        "tenants_share_node": "d_tenancy",
        "circuit_too_small": "s_circuits",
        "slow_shared_storage": "s_storage",
        "nobody_operates": "o_operators",
        "over_budget": "b_budget",
        "geforce_in_rack": "b_geforce_ack",
        "export_check": "b_end_user_country",
        "two_small_nodes_trap": "j_has_plan",
        "throughput_not_size": "j_has_plan",
        "int4_not_for_training": "m_weights_precision",
        "model_licence_forbids": "m_model",
        "deadline_missed": "t_deadline_days",
    }
)


@dataclass(frozen=True, slots=True)
class Notice:
    """One card. ``role`` is ``block`` or ``warn``."""

    role: str
    title: str
    detail: str = ""


def notices_by_question(
    answer: Answer | None, problems: Iterable[Problem], texts: Texts
) -> dict[str, tuple[Notice, ...]]:
    """Cards by question id: contradictions that want a decision, then findings of the engine."""
    found: dict[str, tuple[Notice, ...]] = {}
    for problem in problems:
        place = question_at(problem.path)
        if problem.severity is Severity.WARN and place is not None:
            _add(found, place[0].id, Notice("warn", texts.say(problem.message)))
    for finding in answer.decision.findings if answer else ():
        if finding.rule in QUESTION_OF and finding.severity is not Severity.NOTE:
            _add(found, QUESTION_OF[finding.rule], _of_finding(finding, texts))
    return found


def _add(found: dict[str, tuple[Notice, ...]], question_id: str, notice: Notice) -> None:
    known = found.get(question_id, ())
    if notice not in known:
        found[question_id] = (*known, notice)


def _of_finding(finding: Finding, texts: Texts) -> Notice:
    role = "block" if finding.severity is Severity.BLOCK else "warn"
    title, change = (finding_sentence(finding, part, texts) for part in ("text", "change"))
    return Notice(role, title, change)

"""When a question matters: named rules over what is known. ``questions.toml`` refers to them by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.core.request import JobKind
from kentino_configurator.wizard.defaults import people_stated, value_of
from kentino_configurator.wizard.known import Known, kind_of

Relevant = Callable[[Known, int], bool]

_SERVING: Final = frozenset({JobKind.INFERENCE, JobKind.BATCH})
_ADAPTER: Final = frozenset({JobKind.LORA, JobKind.QLORA})
_LONG_CONTEXT_FACTOR: Final = 2


def is_relevant(rule: str, known: Known, workload: int = 0) -> bool:
    """Whether the named rule holds. Rules about the answer of the engine hold only in the window (``flow``)."""
    return rule not in RULES_OF_THE_PLAN and RULES[rule](known, workload)


def _kinds(known: Known) -> set[JobKind]:
    return {kind_of(known, workload) for workload in range(known.workload_count)}


def _interactive(known: Known, workload: int) -> bool:
    return kind_of(known, workload) is JobKind.INFERENCE


def _model_entry(known: Known, workload: int) -> object:
    return known.answers.get(f"workloads[{workload}].model")


def _load_is(basis: str) -> Relevant:
    return lambda known, workload: (
        _interactive(known, workload) and value_of(known, "d_load_basis", workload) == basis
    )


def _place_is(*places: str) -> Relevant:
    return lambda known, workload: value_of(known, "s_place") in places


def _long_context(known: Known, workload: int) -> bool:
    typical = value_of(known, "d_input_tokens", workload) + value_of(known, "d_output_tokens", workload)
    longest = value_of(known, "d_max_context", workload)
    return _interactive(known, workload) and longest > _LONG_CONTEXT_FACTOR * typical


def _agents(known: Known, workload: int) -> bool:
    return _interactive(known, workload) and value_of(known, "d_use_case", workload) in (
        "code_agent",
        "tool_agent",
    )


def _people_stated(known: Known, workload: int) -> bool:
    return _interactive(known, workload) and people_stated(known, workload)


def _kind_is(*kinds: JobKind) -> Relevant:
    return lambda known, workload: kind_of(known, workload) in kinds


RULES: Final[Mapping[str, Relevant]] = {
    "always": lambda known, workload: True,
    "second_workload": lambda known, workload: workload > 0,
    "has_plan": lambda known, workload: known.answers.get("limits.requested") not in (ABSENT, None),
    "model_not_named": lambda known, workload: _model_entry(known, workload) is ABSENT,
    "model_not_in_catalog": lambda known, workload: not isinstance(_model_entry(known, workload), str),
    "interactive": _interactive,
    "batch": _kind_is(JobKind.BATCH),
    "serving": lambda known, workload: kind_of(known, workload) in _SERVING,
    "training": lambda known, workload: kind_of(known, workload).is_training,
    "pretrain": _kind_is(JobKind.PRETRAIN),
    "full_training": _kind_is(JobKind.FULL_FINETUNE, JobKind.PRETRAIN),
    "adapter_training": lambda known, workload: kind_of(known, workload) in _ADAPTER,
    "serving_job": lambda known, workload: bool(_kinds(known) & _SERVING),
    "training_job": lambda known, workload: any(kind.is_training for kind in _kinds(known)),
    "load_is_people": _load_is("people"),
    "load_is_rate": _load_is("rate"),
    "people_stated": _people_stated,
    "long_context": _long_context,
    "agents": _agents,
    "growing": lambda known, workload: value_of(known, "d_growth_factor") > 1,
    "room_or_office": _place_is("on_premises_room", "office"),
    "rack": _place_is("on_premises_room", "colocation", "datacenter"),
}
RULES_OF_THE_PLAN: Final = frozenset({"several_machines", "geforce_offered"})

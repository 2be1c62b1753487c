"""From answers to the request the engine decides on, with everything that had to be assumed.

Strict reading (command line) refuses a request with any unusable value. Lenient reading (window) lets such a value
fall back to its default and reports it, so that there is always an answer, even to no answers at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Severity
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.request import (
    Availability,
    Circuit,
    Commercial,
    Customer,
    Growth,
    Limits,
    LoadBasis,
    Operations,
    Request,
    RequestedPlan,
    Runs,
    Site,
    Workload,
)
from kentino_configurator.wizard.assumptions import assumptions_of
from kentino_configurator.wizard.conflicts import conflicts_of
from kentino_configurator.wizard.defaults import default_of, model_of, people_stated, question, value_of
from kentino_configurator.wizard.known import Known, job_of, kind_of, know
from kentino_configurator.wizard.names import gpu_ids, planned_gpu
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.relevance import is_relevant

_MOST_REPAIRS: Final = 3
_DEMAND: Final = {
    "input_tokens": "d_input_tokens",
    "output_tokens": "d_output_tokens",
    "max_context_tokens": "d_max_context",
    "concurrent_requests": "d_concurrent_requests",
    "requests_per_s": "d_requests_per_s",
    "ttft_s": "d_ttft_s",
    "tokens_per_s_per_user": "d_tokens_per_s_user",
    "corpus_input_tokens": "d_corpus_input_tokens",
    "corpus_output_tokens": "d_corpus_output_tokens",
    "deadline_hours": "d_deadline_hours",
    "dataset_tokens": "t_dataset_tokens",
    "epochs": "t_epochs",
    "sequence_tokens": "t_sequence_tokens",
    "deadline_days": "t_deadline_days",
    "runs_per_month": "t_runs_per_month",
    "bytes_per_parameter": "t_recipe",
    "lora_rank": "t_lora_rank",
}
_NOT_ASKED_FOR: Final = {
    "d_input_tokens": 0,
    "d_output_tokens": 0,
    "d_max_context": 0,
    "d_corpus_input_tokens": 0,
    "d_corpus_output_tokens": 0,
    "t_dataset_tokens": 0,
    "t_epochs": 1,
    "t_sequence_tokens": 0,
    "t_runs_per_month": 0,
    "t_recipe": 16,
    "t_lora_rank": 16,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The outcome of reading. ``problems`` are unusable values; ``notes`` are usable but want a look or a decision.

    ``request`` is ``None`` exactly when the reading was strict and there are problems.
    """

    request: Request | None
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...] = ()


def read_request(
    answers: Answers, snapshot: CatalogSnapshot, base_dir: Path | None = None, lenient: bool = False
) -> Reading:
    """The request that ``answers`` make. ``base_dir`` is where relative paths of ``config.json`` files start."""
    known, remarks = know(answers, snapshot, base_dir)
    repaired, conflicts = _without_contradictions(_with_one_load(known))
    remarks += conflicts
    problems = tuple(remark for remark in remarks if remark.severity is Severity.BLOCK)
    notes = tuple(remark for remark in remarks if remark.severity is not Severity.BLOCK)
    if problems and not lenient:
        return Reading(request=None, problems=problems, notes=notes)
    return Reading(request=request_of(repaired), problems=problems, notes=notes)


def _with_one_load(known: Known) -> Known:
    """Each job people wait for has a load stated in one way.

    A rate gives way when the load was chosen to be people or a concurrency. "No requirement" for rate and
    concurrency alike means "not known".
    """
    for index in range(known.workload_count):
        if known.answers.get(f"workloads[{index}].hints.load") in ("people", "concurrent"):
            known = known.without(question("d_requests_per_s").path(index))
        concurrency, rate = (
            question(name).path(index) for name in ("d_concurrent_requests", "d_requests_per_s")
        )
        if known.answers.get(concurrency) is None and known.answers.get(rate) in (None, ABSENT):
            known = known.without(concurrency)
    return known


def _without_contradictions(known: Known) -> tuple[Known, tuple[Problem, ...]]:
    """What is left when the values that contradict others fall back to their defaults, and all conflicts."""
    first = conflicts_of(known)
    conflicts = first
    for _ in range(_MOST_REPAIRS):
        dropped = tuple(path for conflict in conflicts for path in conflict.drop)
        if not dropped:
            break
        known = known.without(*dropped)
        conflicts = conflicts_of(known)
    return known, tuple(conflict.problem for conflict in first)


def request_of(known: Known) -> Request:
    """The complete request of usable, consistent answers."""
    return Request(
        workloads=tuple(_workload(known, index) for index in range(known.workload_count)),
        customer=_customer(known),
        growth=_growth(known),
        site=_site(known),
        limits=_limits(known),
        operations=_operations(known),
        commercial=_commercial(known),
        assumptions=assumptions_of(known),
    )


def _workload(known: Known, index: int) -> Workload:
    take = partial(value_of, known, workload=index)
    return Workload(
        name=take("j_workload_name"),
        kind=kind_of(known, index),
        model=model_of(known, index),
        weights_precision=Precision(take("m_weights_precision")),
        kv_precision=KvPrecision(take("m_kv_precision")),
        runs=Runs(take("j_runs")),
        availability=Availability(take("d_availability")),
        use=take("m_use"),
        tenancy=take("d_tenancy"),
        long_request_share=take("d_long_share"),
        prefix_reuse=take("d_prefix_reuse"),
        load_basis=_load_basis(known, index),
        job=job_of(known, index).id,
        repeat=take("d_repeat"),
        why_scratch=take("t_why_scratch") or "",
        **{name: _demand(known, index, question_id) for name, question_id in _DEMAND.items()},
    )


def _demand(known: Known, index: int, question_id: str) -> Any:
    """A figure of the demand; one that does not belong to the kind of job counts as not asked for."""
    asked = question(question_id)
    stated = known.stated(asked, index)
    if stated is not ABSENT:
        return stated
    if is_relevant(asked.assumed_when, known, index):
        return default_of(known, asked, index).value
    return _NOT_ASKED_FOR.get(question_id)


def _load_basis(known: Known, index: int) -> LoadBasis | None:
    if not people_stated(known, index):
        return None
    return LoadBasis(
        named_users=value_of(known, "d_named_users", index),
        active_share=value_of(known, "d_active_share", index),
        think_time_s=value_of(known, "d_think_time", index),
    )


def _customer(known: Known) -> Customer:
    take = partial(value_of, known)
    return Customer(
        name=take("j_customer_name") or "",
        country=take("j_customer_country"),
        language=take("j_document_language"),
        vat_id=take("b_vat_id") or "",
        site=take("s_place"),
        end_user_country=take("b_end_user_country"),
        parent_country=take("b_parent_country"),
        data_sensitivity=take("d_sensitivity"),
    )


def _growth(known: Known) -> Growth:
    return Growth(
        factor=value_of(known, "d_growth_factor"),
        within_months=value_of(known, "d_growth_months"),
        buy_now=known.answers.get("growth.buy_now") is True,
    )


def _site(known: Known) -> Site:
    take = partial(value_of, known)
    circuits = take("s_circuits")
    return Site(
        circuits=tuple(Circuit(**row) for row in circuits) if circuits else None,
        feeds=take("s_feeds"),
        cooling_kw=take("s_cooling_kw"),
        max_inlet_c=take("s_max_inlet_c"),
        rack_units=take("s_rack_units"),
        rack_depth_mm=take("s_rack_depth_mm"),
        office=take("s_office"),
        network_gbps=take("s_network_gbps"),
        switch_ports=take("s_switch_ports") or "",
        storage=take("s_storage"),
        access_note=take("s_access") or "",
    )


def _limits(known: Known) -> Limits:
    gpus = value_of(known, "b_gpus")
    return Limits(
        budget_eur=value_of(known, "b_budget"),
        max_nodes=value_of(known, "b_max_nodes"),
        gpu_ids=gpu_ids(known.snapshot, gpus) if gpus else None,
        allow_int4=value_of(known, "m_allow_int4"),
        requested=_requested(known),
    )


def _requested(known: Known) -> RequestedPlan | None:
    if not is_relevant("has_plan", known):
        return None
    return RequestedPlan(
        nodes=value_of(known, "j_plan_nodes"),
        gpus_per_node=value_of(known, "j_plan_gpus"),
        gpu=planned_gpu(known.snapshot, value_of(known, "j_plan_gpu")),
    )


def _operations(known: Known) -> Operations:
    take = partial(value_of, known)
    return Operations(
        operators=take("o_operators"),
        support_hours=take("o_support_hours"),
        hourly_cost_eur=take("o_hourly_cost"),
        electricity_eur_per_kwh=take("o_electricity_price"),
        pue=take("o_pue"),
        duty_percent=take("o_duty"),
    )


def _commercial(known: Known) -> Commercial:
    take = partial(value_of, known)
    return Commercial(
        currency=take("b_currency"),
        discount_percent=take("b_discount"),
        validity_days=take("b_validity_days"),
        incoterm=take("b_incoterm"),
        vat_mode=take("b_vat_mode"),
        delivery_place=take("b_delivery_place") or "",
        installation=take("b_installation"),
        reference=take("b_reference") or "",
        public_tender=take("b_tender"),
        warranty=take("b_warranty") or "",
        needed_by=take("b_needed_by") or "",
        geforce_decision=take("b_geforce_ack") or "",
        note=take("r_note") or "",
        assumptions_reviewed=take("r_assumptions"),
    )

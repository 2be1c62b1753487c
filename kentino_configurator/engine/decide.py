"""The decision as a story: find what does the job, name the verdict, explain it, and say what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import (
    Alternative,
    Decision,
    LimitMet,
    OpsTax,
    Referral,
    TippingPoint,
    Verdict,
    WorkloadResult,
)
from kentino_configurator.core.layout import ServingLoad
from kentino_configurator.core.message import Message, message
from kentino_configurator.core.money import money
from kentino_configurator.core.offer import Offers
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.core.request import Request, Workload
from kentino_configurator.engine.alternatives import alternatives, configuration_of
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.cost import half_capacity_risk, with_cost_of_tokens
from kentino_configurator.engine.findings import Case, findings
from kentino_configurator.engine.formulas import formulas
from kentino_configurator.engine.miss_findings import nearest_miss
from kentino_configurator.engine.ops_tax import ops_tax
from kentino_configurator.engine.outcome import Outcome, category, find_outcome
from kentino_configurator.engine.plan import Placement, Plan
from kentino_configurator.engine.referral import is_referral, refer
from kentino_configurator.engine.relaxations import nearest
from kentino_configurator.engine.room import longest_context
from kentino_configurator.engine.search import cheapest
from kentino_configurator.engine.tipping import tipping_points
from kentino_configurator.engine.trace import trace
from kentino_configurator.engine.wording import plan_name


def decide(request: Request, snapshot: CatalogSnapshot, offers: Offers, *, quick: bool = False) -> Decision:
    """The whole decision; ``quick`` leaves out alternatives and tipping points for a result while somebody types."""
    context = Context(snapshot, offers)
    outcome = find_outcome(request, context)
    plan = outcome.plan
    if plan is not None:
        return _decision_with_plan(request, outcome, plan, context, quick)
    return _decision_without_plan(request, outcome, context, quick)


def _decision_with_plan(
    request: Request, outcome: Outcome, plan: Plan, context: Context, quick: bool
) -> Decision:
    verdict = category(plan)
    options: tuple[Alternative, ...] = () if quick else alternatives(request, outcome, context)
    tipping: tuple[TippingPoint, ...] = () if quick else tipping_points(request, outcome, context)
    best = cheapest(outcome.same_precision, context.policy["decision.tie_share"]) or plan
    results = tuple(_with_longest_context(placement, context) for placement in plan.placements)
    return Decision(
        verdict=verdict,
        configuration=configuration_of(plan),
        trace=trace(request, outcome, verdict, context),
        findings=findings(_case(request, outcome, verdict, context)),
        results=results,
        scaling_efficiency=plan.scaling_efficiency,
        alternatives=options,
        tipping_points=tipping,
        ops_tax=_ops_tax(plan, context),
        three_year_cost=with_cost_of_tokens(plan.cost, results, request.operations, context.policy),
        formulas=formulas(plan),
        rule_verdict=verdict,
        search_verdict=category(best),
        disagreement=_disagreement(plan, best),
        field_figures=_field_figures(context),
    )


def _with_longest_context(placement: Placement, context: Context) -> WorkloadResult:
    """The result with the longest context of its requests: of the plan that is shown, not of all that are tried."""
    result = placement.result
    if not isinstance(result.unit, ServingPerformance):
        return result
    load = ServingLoad(
        input_tokens=0,
        output_tokens=0,
        concurrency=max(1, result.concurrency_per_copy),
        kv_tokens_per_request=0.0,
    )
    longest = longest_context(placement.layout, load, context.policy)
    return replace(result, memory=replace(result.memory, longest_context_tokens=longest))


def _ops_tax(plan: Plan, context: Context) -> OpsTax:
    cluster = plan.fabric is not None
    tax = ops_tax(plan.nodes, plan.nodes * plan.offer.gpu_count, cluster, context.policy)
    return (
        replace(tax, half_capacity_risk_eur=half_capacity_risk(plan.net, context.policy)) if cluster else tax
    )


def _disagreement(plan: Plan, best: Plan) -> Message | None:
    """Why the cheapest plan of the search is of another category than the one the rules chose."""
    if category(plan) is category(best):
        return None
    saving = plan.ranking_eur - best.ranking_eur
    return message(
        "v.common.disagreement",
        rule_verdict=message(f"v.{category(plan).value}.title"),
        search_verdict=message(f"v.{category(best).value}.title"),
        reason=message("e.disagree", machine=plan_name(best), saving=money(round(saving))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Elsewhere:
    """What can be said without a machine of ours."""

    verdict: Verdict
    referral: Referral | None
    options: tuple[Alternative, ...]
    limits: tuple[LimitMet, ...]
    needed: tuple[Message, ...]


def _decision_without_plan(request: Request, outcome: Outcome, context: Context, quick: bool) -> Decision:
    elsewhere = _elsewhere(request, outcome, context, quick)
    return Decision(
        verdict=elsewhere.verdict,
        configuration=None,
        trace=trace(request, outcome, elsewhere.verdict, context),
        findings=(
            *nearest_miss(request, outcome, context),
            *findings(_case(request, outcome, elsewhere.verdict, context)),
        ),
        results=(),
        scaling_efficiency=None,
        alternatives=elsewhere.options,
        tipping_points=(),
        ops_tax=None,
        three_year_cost=None,
        referral=elsewhere.referral,
        limits_met=elsewhere.limits,
        needed=elsewhere.needed,
        rule_verdict=elsewhere.verdict,
        search_verdict=None,
        field_figures=_field_figures(context),
    )


def _elsewhere(request: Request, outcome: Outcome, context: Context, quick: bool) -> _Elsewhere:
    """SXM when speed or time is what no PCIe machine reaches and the site does not forbid it; else no answer."""
    referral = None
    if _fast_links_would_help(request, outcome):
        referral = next(
            (r for w in _hardest_first(request, outcome) if (r := refer(request, w, context))), None
        )
    if referral is not None:
        options = () if quick else alternatives(request, outcome, context)
        return _Elsewhere(verdict=Verdict.REFER_SXM, referral=referral, options=options, limits=(), needed=())
    options, limits, needed = nearest(request, context)
    return _Elsewhere(verdict=Verdict.NO_ANSWER, referral=None, options=options, limits=limits, needed=needed)


def _fast_links_would_help(request: Request, outcome: Outcome) -> bool:
    if outcome.frontier is not None:
        return True
    limits, site = request.limits, request.site
    confined = (
        limits.max_nodes is not None or limits.gpu_ids is not None or site.office or site.circuits is not None
    )
    return not confined and any(is_referral(rejection) for rejection in outcome.rejections)


def _hardest_first(request: Request, outcome: Outcome) -> tuple[Workload, ...]:
    if outcome.frontier is not None:
        return (outcome.frontier,)
    return tuple(sorted(request.workloads, key=lambda w: -w.model.text_params))


def _case(request: Request, outcome: Outcome, verdict: Verdict, context: Context) -> Case:
    return Case(request=request, outcome=outcome, verdict=verdict, context=context)


def _field_figures(context: Context) -> Mapping[str, Any]:
    """Kentino's own figures, shown beside every projection and never blended with it."""
    policy = context.policy
    return {"tp8_one_node": policy["field.tp8_one_node"], "tp_2x4": policy["field.tp_2x4"]}

"""What was looked at and not chosen: cheaper, larger, other cards, 4 bit, a cluster, the customer's plan, SXM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kentino_configurator.core.decision import Alternative, Configuration, Verdict
from kentino_configurator.core.layout import Parallelism
from kentino_configurator.core.message import Message, message
from kentino_configurator.core.request import Request
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.cluster import plan_on_cluster
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.outcome import Outcome, category, four_bit_allowed
from kentino_configurator.engine.plan import Plan, Rejection
from kentino_configurator.engine.referral import is_referral, serving_capacity_on_sxm
from kentino_configurator.engine.rejection_words import change_of, reason_of
from kentino_configurator.engine.search import cheapest, plan_on_nodes, search_nodes
from kentino_configurator.engine.trace import largest_workload
from kentino_configurator.engine.wording import machine, machines, plan_name, quantity


def alternatives(request: Request, outcome: Outcome, context: Context) -> tuple[Alternative, ...]:
    """At least three alternatives where the catalogue has them, in the order a buyer asks for them."""
    plan = outcome.plan
    if plan is None:
        return tuple(_nearest_misses(request, outcome, context))
    found = [
        *_cheaper(request, outcome, plan, context),
        *_replicas(outcome, plan, context),
        *_larger(outcome, plan),
        *_other_gpu(outcome, plan),
        *_four_bit(request, plan, context),
        *_requested(request, plan, context),
        *_cluster(request, plan, context),
        *_sxm(request, context),
    ]
    return tuple(found)


def configuration_of(plan: Plan) -> Configuration:
    """The configuration that a plan stands for, seen from its main workload."""
    main = plan.main
    per_node = main.copies // plan.nodes if plan.nodes else 0
    layout = main.layout
    training = main.workload.kind.is_training
    parallelism = layout.parallelism if training else _with_copies(plan)
    return Configuration(
        node=plan.offer,
        nodes=plan.nodes,
        replicas=main.copies,
        parallelism=parallelism,
        weights_precision=layout.weights_precision,
        kv_precision=layout.kv_precision,
        fabric=plan.fabric,
        spare_copies=plan.spare_nodes * per_node,
        spare_nodes=plan.spare_nodes,
    )


def _with_copies(plan: Plan) -> Parallelism:
    """Degrees of one copy, with the number of copies as the data-parallel degree."""
    return replace(plan.main.layout.parallelism, dp=plan.main.copies)


def of_plan(kind: str, plan: Plan, why_not: Message, change: Message | None = None) -> Alternative:
    """A feasible plan as an alternative."""
    return Alternative(
        kind=kind,
        verdict=category(plan),
        configuration=configuration_of(plan),
        results=tuple(placement.result for placement in plan.placements),
        net=plan.net,
        net_is_lower_bound=plan.unpriced_lines > 0,
        three_year_eur=plan.cost.total,
        why_not=why_not,
        what_would_change=change,
    )


def of_rejection(kind: str, rejection: Rejection, request: Request, context: Context) -> Alternative:
    """An offer that cannot do the job as an alternative, with the rule that excludes it."""
    return Alternative(
        kind=kind,
        verdict=Verdict.NO_ANSWER,
        configuration=None,
        results=(),
        net=rejection.offer.net.times(rejection.nodes),
        net_is_lower_bound=rejection.offer.unpriced_lines > 0,
        three_year_eur=None,
        why_not=message(
            "e.alt.rejected",
            machine=machines(rejection.offer, rejection.nodes),
            reason=reason_of(rejection, request, context),
        ),
        what_would_change=change_of(rejection, request, context),
        feasible=False,
    )


def _cheaper(request: Request, outcome: Outcome, plan: Plan, context: Context) -> Iterator[Alternative]:
    """What costs less and why it is not enough: one node of several, else the dearest cheaper machine."""
    copies = _copies_of(outcome, plan, context)
    if copies is not None:
        yield _one_node_of_several(copies)
        return
    below = [
        r
        for r in outcome.rejections
        if r.nodes == 1 and r.offer.net.cents < plan.net.cents and r.workload is not None
    ]
    same = [r for r in below if r.offer.gpu.family == plan.offer.gpu.family]
    nearest = max(same or below, key=lambda r: r.offer.net.cents, default=None)
    if nearest is not None:
        yield of_rejection("cheaper", nearest, request, context)


def _copies_of(outcome: Outcome, plan: Plan, context: Context) -> Plan | None:
    """The plan of several copies: the chosen one, or the rival that a pooled cluster beat."""
    if plan.fabric is None:
        return plan if plan.nodes - plan.spare_nodes > 1 else None
    return cheapest(outcome.eight_bit or outcome.four_bit, context.policy["decision.tie_share"])


def _replicas(outcome: Outcome, plan: Plan, context: Context) -> Iterator[Alternative]:
    """Copies behind a router where a cluster was chosen."""
    copies = None if plan.fabric is None else _copies_of(outcome, plan, context)
    if copies is not None:
        yield of_plan(
            "replicas",
            copies,
            message("e.alt.replicas", machine=plan_name(copies), more=copies.net - plan.net),
            message("e.alt.replicas.change"),
        )


def _one_node_of_several(plan: Plan) -> Alternative:
    """One node of a plan with several copies: it holds the model but carries only part of the load."""
    main = plan.main
    per_node = plan.offer.gpu_count // main.layout.parallelism.gpus_per_copy
    return Alternative(
        kind="cheaper",
        verdict=Verdict.NO_ANSWER,
        configuration=None,
        results=(),
        net=plan.offer.net,
        net_is_lower_bound=plan.offer.unpriced_lines > 0,
        three_year_eur=None,
        why_not=message(
            "e.alt.one_node",
            machine=machine(plan.offer),
            copies=quantity(per_node, Unit.COPIES),
            needed=quantity(main.copies_needed, Unit.COPIES),
        ),
        what_would_change=message("e.alt.one_node.change"),
        feasible=False,
    )


def _larger(outcome: Outcome, plan: Plan) -> Iterator[Alternative]:
    larger = [
        other
        for other in outcome.plans
        if other.offer.gpu.id == plan.offer.gpu.id
        and (other.fabric is None) == (plan.fabric is None)
        and other.offer.gpu_count * other.nodes > plan.offer.gpu_count * plan.nodes
    ]
    nearest = min(larger, key=lambda other: other.net.cents, default=None)
    if nearest is not None:
        yield of_plan(
            "larger",
            nearest,
            message(
                "e.alt.larger", machine=machines(nearest.offer, nearest.nodes), more=nearest.net - plan.net
            ),
            message("e.alt.larger.change"),
        )


def _other_gpu(outcome: Outcome, plan: Plan) -> Iterator[Alternative]:
    others = [other for other in outcome.plans if other.offer.gpu.family != plan.offer.gpu.family]
    nearest = min(others, key=lambda other: other.ranking_eur, default=None)
    if nearest is not None:
        yield of_plan("other_gpu", nearest, _why_not_other(nearest, plan), message("e.alt.other.change"))


def _why_not_other(other: Plan, plan: Plan) -> Message:
    """Dearer to buy; cheaper to buy but not over its life; or within the tie share and less simple."""
    name = machines(other.offer, other.nodes)
    if other.net.cents >= plan.net.cents:
        return message("e.alt.other_dearer", machine=name, difference=other.net - plan.net)
    text_id = "e.alt.other_life" if other.ranking_eur > plan.ranking_eur else "e.alt.other_tie"
    return message(text_id, machine=name, difference=plan.net - other.net)


def _four_bit(request: Request, plan: Plan, context: Context) -> Iterator[Alternative]:
    """The same job with 4-bit weights, when that is cheaper."""
    if plan.is_four_bit or not four_bit_allowed(request):
        return
    found = cheapest(
        search_nodes(request, context, four_bit=True, below=plan.net).plans,
        context.policy["decision.tie_share"],
    )
    if found is not None and found.net.cents < plan.net.cents:
        saving = plan.net - found.net
        yield of_plan(
            "four_bit",
            found,
            message("e.alt.four_bit", machine=machines(found.offer, found.nodes), saving=saving),
            message("e.alt.four_bit.change"),
        )


def _requested(request: Request, plan: Plan, context: Context) -> Iterator[Alternative]:
    """The plan the customer brought, on the nearest machine of the catalogue."""
    asked = request.limits.requested
    if asked is None:
        return
    editions = context.gpus_named(asked.gpu)
    offers = [o for gpu in editions if (o := context.offer_for(gpu.id, asked.gpus_per_node)) is not None]
    offer = min(offers, key=lambda one: one.net.cents, default=None)
    if offer is None:
        return
    outcome = plan_on_nodes(request, offer, plan.is_four_bit, context)
    if isinstance(outcome, Rejection):
        yield of_rejection("requested", outcome, request, context)
        return
    net = offer.net.times(max(asked.nodes, outcome.nodes))
    yield of_plan(
        "requested",
        outcome,
        message(
            "e.alt.requested",
            asked=machines(offer, asked.nodes),
            price=net,
            chosen=plan.net,
            needed=quantity(outcome.nodes, Unit.NODES),
        ),
        message("f.two_small_nodes_trap.change"),
    )


def _cluster(request: Request, plan: Plan, context: Context) -> Iterator[Alternative]:
    """Two of the chosen nodes as a cluster, when one node or copies were chosen."""
    workload = plan.main.workload
    if plan.fabric is not None or plan.nodes > 4 or len(request.workloads) > 1:
        return
    offer = context.offer_for(plan.offer.gpu.id, 8) or plan.offer
    outcome = plan_on_cluster(request, workload, offer, plan.is_four_bit, context)
    if isinstance(outcome, Plan):
        yield of_plan(
            "cluster",
            outcome,
            message("e.alt.cluster", machine=machine(offer), more=outcome.net - plan.net),
            message("e.alt.cluster.change"),
        )
    elif isinstance(outcome, Rejection):
        yield of_rejection("cluster", outcome, request, context)


def _sxm(request: Request, context: Context) -> Iterator[Alternative]:
    """An SXM system elsewhere: what it would do, without a price."""
    workload = largest_workload(request)
    if workload.kind.is_training:
        why = message("e.alt.sxm_training")
    else:
        capacity = serving_capacity_on_sxm(request, workload, context)
        if capacity is None:
            return
        why = message(
            "e.alt.sxm_serving",
            gpu=capacity.layout.machines.gpu.name,
            concurrency=quantity(capacity.concurrency, Unit.REQUESTS),
        )
    yield Alternative(
        kind="sxm",
        verdict=Verdict.REFER_SXM,
        configuration=None,
        results=(),
        net=None,
        net_is_lower_bound=False,
        three_year_eur=None,
        why_not=why,
        what_would_change=message("e.alt.sxm.change"),
    )


def _nearest_misses(request: Request, outcome: Outcome, context: Context) -> Iterator[Alternative]:
    """Without a plan: of each card the machine that came closest, and why it fails."""
    seen: set[str] = set()
    for rejection in sorted(outcome.rejections, key=_distance):
        if rejection.workload is not None and rejection.offer.gpu.family not in seen:
            seen.add(rejection.offer.gpu.family)
            yield of_rejection("nearest", rejection, request, context)


def _distance(rejection: Rejection) -> tuple[bool, int]:
    """A missed speed or date is nearer than a model that does not fit; then the larger machine."""
    return not is_referral(rejection), -rejection.offer.gpu_count * rejection.nodes

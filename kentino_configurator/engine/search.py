"""All feasible plans: every offer x precision class x layout x number of nodes x network, and why the others fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.money import Money
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.request import Availability, Request, Runs, Workload
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.cost import cost_of_ownership, hardware_net, ranking_eur
from kentino_configurator.engine.demand import serving_demand
from kentino_configurator.engine.plan import Placement, Plan, Rejection
from kentino_configurator.engine.serving import UnitChoice, choose_unit, nodes_for, place
from kentino_configurator.engine.site_limits import nodes_allowed
from kentino_configurator.engine.training_plan import TrainingChoice, best_training, training_placement


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Feasible plans and the reason of every offer that has none."""

    plans: tuple[Plan, ...]
    rejections: tuple[Rejection, ...]


def allowed_offers(request: Request, context: Context) -> tuple[NodeOffer, ...]:
    """Offers with an allowed GPU and no blocking rule, cheapest first."""
    wanted = request.limits.gpu_ids
    offers = [
        offer
        for offer in context.offers.nodes
        if not offer.blocked_by and (offer.gpu.tier == "ships" if wanted is None else offer.gpu.id in wanted)
    ]
    return tuple(sorted(offers, key=lambda offer: ((offer.planning_net or offer.net).cents, offer.id)))


def workload_groups(request: Request) -> tuple[tuple[Workload, ...], ...]:
    """Workloads that run at the same time; each exclusive or training job is a group of its own."""
    together = tuple(w for w in request.workloads if w.runs is not Runs.EXCLUSIVE and not w.kind.is_training)
    alone = tuple((w,) for w in request.workloads if w.runs is Runs.EXCLUSIVE or w.kind.is_training)
    return ((together,) if together else ()) + alone


def search_nodes(
    request: Request, context: Context, four_bit: bool, below: Money | None = None
) -> SearchResult:
    """Plans whose units stay inside a node: one node, or several behind a router.

    ``below`` leaves out machines that cost as much or more.
    """
    plans: list[Plan] = []
    rejections: list[Rejection] = []
    for offer in allowed_offers(request, context):
        if below is not None and offer.net.cents >= below.cents:
            continue
        outcome = plan_on_nodes(request, offer, four_bit, context)
        if isinstance(outcome, Plan):
            plans.append(outcome)
        else:
            rejections.append(outcome)
    return SearchResult(plans=tuple(plans), rejections=tuple(rejections))


def plan_on_nodes(request: Request, offer: NodeOffer, four_bit: bool, context: Context) -> Plan | Rejection:
    """The job on as many of one offer as it needs, no fabric between them."""
    allowed, limit_rule = nodes_allowed(offer, None, request, context.policy)
    if allowed < 1:
        return Rejection(offer=offer, rule=limit_rule)
    solved: list[tuple[UnitChoice, ...] | TrainingChoice] = []
    for group in workload_groups(request):
        outcome = _solve_group(request, group, offer, four_bit, context)
        if isinstance(outcome, Rejection):
            return outcome
        solved.append(outcome)
    nodes = max(_group_nodes(item, offer) for item in solved)
    spare = int(any(w.availability is Availability.N_PLUS_1 for w in request.workloads))
    if nodes + spare > 1:
        allowed, limit_rule = nodes_allowed(offer, context.network(None), request, context.policy)
    if nodes + spare > allowed:
        return Rejection(offer=offer, rule=limit_rule, nodes=nodes + spare)
    placements = tuple(
        placement for item in solved for placement in _placements(item, offer, nodes + spare, spare, context)
    )
    in_order = _in_request_order(request, placements)
    return finish_plan(request, offer, nodes + spare, spare, None, in_order, context)


def _solve_group(
    request: Request, group: tuple[Workload, ...], offer: NodeOffer, four_bit: bool, context: Context
) -> tuple[UnitChoice, ...] | TrainingChoice | Rejection:
    if group[0].kind.is_training:
        return best_training(group[0], offer, 1, None, context)
    choices: list[UnitChoice] = []
    for workload in group:
        choice = choose_unit(serving_demand(workload, request.growth), offer, four_bit, context)
        if isinstance(choice, Rejection):
            return choice
        choices.append(choice)
    return tuple(choices)


def _group_nodes(item: tuple[UnitChoice, ...] | TrainingChoice, offer: NodeOffer) -> int:
    return 1 if isinstance(item, TrainingChoice) else nodes_for(item, offer.gpu_count)


def _placements(
    item: tuple[UnitChoice, ...] | TrainingChoice, offer: NodeOffer, nodes: int, spare: int, context: Context
) -> Iterator[Placement]:
    """A job alone fills every node with copies; jobs together keep the copies they need (and the spare's share)."""
    if isinstance(item, TrainingChoice):
        yield training_placement(item)
        return
    for choice in item:
        per_node = offer.gpu_count // choice.capacity.gpus
        if len(item) == 1:
            yield place(choice, nodes * per_node, spare * per_node, context)
        else:
            extra = spare * min(per_node, choice.copies)
            yield place(choice, choice.copies + extra, extra, context)


def finish_plan(
    request: Request,
    offer: NodeOffer,
    nodes: int,
    spare: int,
    fabric: Fabric | None,
    placements: tuple[Placement, ...],
    context: Context,
    efficiency: Estimate | None = None,
) -> Plan:
    """Adds network, price and cost of ownership to placed workloads."""
    network = context.network(fabric) if nodes > 1 else None
    net, unpriced = hardware_net(offer, nodes, network)
    cost = cost_of_ownership(offer, nodes, network, fabric is not None, request.operations, context.policy)
    return Plan(
        offer=offer,
        nodes=nodes,
        spare_nodes=spare,
        fabric=fabric,
        placements=placements,
        net=net,
        unpriced_lines=unpriced,
        cost=cost,
        ranking_eur=ranking_eur(offer, nodes, cost),
        scaling_efficiency=efficiency,
    )


def _in_request_order(request: Request, placements: tuple[Placement, ...]) -> tuple[Placement, ...]:
    order = {workload.name: index for index, workload in enumerate(request.workloads)}
    return tuple(sorted(placements, key=lambda placement: order[placement.workload.name]))


def cheapest(plans: tuple[Plan, ...], tie_share: float) -> Plan | None:
    """The cheapest plan over its life; within the tie share the simpler one: fewer machines, no fabric."""
    if not plans:
        return None
    lowest = min(plan.ranking_eur for plan in plans)
    tied = [plan for plan in plans if plan.ranking_eur <= lowest * (1 + tie_share)]
    return min(tied, key=_simplicity)


def _simplicity(plan: Plan) -> tuple[int, bool, float, str]:
    return plan.nodes, plan.fabric is not None, plan.ranking_eur, plan.offer.id

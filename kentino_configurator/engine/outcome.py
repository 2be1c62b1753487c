"""The verdict found by the rules, in the order that the article means: frontier, unit, count, cluster, elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kentino_configurator.core.decision import Verdict
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.request import JobKind, Request, Workload
from kentino_configurator.engine.cluster import search_cluster
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.plan import Plan, Rejection
from kentino_configurator.engine.search import cheapest, search_nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the search found. ``plan`` is ``None`` when no machine of ours does the job."""

    plan: Plan | None
    eight_bit: tuple[Plan, ...]
    four_bit: tuple[Plan, ...]
    clusters: tuple[Plan, ...]
    rejections: tuple[Rejection, ...]
    frontier: Workload | None = None

    @property
    def plans(self) -> tuple[Plan, ...]:
        """All feasible plans."""
        return self.eight_bit + self.four_bit + self.clusters

    @property
    def same_precision(self) -> tuple[Plan, ...]:
        """The plans whose cost may be compared with the chosen one: 4-bit weights are another product."""
        four_bit = self.plan is not None and self.plan.is_four_bit
        return tuple(plan for plan in self.plans if plan.is_four_bit == four_bit)

    @property
    def verdict(self) -> Verdict | None:
        """Category of the plan; ``None`` without one."""
        return None if self.plan is None else category(self.plan)


def category(plan: Plan) -> Verdict:
    """The verdict a plan stands for."""
    if plan.fabric is not None:
        return Verdict.MULTI_NODE
    if plan.nodes > 1:
        return Verdict.REPLICAS
    return Verdict.SINGLE_NODE_INT4 if plan.is_four_bit else Verdict.SINGLE_NODE


def find_outcome(request: Request, context: Context) -> Outcome:
    """Frontier first; one node in 8 bit, then one node in 4 bit, then copies of a node, then a cluster."""
    frontier = frontier_workload(request, context)
    if frontier is not None:
        return Outcome(plan=None, eight_bit=(), four_bit=(), clusters=(), rejections=(), frontier=frontier)
    tie = context.policy["decision.tie_share"]
    eight = search_nodes(request, context, four_bit=False)
    found = Outcome(
        plan=cheapest(_on_one_node(eight.plans), tie),
        eight_bit=eight.plans,
        four_bit=(),
        clusters=(),
        rejections=eight.rejections,
    )
    if found.plan is None and four_bit_allowed(request):
        found = _with_four_bit(request, found, context)
    return found if found.plan is not None else _over_several_nodes(request, found, context)


def _with_four_bit(request: Request, found: Outcome, context: Context) -> Outcome:
    """One node in 4 bit, where 8 bit fits none or would take many times its cost in copies.

    A load that only asks for more copies is met by copies: 4 bit is the answer to a model that does not fit.
    """
    tie = context.policy["decision.tie_share"]
    four = search_nodes(request, context, four_bit=True)
    one_node, copies = cheapest(_on_one_node(four.plans), tie), cheapest(found.eight_bit, tie)
    worth = context.policy["decision.four_bit_cost_share"]
    taken = one_node is not None and (copies is None or one_node.ranking_eur < worth * copies.ranking_eur)
    return replace(
        found,
        plan=one_node if taken else None,
        four_bit=four.plans,
        rejections=found.rejections + four.rejections,
    )


def _over_several_nodes(request: Request, found: Outcome, context: Context) -> Outcome:
    """Copies behind a router, in 8 bit before 4 bit, against one pooled cluster."""
    tie = context.policy["decision.tie_share"]
    copies = cheapest(found.eight_bit, tie) or cheapest(found.four_bit, tie)
    four_bit = copies is not None and copies.is_four_bit
    clusters, missed = _search_clusters(request, context, four_bit)
    return replace(
        found,
        plan=cheaper_of_copies_and_cluster(copies, cheapest(clusters, tie), tie),
        clusters=clusters,
        rejections=found.rejections + missed,
    )


def _on_one_node(plans: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Plans in which one node carries the load; a spare does not count."""
    return tuple(plan for plan in plans if plan.nodes - plan.spare_nodes == 1)


def _search_clusters(
    request: Request, context: Context, four_bit: bool
) -> tuple[tuple[Plan, ...], tuple[Rejection, ...]]:
    found = search_cluster(request, context, four_bit)
    if found.plans or four_bit or not four_bit_allowed(request):
        return found.plans, found.rejections
    second = search_cluster(request, context, four_bit=True)
    return second.plans, found.rejections + second.rejections


def cheaper_of_copies_and_cluster(copies: Plan | None, cluster: Plan | None, tie: float) -> Plan | None:
    """Copies win ties: a fabric must be bought and run."""
    if copies is None or cluster is None:
        return copies or cluster
    cluster_wins = cluster.ranking_eur * (1 + tie) < copies.ranking_eur
    return cluster if cluster_wins else copies


def frontier_workload(request: Request, context: Context) -> Workload | None:
    """The first pre-training job from nothing at or above the frontier size."""
    limit = context.policy["frontier.pretrain_parameters"]
    return next(
        (w for w in request.workloads if w.kind is JobKind.PRETRAIN and w.model.text_params >= limit), None
    )


def four_bit_allowed(request: Request) -> bool:
    """4-bit weights only where the customer allows them and something is served whose format is open or 4 bit."""
    return request.limits.allow_int4 and any(
        not w.kind.is_training and (w.weights_precision is Precision.AUTO or w.weights_precision.is_four_bit)
        for w in request.workloads
    )

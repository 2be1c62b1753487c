"""The verdict found by the rules, in the order that the article means: frontier, unit, count, cluster, elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.decision import Verdict
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
    """Frontier first; then the unit in 8 bit, then in 4 bit; copies against a pooled cluster; the cluster last."""
    frontier = frontier_workload(request, context)
    if frontier is not None:
        return Outcome(plan=None, eight_bit=(), four_bit=(), clusters=(), rejections=(), frontier=frontier)
    tie = context.policy["decision.tie_share"]
    eight = search_nodes(request, context, four_bit=False)
    plan, four_plans, clusters = cheapest(eight.plans, tie), (), ()
    rejections = eight.rejections
    if plan is None and four_bit_allowed(request):
        four = search_nodes(request, context, four_bit=True)
        plan, four_plans, rejections = cheapest(four.plans, tie), four.plans, rejections + four.rejections
    if plan is None or plan.nodes - plan.spare_nodes > 1:
        pooled = _search_clusters(request, context, four_bit=plan is not None and plan.is_four_bit)
        clusters, rejections = pooled[0], rejections + pooled[1]
        plan = cheaper_of_copies_and_cluster(plan, cheapest(clusters, tie), tie)
    return Outcome(
        plan=plan, eight_bit=eight.plans, four_bit=four_plans, clusters=clusters, rejections=rejections
    )


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
    cluster_wins = cluster.cost.total.expected * (1 + tie) < copies.cost.total.expected
    return cluster if cluster_wins else copies


def frontier_workload(request: Request, context: Context) -> Workload | None:
    """The first pre-training job from nothing at or above the frontier size."""
    limit = context.policy["frontier.pretrain_parameters"]
    return next(
        (w for w in request.workloads if w.kind is JobKind.PRETRAIN and w.model.text_params >= limit), None
    )


def four_bit_allowed(request: Request) -> bool:
    """4-bit weights only where the customer allows them and something is served."""
    return request.limits.allow_int4 and any(not w.kind.is_training for w in request.workloads)

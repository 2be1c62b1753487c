"""Plans for one copy over several nodes: tensor parallelism inside a node, pipeline or data parallelism across.

Inference pools the memory of the cluster in one pipeline; training shards its state. Node counts and fabrics are
tried from the cheapest up, and the first that holds ends the search of an offer.
"""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.layout import Fabric, Layout, Machines, Parallelism, Stack
from kentino_configurator.core.offer import NetworkOffer, NodeOffer
from kentino_configurator.core.request import Availability, Request, Workload
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.demand import serving_demand
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.performance import predict_serving
from kentino_configurator.engine.plan import Plan, Rejection
from kentino_configurator.engine.search import SearchResult, allowed_offers, finish_plan, workload_groups
from kentino_configurator.engine.serving import UnitChoice, copies_needed, place, reached
from kentino_configurator.engine.site_limits import nodes_allowed
from kentino_configurator.engine.training_plan import best_training, training_placement
from kentino_configurator.engine.units import (
    DEGREES,
    UnitCapacity,
    eight_bit_precisions,
    four_bit_precisions,
    kv_precisions,
    machines_of,
    memory_utilization,
    missed_target,
)
from kentino_configurator.engine.weights import weights_bytes

MIN_GPUS_PER_NODE = 4
CLUSTER_FABRICS = (
    Fabric.ROCE_200G,
    Fabric.ROCE_400G,
    Fabric.INFINIBAND_200G,
    Fabric.INFINIBAND_400G,
)


def search_cluster(request: Request, context: Context, four_bit: bool) -> SearchResult:
    """Cluster plans of every GPU edition with at least four GPUs in a node; only for a request of one workload."""
    plans: list[Plan] = []
    rejections: list[Rejection] = []
    groups = workload_groups(request)
    if len(groups) != 1 or len(groups[0]) != 1:
        return SearchResult(plans=(), rejections=())
    for offer in _cheapest_of_each_kind(allowed_offers(request, context)):
        outcome = plan_on_cluster(request, groups[0][0], offer, four_bit, context)
        if isinstance(outcome, Plan):
            plans.append(outcome)
        elif outcome is not None:
            rejections.append(outcome)
    return SearchResult(plans=tuple(plans), rejections=tuple(rejections))


def _cheapest_of_each_kind(offers: tuple[NodeOffer, ...]) -> tuple[NodeOffer, ...]:
    """Of equal GPUs and counts the cheapest chassis; ``offers`` come cheapest first."""
    kinds: dict[tuple[str, int], NodeOffer] = {}
    for offer in offers:
        if offer.gpu_count >= MIN_GPUS_PER_NODE and offer.form == "rack" and offer.adapter_slots != 0:
            kinds.setdefault((offer.gpu.id, offer.gpu_count), offer)
    return tuple(kinds.values())


def plan_on_cluster(
    request: Request, workload: Workload, offer: NodeOffer, four_bit: bool, context: Context
) -> Plan | Rejection | None:
    """The smallest cluster of one offer that does the job, on the cheapest fabric that carries it.

    Of each size the fastest fabric is tried first: where that fails, no slower one can help.
    """
    if offer.adapter_slots == 0:
        return None
    largest = int(context.policy["cluster.max_nodes"])
    nearest: Rejection | None = None
    for nodes in range(2, largest + 1):
        cheapest_first = _fabrics(nodes, offer, request, context)
        if not cheapest_first:
            continue
        fastest = max(cheapest_first, key=lambda network: _gigabits(network))
        outcome = _on_fabric(request, workload, offer, nodes, fastest, four_bit, context)
        if isinstance(outcome, Rejection):
            nearest = nearest or outcome
            continue
        for network in cheapest_first:
            cheaper = _on_fabric(request, workload, offer, nodes, network, four_bit, context)
            if isinstance(cheaper, Plan):
                return cheaper
        return outcome
    return nearest


def _fabrics(nodes: int, offer: NodeOffer, request: Request, context: Context) -> list[NetworkOffer]:
    """InfiniBand and RoCE networks for so many nodes within the site's limits, cheapest first.

    Plain Ethernet carries copies, not a split model.
    """
    usable = [
        network
        for network in context.offers.networks
        if network.fabric in CLUSTER_FABRICS
        and network.max_nodes >= nodes
        and nodes_allowed(offer, network, request, context.policy)[0] >= nodes
    ]
    return sorted(usable, key=lambda n: n.fixed_net.cents + n.per_node_net.cents * nodes)


def _gigabits(network: NetworkOffer) -> int:
    assert network.fabric is not None
    return int(network.fabric.value.rsplit("_", 1)[1].removesuffix("g"))


def _on_fabric(
    request: Request,
    workload: Workload,
    offer: NodeOffer,
    nodes: int,
    network: NetworkOffer,
    four_bit: bool,
    context: Context,
) -> Plan | Rejection:
    if workload.kind.is_training:
        return _training_cluster(request, workload, offer, nodes, network, context)
    return _serving_cluster(request, workload, offer, nodes, network, four_bit, context)


def _training_cluster(
    request: Request,
    workload: Workload,
    offer: NodeOffer,
    nodes: int,
    network: NetworkOffer,
    context: Context,
) -> Plan | Rejection:
    choice = best_training(workload, offer, nodes, network.fabric, context)
    if isinstance(choice, Rejection):
        return choice
    efficiency = choice.performance.scaling_efficiency
    placed = (training_placement(choice),)
    return finish_plan(request, offer, nodes, 0, network.fabric, placed, context, efficiency)


def _serving_cluster(
    request: Request,
    workload: Workload,
    offer: NodeOffer,
    nodes: int,
    network: NetworkOffer,
    four_bit: bool,
    context: Context,
) -> Plan | Rejection:
    """The whole cluster as one copy that must carry the whole demand: one prediction a layout, no bisection."""
    demand = serving_demand(workload, request.growth)
    if workload.availability is not Availability.NONE or demand.batch_tokens is not None:
        return Rejection(offer=offer, rule="pooled_single_copy", workload=workload, nodes=nodes)
    rejection = Rejection(offer=offer, rule="weights_over_ceiling", workload=workload, nodes=nodes)
    for layout in cluster_layouts(workload, machines_of(offer, nodes, network.fabric), four_bit, context):
        prediction = predict_serving(
            layout, demand.load(demand.concurrency), context.calibration, context.policy
        )
        rule = missed_target(demand, prediction)
        if rule:
            rejection = Rejection(
                offer=offer,
                rule=rule,
                workload=workload,
                layout=layout,
                reached=reached(rule, prediction),
                nodes=nodes,
            )
            continue
        capacity = context.capacity(demand, layout)
        if isinstance(capacity, UnitCapacity) and copies_needed(demand, capacity) == 1:
            placed = (place(UnitChoice(demand=demand, capacity=capacity, copies=1), 1, 0, context),)
            return finish_plan(request, offer, nodes, 0, network.fabric, placed, context)
    return rejection


def cluster_layouts(
    workload: Workload, machines: Machines, four_bit: bool, context: Context
) -> Iterator[Layout]:
    """TP inside x PP across, the whole cluster one copy, weights below the ceiling, the widest TP first."""
    gpus = machines.gpus_per_node * machines.nodes
    ceiling = context.policy["weights.ceiling_share"] * machines.gpu.vram_bytes * gpus
    precisions = (four_bit_precisions if four_bit else eight_bit_precisions)(workload, machines.gpu)
    for precision in precisions:
        if weights_bytes(workload.model, precision) > ceiling:
            continue
        for kv in kv_precisions(workload):
            for tp in sorted(
                (d for d in DEGREES if d <= machines.gpus_per_node and gpus % d == 0), reverse=True
            ):
                layout = Layout(
                    model=workload.model,
                    machines=machines,
                    parallelism=Parallelism(tp=tp, pp=gpus // tp),
                    weights_precision=precision,
                    kv_precision=kv,
                    gpu_memory_utilization=memory_utilization(machines.gpu, context.policy),
                    stack=Stack.ORDINARY,
                )
                if not layout_reasons(layout):
                    yield layout

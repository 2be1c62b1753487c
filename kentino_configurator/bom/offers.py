"""Every machine and network that can be offered from a catalogue, with price, power and size."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from statistics import median

from kentino_configurator.bom.checks.c_lanes import stated_slots
from kentino_configurator.bom.checks.run import check_node
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.fitting import cards, counts
from kentino_configurator.bom.front_adapter import FEWEST_SCRATCH_DRIVES, FRONT_LANES, lanes_left
from kentino_configurator.bom.gear import adapter_items, gear_items, gear_w, link_items
from kentino_configurator.bom.items import Item, known_net, unpriced
from kentino_configurator.bom.lanes import LANES_PER_DRIVE, LANES_PER_LINK
from kentino_configurator.bom.network import FRONT_ADAPTERS, TECHNOLOGIES, largest_switch_ports, plan_network
from kentino_configurator.bom.node import node_items
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.power import ac_w, dc_from_parts, dc_w
from kentino_configurator.bom.supplies import most_tower_load_w, supply_of
from kentino_configurator.core.bom import Outcome
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import GpuSpec, ReferenceBuild
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.money import Money, total
from kentino_configurator.core.offer import NetworkOffer, NodeOffer, Offers

_TYPICAL_CLUSTER_NODES = 4
_NO_LIMIT = 1_000_000
"""Copies behind a router do not talk to each other: any number of them may stand on more switches."""


def build_offers(snapshot: CatalogSnapshot) -> Offers:
    """All nodes (every reference build with its shipping cards and counts) and a network of every kind."""
    medians = _median_prices(snapshot)
    return Offers(nodes=tuple(_node_offers(snapshot, medians)), networks=tuple(_network_offers(snapshot)))


def _node_offers(snapshot: CatalogSnapshot, medians: dict[str, Money]) -> Iterator[NodeOffer]:
    """Smaller builds first: a larger build on the same platform adds only the counts they do not have."""
    known: set[tuple[str, str, int]] = set()
    for build in sorted(snapshot.builds, key=lambda build: build.gpu_count):
        for sold, card in cards(build, snapshot):
            for count in counts(build):
                key = (build.platform_id, card.id, count)
                if key not in known:
                    known.add(key)
                    yield node_offer(build, sold, card, count, snapshot, medians)


def node_offer(
    build: ReferenceBuild,
    sold: GpuSpec,
    card: GpuSpec,
    count: int,
    snapshot: CatalogSnapshot,
    medians: dict[str, Money],
) -> NodeOffer:
    """One node. ``sold`` is what the engine computes with, ``card`` what is built in."""
    platform = snapshot.platforms[build.platform_id]
    plan = NodePlan(build=build, platform=platform, card=card, gpu_count=count)
    items = node_items(plan, snapshot)
    dc = dc_w(items, build.form, snapshot.policy)
    supply_w, supply_count = supply_of(plan, items, snapshot)
    subject = Subject(
        plan=plan,
        node_items=items,
        node_dc_w=dc.expected,
        node_ac_w=ac_w(dc, snapshot.policy).expected,
        supply_w=supply_w,
        supply_count=supply_count,
        snapshot=snapshot,
    )
    checks = check_node(subject)
    return NodeOffer(
        id=f"{build.id}/{count}x{sold.id}",
        name=f"{build.name}: {count} x {card.name}",
        gpu=sold,
        gpu_count=count,
        platform=platform,
        build=build,
        net=known_net(items),
        unpriced_lines=unpriced(items),
        dc_w=dc,
        ac_w=ac_w(dc, snapshot.policy),
        rack_units=platform.rack_units,
        form=build.form,
        max_inlet_c=platform.max_inlet_c,
        blocked_by=tuple(check.rule for check in checks if check.outcome is Outcome.BLOCK),
        unknown_rules=tuple(check.rule for check in checks if check.outcome is Outcome.UNKNOWN),
        fitted=None if card is sold else card,
        planning_net=_planning_net(items, medians),
        supplies=supply_count,
        adapter_slots=_adapter_slots(plan, items, dc.expected, snapshot),
    )


def _adapter_slots(
    plan: NodePlan, items: tuple[Item, ...], dc_watts: float, snapshot: CatalogSnapshot
) -> int | None:
    """Adapters the node can hold, the one towards the customer's network included: by slots, lanes and supply.

    ``None`` where slots are not published; 0 where no adapter towards other nodes has a place.
    """
    slots = stated_slots(plan.platform.nic_slots, plan.platform.gpu_slots_double)
    front = sum(item.quantity for item in items if item.category == "nic")
    if plan.build.form == "tower":
        adapter_w = snapshot.policy["power.nic_w"] * snapshot.policy["power.overhead_factor"]
        if dc_watts + adapter_w * (FRONT_ADAPTERS + 1) > most_tower_load_w(plan.build, snapshot):
            return 0
    lanes = lanes_left(plan, snapshot)
    if lanes is None:
        return slots
    drives = FEWEST_SCRATCH_DRIVES * LANES_PER_DRIVE
    more = (lanes - drives - front * FRONT_LANES) // LANES_PER_LINK
    if more < 1:
        return 0
    return None if slots is None else min(slots, front + more)


def _planning_net(items: tuple[Item, ...], medians: dict[str, Money]) -> Money:
    """Known prices, and for every missing one the median of its category."""
    guessed = (
        medians[item.category].times(item.quantity)
        for item in items
        if item.price.amount is None and item.category in medians
    )
    return known_net(items) + total(guessed)


def _median_prices(snapshot: CatalogSnapshot) -> dict[str, Money]:
    """Median known price by category of part; barebones count as ``chassis``."""
    prices: dict[str, list[int]] = {}
    for part in snapshot.parts.values():
        if part.price.amount is not None:
            prices.setdefault(part.category, []).append(part.price.amount.cents)
    prices["chassis"] = [
        platform.price.amount.cents
        for platform in snapshot.platforms.values()
        if platform.price.amount is not None and platform.form == "rack"
    ]
    return {category: Money(round(Decimal(median(cents)))) for category, cents in prices.items() if cents}


def _network_offers(snapshot: CatalogSnapshot) -> Iterator[NetworkOffer]:
    for fabric in TECHNOLOGIES:
        offer = network_offer(fabric, snapshot)
        if offer:
            yield offer


def network_offer(fabric: Fabric | None, snapshot: CatalogSnapshot) -> NetworkOffer | None:
    """A network as a fixed part and a part for each node, ``None`` when no adapter or cable fits."""
    plan = plan_network(fabric, _TYPICAL_CLUSTER_NODES, snapshot)
    if plan.adapter is None or plan.link is None or plan.switch is None:
        return None
    fixed = gear_items(plan, "none", snapshot)
    per_node = (*adapter_items(plan, snapshot), *link_items(plan, snapshot))
    share = Decimal(1) / plan.nodes
    policy = snapshot.policy
    return NetworkOffer(
        fabric=fabric,
        fixed_net=known_net(fixed),
        per_node_net=known_net(per_node).times(share),
        unpriced_lines=unpriced((*fixed, *per_node)),
        fixed_w=gear_w(fixed, snapshot.policy),
        per_node_w=ac_w(dc_from_parts(policy["power.nic_w"] * plan.rails, policy), policy).expected,
        max_nodes=_NO_LIMIT if fabric is None else largest_switch_ports(fabric, snapshot),
        fixed_rack_units=sum((item.rack_units or 0) * item.quantity for item in fixed),
    )

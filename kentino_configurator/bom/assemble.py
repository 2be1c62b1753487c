"""The bill of materials of a decided configuration: lines, totals, power, site needs and checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kentino_configurator.bom.alternatives import alternatives
from kentino_configurator.bom.checkpoint import largest_checkpoint_bytes
from kentino_configurator.bom.checks.run import check_order
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.extras import RackLoad, cords, licences, rack_and_pdus, services
from kentino_configurator.bom.fitting import built_in
from kentino_configurator.bom.gear import adapter_items, gear_items, gear_w, link_items
from kentino_configurator.bom.items import Item, to_lines
from kentino_configurator.bom.lanes import LANES_PER_LINK
from kentino_configurator.bom.network import NetworkPlan, plan_network
from kentino_configurator.bom.node import node_items
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.power import ac_w, dc_w, order_power, parts_w
from kentino_configurator.bom.site import circuits_needed, outlet, outlets_needed
from kentino_configurator.bom.spares import spares
from kentino_configurator.bom.supplies import supply_of
from kentino_configurator.bom.totals import totals, vat_rate
from kentino_configurator.core.bom import BillOfMaterials, BomLine, SiteNeeds
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Everything chosen for an order, before it becomes lines."""

    plan: NodePlan
    nodes: int
    node: tuple[Item, ...]
    network: NetworkPlan | None
    between: tuple[Item, ...]
    beside: tuple[Item, ...]
    node_dc: Estimate
    gear_ac_w: float
    supply_w: float | None
    supply_count: int | None


def assemble(request: Request, configuration: Configuration, snapshot: CatalogSnapshot) -> BillOfMaterials:
    """Parts, prices, power and checks of ``configuration``. Prices that are missing stay missing."""
    order = plan_order(request, configuration, snapshot)
    ordered = tuple(_order_items(order, request, snapshot))
    items = tuple(_merged((*ordered, *spares(ordered, order.nodes, snapshot.policy))))
    lines = tuple(
        replace(line, alternatives=alternatives(item, snapshot))
        for line, item in zip(to_lines(items), items, strict=True)
    )
    commercial = request.commercial
    rate = vat_rate(commercial.vat_mode, request.customer.country, snapshot.policy)
    money = totals(lines, commercial.discount_percent, rate)
    subject = _subject(order, request, configuration, lines, snapshot)
    return BillOfMaterials(
        lines=lines,
        checks=check_order(subject),
        list_net=money.list_net,
        discount=money.discount,
        net=money.net,
        vat_rate_percent=money.vat_rate_percent,
        vat=money.vat,
        gross=money.gross,
        unpriced_lines=sum(line.unit_net is None for line in lines),
        budgetary=any(line.price_status is not PriceStatus.KENTINO_LIST for line in lines),
        power=order_power(
            order.node_dc,
            order.nodes,
            order.gear_ac_w,
            _circuits(order, request, snapshot),
            snapshot.policy,
        ),
        site=_site_needs(order, items),
    )


def plan_order(request: Request, configuration: Configuration, snapshot: CatalogSnapshot) -> Order:
    """Chooses the parts of nodes and network."""
    nodes, form = configuration.nodes, configuration.node.form
    slots = configuration.node.adapter_slots
    network = plan_network(configuration.fabric, nodes, snapshot, form, slots) if nodes > 1 else None
    adapters = tuple(adapter_items(network, snapshot)) if network else ()
    links = tuple(link_items(network, snapshot)) if network else ()
    gear = gear_items(network, request.site.storage, snapshot) if network else ()
    plan = node_plan(request, configuration, adapters, snapshot)
    node = node_items(plan, snapshot)
    supply_w, supply_count = supply_of(plan, node, snapshot)
    return Order(
        plan=plan,
        nodes=nodes,
        node=node,
        network=network,
        between=(*adapters, *links),
        beside=gear,
        node_dc=dc_w(node, form, snapshot.policy, plan.adapter_w),
        gear_ac_w=gear_w(gear, snapshot.policy) if gear else 0.0,
        supply_w=supply_w,
        supply_count=supply_count,
    )


def node_plan(
    request: Request, configuration: Configuration, adapters: tuple[Item, ...], snapshot: CatalogSnapshot
) -> NodePlan:
    """The node of a configuration with scratch space for the request's checkpoints.

    ``adapters`` are those of a network between the nodes, for the whole order.
    """
    offer = configuration.node
    checkpoint = largest_checkpoint_bytes(request, configuration.weights_precision)
    return NodePlan(
        build=offer.build,
        platform=offer.platform,
        card=built_in(offer, snapshot),
        gpu_count=offer.gpu_count,
        scratch_bytes=checkpoint * snapshot.policy["storage.checkpoints_kept"],
        front_gbps=float(request.site.network_gbps),
        adapter_w=parts_w(adapters) / configuration.nodes,
        adapter_lanes=sum(lanes_of(item, snapshot) * item.quantity for item in adapters)
        // configuration.nodes,
    )


def lanes_of(adapter: Item, snapshot: CatalogSnapshot) -> int:
    """Lanes of one adapter; one that does not say takes a whole slot."""
    return snapshot.parts[adapter.sku].pcie_lanes or LANES_PER_LINK


def _order_items(order: Order, request: Request, snapshot: CatalogSnapshot) -> Iterable[Item]:
    total_ac_w = ac_w(order.node_dc, snapshot.policy).expected * order.nodes + order.gear_ac_w
    yield from (item.times(order.nodes) for item in order.node)
    yield from order.between
    yield from order.beside
    yield from cords(order.plan, order.supply_w, order.supply_count, order.nodes, snapshot)
    if order.plan.build.form == "rack":
        yield from rack_and_pdus(_rack_load(order, total_ac_w), request, snapshot)
    yield from licences(order.plan, order.nodes, snapshot)
    yield from services(request, snapshot)


def _rack_load(order: Order, total_ac_w: float) -> RackLoad:
    return RackLoad(
        nodes=order.nodes,
        node_units=order.plan.platform.rack_units,
        ac_w=total_ac_w,
        cords=(order.supply_count or 0) * order.nodes,
        outlet_kind="" if order.supply_w is None else outlet(order.supply_w),
    )


def _merged(items: Iterable[Item]) -> Iterable[Item]:
    """One line for each asset of a group: equal parts are counted together where they first appear; spares apart."""
    merged: dict[tuple[str, str, bool], Item] = {}
    for item in items:
        key = (item.group, item.sku, item.spare)
        known = merged.get(key)
        merged[key] = item if known is None else replace(known, quantity=known.quantity + item.quantity)
    return merged.values()


def _circuits(order: Order, request: Request, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    node_ac = ac_w(order.node_dc, snapshot.policy).expected
    return circuits_needed(node_ac, order.nodes, order.gear_ac_w, request.site.feeds, snapshot.policy)


def _site_needs(order: Order, items: tuple[Item, ...]) -> SiteNeeds:
    platform = order.plan.platform
    gear_units = sum((item.rack_units or 0) * item.quantity for item in order.beside)
    units = None if platform.rack_units is None else platform.rack_units * order.nodes + gear_units
    return SiteNeeds(
        rack_units=units if order.plan.build.form == "rack" else None,
        depth_mm=platform.depth_mm,
        mass_kg=None if platform.weight_kg is None else platform.weight_kg * order.nodes,
        max_inlet_c=platform.max_inlet_c,
        outlets=outlets_needed(order.supply_w, order.supply_count, order.nodes),
    )


def _subject(
    order: Order,
    request: Request,
    configuration: Configuration,
    lines: tuple[BomLine, ...],
    snapshot: CatalogSnapshot,
) -> Subject:
    return Subject(
        plan=order.plan,
        node_items=order.node,
        node_dc_w=order.node_dc.expected,
        node_ac_w=ac_w(order.node_dc, snapshot.policy).expected,
        supply_w=order.supply_w,
        supply_count=order.supply_count,
        snapshot=snapshot,
        request=request,
        configuration=configuration,
        network=order.network,
        lines=lines,
        gear_ac_w=order.gear_ac_w,
        rack_units=_site_needs(order, ()).rack_units,
    )

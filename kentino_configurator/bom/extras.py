"""Lines beside nodes and network: cords, rack and PDUs, licences, services."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.bom.items import Item, from_part
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.select import cheapest, named, parts_of
from kentino_configurator.bom.site import outlet, outlets_of
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.request import Request

_LICENSED_MAKERS = ("Dell", "HPE")
"""Makers whose remote console is sold as a licence per node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RackLoad:
    """What racks and PDUs must hold: servers, wall power, cords and their kind (empty when not known)."""

    nodes: int
    node_units: int | None
    ac_w: float
    cords: int
    outlet_kind: str


def cords(
    plan: NodePlan, supply_w: float | None, supplies: int | None, nodes: int, snapshot: CatalogSnapshot
) -> Iterator[Item]:
    """One cord for each power supply: to a rack PDU for servers, to a wall socket for towers."""
    if supply_w is None or supplies is None:
        return
    end = "C14" if outlet(supply_w) == "C13" else "C20"
    name = f"{outlet(supply_w)}-{end}" if plan.build.form == "rack" else f"{outlet(supply_w)} to CEE 7/7"
    if cord := named(snapshot, "power_cord", name):
        yield from_part(cord, supplies * nodes, BomGroup.SITE)


def rack_and_pdus(order: RackLoad, request: Request, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """Racks with PDUs for several servers at a site that states no rack; nothing otherwise."""
    pdu, rack = _pdu(snapshot), _rack(snapshot)
    if order.nodes < 2 or request.site.rack_units is not None or pdu is None or rack is None:
        return
    feeds = 2 if request.site.feeds == "ab" else 1
    pdus = _pdus_per_feed(order, pdu, feeds, snapshot)
    usable = (rack.rack_units or 0) - int(snapshot.policy["rack.reserve_units"])
    by_height = math.ceil(order.nodes * (order.node_units or 0) / usable)
    by_heat = math.ceil(order.ac_w / snapshot.policy["rack.air_limit_w"])
    yield from_part(rack, max(by_height, by_heat), BomGroup.SITE)
    yield from_part(pdu, pdus * feeds, BomGroup.SITE)


def _pdus_per_feed(order: RackLoad, pdu: PartSpec, feeds: int, snapshot: CatalogSnapshot) -> int:
    """PDUs that carry the load and have an outlet for every cord of one feed."""
    by_power = math.ceil(order.ac_w / ((pdu.power_w or 1.0) * snapshot.policy["circuit.continuous_share"]))
    have = outlets_of(pdu, order.outlet_kind)
    cords = math.ceil(order.cords / feeds)
    return max(by_power, math.ceil(cords / have) if have else 0, 1)


def _pdu(snapshot: CatalogSnapshot) -> PartSpec | None:
    """The largest priced PDU: one feed of a rack of GPU servers."""
    priced = [p for p in parts_of(snapshot, "pdu") if p.price.amount is not None and p.power_w is not None]
    largest = max((pdu.power_w or 0.0 for pdu in priced), default=0.0)
    return cheapest(pdu for pdu in priced if pdu.power_w == largest)


def _rack(snapshot: CatalogSnapshot) -> PartSpec | None:
    return cheapest(part for part in parts_of(snapshot, "rack") if part.rack_units)


def licences(plan: NodePlan, nodes: int, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """The remote console licence of makers that sell it apart. Serving software is free and open: no line."""
    if plan.platform.vendor in _LICENSED_MAKERS and (licence := named(snapshot, "software", "iDRAC / iLO")):
        yield from_part(licence, nodes, BomGroup.SOFTWARE)


def services(request: Request, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """Integration with burn-in, support, and installation when it is asked."""
    wanted = ["Integration", "Maintenance"] + (["Installation"] if request.commercial.installation else [])
    for word in wanted:
        if service := named(snapshot, "service", word):
            yield from_part(service, 1, BomGroup.SERVICE)

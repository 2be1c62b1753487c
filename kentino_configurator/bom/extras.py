"""Lines beside nodes and network: cords, rack and PDUs, licences, services."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kentino_configurator.bom.items import Item, from_part
from kentino_configurator.bom.node import NodePlan
from kentino_configurator.bom.select import cheapest, named, parts_of
from kentino_configurator.bom.site import outlet
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.request import Request

_LICENSED_MAKERS = ("Dell", "HPE")
"""Makers whose remote console is sold as a licence per node."""


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


def rack_and_pdus(
    plan: NodePlan, total_ac_w: float, nodes: int, request: Request, snapshot: CatalogSnapshot
) -> Iterator[Item]:
    """A rack with PDUs for several servers at a site that states no rack; nothing otherwise."""
    if plan.build.form != "rack" or nodes < 2 or request.site.rack_units is not None:
        return
    feeds = 2 if request.site.feeds == "ab" else 1
    pdu = _pdu(snapshot)
    if pdu is None or pdu.power_w is None:
        return
    pdu_w = pdu.power_w * snapshot.policy["circuit.continuous_share"]
    per_feed = math.ceil(total_ac_w / pdu_w)
    racks = max(math.ceil(nodes * (plan.platform.rack_units or 0) / _usable_units(snapshot)), per_feed)
    if rack := _rack(snapshot):
        yield from_part(rack, racks, BomGroup.SITE)
    yield from_part(pdu, per_feed * feeds, BomGroup.SITE)


def _pdu(snapshot: CatalogSnapshot) -> PartSpec | None:
    """The largest priced PDU: one feed of a rack of GPU servers."""
    priced = [p for p in parts_of(snapshot, "pdu") if p.price.amount is not None and p.power_w is not None]
    largest = max((pdu.power_w or 0.0 for pdu in priced), default=0.0)
    return cheapest(pdu for pdu in priced if pdu.power_w == largest)


def _rack(snapshot: CatalogSnapshot) -> PartSpec | None:
    return cheapest(part for part in parts_of(snapshot, "rack") if part.rack_units)


def _usable_units(snapshot: CatalogSnapshot) -> int:
    rack = _rack(snapshot)
    return (rack.rack_units if rack and rack.rack_units else 42) - int(snapshot.policy["rack.reserve_units"])


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

"""Group J: rack, circuits, outlets, heat and noise."""

from __future__ import annotations

import math

from kentino_configurator.bom.checks.registry import THE_SITE, Result, blocked, passed, rule, unknown, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.site import circuit_capacity_w, feed_capacity_w, nodes_fit, outlet, outlets_of
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.request import Site
from kentino_configurator.core.units import Unit

CABLE_BEND_MM = 100
"""Room behind a node for plugs and cable bends (planning)."""
MOST_IMBALANCE = 0.1
"""Planned limit of rule J8."""
QUIET_PLACES = ("office",)


def _site(s: Subject) -> Site:
    return s.request.site if s.request else Site()


def _watts(value: float) -> Quantity:
    return Quantity(round(value), Unit.WATTS)


def total_ac_w(s: Subject) -> float:
    """Wall power of the whole order."""
    return s.node_ac_w * s.nodes + s.gear_ac_w


@rule("J1")
def rack_units(s: Subject) -> Result | None:
    """Height of the order against the free units less the reserve."""
    if not s.is_server:
        return None
    if _site(s).rack_units is None:
        return unknown("rack_units", THE_SITE)
    if s.rack_units is None:
        return unknown("height", s.plan.platform.name)
    have = max(0, (_site(s).rack_units or 0) - int(s.snapshot.policy["rack.reserve_units"]))
    need_q, have_q = Quantity(s.rack_units, Unit.RACK_UNITS), Quantity(have, Unit.RACK_UNITS)
    return passed(need=need_q, have=have_q) if s.rack_units <= have else blocked(need=need_q, have=have_q)


@rule("J2")
def rack_depth(s: Subject) -> Result | None:
    """Depth of the node with room for plugs against the rack's depth."""
    if not s.is_server:
        return None
    have, depth = _site(s).rack_depth_mm, s.plan.platform.depth_mm
    if have is None:
        return unknown("rack_depth", THE_SITE)
    if depth is None:
        return unknown("depth", s.plan.platform.name)
    need = depth + CABLE_BEND_MM
    args = {"need": Quantity(need, Unit.MILLIMETRES), "have": Quantity(have, Unit.MILLIMETRES)}
    return passed(**args) if need <= have else blocked(**args)


@rule("J3")
def weight(s: Subject) -> Result | None:
    """No request states what floor and rack carry."""
    if not s.is_server:
        return None
    if s.plan.platform.weight_kg is None:
        return unknown("weight", s.plan.platform.name)
    return unknown("floor_load", THE_SITE)


@rule("J4")
def circuits(s: Subject) -> Result | None:
    """Whole power supplies on every circuit, each loaded to the continuous share at most."""
    site, policy = _site(s), s.snapshot.policy
    capacity = circuit_capacity_w(site, policy)
    if capacity is None:
        return unknown("circuits", THE_SITE)
    args = {"need": _watts(total_ac_w(s)), "have": _watts(capacity)}
    answer = nodes_fit(s.node_ac_w, s.supply_count, s.nodes, site, policy)
    if answer is False or total_ac_w(s) > capacity:
        return blocked(**args, option="RTX PRO 6000 Blackwell Max-Q")
    if answer is None:
        return unknown("supply_count", s.plan.platform.name)
    return passed(**args)


@rule("J5")
def redundant_feeds(s: Subject) -> Result | None:
    """Applies when the site has two feeds."""
    if _site(s).feeds != "ab":
        return None
    have = feed_capacity_w(_site(s), s.snapshot.policy)
    if have is None:
        return unknown("feed_circuits", THE_SITE)
    args = {"need": _watts(total_ac_w(s)), "have": _watts(have)}
    return passed(**args) if total_ac_w(s) <= have else blocked(**args)


@rule("J6")
def outlets(s: Subject) -> Result | None:
    """Outlets of the PDUs of the order; those of the site are not stated."""
    if s.supply_w is None or s.supply_count is None:
        return unknown("supplies", s.plan.platform.name)
    kind = outlet(s.supply_w)
    pdus = [line for line in s.lines if line.category == "pdu"]
    counts = [(line.quantity, outlets_of(s.snapshot.parts[line.sku], kind)) for line in pdus]
    if not counts or any(count is None for _, count in counts):
        return unknown("outlets", THE_SITE, form=kind)
    need, have = s.supply_count * s.nodes, sum(quantity * (count or 0) for quantity, count in counts)
    return passed(need=need, have=have) if need <= have else blocked(need=need, have=have, option=kind)


@rule("J7")
def plugs(s: Subject) -> Result | None:
    """A stated circuit of the right size still needs its socket named."""
    return unknown("socket_kind", THE_SITE)


@rule("J8")
def phase_balance(s: Subject) -> Result | None:
    """Equal supplies spread over the phases of all three-phase circuits: the fullest against the emptiest phase."""
    circuits = [circuit for circuit in _site(s).circuits or () if circuit.phases == 3]
    if not circuits:
        return None
    if s.supply_count is None:
        return unknown("supply_count", s.plan.platform.name)
    supplies = s.supply_count * s.nodes
    phases = 3 * sum(circuit.count for circuit in circuits)
    fullest, emptiest = math.ceil(supplies / phases), supplies // phases
    share = (fullest - emptiest) * phases / supplies
    args = {"need": Quantity(MOST_IMBALANCE, Unit.SHARE), "have": Quantity(share, Unit.SHARE)}
    return passed(**args) if share <= MOST_IMBALANCE else warned(**args, option=f"{supplies} / {phases}")


@rule("J9")
def cooling(s: Subject) -> Result | None:
    """Heat equals wall power; air-cooled racks have a limit of their own."""
    have = _site(s).cooling_kw
    if have is None:
        return unknown("room_cooling", THE_SITE)
    args = {"need": _watts(total_ac_w(s)), "have": _watts(have * 1000)}
    return passed(**args) if total_ac_w(s) <= have * 1000 else warned(**args)


@rule("J10")
def heat_stated(s: Subject) -> Result | None:
    """They follow from the power of the order and are part of it."""
    return passed(need=_watts(total_ac_w(s)), have=_watts(total_ac_w(s)))


@rule("J11")
def ups_power(s: Subject) -> Result | None:
    """Applies to orders with an uninterruptible supply: its kW against the load with the margin of the policy."""
    units = [line for line in s.lines if line.category == "ups"]
    if not units:
        return None
    ratings = [(line.quantity, s.snapshot.parts[line.sku].power_w) for line in units]
    if any(rating is None for _, rating in ratings):
        return unknown("ups_rating", units[0].description)
    have = sum(quantity * (rating or 0.0) for quantity, rating in ratings)
    need = total_ac_w(s) * s.snapshot.policy["power.ups_factor"]
    args = {"need": _watts(need), "have": _watts(have)}
    return passed(**args) if need <= have else warned(**args, option=units[0].description)


@rule("J12")
def noise(s: Subject) -> Result | None:
    """Applies to rack servers at a place that is an office."""
    at_work = s.request and (s.request.site.office or s.request.customer.site in QUIET_PLACES)
    if not s.is_server:
        return None
    return warned(alternative="RTX PRO 6000 Blackwell Max-Q") if at_work else passed()

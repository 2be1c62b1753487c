"""Group B: power leads and supplies."""

from __future__ import annotations

import re

from kentino_configurator.bom.checks.registry import THE_SITE, Result, blocked, passed, rule, unknown, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.message import Message, Quantity
from kentino_configurator.core.units import Unit

LOW_LINE_RATED_W, LOW_LINE_W = 3200.0, 2900.0
"""Supplies of 3200 W give 2900 W at 200 to 220 V."""
FULL_RATING_VOLTS = 230
SUPPLIES_BY_CARDS = {"hpe-proliant-compute-dl380a-gen12": {4: 5, 10: 8}}
"""Supplies a platform needs, by the largest number of cards (maker's documents)."""


def _watts(value: float) -> Quantity:
    return Quantity(round(value), Unit.WATTS)


def _no_supply_data(s: Subject) -> Result:
    return unknown("supplies", s.plan.platform.name)


def cap_for(s: Subject, available_w: float) -> Quantity:
    """Power per card at which the node draws no more than ``available_w``, rounded down to 10 W."""
    factor = s.snapshot.policy["power.overhead_factor"]
    excess = max(0.0, s.node_dc_w - available_w) / factor / s.plan.gpu_count
    return _watts(max(0.0, (s.plan.card_w - excess) // 10 * 10))


@rule("B1", node_only=True)
def native_leads(s: Subject) -> Result | None:
    """Leads of the order, or those a tower's supply is known to have."""
    if "16-pin" not in s.plan.card.power_connector:
        return None
    need = s.plan.gpu_count
    have = s.count("power_lead") if s.is_server else _supply_leads(s)
    if have is None:
        return unknown("leads", _supply_name(s))
    return passed(have=have, need=need) if have >= need else blocked(have=have, need=need)


def _supply_leads(s: Subject) -> int | None:
    found = [
        quantity * int(match.group(1))
        for quantity, part in s.parts("psu")
        if (match := re.search(r"(\d+)x (?:12VHPWR|12V-2x6|16-pin)", part.connector))
    ]
    return sum(found) if found else None


def _supply_name(s: Subject) -> str:
    return next((part.name for _, part in s.parts("psu")), s.plan.platform.name)


@rule("B2", node_only=True)
def supplies_carry(s: Subject) -> Result | None:
    """Direct current power of the node against the sum of the ratings."""
    if s.supply_w is None or s.supply_count is None:
        return _no_supply_data(s)
    have = s.supply_w * s.supply_count
    args = {"need": _watts(s.node_dc_w), "have": _watts(have)}
    return passed(**args) if s.node_dc_w <= have else blocked(**args, option=str(s.plan.platform.name))


@rule("B3", node_only=True)
def one_supply_lost(s: Subject) -> Result | None:
    """Node power against the remaining supplies; towers have no spare supply."""
    if not s.is_server:
        return None
    if s.supply_w is None or s.supply_count is None:
        return _no_supply_data(s)
    left = s.supply_w * (s.supply_count - 1)
    args = {"need": _watts(s.node_dc_w), "left": _watts(left), "cap": cap_for(s, left)}
    return passed(**args) if s.node_dc_w <= left else blocked(**args)


@rule("B4")
def one_feed_lost(s: Subject) -> Result | None:
    """Node power against the supplies on the smaller feed; applies with two feeds."""
    if not (s.request and s.request.site.feeds == "ab" and s.is_server):
        return None
    if s.supply_w is None or s.supply_count is None:
        return _no_supply_data(s)
    left = s.supply_w * (s.supply_count // 2)
    args = {"need": _watts(s.node_dc_w), "left": _watts(left), "cap": cap_for(s, left)}
    return passed(**args) if s.node_dc_w <= left else warned(**args)


@rule("B5")
def rating_at_voltage(s: Subject) -> Result | None:
    """Only for the size whose rating is known to fall at low line."""
    if s.supply_w != LOW_LINE_RATED_W or s.supply_count is None:
        return None
    circuits = s.request.site.circuits if s.request else None
    if not circuits:
        return unknown("mains", THE_SITE)
    volts = min(circuit.volts for circuit in circuits)
    left = LOW_LINE_W * (s.supply_count - 1)
    args = {
        "volts": Quantity(volts, Unit.VOLTS),
        "derated": _watts(LOW_LINE_W),
        "nominal": _watts(LOW_LINE_RATED_W),
    }
    return passed(**args) if volts >= FULL_RATING_VOLTS or s.node_dc_w <= left else blocked(**args)


@rule("B6", node_only=True)
def one_supply_model(s: Subject) -> Result | None:
    """A barebone comes with its own set; in towers the part list is looked at."""
    models = len({part.sku for _, part in s.parts("psu")})
    return passed() if models <= 1 else blocked(need=1, have=models, option=_supply_name(s))


@rule("B7", node_only=True)
def supplies_for_cards(s: Subject) -> Result | None:
    """Applies to platforms whose maker ties the number of supplies to that of cards."""
    steps = SUPPLIES_BY_CARDS.get(s.plan.platform.id)
    if steps is None:
        return None
    if s.supply_count is None:
        return _no_supply_data(s)
    need = next((count for cards, count in steps.items() if s.plan.gpu_count <= cards), max(steps.values()))
    answer = passed if s.supply_count >= need else blocked
    return answer(need=need, have=s.supply_count, option=s.plan.platform.name)


@rule("B8", node_only=True)
def tower_supply_load(s: Subject) -> Result | None:
    """Node power against the planned share of the rating."""
    if s.is_server:
        return None
    if s.supply_w is None or s.supply_count is None:
        return _no_supply_data(s)
    have = s.supply_w * s.supply_count * s.snapshot.policy["power.tower_psu_load_share"]
    args = {"need": _watts(s.node_dc_w), "have": _watts(have)}
    return passed(**args) if s.node_dc_w <= have else blocked(**args, option=_supply_name(s))


@rule("B9", node_only=True)
def peaks(s: Subject) -> Result | None:
    """Node power with the peak share of the policy on the cards."""
    if s.supply_w is None or s.supply_count is None:
        return _no_supply_data(s)
    policy = s.snapshot.policy
    cards_w = s.plan.card_w * s.plan.gpu_count * policy["power.overhead_factor"]
    need = s.node_dc_w + cards_w * policy["power.peak_share"]
    have = s.supply_w * (s.supply_count - 1 if s.is_server else s.supply_count)
    args = {"need": _watts(need), "have": _watts(have)}
    return passed(**args) if need <= have else warned(**args, option=_supply_name(s))


@rule("B10", node_only=True)
def capped(s: Subject) -> Result | None:
    """Tells the cap; how much speed it costs was not measured at every cap."""
    cap = s.plan.build.gpu_cap_w
    if cap is None or cap >= s.plan.card.tdp_w:
        return None
    return warned(cap=_watts(cap), loss=Message("n.not_known"))

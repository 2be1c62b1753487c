"""Electrical power of a node, bottom-up from its parts, and the heat and air that follow.

Planning model: DC = factor x (GPUs + CPUs + DIMMs + drives + adapters + base), AC = DC / efficiency, with
factor and efficiency from the policy. One maker's modelled full load of an 8 x 600 W server is within 2 % of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from kentino_configurator.bom.items import Item
from kentino_configurator.core.bom import Power
from kentino_configurator.core.evidence import Estimate, Evidence, exact, within
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.units import BTU_PER_WATT_HOUR, Unit

_LOWEST_FACTOR, _HIGHEST_FACTOR = 1.08, 1.20
"""Fans and regulators: 8-10 % in one public rule, 10-20 % for cooling alone in server reviews."""
_BASE = {"rack": "power.server_base_w", "tower": "power.workstation_base_w"}


def dc_w(items: Iterable[Item], form: str, policy: Policy, extra_w: float = 0.0) -> Estimate:
    """Direct current power of one node at full load, W, with ``extra_w`` of parts that are not in ``items``.

    ``form`` is ``rack`` or ``tower``.
    """
    return dc_from_parts(parts_w(items) + extra_w + policy[_BASE[form]], policy)


def parts_w(items: Iterable[Item]) -> float:
    """Planned power of parts behind a node's supplies, W; parts that draw nothing count as zero."""
    return sum((item.power_w or 0.0) * item.quantity for item in items)


def dc_from_parts(watts: float, policy: Policy) -> Estimate:
    """Node power for a sum of part powers that already holds the base, W."""
    factor = policy["power.overhead_factor"]
    low, high = min(factor, _LOWEST_FACTOR) / factor, max(factor, _HIGHEST_FACTOR) / factor
    return within(watts * factor, low, high, Unit.WATTS, Evidence.DERIVED)


def ac_w(dc: Estimate, policy: Policy) -> Estimate:
    """Power drawn from the wall, W."""
    return dc.scaled(1 / policy["power.psu_efficiency"])


def order_power(
    node_dc: Estimate, nodes: int, gear_ac_w: float, circuits: tuple[str, ...], policy: Policy
) -> Power:
    """Power of the whole order: ``nodes`` equal nodes, and network and storage gear beside them."""
    dc = node_dc.scaled(nodes)
    ac = _plus(ac_w(dc, policy), gear_ac_w)
    air = policy["air.m3_per_h_kelvin_per_kw"] / 1000 / policy["air.temperature_rise_c"]
    return Power(
        dc_w=dc,
        ac_w=ac,
        btu_h=ac.in_unit(Unit.BTU_PER_H, BTU_PER_WATT_HOUR),
        airflow_m3_h=ac.in_unit(Unit.M3_PER_H, air),
        circuits_needed=circuits,
    )


def _plus(estimate: Estimate, extra_w: float) -> Estimate:
    if not extra_w:
        return estimate
    other = exact(extra_w, estimate.unit, Evidence.ASSUMED)
    return Estimate(
        low=estimate.low + other.low,
        expected=estimate.expected + other.expected,
        high=estimate.high + other.high,
        unit=estimate.unit,
        evidence=Evidence.ASSUMED,
    )

"""Electrical power of a node, bottom-up from its parts, and the heat and air that follow.

Planning model: DC = 1.10 x (GPUs + CPUs + DIMMs + drives + adapters + base), AC = DC / 0.94. The factor
stands for fans and voltage regulators; one maker's modelled full load of an 8 x 600 W server is within 2 %.
"""

from __future__ import annotations

from collections.abc import Iterable

from kentino_configurator.bom.items import Item
from kentino_configurator.core.bom import Power
from kentino_configurator.core.evidence import Estimate, Evidence, exact, within
from kentino_configurator.core.units import BTU_PER_WATT_HOUR, Unit

FAN_AND_REGULATOR_FACTOR = 1.10
"""8-10 % in one public rule, 10-20 % for cooling in server reviews: the interval follows from them."""
_LOWEST_FACTOR, _HIGHEST_FACTOR = 1.08, 1.20
SUPPLY_EFFICIENCY = 0.94
BASE_W = {"rack": 150.0, "tower": 100.0}
DIMM_W, NVME_W, NIC_W = 9.0, 16.0, 25.0
AIR_M3_PER_H_PER_W_PER_K = 2.985
"""1 / (density 1.2 kg/m3 x heat capacity 1005 J/kg K), per hour."""
AIR_TEMPERATURE_RISE_K = 12.0


def dc_w(items: Iterable[Item], form: str) -> Estimate:
    """Direct current power of one node at full load, W. ``form`` is ``rack`` or ``tower``."""
    return dc_from_sum(sum((item.power_w or 0.0) * item.quantity for item in items) + BASE_W[form])


def dc_from_sum(parts_w: float) -> Estimate:
    """Node power for a sum of part powers that already holds the base, W."""
    return within(
        parts_w * FAN_AND_REGULATOR_FACTOR,
        _LOWEST_FACTOR / FAN_AND_REGULATOR_FACTOR,
        _HIGHEST_FACTOR / FAN_AND_REGULATOR_FACTOR,
        Unit.WATTS,
        Evidence.DERIVED,
    )


def ac_w(dc: Estimate) -> Estimate:
    """Power drawn from the wall."""
    return dc.scaled(1 / SUPPLY_EFFICIENCY)


def order_power(node_dc: Estimate, nodes: int, other_ac_w: float, circuits: tuple[str, ...] = ()) -> Power:
    """Power of the whole order: ``nodes`` equal nodes and ``other_ac_w`` of network and storage gear."""
    dc = node_dc.scaled(nodes)
    ac = _plus(ac_w(dc), other_ac_w)
    return Power(
        dc_w=dc,
        ac_w=ac,
        btu_h=ac.in_unit(Unit.BTU_PER_H, BTU_PER_WATT_HOUR),
        airflow_m3_h=ac.in_unit(Unit.M3_PER_H, AIR_M3_PER_H_PER_W_PER_K / AIR_TEMPERATURE_RISE_K),
        circuits_needed=circuits,
    )


def _plus(estimate: Estimate, extra: float) -> Estimate:
    if not extra:
        return estimate
    other = exact(extra, estimate.unit, Evidence.ASSUMED)
    return Estimate(
        low=estimate.low + other.low,
        expected=estimate.expected + other.expected,
        high=estimate.high + other.high,
        unit=estimate.unit,
        evidence=Evidence.ASSUMED,
    )

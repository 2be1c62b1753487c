"""Cost of ownership: hardware, energy and operation over the policy's years."""

from __future__ import annotations

from dataclasses import replace

from kentino_configurator.core.decision import ThreeYearCost, WorkloadResult
from kentino_configurator.core.evidence import Estimate, Evidence, weakest
from kentino_configurator.core.money import Money, total
from kentino_configurator.core.offer import NetworkOffer, NodeOffer
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.request import Operations
from kentino_configurator.core.units import HOUR_S, YEAR_H, Unit
from kentino_configurator.engine.ops_tax import ops_tax, yearly_cost_eur


def hardware_net(offer: NodeOffer, nodes: int, network: NetworkOffer | None) -> tuple[Money, int]:
    """Net price of nodes and network, and how many of their lines have no price (then it is a lower bound)."""
    parts = [offer.net.times(nodes)]
    unpriced = offer.unpriced_lines
    if network is not None:
        parts += [network.fixed_net, network.per_node_net.times(nodes)]
        unpriced += network.unpriced_lines
    return total(parts, offer.net.currency), unpriced


def ranking_eur(offer: NodeOffer, nodes: int, cost: ThreeYearCost) -> float:
    """Three-year cost with the offer's planning price in place of its lower bound; orders plans, never printed."""
    planned = offer.planning_net or offer.net
    return cost.total.expected + (planned.cents - offer.net.cents) / 100 * nodes


def cost_of_ownership(
    offer: NodeOffer,
    nodes: int,
    network: NetworkOffer | None,
    cluster: bool,
    operations: Operations,
    policy: Policy,
) -> ThreeYearCost:
    """Three-year cost of ``nodes`` equal machines; energy at the stated duty, PUE and price."""
    years = policy["cost.years"]
    net, unpriced = hardware_net(offer, nodes, network)
    hardware = _hardware_estimate(net, unpriced)
    kwh, energy = _energy(offer, nodes, network, operations, years)
    tax = ops_tax(nodes, nodes * offer.gpu_count, cluster, policy)
    people = yearly_cost_eur(tax, operations).scaled(years)
    return ThreeYearCost(
        hardware=hardware,
        energy=energy,
        operations=people,
        total=_sum(hardware, energy, people),
        kwh_per_year=kwh,
    )


def _hardware_estimate(net: Money, unpriced: int) -> Estimate:
    amount = net.cents / 100
    kind = Evidence.ASSUMED if unpriced else Evidence.DERIVED
    return Estimate(low=amount, expected=amount, high=amount, unit=Unit.EUR, evidence=kind)


def _energy(
    offer: NodeOffer, nodes: int, network: NetworkOffer | None, operations: Operations, years: float
) -> tuple[float, Estimate]:
    """kWh per year drawn from the wall of the room's building, and its cost over the years."""
    extra_w = 0.0 if network is None else network.fixed_w + network.per_node_w * nodes
    hours = YEAR_H * operations.duty_percent / 100 * operations.pue
    price = operations.electricity_eur_per_kwh

    def euro(watts: float) -> float:
        return (watts * nodes + extra_w) / 1000 * hours * price * years

    watts = offer.ac_w
    kwh = (watts.expected * nodes + extra_w) / 1000 * hours
    return kwh, Estimate(
        low=euro(watts.low),
        expected=euro(watts.expected),
        high=euro(watts.high),
        unit=Unit.EUR,
        evidence=watts.evidence,
    )


def _sum(*parts: Estimate) -> Estimate:
    return Estimate(
        low=sum(part.low for part in parts),
        expected=sum(part.expected for part in parts),
        high=sum(part.high for part in parts),
        unit=Unit.EUR,
        evidence=weakest(part.evidence for part in parts),
    )


def network_for_replicas(offers: tuple[NetworkOffer, ...]) -> NetworkOffer | None:
    """The router and Ethernet offer, when the catalogue has one."""
    return next((network for network in offers if network.fabric is None), None)


def with_hardware(cost: ThreeYearCost, net: Money) -> ThreeYearCost:
    """The cost with the purchase taken from a finished bill of materials; cost per token moves with the total."""
    amount = net.cents / 100
    hardware = replace(cost.hardware, low=amount, expected=amount, high=amount)
    whole = _sum(hardware, cost.energy, cost.operations)
    tokens = cost.eur_per_million_tokens
    if tokens is not None:
        tokens = replace(
            tokens,
            low=tokens.low * whole.low / cost.total.low,
            expected=tokens.expected * whole.expected / cost.total.expected,
            high=tokens.high * whole.high / cost.total.high,
        )
    return replace(cost, hardware=hardware, total=whole, eur_per_million_tokens=tokens)


def with_cost_of_tokens(
    cost: ThreeYearCost, results: tuple[WorkloadResult, ...], operations: Operations, policy: Policy
) -> ThreeYearCost:
    """Adds EUR per million written tokens at the asked load over the stated duty; nothing for training."""
    rates = [result.output_tokens_per_s for result in results if result.output_tokens_per_s is not None]
    if not rates:
        return cost
    seconds = policy["cost.years"] * YEAR_H * HOUR_S * operations.duty_percent / 100
    millions = seconds / 1e6
    low, expected, high = (sum(getattr(rate, end) for rate in rates) for end in ("low", "expected", "high"))
    return replace(
        cost,
        eur_per_million_tokens=Estimate(
            low=cost.total.low / (high * millions),
            expected=cost.total.expected / (expected * millions),
            high=cost.total.high / (low * millions),
            unit=Unit.EUR,
            evidence=weakest((cost.total.evidence, rates[0].evidence)),
        ),
    )


def half_capacity_risk(net: Money, policy: Policy) -> Estimate:
    """Value of the capacity a cluster lacks in its first months at half speed; hardware over its life, linear."""
    share = policy["ops.half_capacity_months"] / (12 * policy["cost.years"]) / 2
    amount = net.cents / 100 * share
    return Estimate(low=amount, expected=amount, high=amount, unit=Unit.EUR, evidence=Evidence.FIELD)

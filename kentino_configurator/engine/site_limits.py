"""Which limits of the site and of the request exclude a node offer before any model is placed on it."""

from __future__ import annotations

import math

from kentino_configurator.core.offer import NetworkOffer, NodeOffer
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.request import Circuit, Request, Site

CABLE_BEND_MM = 100
"""Room for plugs and cables behind a node."""


def circuit_power_w(site: Site, policy: Policy) -> float | None:
    """Continuous power the stated circuits carry together (volts x amperes x share), ``None`` when not stated."""
    if site.circuits is None:
        return None
    return sum(_circuits_w(site.circuits, policy, 1))


def _circuits_w(circuits: tuple[Circuit, ...], policy: Policy, feeds: int) -> list[float]:
    """Continuous power of each circuit on one feed; with two feeds every kind is shared in whole circuits."""
    share = policy["circuit.continuous_share"]
    return [circuit.watts_each * share for circuit in circuits for _ in range(circuit.count // feeds)]


def nodes_allowed(
    offer: NodeOffer, network: NetworkOffer | None, request: Request, policy: Policy
) -> tuple[int, str]:
    """How many of an offer the site and the limits allow with their network (0 = none), and the rule that binds."""
    site = request.site
    ceilings = [
        (_by_office(offer, site), "J12"),
        (_by_rented_rack(offer, request), "rack_only"),
        (_by_power(offer, network, site, policy), "circuit_too_small"),
        (_by_cooling(offer, network, site), "J9"),
        (_by_height(offer, network, site, policy), "J1"),
        (_by_inlet(offer, site), "A12"),
        (_by_depth(offer, site), "J2"),
        (request.limits.max_nodes, "max_nodes"),
    ]
    known = [(count, rule) for count, rule in ceilings if count is not None]
    return min(known, default=(10**9, ""), key=lambda item: item[0])


def _by_office(offer: NodeOffer, site: Site) -> int | None:
    return 0 if site.office and offer.form == "rack" else None


def _by_rented_rack(offer: NodeOffer, request: Request) -> int | None:
    """A tower does not stand in a colocation rack or a data centre."""
    return 0 if offer.form == "tower" and request.customer.site in ("colocation", "datacenter") else None


def _nodes_within(watts: float, offer: NodeOffer, network: NetworkOffer | None) -> int:
    fixed, per_node = (0.0, 0.0) if network is None else (network.fixed_w, network.per_node_w)
    return max(0, math.floor((watts - fixed) / (offer.ac_w.expected + per_node)))


def _by_power(offer: NodeOffer, network: NetworkOffer | None, site: Site, policy: Policy) -> int | None:
    """Nodes on the circuits of one feed. A supply is never split: it takes a whole share of its node on one circuit.

    Several supplies may hang on different circuits; network gear takes the circuit with the most room first.
    """
    if site.circuits is None:
        return None
    free = sorted(_circuits_w(site.circuits, policy, 2 if site.feeds == "ab" else 1), reverse=True)
    if network is not None:
        free = _without(free, network.fixed_w)
    supplies = max(1, offer.supplies or 1)
    per_node = 0.0 if network is None else network.per_node_w
    each = (offer.ac_w.expected + per_node) / supplies
    return sum(math.floor(watts / each) for watts in free) // supplies


def _without(free: list[float], load_w: float) -> list[float]:
    """The circuits after a load was put on the first ones."""
    left: list[float] = []
    for watts in free:
        taken = min(watts, load_w)
        load_w -= taken
        left.append(watts - taken)
    return left if load_w <= 0 else []


def _by_cooling(offer: NodeOffer, network: NetworkOffer | None, site: Site) -> int | None:
    return None if site.cooling_kw is None else _nodes_within(site.cooling_kw * 1000, offer, network)


def _by_height(offer: NodeOffer, network: NetworkOffer | None, site: Site, policy: Policy) -> int | None:
    if site.rack_units is None or offer.form != "rack" or not offer.rack_units:
        return None
    gear = 0 if network is None else network.fixed_rack_units
    free = max(0, site.rack_units - int(policy["rack.reserve_units"]) - gear)
    return free // offer.rack_units


def _by_inlet(offer: NodeOffer, site: Site) -> int | None:
    if site.max_inlet_c is None or offer.max_inlet_c is None:
        return None
    return 0 if site.max_inlet_c > offer.max_inlet_c else None


def _by_depth(offer: NodeOffer, site: Site) -> int | None:
    depth = offer.platform.depth_mm
    if site.rack_depth_mm is None or depth is None or offer.form != "rack":
        return None
    return 0 if depth + CABLE_BEND_MM > site.rack_depth_mm else None

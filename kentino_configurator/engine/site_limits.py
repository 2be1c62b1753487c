"""Which limits of the site and of the request exclude a node offer before any model is placed on it."""

from __future__ import annotations

import math

from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.request import Request, Site


def circuit_power_w(site: Site, policy: Policy) -> float | None:
    """Continuous power the stated circuits carry together (volts x amperes x share), ``None`` when not stated."""
    if site.circuits is None:
        return None
    share = policy["circuit.continuous_share"]
    return sum(circuit.watts_each * circuit.count for circuit in site.circuits) * share


def nodes_allowed(offer: NodeOffer, request: Request, policy: Policy) -> tuple[int, str]:
    """How many of an offer the site and the limits allow (0 = none), and the rule that binds."""
    ceilings = [
        (_by_office(offer, request.site), "J12"),
        (_by_rented_rack(offer, request), "rack_only"),
        (_by_power(offer, request.site, policy), "circuit_too_small"),
        (_by_cooling(offer, request.site), "J9"),
        (_by_height(offer, request.site, policy), "J1"),
        (_by_inlet(offer, request.site), "A12"),
        (request.limits.max_nodes, "max_nodes"),
    ]
    known = [(count, rule) for count, rule in ceilings if count is not None]
    return min(known, default=(10**9, ""), key=lambda item: item[0])


def _by_office(offer: NodeOffer, site: Site) -> int | None:
    return 0 if site.office and offer.form == "rack" else None


def _by_rented_rack(offer: NodeOffer, request: Request) -> int | None:
    """A tower does not stand in a colocation rack or a data centre."""
    return 0 if offer.form == "tower" and request.customer.site in ("colocation", "datacenter") else None


def _by_power(offer: NodeOffer, site: Site, policy: Policy) -> int | None:
    watts = circuit_power_w(site, policy)
    if watts is None:
        return None
    if site.feeds == "ab":
        watts /= 2
    return math.floor(watts / offer.ac_w.expected)


def _by_cooling(offer: NodeOffer, site: Site) -> int | None:
    return None if site.cooling_kw is None else math.floor(site.cooling_kw * 1000 / offer.ac_w.expected)


def _by_height(offer: NodeOffer, site: Site, policy: Policy) -> int | None:
    if site.rack_units is None or offer.form != "rack" or not offer.rack_units:
        return None
    free = max(0, site.rack_units - int(policy["rack.reserve_units"]))
    return free // offer.rack_units


def _by_inlet(offer: NodeOffer, site: Site) -> int | None:
    if site.max_inlet_c is None or offer.max_inlet_c is None:
        return None
    return 0 if site.max_inlet_c > offer.max_inlet_c else None

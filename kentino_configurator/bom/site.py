"""What the site must give (circuits, outlets) and whether what it has is enough."""

from __future__ import annotations

import math
import re

from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.request import Circuit, Site

C19_FROM_W = 2400.0
"""Power supplies of this rating and up have a C20 inlet and take a C19 cord."""
STANDARD_CIRCUITS = (
    Circuit(volts=230, amps=16, phases=1, count=1),
    Circuit(volts=230, amps=32, phases=1, count=1),
    Circuit(volts=400, amps=16, phases=3, count=1),
    Circuit(volts=400, amps=32, phases=3, count=1),
    Circuit(volts=400, amps=63, phases=3, count=1),
)


def circuit_w(circuit: Circuit, policy: Policy) -> float:
    """Continuous power of one of these circuits, W."""
    return circuit.watts_each * policy["circuit.continuous_share"]


def circuit_capacity_w(site: Site, policy: Policy) -> float | None:
    """Continuous power of all stated circuits together, ``None`` when none is stated."""
    if site.circuits is None:
        return None
    return sum(circuit_w(circuit, policy) * circuit.count for circuit in site.circuits)


def feed_capacity_w(site: Site, policy: Policy) -> float | None:
    """What is left when the larger of two feeds fails; equal circuits are shared out in halves, rounded down.

    With a single feed this is the whole capacity.
    """
    if site.circuits is None or site.feeds != "ab":
        return circuit_capacity_w(site, policy)
    return sum(circuit_w(circuit, policy) * (circuit.count // 2) for circuit in site.circuits)


def nodes_fit(ac_w: float, supplies: int | None, nodes: int, site: Site, policy: Policy) -> bool | None:
    """Whether the circuits carry ``nodes`` nodes with whole power supplies on each circuit.

    ``None`` when it cannot be judged: no circuits stated, or the number of supplies is not known and a node
    would have to be split over circuits.
    """
    if site.circuits is None:
        return None
    if _units_carried(ac_w, site, policy) >= nodes:
        return True
    capacity = circuit_capacity_w(site, policy) or 0.0
    if capacity < ac_w * nodes:
        return False
    return None if supplies is None else _units_carried(ac_w / supplies, site, policy) >= supplies * nodes


def _units_carried(watts: float, site: Site, policy: Policy) -> int:
    """How many equal loads of ``watts`` the stated circuits carry, none of them split."""
    return sum(
        math.floor(circuit_w(circuit, policy) / watts + 1e-9) * circuit.count
        for circuit in site.circuits or ()
    )


def circuits_needed(ac_w: float, nodes: int, gear_w: float, feeds: str, policy: Policy) -> tuple[str, ...]:
    """The smallest standard circuit for each node and one for the network gear; both twice with two feeds."""
    copies = 2 if feeds == "ab" else 1
    needs = [_smallest(ac_w, nodes * copies, policy)]
    if gear_w > 0:
        needs.append(_smallest(gear_w, copies, policy))
    return tuple(needs)


def _smallest(watts: float, count: int, policy: Policy) -> str:
    for circuit in STANDARD_CIRCUITS:
        if circuit_w(circuit, policy) >= watts:
            return f"{count} x {describe(circuit)}"
    largest = STANDARD_CIRCUITS[-1]
    return f"{count * math.ceil(watts / circuit_w(largest, policy))} x {describe(largest)}"


def describe(circuit: Circuit) -> str:
    """Rating in the notation of electricians, the same in every language: ``400 V 32 A 3~``."""
    return f"{circuit.volts} V {circuit.amps} A {circuit.phases}~"


def outlets_needed(supply_w: float | None, supplies: int | None, nodes: int) -> tuple[str, ...]:
    """Outlets for the supplies' cords: ``8 x C19``; empty when the supplies are not known."""
    if supply_w is None or supplies is None:
        return ()
    return (f"{supplies * nodes} x {outlet(supply_w)}",)


def outlet(supply_w: float) -> str:
    """Kind of outlet for a supply of this rating."""
    return "C19" if supply_w >= C19_FROM_W else "C13"


def outlets_of(pdu: PartSpec, kind: str) -> int | None:
    """Outlets of a kind a PDU has, ``None`` when its row does not say."""
    match = re.search(rf"(\d+)x {kind}", pdu.attributes) if kind else None
    return int(match.group(1)) if match else None

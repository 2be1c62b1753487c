"""Which adapter, switch and cable join several nodes."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from kentino_configurator.bom.links import LinkPlan, choose_link, plug
from kentino_configurator.bom.select import parts_of
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.policy import Policy

ROUTERS = 2
UPLINKS = 1
"""Ports of a replica switch towards the customer's network."""
FRONT_ADAPTERS = 1
"""Adapters of a node towards the customer's network."""
DIRECT_NODES = 2
"""Nodes that are joined by one cable per rail instead of a switch."""
IN_RACK_M, SLACK_IN_RACK_M = 2.0, 1.0
BETWEEN_RACKS_M, SLACK_BETWEEN_RACKS_M = 10.0, 3.0
NODES_PER_RACK = 4
"""Planning: four 8-GPU nodes fill the air-cooled limit of a rack (15-20 kW) before its height."""


_MORE_THAN_ANY_SWITCH = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Technology:
    """What a network must offer: rate of one port, protocol of the switch, role."""

    rate_gbps: float
    infiniband: bool
    fabric: Fabric | None


TECHNOLOGIES = {
    None: Technology(rate_gbps=100.0, infiniband=False, fabric=None),
    Fabric.ETHERNET_25G: Technology(rate_gbps=25.0, infiniband=False, fabric=Fabric.ETHERNET_25G),
    Fabric.ETHERNET_100G: Technology(rate_gbps=100.0, infiniband=False, fabric=Fabric.ETHERNET_100G),
    Fabric.ROCE_200G: Technology(rate_gbps=200.0, infiniband=False, fabric=Fabric.ROCE_200G),
    Fabric.ROCE_400G: Technology(rate_gbps=400.0, infiniband=False, fabric=Fabric.ROCE_400G),
    Fabric.INFINIBAND_200G: Technology(rate_gbps=200.0, infiniband=True, fabric=Fabric.INFINIBAND_200G),
    Fabric.INFINIBAND_400G: Technology(rate_gbps=400.0, infiniband=True, fabric=Fabric.INFINIBAND_400G),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan:
    """A network for ``nodes`` nodes with ``rails`` adapters each. ``None`` where the catalogue holds no fitting part.

    Rail *i* of every node goes to the same switch, so that traffic on a rail crosses one switch only.
    ``switch`` is ``None`` with ``switches`` 0 where two nodes are joined directly, or where copies in towers use
    the ports on their boards and the switch of the site.
    """

    technology: Technology
    nodes: int
    adapter: PartSpec | None
    switch: PartSpec | None
    switches: int
    link: LinkPlan | None
    ports_needed: int
    rails: int = 1

    @property
    def direct(self) -> bool:
        """Whether the nodes are joined without a switch."""
        return self.switches == 0


def plan_network(
    fabric: Fabric | None,
    nodes: int,
    snapshot: CatalogSnapshot,
    form: str = "rack",
    adapter_slots: int | None = None,
) -> NetworkPlan:
    """Adapters, switches and cables for so many nodes; copies get ports for routers and uplink too.

    ``adapter_slots`` are those of a node, ``None`` when not published.
    """
    technology = TECHNOLOGIES[fabric]
    rails = rails_of(fabric, adapter_slots, snapshot.policy)
    length = route_length_m(nodes)
    if fabric is None and form == "tower":
        return _unswitched(technology, nodes, None, None, rails)
    if fabric is not None and nodes <= DIRECT_NODES:
        adapter, link = _direct(technology, length, snapshot)
        if link is not None:
            return _unswitched(technology, nodes, adapter, link, rails)
    ports = nodes * rails + (ROUTERS + UPLINKS if fabric is None else 0)
    adapter, switch, link = _switched(technology, ports, length, snapshot)
    return NetworkPlan(
        technology=technology,
        nodes=nodes,
        adapter=adapter,
        switch=switch,
        switches=math.ceil(ports / ports_at(switch, technology.rate_gbps)) if switch else 1,
        link=link,
        ports_needed=ports,
        rails=rails,
    )


def rails_of(fabric: Fabric | None, adapter_slots: int | None, policy: Policy) -> int:
    """Adapters of a node towards other nodes: those of the policy, as far as slots beside the front adapter go."""
    wanted = 1 if fabric is None else round(policy["fabric.rails_per_node"])
    return wanted if adapter_slots is None else max(1, min(wanted, adapter_slots - FRONT_ADAPTERS))


def _unswitched(
    technology: Technology, nodes: int, adapter: PartSpec | None, link: LinkPlan | None, rails: int
) -> NetworkPlan:
    return NetworkPlan(
        technology=technology,
        nodes=nodes,
        adapter=adapter,
        switch=None,
        switches=0,
        link=link,
        ports_needed=0,
        rails=rails,
    )


def largest_switch_ports(fabric: Fabric, snapshot: CatalogSnapshot) -> int:
    """Ports of the largest single switch that can be joined to an adapter of the kind, 0 without one."""
    technology = TECHNOLOGIES[fabric]
    _, switch, _ = _switched(technology, _MORE_THAN_ANY_SWITCH, route_length_m(NODES_PER_RACK + 1), snapshot)
    return ports_at(switch, technology.rate_gbps) if switch else 0


def route_length_m(nodes: int) -> float:
    """Planned cable run with slack; the rack drawing replaces it before the order."""
    if nodes <= NODES_PER_RACK:
        return IN_RACK_M + SLACK_IN_RACK_M
    return BETWEEN_RACKS_M + SLACK_BETWEEN_RACKS_M


def _direct(
    technology: Technology, length_m: float, snapshot: CatalogSnapshot
) -> tuple[PartSpec | None, LinkPlan | None]:
    cables = parts_of(snapshot, "cable_optic")
    for adapter in sorted(_adapters(technology, snapshot), key=_price_rank):
        cage = plug(adapter.connector)
        if link := choose_link(cage, cage, technology.rate_gbps, length_m, cables):
            return adapter, link
    return None, None


def _adapters(technology: Technology, snapshot: CatalogSnapshot) -> list[PartSpec]:
    word = "IB" if technology.infiniband else "Eth"
    return [
        part
        for part in parts_of(snapshot, "nic")
        if word in part.protocol
        and part.port_gbps == technology.rate_gbps
        and part.pcie_gen in (4, 5)
        and not part.confidence.startswith("low")
        and "BlueField" not in part.name
    ]


def _switched(
    technology: Technology, ports: int, length_m: float, snapshot: CatalogSnapshot
) -> tuple[PartSpec | None, PartSpec | None, LinkPlan | None]:
    """Adapter, switch and cable that go together: with enough ports, else with the most there are."""
    rate, cables = technology.rate_gbps, parts_of(snapshot, "cable_optic")
    choices = [
        (
            adapter,
            switch,
            choose_link(plug(switch.connector), plug(adapter.connector), rate, length_m, cables),
        )
        for adapter in _adapters(technology, snapshot)
        for switch in _switches(technology, snapshot)
    ]
    usable = [choice for choice in choices if choice[2] is not None]
    most = max((ports_at(choice[1], rate) for choice in usable), default=0)
    enough = [choice for choice in usable if ports_at(choice[1], rate) >= min(ports, most)]
    return min(enough, key=_choice_rank, default=(None, None, None))


def _switches(technology: Technology, snapshot: CatalogSnapshot) -> list[PartSpec]:
    """Switches of the right protocol with ports of the rate."""
    word = "IB" if technology.infiniband else "Eth"
    return [
        part
        for part in parts_of(snapshot, "switch")
        if word in part.protocol and ports_at(part, technology.rate_gbps)
    ]


def ports_at(switch: PartSpec, rate_gbps: float) -> int:
    """Ports of a switch at a rate; a twin OSFP port splits into two of half its rate."""
    if "ports: " in switch.attributes:
        mixed = re.findall(r"(\d+)x(\d+)", switch.attributes.split("ports: ")[1])
        return sum(int(count) for count, rate in mixed if float(rate) == rate_gbps)
    ports = switch.ports or 0
    if switch.port_gbps == rate_gbps:
        return ports
    is_twin = plug(switch.connector).connector == "OSFP" and switch.port_gbps == 2 * rate_gbps
    return 2 * ports if is_twin else 0


def _choice_rank(choice: tuple[PartSpec, PartSpec, LinkPlan | None]) -> tuple[bool, float, bool, int, str]:
    """Priced switches first, the cheapest pair of adapter and switch, managed ones, the smaller switch."""
    adapter, switch, _ = choice
    return (
        switch.price.amount is None,
        _cents(adapter) + _cents(switch),
        "managed=yes" not in switch.attributes,
        switch.ports or 0,
        switch.sku + adapter.sku,
    )


def _price_rank(part: PartSpec) -> tuple[bool, float, str]:
    return part.price.amount is None, _cents(part), part.sku


def _cents(part: PartSpec) -> float:
    """Price for ordering; a missing one ranks behind any known one."""
    return 1e12 if part.price.amount is None else float(part.price.amount.cents)

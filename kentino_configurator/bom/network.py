"""What joins several nodes: adapters, cables, switches, routers and storage, sized for a number of nodes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.bom.items import Item, from_part
from kentino_configurator.bom.links import LinkPlan, choose_link, plug
from kentino_configurator.bom.power import ac_w, dc_from_parts, parts_w
from kentino_configurator.bom.select import cheapest, named, parts_of
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.policy import Policy

ROUTERS = 2
ROUTER_CORES = 16
ROUTER_DIMMS = 2
ROUTER_BOOT_DRIVES = 2
UPLINKS = 1
"""Ports of a replica switch towards the customer's network."""
DIRECT_NODES = 2
"""Nodes that are joined by one cable per rail instead of a switch."""
IN_RACK_M, SLACK_IN_RACK_M = 2.0, 1.0
BETWEEN_RACKS_M, SLACK_BETWEEN_RACKS_M = 10.0, 3.0
NODES_PER_RACK = 4
"""Planning: four 8-GPU nodes fill the air-cooled limit of a rack (15-20 kW) before its height."""


_MORE_THAN_ANY_SWITCH = 10_000
_WALL_RATED = ("switch", "cable_optic", "storage_server")
"""Categories whose stated power is drawn from the wall, not behind a node's supplies."""


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
    """A network for ``nodes`` nodes with one rail each. ``None`` where the catalogue holds no fitting part.

    ``switch`` is ``None`` with ``switches`` 0 where two nodes are joined directly.
    """

    technology: Technology
    nodes: int
    adapter: PartSpec | None
    switch: PartSpec | None
    switches: int
    link: LinkPlan | None
    ports_needed: int

    @property
    def direct(self) -> bool:
        """Whether the nodes are joined without a switch."""
        return self.switches == 0


def plan_network(fabric: Fabric | None, nodes: int, snapshot: CatalogSnapshot) -> NetworkPlan:
    """Adapter, switch and cable for so many nodes; copies get ports for routers and uplink too."""
    technology = TECHNOLOGIES[fabric]
    length = route_length_m(nodes)
    if fabric is not None and nodes <= DIRECT_NODES:
        adapter, link = _direct(technology, length, snapshot)
        if link is not None:
            return NetworkPlan(
                technology=technology,
                nodes=nodes,
                adapter=adapter,
                switch=None,
                switches=0,
                link=link,
                ports_needed=0,
            )
    ports = nodes + (ROUTERS + UPLINKS if fabric is None else 0)
    adapter, switch, link = _switched(technology, ports, length, snapshot)
    return NetworkPlan(
        technology=technology,
        nodes=nodes,
        adapter=adapter,
        switch=switch,
        switches=math.ceil(ports / ports_at(switch, technology.rate_gbps)) if switch else 1,
        link=link,
        ports_needed=ports,
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


def adapter_items(plan: NetworkPlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """The adapters that go into the nodes, for the whole order."""
    if plan.adapter:
        yield from_part(
            plan.adapter, plan.nodes, BomGroup.FABRIC, plan.adapter.power_w or snapshot.policy["power.nic_w"]
        )


def link_items(plan: NetworkPlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """Cables or optics with their fibres, for the whole order."""
    if plan.link is None:
        return
    for share, part in plan.link.parts:
        yield from_part(part, math.ceil(links(plan) * share), BomGroup.FABRIC, part.power_w)
    kind = plan.link.cable.attributes.split(" ")[0]
    if len(plan.link.parts) > 1 and (fibre := named(snapshot, "fibre", kind)):
        yield from_part(fibre, links(plan), BomGroup.FABRIC)


def links(plan: NetworkPlan) -> int:
    """Cables to lay: one between two nodes, else one for every node and router."""
    if plan.direct:
        return plan.nodes - 1
    return plan.nodes + (ROUTERS if plan.technology.fabric is None else 0)


def gear_items(plan: NetworkPlan, storage: str, snapshot: CatalogSnapshot) -> tuple[Item, ...]:
    """What stands beside the nodes. ``storage`` is what the customer has already (``none``, ``nfs``, ...)."""
    routed = plan.technology.fabric is None
    return (
        *_switch_items(plan),
        *(_router_items(plan, snapshot) if routed else ()),
        *_management(snapshot),
        *(_storage(snapshot) if not routed and storage in ("none", "") else ()),
    )


def _switch_items(plan: NetworkPlan) -> Iterator[Item]:
    if plan.switch:
        yield from_part(plan.switch, plan.switches, BomGroup.FABRIC, plan.switch.power_w)


def _router_items(plan: NetworkPlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """Two small servers with a floating address, each with CPU, memory, boot mirror and adapter."""
    if host := named(snapshot, "router_host", "load balancer"):
        yield from_part(host, ROUTERS, BomGroup.FABRIC, snapshot.policy["power.server_base_w"])
        if cpu := _router_cpu(host, snapshot):
            yield from_part(cpu, ROUTERS, BomGroup.FABRIC, cpu.power_w)
    if dimm := _smallest_dimm(snapshot):
        yield from_part(
            dimm, ROUTERS * ROUTER_DIMMS, BomGroup.FABRIC, dimm.power_w or snapshot.policy["power.dimm_w"]
        )
    if boot := cheapest(p for p in parts_of(snapshot, "storage_drive") if p.socket_or_form == "M.2"):
        yield from_part(boot, ROUTERS * ROUTER_BOOT_DRIVES, BomGroup.FABRIC, snapshot.policy["power.nvme_w"])
    if plan.adapter:
        yield from_part(
            plan.adapter, ROUTERS, BomGroup.FABRIC, plan.adapter.power_w or snapshot.policy["power.nic_w"]
        )


def _router_cpu(host: PartSpec, snapshot: CatalogSnapshot) -> PartSpec | None:
    return cheapest(
        cpu
        for cpu in parts_of(snapshot, "cpu")
        if cpu.socket_or_form == host.socket_or_form and (cpu.cores or 0) >= ROUTER_CORES
    )


def _smallest_dimm(snapshot: CatalogSnapshot) -> PartSpec | None:
    return min(parts_of(snapshot, "ram"), key=lambda dimm: dimm.capacity_gb or math.inf, default=None)


def _management(snapshot: CatalogSnapshot) -> Iterator[Item]:
    """An own switch for the management ports (G7)."""
    switches = [part for part in parts_of(snapshot, "switch") if "role=management" in part.attributes]
    if switch := cheapest(switches):
        yield from_part(switch, 1, BomGroup.FABRIC, switch.power_w)


def _storage(snapshot: CatalogSnapshot) -> Iterator[Item]:
    """A file server that every node reads from: the cheapest priced one."""
    if server := cheapest(p for p in parts_of(snapshot, "storage_server") if p.price.amount is not None):
        yield from_part(server, 1, BomGroup.STORAGE, server.power_w)


def gear_w(items: tuple[Item, ...], policy: Policy) -> float:
    """Wall power of what stands beside the nodes: switches as stated, routers through the node model.

    Gear whose power no source states counts as zero here; rule J4 says so.
    """
    hosts = [item for item in items if item.category not in _WALL_RATED]
    wall = parts_w(item for item in items if item.category in _WALL_RATED)
    return wall + ac_w(dc_from_parts(parts_w(hosts), policy), policy).expected

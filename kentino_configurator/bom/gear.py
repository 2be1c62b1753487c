"""The parts of a network: what goes into the nodes, between them and beside them, for the whole order."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kentino_configurator.bom.items import Item, from_part
from kentino_configurator.bom.links import ends, plug
from kentino_configurator.bom.network import ROUTERS, NetworkPlan
from kentino_configurator.bom.power import ac_w, dc_from_parts, parts_w
from kentino_configurator.bom.select import cheapest, named, parts_of
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.policy import Policy

ROUTER_CORES = 16
ROUTER_DIMMS = 2
ROUTER_BOOT_DRIVES = 2
_WALL_RATED = ("switch", "cable_optic", "storage_server")
"""Categories whose stated power is drawn from the wall, not behind a node's supplies."""


def adapter_items(plan: NetworkPlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """The adapters that go into the nodes, for the whole order."""
    if plan.adapter:
        yield from_part(
            plan.adapter,
            plan.nodes * plan.rails,
            BomGroup.FABRIC,
            plan.adapter.power_w or snapshot.policy["power.nic_w"],
        )


def link_items(plan: NetworkPlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """Cables or optics with their fibres, for the whole order."""
    if plan.link is None:
        return
    for share, part in plan.link.parts:
        yield from_part(part, math.ceil(links(plan) * share), BomGroup.FABRIC, part.power_w)
    if fibre := _fibre(plan.link.cable, snapshot):
        yield from_part(fibre, links(plan), BomGroup.FABRIC)


def _fibre(optic: PartSpec, snapshot: CatalogSnapshot) -> PartSpec | None:
    """The fibre that a transceiver takes: same connector, same kind of light; ``None`` for copper."""
    its = ends(optic)
    return cheapest(
        fibre
        for fibre in parts_of(snapshot, "fibre")
        if its and plug(fibre.connector) == its.far and fibre.attributes == optic.attributes
    )


def links(plan: NetworkPlan) -> int:
    """Cables to lay: one between two nodes, else one for every node and router; each as often as there are rails."""
    if plan.direct:
        return (plan.nodes - 1) * plan.rails
    return plan.nodes * plan.rails + (ROUTERS if plan.technology.fabric is None else 0)


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

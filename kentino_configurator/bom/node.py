"""The parts of one node of a reference build with a given card, count and amount of scratch space."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from kentino_configurator.bom.items import Item, from_gpu, from_part, from_platform
from kentino_configurator.bom.power import dc_from_parts, parts_w
from kentino_configurator.bom.select import cheapest, named, parts_of
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import GpuSpec, PartSpec, PlatformSpec, ReferenceBuild
from kentino_configurator.core.units import GB

BOOT_DRIVES = 2
MAX_SCRATCH_DRIVES = 8
TOWER_M2_SCRATCH_DRIVES = 2
"""Towers have four M.2 positions; two hold the boot mirror."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlan:
    """What goes into one node.

    ``scratch_bytes`` is wanted space, ``front_gbps`` the speed of the site's network, ``adapter_w`` the power of
    adapters that a network between nodes adds.
    """

    build: ReferenceBuild
    platform: PlatformSpec
    card: GpuSpec
    gpu_count: int
    scratch_bytes: float = 0.0
    front_gbps: float = 10.0
    adapter_w: float = 0.0

    @property
    def is_full(self) -> bool:
        """Whether the build holds the number of cards it was made for."""
        return self.gpu_count == self.build.gpu_count

    @property
    def card_w(self) -> float:
        """Power one card may draw: its rating, or the cap where the build sets one."""
        cap = self.build.gpu_cap_w
        return float(self.card.tdp_w if cap is None else min(cap, self.card.tdp_w))


def node_items(plan: NodePlan, snapshot: CatalogSnapshot) -> tuple[Item, ...]:
    """Everything inside one node, in the order of a part list."""
    body = (
        *_body(plan, snapshot),
        from_gpu(plan.card, plan.gpu_count, plan.card_w),
        *_host(plan, snapshot),
        *_drives(plan, snapshot),
        *_front_adapter(plan, snapshot),
        *_leads(plan, snapshot),
        *_rails(plan, snapshot),
    )
    return (*body, *_supplies(plan, snapshot, body))


def _body(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """The barebone, or the single parts a tower is put together from."""
    if not plan.build.parts:
        yield from_platform(plan.platform)
    for quantity, sku in plan.build.parts:
        yield from_part(snapshot.parts[sku], quantity, BomGroup.NODE)


def _host(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    quantity, sku = plan.build.cpus
    cpu = snapshot.parts[sku]
    yield from_part(cpu, quantity, BomGroup.NODE, cpu.power_w)
    quantity, sku = plan.build.dimms
    dimm = _module(snapshot.parts[sku], quantity, plan, snapshot)
    yield from_part(dimm, quantity, BomGroup.NODE, dimm.power_w or snapshot.policy["power.dimm_w"])


def _module(build_module: PartSpec, quantity: int, plan: NodePlan, snapshot: CatalogSnapshot) -> PartSpec:
    """The cheapest module that keeps the build's ratio of main memory to GPU memory, and the policy's least."""
    full_gib = plan.build.gpu_count * plan.card.marketed_gb
    ratio = quantity * (build_module.capacity_gb or 0) / full_gib if full_gib else 0.0
    need_gib = plan.gpu_count * plan.card.marketed_gb * max(ratio, snapshot.policy["host.ram_per_vram"])
    enough = [part for part in parts_of(snapshot, "ram") if (part.capacity_gb or 0) * quantity >= need_gib]
    return build_module if build_module in enough and plan.is_full else cheapest(enough) or build_module


def _drives(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    if "BOSS" in plan.platform.boot and (card := named(snapshot, "boot_device", "BOSS")):
        yield from_part(card, 1, BomGroup.NODE, snapshot.policy["power.nvme_w"])
    elif boot := _m2_drive(snapshot):
        yield from_part(boot, BOOT_DRIVES, BomGroup.NODE, snapshot.policy["power.nvme_w"])
    if scratch := scratch_drives(plan, snapshot):
        drive, quantity = scratch
        yield from_part(drive, quantity, BomGroup.NODE, drive.power_w or snapshot.policy["power.nvme_w"])


def _m2_drive(snapshot: CatalogSnapshot) -> PartSpec | None:
    return cheapest(part for part in parts_of(snapshot, "storage_drive") if part.socket_or_form == "M.2")


def scratch_drives(plan: NodePlan, snapshot: CatalogSnapshot) -> tuple[PartSpec, int] | None:
    """The cheapest equal drives that hold the scratch space, and how many; in towers M.2 while enough."""
    if plan.build.form == "tower":
        small = _m2_drive(snapshot)
        if small and (small.capacity_gb or 0) * GB * TOWER_M2_SCRATCH_DRIVES >= plan.scratch_bytes:
            return small, TOWER_M2_SCRATCH_DRIVES
    drives = [
        drive
        for drive in parts_of(snapshot, "storage_drive")
        if _bay_form(plan.platform) in drive.socket_or_form and not drive.confidence.startswith("low")
    ]
    sized = [
        (drive, max(2, math.ceil(plan.scratch_bytes / (drive.capacity_gb * GB))))
        for drive in drives
        if drive.capacity_gb
    ]
    fitting = [option for option in sized if option[1] <= MAX_SCRATCH_DRIVES]
    unsized = [(drive, 2) for drive in drives]
    return min(fitting or sized or unsized, key=_drive_rank, default=None)


def _bay_form(platform: PlatformSpec) -> str:
    """Form of the drives a platform takes: U.2 unless it states another one only."""
    text = platform.nvme_bays
    takes_u2 = not text or any(word in text for word in ("U.2", "2.5 in", "SFF"))
    return "U.2" if takes_u2 else next((form for form in ("E3.S", "E1.S") if form in text), "U.2")


def _drive_rank(option: tuple[PartSpec, int]) -> tuple[bool, Decimal, int]:
    drive, quantity = option
    amount = drive.price.amount
    return amount is None, Decimal(0) if amount is None else amount.amount * quantity, quantity


def _front_adapter(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """The adapter towards the customer's network; towers have 10 GbE on board, some no free slot."""
    if plan.build.form == "tower" and (plan.front_gbps <= 10 or plan.platform.nic_slots.startswith("none")):
        return
    fast_enough = [
        part
        for part in parts_of(snapshot, "nic")
        if "Eth" in part.protocol and (part.port_gbps or 0) >= max(25.0, plan.front_gbps)
    ]
    slowest = min((part.port_gbps or 0 for part in fast_enough), default=0)
    own = [snapshot.parts[sku] for _, sku in plan.build.nics]
    candidates = [part for part in own if part.port_gbps == slowest] or [
        part for part in fast_enough if part.port_gbps == slowest
    ]
    if adapter := cheapest(candidates):
        yield from_part(adapter, 1, BomGroup.NODE, adapter.power_w or snapshot.policy["power.nic_w"])


def _leads(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """One native lead for every card with a 16-pin socket (B1); a tower's supply brings its own."""
    if plan.build.form == "tower":
        return
    if "16-pin" in plan.card.power_connector and (lead := named(snapshot, "power_lead", "16-pin")):
        yield from_part(lead, plan.gpu_count, BomGroup.NODE)


def _rails(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    if plan.build.form == "rack" and (rail := named(snapshot, "rail", "Sliding")):
        yield from_part(rail, 1, BomGroup.NODE)


def _supplies(plan: NodePlan, snapshot: CatalogSnapshot, body: tuple[Item, ...]) -> Iterator[Item]:
    """The power supplies of a tower; a barebone's are part of its price."""
    if plan.build.form != "tower":
        return
    watts = parts_w(body) + plan.adapter_w + snapshot.policy["power.workstation_base_w"]
    chosen = tower_supply(plan.build, dc_from_parts(watts, snapshot.policy).expected, snapshot)
    if chosen:
        quantity, supply = chosen
        yield from_part(supply, quantity, BomGroup.NODE)


def tower_supply(
    build: ReferenceBuild, load_w: float, snapshot: CatalogSnapshot
) -> tuple[int, PartSpec] | None:
    """The build's supply while the policy allows the load on it, else the next larger one of the catalogue."""
    share = snapshot.policy["power.tower_psu_load_share"]
    own = [(quantity, snapshot.parts[sku]) for quantity, sku in build.psus]
    others = [(1, p) for p in parts_of(snapshot, "psu") if not p.confidence.startswith("low")]
    for options in (own, others):
        enough = [o for o in options if o[0] * (o[1].power_w or 0) * share >= load_w]
        if enough:
            return min(enough, key=lambda o: (o[0] * (o[1].power_w or 0), o[1].sku))
    return max(own, key=lambda o: o[0] * (o[1].power_w or 0), default=None)


def supply_of(
    plan: NodePlan, items: tuple[Item, ...], snapshot: CatalogSnapshot
) -> tuple[float | None, int | None]:
    """Rating of one power supply in W and their number, ``None`` where a barebone's are not published."""
    own = next((item for item in items if item.category == "psu"), None)
    if own:
        return snapshot.parts[own.sku].power_w, own.quantity
    build, platform = plan.build, plan.platform
    return build.psu_w or platform.psu_w, build.psu_count or platform.psu_count

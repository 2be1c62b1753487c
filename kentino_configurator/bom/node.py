"""The parts of one node of a reference build with a given card, count and amount of scratch space."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.bom.front_adapter import front_adapter
from kentino_configurator.bom.items import Item, from_gpu, from_part, from_platform
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.power import dc_from_parts, parts_w
from kentino_configurator.bom.scratch import m2_drive, scratch_drives
from kentino_configurator.bom.select import cheapest, named, parts_of
from kentino_configurator.bom.supplies import most_tower_load_w, tower_supply
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec

BOOT_DRIVES = 2


def node_items(plan: NodePlan, snapshot: CatalogSnapshot) -> tuple[Item, ...]:
    """Everything inside one node, in the order of a part list."""
    inner = (
        *_body(plan, snapshot),
        from_gpu(plan.card, plan.gpu_count, plan.card_w),
        *_host(plan, snapshot),
        *_boot(plan, snapshot),
    )
    outer = (*front_adapter(plan, snapshot), *_leads(plan, snapshot), *_rails(plan, snapshot))
    scratch = _scratch(plan, snapshot, (*inner, *outer))
    body = (*inner, *scratch, *outer)
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


def _boot(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    if "BOSS" in plan.platform.boot and (card := named(snapshot, "boot_device", "BOSS")):
        yield from_part(card, 1, BomGroup.NODE, snapshot.policy["power.nvme_w"])
    elif boot := m2_drive(snapshot):
        yield from_part(boot, BOOT_DRIVES, BomGroup.NODE, snapshot.policy["power.nvme_w"])


def _scratch(plan: NodePlan, snapshot: CatalogSnapshot, others: tuple[Item, ...]) -> Iterator[Item]:
    if chosen := scratch_drives(plan, snapshot, _spare_w(plan, snapshot, others)):
        drive, quantity = chosen
        yield from_part(drive, quantity, BomGroup.NODE, drive.power_w or snapshot.policy["power.nvme_w"])


def _spare_w(plan: NodePlan, snapshot: CatalogSnapshot, others: tuple[Item, ...]) -> float | None:
    """What the largest supply of a tower leaves for drives; a barebone's supplies are sized for its bays."""
    if plan.build.form != "tower":
        return None
    policy = snapshot.policy
    most = most_tower_load_w(plan.build, snapshot) / policy["power.overhead_factor"]
    return most - parts_w(others) - plan.adapter_w - policy["power.workstation_base_w"]


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

"""The drives of a node for checkpoints and model files: how many, and which."""

from __future__ import annotations

import math
from decimal import Decimal

from kentino_configurator.bom.bays import bays
from kentino_configurator.bom.front_adapter import FEWEST_SCRATCH_DRIVES, front_adapter, lanes_left
from kentino_configurator.bom.lanes import LANES_PER_DRIVE
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.select import cheapest, parts_of
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec, PlatformSpec
from kentino_configurator.core.units import GB

MAX_SCRATCH_DRIVES = 8
TOWER_M2_SCRATCH_DRIVES = 2
"""Towers have four M.2 positions; two hold the boot mirror."""

Option = tuple[PartSpec, int]
"""A drive and how many of it."""


def scratch_drives(plan: NodePlan, snapshot: CatalogSnapshot, spare_w: float | None = None) -> Option | None:
    """The cheapest equal drives that hold the scratch space; in towers M.2 while enough.

    ``spare_w`` is what the supplies leave for drives, ``None`` where they do not limit. Where lanes or power end
    before the space is reached, the largest drives as far as they go: rule E4 then says what is short.
    """
    small = m2_drive(snapshot) if plan.build.form == "tower" else None
    if small and (small.capacity_gb or 0) * GB * TOWER_M2_SCRATCH_DRIVES >= plan.scratch_bytes:
        return small, TOWER_M2_SCRATCH_DRIVES
    drives = _drives_for(plan.platform, snapshot)
    sized = [(drive, _needed(plan, drive)) for drive in drives if drive.capacity_gb]
    most = _most_drives(plan, snapshot, spare_w)
    fitting = [option for option in sized if option[1] <= most]
    largest = max((drive.capacity_gb or 0 for drive in drives), default=0)
    short = [(drive, most) for drive, _ in sized if drive.capacity_gb == largest]
    unsized = [(drive, FEWEST_SCRATCH_DRIVES) for drive in drives]
    return min(fitting or short or unsized, key=_rank, default=None)


def m2_drive(snapshot: CatalogSnapshot) -> PartSpec | None:
    """The M.2 drive for boot mirrors."""
    return cheapest(part for part in parts_of(snapshot, "storage_drive") if part.socket_or_form == "M.2")


def _drives_for(platform: PlatformSpec, snapshot: CatalogSnapshot) -> list[PartSpec]:
    form = _bay_form(platform)
    drives = parts_of(snapshot, "storage_drive")
    return [d for d in drives if form in d.socket_or_form and not d.confidence.startswith("low")]


def _needed(plan: NodePlan, drive: PartSpec) -> int:
    count = math.ceil(plan.scratch_bytes / ((drive.capacity_gb or 0.0) * GB))
    return max(FEWEST_SCRATCH_DRIVES, count)


def _most_drives(plan: NodePlan, snapshot: CatalogSnapshot, spare_w: float | None) -> int:
    """Drives that bays, the lanes beside cards and adapters, and the supplies allow."""
    limits = [
        bays(plan.platform.nvme_bays, _bay_form(plan.platform)) or MAX_SCRATCH_DRIVES,
        MAX_SCRATCH_DRIVES,
    ]
    if (left := lanes_left(plan, snapshot)) is not None:
        front = sum(snapshot.parts[item.sku].pcie_lanes or 0 for item in front_adapter(plan, snapshot))
        limits.append((left - front) // LANES_PER_DRIVE)
    if spare_w is not None:
        limits.append(math.floor(spare_w / snapshot.policy["power.nvme_w"]))
    return max(FEWEST_SCRATCH_DRIVES, min(limits))


def _bay_form(platform: PlatformSpec) -> str:
    """Form of the drives a platform takes: U.2 unless it states another one only."""
    text = platform.nvme_bays
    takes_u2 = not text or any(word in text for word in ("U.2", "2.5 in", "SFF"))
    return "U.2" if takes_u2 else next((form for form in ("E3.S", "E1.S") if form in text), "U.2")


def _rank(option: Option) -> tuple[bool, Decimal, int]:
    drive, quantity = option
    amount = drive.price.amount
    return amount is None, Decimal(0) if amount is None else amount.amount * quantity, quantity

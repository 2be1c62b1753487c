"""The adapter of a node towards the customer's network."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.bom.items import Item, from_part
from kentino_configurator.bom.lanes import LANES_PER_DRIVE, LANES_PER_LINK, card_lanes, socket_lanes
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.select import cheapest, parts_of
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec

FRONT_GBPS = 25.0
"""Slowest port towards the customer's network in a server."""
FRONT_LANES = 8
"""Lanes of the narrowest such adapter."""
FEWEST_SCRATCH_DRIVES = 2


def front_adapter(plan: NodePlan, snapshot: CatalogSnapshot) -> Iterator[Item]:
    """One adapter of the site's speed; towers have 10 GbE on board, some no free slot.

    Where the lanes do not feed one of that speed beside the fewest drives, it is the fastest they feed.
    """
    if plan.build.form == "tower" and (plan.front_gbps <= 10 or plan.platform.nic_slots.startswith("none")):
        return
    ethernet = (part for part in parts_of(snapshot, "nic") if "Eth" in part.protocol)
    left = lanes_left(plan, snapshot)
    fed = [part for part in ethernet if left is None or _lanes_with_drives(part) <= left]
    rate = _rate({part.port_gbps or 0.0 for part in fed}, plan.front_gbps)
    fitting = [part for part in fed if part.port_gbps == rate]
    own = {sku for _, sku in plan.build.nics}
    if adapter := cheapest([part for part in fitting if part.sku in own] or fitting):
        yield from_part(adapter, 1, BomGroup.NODE, adapter.power_w or snapshot.policy["power.nic_w"])


def _rate(rates: set[float], wanted: float) -> float:
    """The slowest rate that is enough, else the fastest there is; 0 of nothing."""
    usable = sorted(rate for rate in rates if rate >= FRONT_GBPS)
    return next((rate for rate in usable if rate >= wanted), usable[-1] if usable else 0.0)


def _lanes_with_drives(part: PartSpec) -> int:
    return (part.pcie_lanes or LANES_PER_LINK) + FEWEST_SCRATCH_DRIVES * LANES_PER_DRIVE


def lanes_left(plan: NodePlan, snapshot: CatalogSnapshot) -> int | None:
    """Lanes beside those of cards and of the network between nodes, at most; ``None`` when not known."""
    quantity, sku = plan.build.cpus
    have = socket_lanes(plan.platform, quantity, snapshot.parts[sku])
    cards = card_lanes(plan.platform, plan.card, plan.gpu_count)
    return None if have is None or cards is None else have[1] - cards - plan.adapter_lanes

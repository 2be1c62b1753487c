"""Power supplies of a node: chosen for a tower, stated for a barebone."""

from __future__ import annotations

from kentino_configurator.bom.items import Item
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.select import parts_of
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec, ReferenceBuild


def most_tower_load_w(build: ReferenceBuild, snapshot: CatalogSnapshot) -> float:
    """Load the largest supply for a tower may carry, W."""
    supplies = [
        quantity * (part.power_w or 0.0) for quantity, part in (*_own(build, snapshot), *_others(snapshot))
    ]
    return max(supplies, default=0.0) * snapshot.policy["power.tower_psu_load_share"]


def _own(build: ReferenceBuild, snapshot: CatalogSnapshot) -> list[tuple[int, PartSpec]]:
    return [(quantity, snapshot.parts[sku]) for quantity, sku in build.psus]


def _others(snapshot: CatalogSnapshot) -> list[tuple[int, PartSpec]]:
    return [(1, part) for part in parts_of(snapshot, "psu") if not part.confidence.startswith("low")]


def tower_supply(
    build: ReferenceBuild, load_w: float, snapshot: CatalogSnapshot
) -> tuple[int, PartSpec] | None:
    """The build's supply while the policy allows the load on it, else the next larger one of the catalogue."""
    share = snapshot.policy["power.tower_psu_load_share"]
    own = _own(build, snapshot)
    for options in (own, _others(snapshot)):
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

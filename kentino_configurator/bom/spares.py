"""Parts that lie on the shelf of an order of several nodes: what is cheap, fails, and stops a node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kentino_configurator.bom.items import Item
from kentino_configurator.core.policy import Policy

_KINDS = {
    "cable_optic": "spares.cables_of_a_kind",
    "storage_drive": "spares.drives_of_a_kind",
}
"""Categories with spares, and the policy that says how many of each part."""


def spares(items: Iterable[Item], nodes: int, policy: Policy) -> Iterator[Item]:
    """Spare cables, optics and drives of every kind in the order; none for a single node."""
    if nodes < 2:
        return
    for item in {item.sku: item for item in items if item.category in _KINDS}.values():
        count = round(policy[_KINDS[item.category]])
        if count:
            name = f"{item.description} (spare)"
            yield replace(item, quantity=count, description=name, power_w=None, spare=True)

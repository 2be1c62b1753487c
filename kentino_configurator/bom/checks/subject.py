"""What the rules look at: one node with its parts, the network, the site and the lines of the order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.bom.items import Item
from kentino_configurator.bom.network import NetworkPlan
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.core.bom import BomLine
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Everything a rule may read. An offer has no request, configuration, network or lines yet."""

    plan: NodePlan
    node_items: tuple[Item, ...]
    node_dc_w: float
    node_ac_w: float
    supply_w: float | None
    supply_count: int | None
    snapshot: CatalogSnapshot
    request: Request | None = None
    configuration: Configuration | None = None
    network: NetworkPlan | None = None
    lines: tuple[BomLine, ...] = ()
    gear_ac_w: float = 0.0
    rack_units: int | None = None
    assumes_peer_access: bool = False

    def parts(self, category: str) -> Iterator[tuple[int, PartSpec]]:
        """Parts of a category in one node with their number."""
        for item in self.node_items:
            if item.category == category and item.sku in self.snapshot.parts:
                yield item.quantity, self.snapshot.parts[item.sku]

    def count(self, category: str) -> int:
        """How many pieces of a category one node holds."""
        return sum(item.quantity for item in self.node_items if item.category == category)

    def adapters(self) -> tuple[tuple[int, PartSpec], ...]:
        """Network adapters of one node: towards the customer's network and towards the other nodes."""
        between = self.network.adapter if self.network else None
        return (*self.parts("nic"), *(((self.rails, between),) if between else ()))

    @property
    def rails(self) -> int:
        """Adapters of one node towards the other nodes."""
        return self.network.rails if self.network else 0

    @property
    def is_server(self) -> bool:
        """Whether the node is a rack server."""
        return self.plan.build.form == "rack"

    @property
    def nodes(self) -> int:
        """How many nodes are ordered."""
        return self.configuration.nodes if self.configuration else 1

"""Machines that can be built and sold today, with price, power and size known before the engine chooses."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.hardware import GpuSpec, PlatformSpec, ReferenceBuild
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeOffer:
    """One buildable node: a reference build with one GPU edition and count.

    ``net`` is a lower bound when ``unpriced_lines`` > 0. ``form`` is ``tower`` or ``rack``; power at full
    load. ``blocked_by`` names compatibility rules that block it (such an offer is never chosen),
    ``unknown_rules`` those without data. ``fitted`` is the edition built in where the chassis asks for
    another cooler than ``gpu`` has. ``planning_net`` fills every missing price with the median of comparable
    parts: it orders offers and is never printed. ``adapter_slots`` are left for network adapters (0: it cannot
    join a cluster, ``None``: not published).
    ``supplies`` is the number of power supplies, each on one circuit; ``None``: not published.
    """

    id: str
    name: str
    gpu: GpuSpec
    gpu_count: int
    platform: PlatformSpec
    build: ReferenceBuild
    net: Money
    unpriced_lines: int
    dc_w: Estimate
    ac_w: Estimate
    rack_units: int | None
    form: str
    max_inlet_c: int | None
    blocked_by: tuple[str, ...] = ()
    unknown_rules: tuple[str, ...] = ()
    fitted: GpuSpec | None = None
    planning_net: Money | None = None
    adapter_slots: int | None = None
    supplies: int | None = None

    @property
    def card(self) -> GpuSpec:
        """The card that is built in."""
        return self.fitted or self.gpu


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOffer:
    """What joins several nodes: router and Ethernet for replicas (``fabric`` None), or a cluster fabric.

    Costs: a fixed part and a part for each node (NICs, cables, switch share); power likewise. The fixed part takes
    ``fixed_rack_units`` of height.
    """

    fabric: Fabric | None
    fixed_net: Money
    per_node_net: Money
    unpriced_lines: int
    fixed_w: float
    per_node_w: float
    max_nodes: int
    fixed_rack_units: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """All buildable nodes and networks of a catalogue."""

    nodes: tuple[NodeOffer, ...]
    networks: tuple[NetworkOffer, ...]

"""What the decision reads beside the request: the catalogue and the machines that can be built from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import Layout
from kentino_configurator.core.offer import NetworkOffer, NodeOffer, Offers
from kentino_configurator.core.policy import Policy
from kentino_configurator.engine.demand import ServingDemand
from kentino_configurator.engine.units import Miss, UnitCapacity, unit_capacity


@dataclass(frozen=True, slots=True)
class Context:
    """Catalogue and offers of one decision, with a memo of unit capacities that lives as long as it does.

    A capacity depends on the layout and on what one request looks like, not on how many requests there are; so the
    tipping points of one decision reuse the capacities of its search.
    """

    snapshot: CatalogSnapshot
    offers: Offers
    _capacities: dict[tuple[object, ...], UnitCapacity | Miss] = field(default_factory=dict)

    @property
    def policy(self) -> Policy:
        """The policy of the catalogue."""
        return self.snapshot.policy

    @property
    def calibration(self) -> Calibration:
        """The calibration of the catalogue."""
        return self.snapshot.calibration

    def network(self, fabric: object) -> NetworkOffer | None:
        """The network offer for a fabric, or for replicas with ``None``."""
        return next((offer for offer in self.offers.networks if offer.fabric == fabric), None)

    def gpus_named(self, name: str) -> tuple[GpuSpec, ...]:
        """The editions a catalogue id or a family's name stands for, in catalogue order."""
        ids = (name,) if name in self.snapshot.gpus else self.snapshot.gpu_aliases.get(name, ())
        return tuple(self.snapshot.gpus[gpu_id] for gpu_id in ids if gpu_id in self.snapshot.gpus)

    def offer_for(self, gpu_id: str, gpu_count: int) -> NodeOffer | None:
        """The cheapest offer that may be sold with exactly this GPU and count."""
        same = [
            o
            for o in self.offers.nodes
            if o.gpu.id == gpu_id and o.gpu_count == gpu_count and not o.blocked_by
        ]
        return min(same, key=lambda offer: (offer.planning_net or offer.net).cents, default=None)

    def capacity(self, demand: ServingDemand, layout: Layout) -> UnitCapacity | Miss:
        """``unit_capacity``, remembered."""
        machines = layout.machines
        key = (
            demand.workload.name,
            demand.load(1),
            demand.ttft_s,
            demand.tokens_per_s_per_user,
            layout.model.id,
            machines.gpu.id,
            machines.gpu_cap_w,
            machines.gpus_per_node,
            machines.nodes,
            machines.fabric,
            machines.sockets,
            machines.gpu_attach,
            layout.parallelism,
            layout.weights_precision,
            layout.kv_precision,
        )
        if key not in self._capacities:
            self._capacities[key] = unit_capacity(demand, layout, self.calibration, self.policy)
        return self._capacities[key]

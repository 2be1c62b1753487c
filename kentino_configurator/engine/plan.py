"""A plan: one node offer, how many of them, and how every workload is placed on them."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.decision import ThreeYearCost, WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.layout import Fabric, Layout
from kentino_configurator.core.money import Money
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.request import Workload


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One workload on the machines of a plan.

    ``copies`` run (spares included); ``copies_needed`` carry the load. ``capacity`` is the concurrency one copy
    carries within its targets (0 for training).
    """

    workload: Workload
    layout: Layout
    copies: int
    copies_needed: int
    capacity: int
    limit: str
    result: WorkloadResult

    @property
    def gpus(self) -> int:
        """GPUs the needed copies take."""
        return self.copies_needed * self.layout.parallelism.gpus_per_copy


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A feasible way to do the whole job. ``net`` is a lower bound when ``unpriced_lines`` > 0.

    ``ranking_eur`` is the three-year cost with every missing price filled by the median of comparable parts: it
    orders plans, so that a chassis without a price does not look cheap, and is never printed.
    """

    offer: NodeOffer
    nodes: int
    spare_nodes: int
    fabric: Fabric | None
    placements: tuple[Placement, ...]
    net: Money
    unpriced_lines: int
    cost: ThreeYearCost
    ranking_eur: float
    scaling_efficiency: Estimate | None = None

    @property
    def main(self) -> Placement:
        """The placement that shapes the machine: the one with the most GPUs, the first of equals."""
        return max(self.placements, key=lambda placement: placement.gpus)

    @property
    def is_four_bit(self) -> bool:
        """Whether any served model runs with 4-bit weights although its own format is larger."""
        return any(
            p.layout.weights_precision.is_four_bit and not p.workload.model.native_precision.is_four_bit
            for p in self.placements
            if not p.workload.kind.is_training
        )


def is_same_machine(first: Plan, second: Plan) -> bool:
    """Whether two plans order the same nodes and network with the same class of weights."""
    return (first.offer.id, first.nodes, first.fabric, first.is_four_bit) == (
        second.offer.id,
        second.nodes,
        second.fabric,
        second.is_four_bit,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """Why an offer cannot do the job: the finding rule, the workload and the figures behind it."""

    offer: NodeOffer
    rule: str
    workload: Workload | None = None
    layout: Layout | None = None
    reached: float | Estimate | None = None
    nodes: int = 1

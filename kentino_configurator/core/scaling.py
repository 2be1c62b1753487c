"""Scaling of one training job over machines and fabrics: the article's table, rebuilt for the customer's model.

Scaling efficiency is throughput per GPU over that of one GPU on the same job; it rewards slow software, so no row
shows it without tokens/s.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.layout import Fabric, Parallelism, Recompute, Sharding
from kentino_configurator.core.message import Message


class Spread(StrEnum):
    """How a job is spread over the GPUs."""

    TENSOR = "tensor"
    TENSOR_AND_PIPELINE = "tensor_and_pipeline"
    DATA = "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldFigure:
    """A figure from Kentino's own builds beside the projection.

    ``explaining_overlap`` is the share of tensor-parallel traffic that must run beside arithmetic for the projection
    to give the figure; ``None`` when even full overlap does not.
    """

    efficiency: Estimate
    policy_id: str
    explaining_overlap: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingRow:
    """One machine, fabric and spread. Figures are ``None`` where the layout cannot run at all (``reasons``).

    ``fits`` is about memory: figures of a row that does not fit say what the wires and the arithmetic would allow.
    ``min_tokens`` is the FSDP rule: tokens per GPU and micro-step from which full sharding hides its traffic.
    """

    nodes: int
    gpus_per_node: int
    fabric: Fabric | None
    spread: Spread
    parallelism: Parallelism
    sharding: Sharding
    recompute: Recompute
    micro_batch_tokens: float
    fits: bool
    memory_share: float
    efficiency: Estimate | None
    tokens_per_s: Estimate | None
    days: Estimate | None
    bound_by: str = ""
    below_gate: bool = False
    min_tokens: float | None = None
    field: FieldFigure | None = None
    reasons: tuple[Message, ...] = ()

    @property
    def gpus(self) -> int:
        """GPUs of the row."""
        return self.nodes * self.gpus_per_node


@dataclass(frozen=True, slots=True, kw_only=True)
class SxmSplit:
    """Lead of one SXM baseboard over our eight-GPU node for one spread: ``total = fabric x silicon``.

    ``fabric`` is the ratio of scaling efficiencies, ``silicon`` that of the rates of one GPU.
    """

    spread: Spread
    gpu: str
    total: Estimate
    fabric: Estimate
    silicon: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class StrongScalingPoint:
    """So many nodes on one job of fixed batch. ``gain`` is what the last node added, in nodes' worth.

    ``amdahl`` is the speed-up that the serial share of the curve allows; ``speedup`` the projected one.
    """

    nodes: int
    tokens_per_s: Estimate
    speedup: float
    amdahl: float
    efficiency: float
    gain: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StrongScaling:
    """Speed-up over nodes at a fixed global batch, counted from the smallest number of nodes that holds the job.

    ``serial_share`` is the part of the step that more nodes do not make faster. ``last_paying_nodes``: the next node
    would add less than the gate's share of a node.
    """

    fabric: Fabric
    spread: Spread
    serial_share: float
    points: tuple[StrongScalingPoint, ...]
    last_paying_nodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingTable:
    """The whole table. ``baseline_fits``: one GPU could hold the job; else its rate is arithmetic alone."""

    model: str
    gpu: str
    kind: str
    gate: float
    baseline_tokens_per_s: Estimate
    baseline_fits: bool
    rows: tuple[ScalingRow, ...]
    sxm: tuple[SxmSplit, ...]
    strong: tuple[StrongScaling, ...]

"""The answer of the engine: verdict, plan, trace, findings, alternatives, tipping points, ops tax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.layout import Fabric, Parallelism
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.message import Arg, Message
from kentino_configurator.core.money import Money
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.prediction import (
    MemoryPerGpu,
    ServingPerformance,
    TrainingPerformance,
)


class Verdict(StrEnum):
    """The six answers."""

    SINGLE_NODE = "single_node"
    SINGLE_NODE_INT4 = "single_node_int4"
    REPLICAS = "replicas"
    MULTI_NODE = "multi_node"
    REFER_SXM = "refer_sxm"
    NO_ANSWER = "no_answer"


class Severity(StrEnum):
    """Blocks the proposal, needs a decision, or is for information."""

    BLOCK = "block"
    WARN = "warn"
    NOTE = "note"


class TraceAnswer(StrEnum):
    """Answer to one of the five questions; with the question number it names the text ``tr.<n>.<answer>``."""

    YES = "yes"
    TIGHT = "tight"
    NO = "no"
    TRAINING = "training"
    BELOW_GATE = "below_gate"
    NOT_ASKED = "not_asked"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One rule that fired. ``rule`` is the id of ``findings`` texts without the leading ``f.``.

    ``args`` fill ``f.<rule>.text``, ``.why`` and ``.change``. ``weight`` orders findings of one severity.
    """

    rule: str
    severity: Severity
    args: Mapping[str, Arg] = field(default_factory=dict)
    weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A formula with its numbers filled in: ``name = expression = value``."""

    id: str
    expression: str
    value: Arg


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEntry:
    """One of the article's five questions with its answer."""

    number: int
    answer: TraceAnswer
    args: Mapping[str, Arg]
    decided: bool
    formulas: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What to build. ``replicas`` counts copies of the model over all nodes; ``spare_copies`` of them are spare.

    ``parallelism.dp`` is the number of copies (inference) or data-parallel ranks (training).
    """

    node: NodeOffer
    nodes: int
    replicas: int
    parallelism: Parallelism
    weights_precision: Precision
    kv_precision: KvPrecision
    fabric: Fabric | None
    spare_copies: int = 0
    spare_nodes: int = 0

    @property
    def gpus(self) -> int:
        """GPUs bought."""
        return self.nodes * self.node.gpu_count


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadResult:
    """Performance of one workload on the whole configuration.

    ``unit`` is one copy; ``output_tokens_per_s`` is over all copies that carry load. ``hours`` for batch work.
    """

    workload: str
    unit: ServingPerformance | TrainingPerformance | None
    memory: MemoryPerGpu
    concurrency_per_copy: int = 0
    copies_loaded: int = 1
    output_tokens_per_s: Estimate | None = None
    hours: Estimate | None = None
    days: Estimate | None = None
    load_conversion: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A configuration looked at and not chosen. ``changed`` names the condition a ``no_answer`` would change."""

    kind: str
    verdict: Verdict
    configuration: Configuration | None
    results: tuple[WorkloadResult, ...]
    net: Money | None
    net_is_lower_bound: bool
    three_year_eur: Estimate | None
    why_not: Message
    what_would_change: Message | None = None
    feasible: bool = True
    changed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TippingPoint:
    """The value of one input at which verdict or configuration changes. ``direction`` is +1 or -1."""

    field: str
    now: float
    at: float
    direction: int
    becomes: Message
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class OpsTax:
    """Operations: hours per year (low, middle, high columns), interruptions per year, duties as text ids ``ops.<id>``.

    ``article_hours`` is the article's 4-5x per added node as its own labelled column.
    """

    hours_low: float
    hours_middle: float
    hours_high: float
    article_hours: float
    interruptions_per_year: Estimate
    duties: tuple[str, ...]
    cluster: bool
    half_capacity_risk_eur: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeYearCost:
    """Three-year cost of ownership in EUR: hardware, energy, operations and their sum."""

    hardware: Estimate
    energy: Estimate
    operations: Estimate
    total: Estimate
    kwh_per_year: float
    eur_per_million_tokens: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Referral:
    """The SXM system that would be right, and what Kentino can still deliver (text ids)."""

    gpu: str
    gpus: int
    days: Estimate | None
    latency_s: Estimate | None
    power_w: float
    fabric: str
    fabric_factor: Estimate
    silicon_factor: Estimate
    can_deliver: tuple[str, ...]
    pcie_days: Estimate | None = None
    pcie_nodes: int = 0
    pcie_efficiency: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitMet:
    """A limit that binds: what was asked and the best that is possible."""

    name: str
    asked: Arg
    best: Arg


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Everything the engine found, without language. No ``configuration`` only for ``no_answer`` and ``refer_sxm``."""

    verdict: Verdict
    configuration: Configuration | None
    trace: tuple[TraceEntry, ...]
    findings: tuple[Finding, ...]
    results: tuple[WorkloadResult, ...]
    scaling_efficiency: Estimate | None
    alternatives: tuple[Alternative, ...]
    tipping_points: tuple[TippingPoint, ...]
    ops_tax: OpsTax | None
    three_year_cost: ThreeYearCost | None
    formulas: tuple[Formula, ...] = ()
    referral: Referral | None = None
    limits_met: tuple[LimitMet, ...] = ()
    needed: tuple[Message, ...] = ()
    rule_verdict: Verdict | None = None
    search_verdict: Verdict | None = None
    disagreement: Message | None = None
    field_figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def memory(self) -> MemoryPerGpu | None:
        """Memory of the workload that fills its GPU most; batch work, which fills the cache on purpose, counts last."""
        people_or_training = [result.memory for result in self.results if result.hours is None]
        candidates = people_or_training or [result.memory for result in self.results]
        return max(candidates, key=lambda memory: memory.used, default=None)

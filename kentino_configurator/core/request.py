"""A complete request: every answer given, every default filled and listed. Field names follow the request file."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kentino_configurator.core.llm import KvPrecision, ModelSpec, Precision


class JobKind(StrEnum):
    """What a workload does; the value is ``workloads[].kind`` of a request file."""

    INFERENCE = "inference"
    BATCH = "batch"
    LORA = "lora"
    QLORA = "qlora"
    FULL_FINETUNE = "full_finetune"
    PRETRAIN = "pretrain"

    @property
    def is_training(self) -> bool:
        """Whether weights or adapters are learned."""
        return self in (JobKind.LORA, JobKind.QLORA, JobKind.FULL_FINETUNE, JobKind.PRETRAIN)


class Runs(StrEnum):
    """Whether a workload shares the machine at the same time or by turns."""

    TOGETHER = "together"
    EXCLUSIVE = "exclusive"


class Availability(StrEnum):
    """What one failure may cost."""

    NONE = "none"
    N_PLUS_1 = "n_plus_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A default that was used: path in the request, the value, its source and what it moves.

    ``source`` and ``effect`` are English; ``origin`` and ``moves`` are the text ids of the same two sentences.
    """

    field: str
    value: Any
    source: str
    effect: str
    origin: str = ""
    moves: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadBasis:
    """How a concurrency was derived from people; provenance only."""

    named_users: int
    active_share: float
    think_time_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One job. ``None`` in a target or demand field means: no such requirement.

    Interactive: lengths, ``concurrent_requests`` or ``requests_per_s``, targets. Batch: corpus and deadline.
    Training: data set, epochs, sequence, deadline, recipe. ``job`` is the window's job kind (``rag``, ``coding``,
    ...), ``repeat`` how often a batch runs, ``why_scratch`` the customer's reason for pre-training; for print only.
    """

    name: str
    kind: JobKind
    model: ModelSpec
    weights_precision: Precision = Precision.AUTO
    kv_precision: KvPrecision = KvPrecision.AUTO
    runs: Runs = Runs.TOGETHER
    availability: Availability = Availability.NONE
    input_tokens: int = 0
    output_tokens: int = 0
    max_context_tokens: int = 0
    concurrent_requests: int | None = None
    requests_per_s: float | None = None
    ttft_s: float | None = None
    tokens_per_s_per_user: float | None = None
    long_request_share: float = 1.0
    prefix_reuse: float = 0.0
    corpus_input_tokens: float = 0.0
    corpus_output_tokens: float = 0.0
    deadline_hours: float | None = None
    dataset_tokens: float = 0.0
    epochs: float = 1.0
    sequence_tokens: int = 0
    deadline_days: float | None = None
    bytes_per_parameter: float = 16.0
    lora_rank: int = 16
    runs_per_month: float = 0.0
    use: str = "commercial"
    tenancy: str = "single"
    load_basis: LoadBasis | None = None
    job: str = ""
    repeat: str = "once"
    why_scratch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """Electrical circuits free for the machine; ``count`` equal ones."""

    volts: int
    amps: int
    phases: int
    count: int

    @property
    def watts_each(self) -> float:
        """Nominal power of one circuit (three-phase: line voltage x sqrt 3)."""
        return self.volts * self.amps * (3**0.5 if self.phases == 3 else 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where it will stand. ``None`` limits nothing: the need is printed and the check answers ``unknown``."""

    circuits: tuple[Circuit, ...] | None = None
    feeds: str = "single"
    cooling_kw: float | None = None
    max_inlet_c: float | None = None
    rack_units: int | None = None
    rack_depth_mm: int | None = None
    office: bool = False
    network_gbps: int = 10
    switch_ports: str = ""
    storage: str = "none"
    access_note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedPlan:
    """What the customer came asking for; compared with the answer, never a limit. ``gpu`` is a catalogue id."""

    nodes: int
    gpus_per_node: int
    gpu: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Hard limits. ``gpu_ids`` holds resolved catalogue ids, ``None`` = all that Kentino ships."""

    budget_eur: float | None = None
    max_nodes: int | None = None
    gpu_ids: tuple[str, ...] | None = None
    allow_int4: bool = True
    requested: RequestedPlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Expected growth of the load; bought today only with ``buy_now``."""

    factor: float = 1.0
    within_months: int = 24
    buy_now: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    """Who runs it and what an hour, a kWh and the building's overhead cost."""

    operators: str = "part_time"
    support_hours: str = "nbd"
    hourly_cost_eur: float = 60.0
    electricity_eur_per_kwh: float = 0.1902
    pue: float = 1.54
    duty_percent: float = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """Who asks. Empty text = not stated."""

    name: str = ""
    country: str = "CZ"
    language: str = "en"
    vat_id: str = ""
    site: str = "on_premises_room"
    end_user_country: str = ""
    parent_country: str = ""
    data_sensitivity: str = "internal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commercial:
    """Terms of the document. Empty text = not stated."""

    currency: str = "EUR"
    discount_percent: float = 0.0
    validity_days: int = 14
    incoterm: str = "DAP"
    vat_mode: str = ""
    delivery_place: str = ""
    installation: bool = False
    reference: str = ""
    public_tender: bool = False
    warranty: str = ""
    needed_by: str = ""
    geforce_decision: str = ""
    note: str = ""
    assumptions_reviewed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything the engine needs to decide, with the list of what was assumed."""

    workloads: tuple[Workload, ...]
    customer: Customer = field(default_factory=Customer)
    growth: Growth = field(default_factory=Growth)
    site: Site = field(default_factory=Site)
    limits: Limits = field(default_factory=Limits)
    operations: Operations = field(default_factory=Operations)
    commercial: Commercial = field(default_factory=Commercial)
    assumptions: tuple[Assumption, ...] = ()

"""One concrete way to run one job: hardware, parallel degrees, formats, load."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.hardware import GpuSpec, SlotMap
from kentino_configurator.core.llm import KvPrecision, ModelSpec, Precision


class Fabric(StrEnum):
    """Network between nodes that carries GPU traffic; a layout inside one node has none."""

    ETHERNET_25G = "ethernet_25g"
    ETHERNET_100G = "ethernet_100g"
    ROCE_200G = "roce_200g"
    ROCE_400G = "roce_400g"
    INFINIBAND_200G = "infiniband_200g"
    INFINIBAND_400G = "infiniband_400g"


class Stack(StrEnum):
    """Software preset: what an ordinary set-up reaches, and what a tuned one does."""

    ORDINARY = "ordinary"
    TUNED = "tuned"


class Sharding(StrEnum):
    """How training state is spread over data-parallel ranks. ``HYBRID``: over those of one node, copied across."""

    NONE = "none"
    ZERO1 = "zero1"
    ZERO2 = "zero2"
    ZERO3 = "zero3"
    HYBRID = "hybrid"


class Recompute(StrEnum):
    """Which activations are computed again in the backward pass.

    Attention scores never lie in memory (flash attention). ``SELECTIVE`` drops what is cheap: outputs of norms and
    of the activation function; ``FULL`` keeps only the input of every layer.
    """

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class Offload(StrEnum):
    """What of the training state lies in host memory; it pays with traffic over the host link."""

    NONE = "none"
    OPTIMIZER = "optimizer"
    STATE = "state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallelism:
    """Parallel degrees. ``tp * pp * dp`` is the number of GPUs; ``ep`` divides ``tp * dp``.

    ``dcp`` divides the KV cache of a TP group over its ranks (decode context parallelism); it divides ``tp``.
    """

    tp: int = 1
    pp: int = 1
    dp: int = 1
    ep: int = 1
    dcp: int = 1

    @property
    def gpus(self) -> int:
        """GPUs taken by the whole layout."""
        return self.tp * self.pp * self.dp

    @property
    def gpus_per_copy(self) -> int:
        """GPUs that hold one copy of the model."""
        return self.tp * self.pp


@dataclass(frozen=True, slots=True, kw_only=True)
class Machines:
    """The hardware a layout runs on. ``slot_map`` is ``None`` where the wiring is not known.

    ``rails`` are the network ports of one node that collectives use side by side.
    """

    gpu: GpuSpec
    gpus_per_node: int
    nodes: int = 1
    fabric: Fabric | None = None
    sockets: int = 2
    gpu_attach: str = ""
    slot_map: SlotMap | None = None
    gpu_cap_w: int | None = None
    rails: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingLoad:
    """Load on ONE copy of the model in a steady closed loop.

    ``kv_tokens_per_request`` is what memory is reserved for (context asked, weighted with the long share).
    """

    input_tokens: int
    output_tokens: int
    concurrency: int
    kv_tokens_per_request: float
    prefix_reuse: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingJob:
    """A training run: method parameters and lengths. ``global_batch_tokens`` is one optimizer step.

    ``arithmetic`` is the format of the matrix products of the layers, BF16 or FP8. ``interleave`` counts the chunks
    of the model on one pipeline stage. The loss is taken in chunks of ``loss_chunk_tokens``, as current training
    stacks do.
    """

    kind: str
    dataset_tokens: float
    epochs: float
    sequence_tokens: int
    global_batch_tokens: float
    micro_batch_tokens: float
    bytes_per_parameter: float = 16.0
    lora_rank: int = 16
    sharding: Sharding = Sharding.ZERO3
    recompute: Recompute = Recompute.FULL
    arithmetic: Precision = Precision.BF16
    offload: Offload = Offload.NONE
    interleave: int = 1
    loss_chunk_tokens: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A model placed on machines."""

    model: ModelSpec
    machines: Machines
    parallelism: Parallelism
    weights_precision: Precision
    kv_precision: KvPrecision = KvPrecision.BF16
    gpu_memory_utilization: float = 0.90
    max_batched_tokens: int = 8192
    stack: Stack = Stack.ORDINARY

"""Reading one row of a published training measurement: people's columns and remarks into a layout and a job.

The columns are those of the shipped table ``training.csv``. Micro-batch, recomputation, offload and the engine stand
in the remarks; what is not stated follows the defaults of the engine named there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import (
    Fabric,
    Layout,
    Machines,
    Offload,
    Parallelism,
    Recompute,
    Sharding,
    Stack,
    TrainingJob,
)
from kentino_configurator.core.llm import ModelSpec, Precision
from kentino_configurator.core.units import GB, GIB
from kentino_configurator.engine.measured_row import (
    SkippedRowError,
    SpecResolver,
    number_or_zero,
    positive_number,
    stated_grade,
)
from kentino_configurator.engine.training_memory import activation_bytes_per_gpu, state_bytes_per_gpu
from kentino_configurator.engine.training_models import model_of_size

Row = Mapping[str, str]

ENCODERS = ("bert", "t5")
TUNED_WORDS = ("llmq engine", "llmq readme", "mlcommons", "megatron")
TOOLS_WITHOUT_CONTEXT = (
    "torchtune",
    "torchtitan",
    "kempner",
    "litgpt",
    "fsdp_qlora",
    "distributed-training-guide",
    "unsloth",
)
"""Tools that report what their allocator held, without context and buffers outside of it."""

CHUNKED_LOSS = ("torchtune", "unsloth", "llmq")
"""Tools that take the loss in chunks; the others hold the logits of the whole micro-batch."""

NO_RECOMPUTE = ("llmq engine", "litgpt", "ckpt false", "activation checkpointing: none", "no activation")
SELECTIVE_BY_DEFAULT = ("torchtitan", "automodel", "megatron", "mlcommons", "selective")
LIGHTEST = ("llmq readme",)
"""Engines whose users recompute as little as fits the card."""

WIDE_ADAPTERS = ("qwenlm/qwen",)
"""Recipes whose published default is rank 64."""

STAND_IN_GPU = "RTX PRO 6000 Blackwell Server Edition"
DEFAULT_SEQUENCE = 2048
DEFAULT_MICRO_TOKENS = 8192
DEFAULT_ROUNDS = 8
AT_ONCE_SEQUENCES = 2
"""So many sequences per GPU and step are taken as one micro-batch where the remarks say nothing."""

SXM_RAILS = 8
LEAST_PARAMETERS_B = 0.05

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?b\b", re.IGNORECASE)
_SHARDINGS = (
    ("zero-3", Sharding.ZERO3),
    ("fsdp", Sharding.ZERO3),
    ("full_shard", Sharding.ZERO3),
    ("zero-2", Sharding.ZERO2),
    ("zero-1", Sharding.ZERO1),
    ("distributed optimizer", Sharding.ZERO1),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingMeasurement:
    """One measured number with the layout and job it was measured on.

    ``value`` is in base units. ``baseline_gpus`` is the size that a scaling efficiency refers to; ``exact`` rows state
    micro-batch and optimizer. ``plain_count`` marks sources whose MFU counts causal attention and no input embedding,
    ``with_context`` memory figures that include what the driver holds.
    """

    id: str
    metric: str
    value: float
    layout: Layout
    job: TrainingJob
    baseline_gpus: int
    exact: bool
    plain_count: bool
    with_context: bool
    grade: str


def read_training_row(row: Row, resolver: SpecResolver) -> TrainingMeasurement:
    """The measurement of a row. Raises :class:`SkippedRowError` with the reason when it cannot be used."""
    words = _words(row)
    _refuse(row, words)
    model = _model(row, resolver)
    gpu = resolver.gpu(STAND_IN_GPU if row["gpu"].startswith("any") else row["gpu"])
    if gpu is None:
        raise SkippedRowError("unknown_gpu")
    machines = _machines(row, gpu)
    degrees = _parallelism(row, machines)
    job = _job(row, words, degrees)
    layout = Layout(
        model=model,
        machines=machines,
        parallelism=degrees,
        weights_precision=Precision.INT4 if job.kind == "qlora" else Precision.BF16,
        stack=Stack.TUNED if any(word in words for word in TUNED_WORDS) else Stack.ORDINARY,
    )
    layout, job = _made_to_fit(row, words, layout, job)
    return TrainingMeasurement(
        id=row["id"],
        metric=row["metric"],
        value=_value(row),
        layout=layout,
        job=job,
        baseline_gpus=_baseline_gpus(row, words),
        exact="batch" in row["notes"] and bool(row["optimizer"]),
        plain_count=any(word in words for word in ("llmq", "automodel")),
        with_context=not any(tool in words for tool in TOOLS_WITHOUT_CONTEXT),
        grade=stated_grade(row["notes"]),
    )


def _made_to_fit(row: Row, words: str, layout: Layout, job: TrainingJob) -> tuple[Layout, TrainingJob]:
    """A run happened, so it fitted: an unstated TP degree is the smallest that holds the state, and an engine that
    recomputes as little as it can recomputes everything where keeping all would not fit."""
    usable = 0.9 * layout.machines.gpu.vram_bytes
    while not row["tp"] and _state(layout, job) > usable and layout.parallelism.dp % 2 == 0:
        degrees = layout.parallelism
        layout = replace(layout, parallelism=replace(degrees, tp=degrees.tp * 2, dp=degrees.dp // 2))
    kept = _state(layout, job) + activation_bytes_per_gpu(layout, job)
    if any(word in words for word in LIGHTEST) and kept > usable:
        job = replace(job, recompute=Recompute.FULL)
    return layout, job


def _state(layout: Layout, job: TrainingJob) -> float:
    return sum(state_bytes_per_gpu(layout, job))


def _words(row: Row) -> str:
    columns = ("notes", "source", "precision", "optimizer", "sharding", "method")
    return "; ".join(row[column] for column in columns).lower().replace("llmq readme.md", "llmq readme")


def _refuse(row: Row, words: str) -> None:
    if "estimate" in row["unit"].lower() or "estimate by the project" in words:
        raise SkippedRowError("estimate_not_measurement")
    if "upper bound" in row["unit"].lower():
        raise SkippedRowError("bound_not_measurement")
    if "not tokens" in row["unit"]:
        raise SkippedRowError("unsupported_unit")
    if row["metric"] == "step_s" and not row["global_batch_tokens"]:
        raise SkippedRowError("missing_batch")
    if row["model"].lower().startswith(ENCODERS):
        raise SkippedRowError("unsupported_model")


def _model(row: Row, resolver: SpecResolver) -> ModelSpec:
    known = resolver.model(row["model"])
    if known is not None:
        return known
    size = _SIZE.search(row["model"])
    billions = number_or_zero(row["params_b"] or (size[1] if size else ""))
    if billions < LEAST_PARAMETERS_B:
        raise SkippedRowError("unknown_model")
    return model_of_size(billions * 1e9, row["model"])


def _machines(row: Row, gpu: GpuSpec) -> Machines:
    gpus, nodes = _gpus(row), _nodes(row)
    cap = re.search(r"(\d+) ?W\b", row["gpu"])
    per_node = max(1, gpus // nodes)
    return Machines(
        gpu=gpu,
        gpus_per_node=per_node,
        nodes=nodes,
        fabric=_fabric(row["interconnect"]) if nodes > 1 else None,
        sockets=1 if per_node <= 4 else 2,
        gpu_cap_w=int(cap[1]) if cap else None,
        rails=min(per_node, SXM_RAILS) if nodes > 1 and gpu.is_sxm and _per_gpu(row["interconnect"]) else 1,
    )


def _gpus(row: Row) -> int:
    return int(number_or_zero(row["gpu_count"]) or number_or_zero(row["tp"]) or 1)


def _nodes(row: Row) -> int:
    return int(number_or_zero(row["nodes"]) or 1)


def _per_gpu(interconnect: str) -> bool:
    """Whether each GPU of a node has its own port: usual with NVLink boxes unless a node rate is stated."""
    lowered = interconnect.lower()
    return "per node" not in lowered or "8x" in lowered


def _fabric(interconnect: str) -> Fabric:
    """The fabric of a port in a column such as ``NVLink + 8x400G NDR IB per node``."""
    lowered = interconnect.lower()
    if "tcp" in lowered or "not stated)" in lowered:
        return Fabric.ETHERNET_100G
    if "hdr100" in lowered:
        return Fabric.ETHERNET_100G
    if "1600 gbps" in lowered or "200g" in lowered:
        return Fabric.ROCE_200G
    return Fabric.INFINIBAND_400G


def _parallelism(row: Row, machines: Machines) -> Parallelism:
    tp, pp = (int(row[name]) if row[name].isdigit() else 1 for name in ("tp", "pp"))
    gpus = machines.gpus_per_node * machines.nodes
    return Parallelism(tp=tp, pp=pp, dp=max(1, gpus // (tp * pp)))


def _job(row: Row, words: str, degrees: Parallelism) -> TrainingJob:
    kind = _kind(row)
    sequence = int(number_or_zero(row["seq_len"]) or DEFAULT_SEQUENCE)
    context_ranks = int((re.search(r"cp(\d)", words) or ("", "1"))[1])
    micro, stated_rounds = _micro_tokens(row, sequence)
    total = number_or_zero(row["global_batch_tokens"])
    smallest = float(sequence) if "minimum" in words else _usual_micro_tokens(total / degrees.dp, sequence)
    micro = (micro or smallest) / context_ranks
    rounds = stated_rounds or DEFAULT_ROUNDS
    return TrainingJob(
        kind=kind,
        dataset_tokens=1e9,
        epochs=1.0,
        sequence_tokens=sequence,
        global_batch_tokens=total or rounds * micro * degrees.dp,
        micro_batch_tokens=micro,
        bytes_per_parameter=_state_bytes(words),
        sharding=_sharding(row, words),
        recompute=_recompute(words),
        arithmetic=Precision.FP8 if "fp8" in row["precision"].lower() else Precision.BF16,
        offload=_offload(words),
        interleave=2 if "interleaved" in words else 1,
        lora_rank=64 if any(tool in words for tool in WIDE_ADAPTERS) else 16,
        loss_chunk_tokens=1024 if any(tool in words for tool in CHUNKED_LOSS) else 1_000_000,
    )


def _usual_micro_tokens(per_rank: float, sequence: int) -> float:
    """A micro-batch nobody stated: the whole share of a rank when small, else one sequence."""
    if per_rank == 0.0:
        return float(max(sequence, DEFAULT_MICRO_TOKENS))
    return per_rank if per_rank <= AT_ONCE_SEQUENCES * sequence else float(sequence)


def _kind(row: Row) -> str:
    method = row["method"].lower()
    if "qlora" in method:
        return "qlora"
    if "lora" in method:
        return "lora"
    return "pretrain" if "pre-train" in method else "full_finetune"


def _micro_tokens(row: Row, sequence: int) -> tuple[float, int]:
    """(tokens of a micro-batch on one GPU or 0, accumulation steps or 0) as the remarks state them."""
    notes = row["notes"].lower()
    batch = re.search(r"(?:micro-)?batch(?: size)? (\d+)(?! ->)", notes)
    rounds = re.search(r"accumulation (\d+)", notes)
    return float(batch[1]) * sequence if batch else 0.0, int(rounds[1]) if rounds else 0


def _state_bytes(words: str) -> float:
    """Bytes per trained parameter of the recipe named; mixed precision with FP32 moments where none is.

    The full recipe of torchtune pages 8-bit moments and frees each gradient inside the backward pass.
    """
    if "8 b/param" in words or "bf16 states" in words or "adamw fused" in words or "pure bf16" in words:
        return 8.0
    if "torchtune" in words:
        return 4.0
    return 16.0


def _sharding(row: Row, words: str) -> Sharding:
    if "shard-weights" in words and "shard-gradients" in words:
        return Sharding.ZERO3
    stated = row["sharding"].lower()
    found = next((sharding for word, sharding in _SHARDINGS if word in stated), None)
    return found or Sharding.NONE


def _recompute(words: str) -> Recompute:
    """What the remarks state; else what the tool does by default: fine-tuning stacks recompute every layer."""
    if re.search(
        r"recompute-block|recompute-ffn|ckpt true|full activation checkpointing|checkpointing: full", words
    ):
        return Recompute.FULL
    if any(word in words for word in (*NO_RECOMPUTE, *LIGHTEST)):
        return Recompute.NONE
    return Recompute.SELECTIVE if any(word in words for word in SELECTIVE_BY_DEFAULT) else Recompute.FULL


def _offload(words: str) -> Offload:
    if re.search(r"cpu offload|adamw on cpu|optimizer offloaded to cpu", words):
        return Offload.STATE
    if "offload-opt" in words or "offload-master" in words or "host offload" in words:
        return Offload.OPTIMIZER
    return Offload.NONE


def _value(row: Row) -> float:
    """The number in base units: bytes for memory, FLOP/s for rates of arithmetic, else as stated."""
    value = positive_number(row["value"], "value")
    if row["metric"] == "peak_mem_gib_per_gpu":
        return value * (GIB if "GiB" in row["unit"] else GB)
    return value * 1e12 if row["metric"] == "tflops_per_gpu" else value


def _baseline_gpus(row: Row, words: str) -> int:
    """GPUs of the run that a scaling efficiency compares with: one, or the size the remarks name."""
    stated = re.search(r"baseline is (\d+) gpus", words)
    if stated:
        return int(stated[1])
    if "8-gpu" in words or "one 8-gpu node" in words or "mlcommons" in words:
        return 8
    return 8 if _nodes(row) > 1 and _gpus(row) > 8 else 1

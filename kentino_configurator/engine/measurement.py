"""Reading one row of a published inference measurement: people's numbers and remarks into a layout and a load.

The columns are those of the shipped measurement tables. A number may carry words (``~280 (p50, ShareGPT)``); remarks
state the pool size, the memory share, DCP and batch size of the engine where the author gave them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import Fabric, Layout, Machines, Parallelism, ServingLoad, Stack
from kentino_configurator.core.llm import KvPrecision, ModelSpec, Precision
from kentino_configurator.engine.measured_row import (
    SkippedRowError,
    SpecResolver,
    positive_number,
    stated_grade,
)
from kentino_configurator.engine.memory import LARGE_GPU_BYTES

SHORT_PROMPT_TOKENS = 100
WINDOW_TOKENS = 512
"""Answer length assumed where a decode speed was read in a time window."""

DATASET_TOKENS = {"sharegpt": (280, 310)}
"""Mean prompt and answer of public request sets that a row names instead of lengths."""

GPUS_ON_ONE_SOCKET = 4
EVERYTHING_QUEUED = 100_000
_DEFAULT_BATCHED_LARGE, _DEFAULT_BATCHED_SMALL = 8192, 2048
_DEFAULT_UTILIZATION = 0.90

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_PRECISIONS = (
    ("nvfp4", Precision.NVFP4),
    ("mxfp4", Precision.MXFP4),
    ("awq", Precision.INT4_AWQ),
    ("gptq", Precision.INT4_GPTQ),
    ("autoround", Precision.INT4_GPTQ),
    ("w4a16 experts", Precision.INT4),
    ("w4a16", Precision.INT4_AWQ),
    ("int4", Precision.INT4),
    ("fp8", Precision.FP8),
    ("int8", Precision.INT8),
    ("bf16", Precision.BF16),
    ("fp16", Precision.BF16),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingMeasurement:
    """One measured number with the layout and the load on one copy it was measured on.

    ``copies`` share the load; ``pool_bytes`` is the stated KV pool per GPU, ``max_length`` the stated context limit.
    ``decode_only`` marks speeds read in a window without prompts.
    """

    id: str
    metric: str
    value: float
    layout: Layout
    load: ServingLoad
    copies: int
    decode_only: bool
    speculative: str
    grade: str
    pool_bytes: float | None
    max_length: int | None


def read_serving_row(row: Mapping[str, str], resolver: SpecResolver) -> ServingMeasurement:
    """The measurement of a row. Raises :class:`SkippedRowError` with the reason when something needed is missing."""
    model, gpu = resolver.model(row["model"]), resolver.gpu(row["gpu"])
    if model is None:
        raise SkippedRowError("unknown_model")
    if gpu is None:
        raise SkippedRowError("unknown_gpu")
    notes = f"{row['notes']}; {row['interconnect']}".lower()
    degrees = _parallelism(row, notes)
    decode_only = _is_decode_only(row, notes)
    layout = Layout(
        model=model,
        machines=_machines(row, gpu, notes),
        parallelism=degrees,
        weights_precision=_precision(row["weights_dtype"], model),
        kv_precision=_kv_precision(row["kv_dtype"]),
        gpu_memory_utilization=_stated(notes, r"utili[sz]ation ([\d.]+)|mem-fraction ([\d.]+)")
        or _DEFAULT_UTILIZATION,
        max_batched_tokens=_batched_tokens(notes, gpu),
        stack=_stack(row, notes),
    )
    pool = _stated(notes, r"kv pool ([\d.]+) gib|([\d.]+) gib kv per gpu")
    length = _stated(notes.replace(",", ""), r"max-len (\d+)|max-model-len (\d+)")
    return ServingMeasurement(
        id=row["id"],
        metric=row["metric"],
        value=positive_number(row["value"], "value"),
        layout=layout,
        load=_load(row, degrees.dp, decode_only),
        copies=degrees.dp,
        decode_only=decode_only,
        speculative="" if row["speculative"] in ("none", "") else row["speculative"],
        grade=stated_grade(row["notes"]),
        pool_bytes=None if pool is None else pool * 2.0**30,
        max_length=None if length is None else int(length),
    )


def _parallelism(row: Mapping[str, str], notes: str) -> Parallelism:
    degrees = [row["tp"], row["pp"], row["dp"], row["ep"]]
    if not all(degree.isdigit() for degree in degrees):
        raise SkippedRowError("missing_layout")
    tp, pp, dp, ep = (int(degree) for degree in degrees)
    return Parallelism(tp=tp, pp=pp, dp=dp, ep=ep, dcp=int(_stated(notes, r"dcp ?= ?(\d+)") or 1))


def _machines(row: Mapping[str, str], gpu: GpuSpec, notes: str) -> Machines:
    nodes = int(positive_number(row["nodes"], "nodes"))
    gpus = int(positive_number(row["gpu_count"], "gpu_count"))
    cap = _stated(notes, r"(\d+) w cap")
    return Machines(
        gpu=gpu,
        gpus_per_node=max(1, gpus // nodes),
        nodes=nodes,
        fabric=Fabric.INFINIBAND_400G if nodes > 1 else None,
        sockets=1 if gpus // nodes <= GPUS_ON_ONE_SOCKET else 2,
        gpu_attach="switch" if "switch" in notes else "",
        gpu_cap_w=None if cap is None else int(cap),
    )


def _precision(text: str, model: ModelSpec) -> Precision:
    lowered = text.lower()
    for word, precision in _PRECISIONS:
        if word in lowered:
            return precision
    return model.native_precision


def _kv_precision(text: str) -> KvPrecision:
    """Cache format; FP8 also where a campaign of FP8 and default runs does not say which (its load fits FP8 only)."""
    lowered = text.lower()
    if "nvfp4" in lowered:
        raise SkippedRowError("unsupported_kv_format")
    return KvPrecision.FP8 if lowered.startswith("fp8") else KvPrecision.BF16


def _batched_tokens(notes: str, gpu: GpuSpec) -> int:
    stated = _stated(notes, r"max_num_batched_tokens (\d+)|max (\d+) batched tokens")
    default = _DEFAULT_BATCHED_LARGE if gpu.vram_bytes >= LARGE_GPU_BYTES else _DEFAULT_BATCHED_SMALL
    return int(stated or default)


def _stack(row: Mapping[str, str], notes: str) -> Stack:
    """TensorRT-LLM, SGLang, retuned kernels, b12x kernels and custom all-reduce beyond two cards count as tuned."""
    words = notes + row["engine_version"]
    custom = "custom all-reduce under" in words or "b12x" in words or "rtx6kpro" in row["source"]
    tuned = row["engine"].startswith(("TensorRT", "SGLang")) or "retuned" in words or custom
    return Stack.TUNED if tuned else Stack.ORDINARY


def _is_decode_only(row: Mapping[str, str], notes: str) -> bool:
    """Whether a speed excludes prompts: read in a steady window, or with no prompt at all."""
    if row["metric"] not in ("output_tok_s_total", "decode_tok_s_per_user"):
        return False
    window = "30 s" in notes or "decode only" in notes or row["output_tokens"] == "unstated"
    window = window or "rtx6kpro" in row["source"]  # their benchmark reads decode speed beside a filled cache
    return window or row["input_tokens"] == "0" or row["metric"] == "decode_tok_s_per_user"


def _load(row: Mapping[str, str], copies: int, decode_only: bool) -> ServingLoad:
    prompt, answer = _lengths(row)
    users = -(-_users(row["concurrency"]) // copies)
    cached = decode_only or "prefill is cached" in row["notes"] or "prefill cached" in row["notes"]
    return ServingLoad(
        input_tokens=max(1, prompt),
        output_tokens=max(1, answer),
        concurrency=max(1, users),
        kv_tokens_per_request=float(prompt + answer),
        prefix_reuse=1.0 if cached else 0.0,
    )


def _lengths(row: Mapping[str, str]) -> tuple[int, int]:
    source = row["input_tokens"].lower()
    for name, lengths in DATASET_TOKENS.items():
        if name in source:
            return lengths
    if "mix" in source:
        raise SkippedRowError("missing_lengths")
    prompt = _number(source)
    answer = _number(row["output_tokens"])
    return int(prompt or SHORT_PROMPT_TOKENS), int(answer or WINDOW_TOKENS)


def _users(text: str) -> int:
    """Concurrent requests; an unbounded queue is a very large number, an arrival rate cannot be converted."""
    lowered = text.lower()
    if "server" in lowered or "open loop" in lowered:
        raise SkippedRowError("arrival_rate_not_concurrency")
    if lowered.isdigit():
        return max(1, int(lowered))
    batch = _stated(lowered, r"(\d+)-request")
    if batch:
        return int(batch)
    return 1 if "low" in lowered else EVERYTHING_QUEUED


def _number(text: str) -> float | None:
    match = _NUMBER.search(text)
    return float(match[0]) if match else None


def _stated(text: str, pattern: str) -> float | None:
    match = re.search(pattern, text)
    if match is None:
        return None
    return float(next(group for group in match.groups() if group))

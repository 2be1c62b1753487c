"""Rows of measurement tables: people's numbers and remarks become a layout and a load, or a reason."""

from __future__ import annotations

import pytest

from kentino_configurator.catalog.names import resolve_gpus, resolve_model
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import Stack
from kentino_configurator.core.llm import KvPrecision, ModelSpec, Precision
from kentino_configurator.engine.measured_row import SkippedRowError
from kentino_configurator.engine.measurement import EVERYTHING_QUEUED, read_serving_row
from tests.unit.engine.helpers import GIB, snapshot


class Catalogue:
    def model(self, text: str) -> ModelSpec | None:
        return resolve_model(snapshot(), text)

    def gpu(self, text: str) -> GpuSpec | None:
        return next(iter(resolve_gpus(snapshot(), text)), None)


ROW = {
    "id": "M1",
    "model": "Llama-3.1-70B",
    "weights_dtype": "FP8",
    "kv_dtype": "bf16",
    "engine": "vLLM",
    "engine_version": "0.19.0",
    "gpu": "RTX PRO 6000 Blackwell Server 96GB",
    "gpu_count": "8",
    "nodes": "1",
    "tp": "4",
    "pp": "1",
    "ep": "1",
    "dp": "2",
    "interconnect": "PCIe 5.0",
    "input_tokens": "1000",
    "output_tokens": "500",
    "concurrency": "64",
    "metric": "tpot_ms",
    "value": "40.5",
    "speculative": "none",
    "source": "somewhere",
    "notes": "grade A; closed loop",
}


def read(**changes: str):
    return read_serving_row(ROW | changes, Catalogue())


def test_the_load_is_shared_by_the_copies() -> None:
    measurement = read()
    assert (measurement.copies, measurement.load.concurrency) == (2, 32)
    assert measurement.layout.parallelism.tp == 4
    assert measurement.value == 40.5
    assert measurement.grade == "A"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"model": "Nobody-7B"}, "unknown_model"),
        ({"gpu": "Voodoo 2"}, "unknown_gpu"),
        ({"tp": "unstated"}, "missing_layout"),
        ({"kv_dtype": "nvfp4"}, "unsupported_kv_format"),
        ({"concurrency": "open loop 100 req/s"}, "arrival_rate_not_concurrency"),
        ({"input_tokens": "OpenOrca mix"}, "missing_lengths"),
    ],
)
def test_what_is_missing_is_the_reason_to_skip(changes: dict[str, str], reason: str) -> None:
    with pytest.raises(SkippedRowError, match=reason):
        read(**changes)


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("AWQ-INT4", Precision.INT4_AWQ),
        ("INT4 (W4A16 experts)", Precision.INT4),
        ("W4A16", Precision.INT4_AWQ),
        ("NVFP4 (mixed FP8/FP4 build)", Precision.NVFP4),
        ("FP8 (block 128)", Precision.FP8),
        ("BF16 (engine default checkpoint)", Precision.BF16),
        ("FP16", Precision.BF16),
        ("INT4 (AutoRound)", Precision.INT4_GPTQ),
        ("unstated", Precision.BF16),
    ],
)
def test_formats_are_read_from_their_words(text: str, precision: Precision) -> None:
    assert read(weights_dtype=text).layout.weights_precision is precision


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fp8_e4m3", KvPrecision.FP8),
        ("fp8 (656+132 B/token/layer)", KvPrecision.FP8),
        ("fp8 or engine default (not stated per run)", KvPrecision.FP8),
        ("auto", KvPrecision.BF16),
        ("unstated", KvPrecision.BF16),
    ],
)
def test_the_cache_format_is_read_from_its_words(text: str, expected: KvPrecision) -> None:
    assert read(kv_dtype=text).layout.kv_precision is expected


def test_named_request_sets_have_their_mean_lengths() -> None:
    load = read(input_tokens="~280 (p50, ShareGPT)", output_tokens="~310 (p50, max 512)").load
    assert (load.input_tokens, load.output_tokens) == (280, 310)


@pytest.mark.parametrize(
    ("text", "users"),
    [
        ("max load (all requests queued)", EVERYTHING_QUEUED // 2),
        ("unlimited (100-request offline batch)", 50),
        ("unstated (low)", 1),
    ],
)
def test_concurrency_in_words(text: str, users: int) -> None:
    assert read(concurrency=text).load.concurrency == users


def test_remarks_give_pool_share_batch_context_parallelism_and_power() -> None:
    measurement = read(
        notes="grade B; KV pool 19.55 GiB per GPU; utilisation 0.865; DCP=4; max 4096 batched tokens; 400 W cap; "
        "max-len 262,144"
    )
    layout = measurement.layout
    assert measurement.pool_bytes == 19.55 * GIB
    assert measurement.max_length == 262_144
    assert layout.gpu_memory_utilization == 0.865
    assert layout.parallelism.dcp == 4
    assert layout.max_batched_tokens == 4096
    assert layout.machines.gpu_cap_w == 400


def test_a_speed_read_in_a_window_is_decode_only() -> None:
    measurement = read(metric="output_tok_s_total", notes="grade A; 30 s window, warm")
    assert measurement.decode_only
    assert measurement.load.prefix_reuse == 1.0
    assert not read(metric="output_tok_s_total").decode_only


@pytest.mark.parametrize(
    ("changes", "stack"),
    [
        ({}, Stack.ORDINARY),
        ({"engine": "TensorRT-LLM"}, Stack.TUNED),
        ({"notes": "grade B; b12x kernels"}, Stack.TUNED),
    ],
)
def test_the_stack_is_told_by_engine_and_kernels(changes: dict[str, str], stack: Stack) -> None:
    assert read(**changes).layout.stack is stack


def test_four_cards_stand_on_one_socket() -> None:
    assert read(gpu_count="4", dp="1").layout.machines.sockets == 1
    assert read().layout.machines.sockets == 2

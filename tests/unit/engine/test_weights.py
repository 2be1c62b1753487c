"""Weights per format against documented checkpoints and engine logs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.llm import CheckpointSize, KvPrecision, Precision
from kentino_configurator.engine.shapes import Part
from kentino_configurator.engine.stages import model_stages
from kentino_configurator.engine.weights import (
    BYTES_PER_WEIGHT,
    computed_bytes,
    documented_builds,
    stored_as,
    weights_bytes,
)
from tests.unit.engine.helpers import GIB, model, snapshot

FORMATS = {
    "BF16": Precision.BF16,
    "FP8": Precision.FP8,
    "INT4": Precision.INT4,
    "INT4-AWQ": Precision.INT4_AWQ,
    "MXFP4": Precision.MXFP4,
}

COUNTED_WITH_EXTRA_PARTS = {
    ("deepseek-v3", "FP8"),  # the file holds the draft layer as well
    ("deepseek-r1", "FP8"),
    ("qwen3.8-27b", "BF16"),
    ("qwen3.8-2.4t-a95b", "BF16"),
    ("llama-3.1-405b", "FP8"),  # the official build leaves attention in BF16
    ("kimi-k3-2.8t-a104b", "MXFP4"),
}


def exact_sizes() -> list[tuple[str, CheckpointSize]]:
    return [
        (spec.id, size)
        for spec in snapshot().models.values()
        for size in spec.checkpoint_sizes
        if size.bytes % 10**7
        and size.format in FORMATS
        and (spec.id, size.format) not in COUNTED_WITH_EXTRA_PARTS
    ]


@pytest.mark.parametrize(("model_id", "size"), exact_sizes(), ids=lambda value: str(value)[:40])
def test_arithmetic_reproduces_counted_checkpoints_within_a_tenth_of_a_percent(
    model_id: str, size: CheckpointSize
) -> None:
    assert computed_bytes(model(model_id), FORMATS[size.format]) == pytest.approx(size.bytes, rel=0.001)


# (model, format, TP, GiB per GPU in the start-up log, tolerance)
START_UP_LOGS = [
    ("minimax-m2.5-230b-a10b", Precision.FP8, 4, 53.75, 0.01),
    ("llama-3.3-70b", Precision.FP8, 2, 33.88, 0.01),
    ("qwen3-32b", Precision.BF16, 2, 30.59, 0.01),
    ("llama-3.1-8b", Precision.BF16, 1, 14.99, 0.01),
    ("gpt-oss-20b", Precision.MXFP4, 1, 13.47, 0.01),
    ("qwen3.8-27b", Precision.FP8, 2, 14.28, 0.01),
    ("qwen2.5-vl-72b", Precision.BF16, 4, 34.43, 0.01),
    ("deepseek-r1", Precision.INT4_AWQ, 16, 21.21, 0.01),
    ("glm-5.1", Precision.NVFP4, 8, 55.67, 0.02),
    ("gpt-oss-120b", Precision.MXFP4, 1, 65.97, 0.025),
    ("qwen3.8-27b", Precision.NVFP4, 2, 10.64, 0.04),
    ("llama-3.1-405b", Precision.FP8, 8, 57.75, 0.01),
]


@pytest.mark.parametrize(("model_id", "precision", "tp", "logged", "tolerance"), START_UP_LOGS)
def test_a_rank_holds_what_the_engine_logged(
    model_id: str, precision: Precision, tp: int, logged: float, tolerance: float
) -> None:
    stage = model_stages(model(model_id), precision, KvPrecision.BF16, tp, 1)[0]
    assert stage.weights_bytes / GIB == pytest.approx(logged, rel=tolerance)


def test_a_counted_size_wins_over_arithmetic() -> None:
    assert weights_bytes(model("deepseek-v3"), Precision.FP8) == 688_586_727_753


def test_a_rounded_statement_does_not_win_over_exact_arithmetic() -> None:
    minimax = model("minimax-m2.5-230b-a10b")
    assert weights_bytes(minimax, Precision.FP8) == computed_bytes(minimax, Precision.FP8)


def test_a_rounded_statement_of_a_four_bit_build_wins_because_builds_differ() -> None:
    assert weights_bytes(model("qwen3.6-27b"), Precision.NVFP4) == 21.9e9


def test_generic_int4_accepts_a_documented_awq_build() -> None:
    builds = documented_builds(model("llama-3.3-70b"), Precision.INT4)
    assert [build.format for build in builds] == ["INT4-AWQ"]


def test_a_model_released_in_fp8_can_be_expanded_to_bf16() -> None:
    kimi = model("kimi-k2-1t-a32b")
    assert weights_bytes(kimi, Precision.BF16) == pytest.approx(2 * kimi.text_params, rel=0.001)


def test_routers_stay_in_bf16_in_every_format() -> None:
    assert {stored_as(precision, Part.ROUTER) for precision in BYTES_PER_WEIGHT} == {Precision.BF16}


@given(st.sampled_from(sorted(snapshot().models)))
def test_fewer_bits_never_weigh_more(model_id: str) -> None:
    spec = model(model_id)
    sizes = [computed_bytes(spec, p) for p in (Precision.BF16, Precision.FP8, Precision.NVFP4)]
    assert sizes == sorted(sizes, reverse=True)

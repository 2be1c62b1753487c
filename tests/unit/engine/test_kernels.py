"""Kernel laws: choice of rows, power caps, and sums against published single-stream times."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.layout import Stack
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.engine.kernels import (
    compute_format,
    decode_attention_law,
    gemm_law,
    is_weight_only,
    kernel_subject,
    moe_law,
    power_factor,
    soft_max,
)
from kentino_configurator.engine.step_terms import product_term
from kentino_configurator.engine.steps import product_s
from tests.unit.engine.helpers import snapshot

CALIBRATION = snapshot().calibration
GPUS = snapshot().gpus


@given(st.floats(1e-9, 1e3), st.floats(1e-9, 1e3), st.floats(0.7, 12))
def test_the_soft_maximum_lies_between_the_maximum_and_the_sum(a: float, b: float, p: float) -> None:
    joined = soft_max(a, b, max(1.0, p))
    assert max(a, b) * 0.999999 <= joined <= (a + b) * 1.000001


# NVIDIA's table for RTX PRO 6000 Server: (format, m, n, k, microseconds)
MEASURED = [
    (Precision.BF16, 1, 8192, 8192, 93.0),
    (Precision.FP8, 1, 8192, 8192, 48.2),
    (Precision.NVFP4, 1, 8192, 8192, 43.4),
]


@pytest.mark.parametrize(("stored", "m", "n", "k", "measured"), MEASURED)
def test_a_matrix_product_takes_the_measured_time(
    stored: Precision, m: int, n: int, k: int, measured: float
) -> None:
    term = product_term(gemm_law(GPUS["rtx-pro-6000-server"], stored, CALIBRATION), 1, n, k)
    assert product_s(term, m) * 1e6 == pytest.approx(measured, rel=0.12)


def test_nvfp4_hardly_beats_fp8_on_one_token_and_clearly_on_many() -> None:
    gpu = GPUS["rtx-pro-6000-server"]
    fp8, nvfp4 = (
        product_term(gemm_law(gpu, p, CALIBRATION), 1, 4096, 4096) for p in (Precision.FP8, Precision.NVFP4)
    )
    assert product_s(nvfp4, 1) > product_s(fp8, 1)
    large_fp8, large_nvfp4 = (
        product_term(gemm_law(gpu, p, CALIBRATION), 1, 28_672, 8192) for p in (Precision.FP8, Precision.NVFP4)
    )
    assert product_s(large_nvfp4, 4096) < 0.75 * product_s(large_fp8, 4096)


@pytest.mark.parametrize(
    ("gpu", "stored", "path"),
    [
        ("rtx-pro-6000-server", Precision.NVFP4, "nvfp4"),
        ("l40s", Precision.NVFP4, "weight_only"),
        ("l40s", Precision.FP8, "fp8"),
        ("a100-sxm-80gb", Precision.FP8, "weight_only"),
        ("h100-sxm", Precision.MXFP4, "weight_only"),
        ("rtx-pro-6000-server", Precision.INT4_AWQ, "weight_only"),
        ("rtx-5090", Precision.BF16, "bf16"),
    ],
)
def test_a_format_runs_on_the_path_the_gpu_has(gpu: str, stored: Precision, path: str) -> None:
    assert compute_format(GPUS[gpu], stored) == path
    assert is_weight_only(GPUS[gpu], stored) == (path == "weight_only" and stored.is_four_bit)


def test_an_unlisted_card_takes_the_rows_of_its_architecture() -> None:
    stranger = replace(GPUS["rtx-pro-6000-server"], id="new", family="rtx-pro-9000")
    assert kernel_subject(CALIBRATION, "gemm", stranger, "/bf16", "mem_eff") == "blackwell/bf16"


def test_a_card_without_any_rows_is_named() -> None:
    stranger = replace(GPUS["l40s"], name="Unknown 1", family="unknown", architecture="Turing")
    with pytest.raises(KeyError, match="no gemm/bf16 calibration for Unknown 1"):
        gemm_law(stranger, Precision.BF16, CALIBRATION)


@pytest.mark.parametrize("gpu", sorted(GPUS))
@pytest.mark.parametrize("stack", list(Stack))
def test_every_catalogued_gpu_has_every_kernel(gpu: str, stack: Stack) -> None:
    for stored in Precision:
        if stored is not Precision.AUTO:
            assert gemm_law(GPUS[gpu], stored, CALIBRATION).bytes_per_s > 0
            assert moe_law(GPUS[gpu], stored, CALIBRATION, stack).flop_per_s > 0
    for kv in KvPrecision:
        assert decode_attention_law(GPUS[gpu], kv, CALIBRATION, stack).bytes_per_s > 0


def test_a_power_cap_slows_arithmetic_only() -> None:
    gpu = GPUS["rtx-pro-6000-server"]
    assert power_factor(gpu, None) == 1.0
    assert power_factor(gpu, 600) == 1.0
    assert power_factor(gpu, 300) == pytest.approx(0.707, abs=0.001)
    capped = gemm_law(gpu, Precision.FP8, CALIBRATION, power_factor(gpu, 300))
    free = gemm_law(gpu, Precision.FP8, CALIBRATION)
    assert capped.bytes_per_s == free.bytes_per_s
    assert capped.flop_per_s < free.flop_per_s

"""Memory of serving layouts: published cases, parts that add up, monotone answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.engine.memory import serving_memory
from kentino_configurator.engine.stages import layers_per_stage
from tests.unit.engine.helpers import GIB, layout, load, machines, model, snapshot

POLICY = snapshot().policy
SMALL = st.sampled_from(
    ["llama-3.1-8b", "llama-3.3-70b", "qwen3.5-27b", "deepseek-v3", "gpt-oss-120b", "gemma-3-27b"]
)


def test_deepseek_v3_in_fp8_takes_84_percent_of_eight_cards_and_does_not_fit() -> None:
    memory = serving_memory(layout("deepseek-v3", tp=8), load(), POLICY)
    assert memory.weights_share == pytest.approx(0.845, abs=0.01)
    assert not memory.fits


def test_deepseek_v3_in_int4_fits_eight_cards() -> None:
    assert serving_memory(layout("deepseek-v3", precision=Precision.INT4, tp=8), load(), POLICY).fits


def test_the_official_405b_fp8_build_takes_60_percent_of_eight_cards() -> None:
    memory = serving_memory(layout("llama-3.1-405b", tp=8), load(users=4), POLICY)
    assert memory.weights_share == pytest.approx(0.60, abs=0.01)
    assert memory.fits


# Start-up logs of engines at their default settings: (model, precision, GPU, TP, utilisation, batch, KV pool in GiB per
# GPU, tolerance)
POOLS = [
    ("llama-3.3-70b", Precision.FP8, "h100-sxm", 2, 0.9, 16384, 32.0, 0.10),
    ("qwen3-32b", Precision.BF16, "h100-sxm", 2, 0.9, 16384, 34.49, 0.10),
    ("gpt-oss-20b", Precision.MXFP4, "h100-sxm", 1, 0.9, 16384, 50.28, 0.08),
]


@pytest.mark.parametrize(("model_id", "precision", "gpu", "tp", "share", "batch", "pool", "tolerance"), POOLS)
def test_the_pool_of_a_default_start_is_met(
    model_id: str,
    precision: Precision,
    gpu: str,
    tp: int,
    share: float,
    batch: int,
    pool: float,
    tolerance: float,
) -> None:
    placed = layout(model_id, machines(gpu, 8), precision=precision, utilization=share, tp=tp)
    memory = serving_memory(replace(placed, max_batched_tokens=batch), load(users=0, context=16_000), POLICY)
    assert memory.free / GIB == pytest.approx(pool, rel=tolerance)


def test_mla_is_not_divided_by_tensor_parallelism() -> None:
    one, eight = (
        serving_memory(layout("deepseek-v3", precision=Precision.NVFP4, tp=tp), load(), POLICY)
        for tp in (4, 8)
    )
    assert one.kv_cache == eight.kv_cache


def test_tokens_of_a_plain_model_do_not_depend_on_the_asked_context() -> None:
    short, long = (
        serving_memory(layout(tp=4), load(context=context), POLICY).kv_capacity_tokens
        for context in (1000, 100_000)
    )
    assert short == pytest.approx(long)


def test_uneven_stages_follow_the_engines_split() -> None:
    assert layers_per_stage(61, 4) == (15, 15, 16, 15)
    assert layers_per_stage(80, 8) == (10,) * 8
    assert layers_per_stage(7, 4) == (2, 2, 2, 1)


def test_more_stages_than_layers_is_refused_with_both_numbers() -> None:
    with pytest.raises(ValueError, match="4 layers cannot be split over 5"):
        layers_per_stage(4, 5)


@given(st.integers(1, 130), st.integers(1, 32))
def test_a_split_keeps_every_layer_and_is_even(layers: int, stages: int) -> None:
    if stages > layers:
        return
    counts = layers_per_stage(layers, stages)
    assert sum(counts) == layers
    assert max(counts) - min(counts) <= 1


@given(
    SMALL,
    st.sampled_from([1, 2, 4, 8]),
    st.sampled_from([1, 2, 4]),
    st.integers(1, 300),
    st.floats(100, 131_072),
)
def test_parts_add_up_to_what_the_driver_reports(
    model_id: str, tp: int, pp: int, users: int, context: float
) -> None:
    memory = serving_memory(layout(model_id, tp=tp, pp=pp), load(users=users, context=context), POLICY)
    assert memory.used + memory.kept_back + memory.free == pytest.approx(memory.usable)
    assert memory.weights > 0
    assert memory.kv_cache > 0


@given(SMALL, st.sampled_from([1, 2, 4, 8]), st.integers(1, 300))
def test_more_users_never_need_less_memory(model_id: str, tp: int, users: int) -> None:
    few, many = (serving_memory(layout(model_id, tp=tp), load(users=n), POLICY) for n in (users, users + 7))
    assert few.kv_cache < many.kv_cache
    assert few.max_concurrency_at_context == many.max_concurrency_at_context


@given(SMALL, st.sampled_from([1, 2, 4, 8]), st.integers(1, 200), st.floats(1.0, 3.0))
def test_more_vram_never_makes_a_layout_not_fit(model_id: str, tp: int, users: int, factor: float) -> None:
    small = layout(model_id, tp=tp)
    gpu = small.machines.gpu
    larger = replace(
        small, machines=replace(small.machines, gpu=replace(gpu, vram_bytes=int(gpu.vram_bytes * factor)))
    )
    before, after = (serving_memory(each, load(users=users), POLICY) for each in (small, larger))
    assert after.free >= before.free - 1
    assert not (before.fits and not after.fits)


@given(SMALL, st.sampled_from([1, 2, 4]), st.integers(1, 64))
def test_the_stated_concurrency_is_the_largest_that_fits(model_id: str, tp: int, users: int) -> None:
    placed = layout(model_id, precision=Precision.NVFP4, kv=KvPrecision.FP8, tp=tp)
    most = int(serving_memory(placed, load(users=users), POLICY).max_concurrency_at_context)
    if most < 1:
        return
    assert serving_memory(placed, load(users=most), POLICY).fits
    assert not serving_memory(placed, load(users=most + 1), POLICY).fits


def test_a_tied_table_is_held_once_on_one_stage_and_twice_on_two() -> None:
    spec = model("llama-3.2-1b")
    assert spec.tie_embeddings
    one = serving_memory(layout("llama-3.2-1b", precision=Precision.BF16), load(), POLICY).weights
    assert one == pytest.approx(2 * spec.text_params, rel=0.001)

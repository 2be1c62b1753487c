"""Serving predictions: published points, properties, speed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.layout import Fabric, Layout, ServingLoad, Stack
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.engine.performance import predict_serving
from tests.unit.engine.helpers import layout, load, machines, snapshot

CALIBRATION, POLICY = snapshot().calibration, snapshot().policy


def perform(placed: Layout, under: ServingLoad) -> ServingPerformance:
    performance = predict_serving(placed, under, CALIBRATION, POLICY).performance
    assert isinstance(performance, ServingPerformance)
    return performance


def test_seventy_billion_on_eight_cards_lies_in_the_planning_range_of_the_article() -> None:
    two_copies = [perform(layout(tp=4), load(users=32)).output_tokens_per_s.expected for _ in range(2)]
    assert 500 <= sum(two_copies) <= 2000


def test_405b_over_eight_cards_takes_its_weights_and_collectives_per_token() -> None:
    tpot = perform(layout("llama-3.1-405b", tp=8), load(users=1)).tpot_s.expected
    assert 0.043 < tpot < 0.062


# (layout, load, measured milliseconds per token): published single-user runs
SINGLE = [
    (layout("llama-3.1-8b", machines("rtx-5090", 1), Precision.BF16), load(1, 280, 310, 600), 10.22),
    (layout("llama-3.1-8b", machines("l4", 1), Precision.BF16), load(1, 280, 310, 600), 61.2),
    (layout("llama-3.1-8b", machines("rtx-6000-ada", 1), Precision.BF16), load(1, 280, 310, 600), 19.21),
    (layout("llama-3.1-8b", machines("h100-sxm", 1), Precision.BF16), load(1, 280, 310, 600), 7.74),
]


@pytest.mark.parametrize(("placed", "under", "measured"), SINGLE)
def test_one_user_of_an_8b_model_is_predicted_within_a_fifth(
    placed: Layout, under: ServingLoad, measured: float
) -> None:
    assert perform(placed, under).tpot_s.expected * 1e3 == pytest.approx(measured, rel=0.2)


def test_saturated_throughput_of_70b_in_nvfp4_on_one_card_is_met() -> None:
    placed = layout(
        on=machines(gpus=1), precision=Precision.NVFP4, kv=KvPrecision.FP8, stack=Stack.TUNED, utilization=0.9
    )
    rate = perform(placed, load(users=1024, prompt=1024, answer=1024, context=2048)).output_tokens_per_s
    assert rate.expected == pytest.approx(1708, rel=0.2)


def test_two_copies_beat_one_wide_group_on_throughput() -> None:
    wide = perform(layout(tp=8), load(users=64)).output_tokens_per_s.expected
    narrow = perform(layout(tp=4), load(users=32)).output_tokens_per_s.expected
    assert 2 * narrow > 1.3 * wide


def test_a_pipeline_inside_the_node_cuts_the_time_to_first_token_of_tp8_under_load() -> None:
    tp8, tp4_pp2 = (perform(layout(tp=8 // pp, pp=pp), load(users=64)).ttft_s.expected for pp in (1, 2))
    assert tp4_pp2 < tp8


def test_tensor_parallelism_over_the_network_is_slower_than_inside() -> None:
    inside = perform(layout(tp=8), load()).tpot_s.expected
    across = perform(
        layout(on=machines(gpus=4, nodes=2, fabric=Fabric.ROCE_200G), tp=8), load()
    ).tpot_s.expected
    assert across > inside


def test_geforce_without_peer_access_prefers_a_pipeline() -> None:
    geforce = machines("rtx-5090", 8)
    tp8 = perform(layout(on=geforce, tp=8), load(users=32)).output_tokens_per_s.expected
    pipeline = perform(layout(on=geforce, tp=1, pp=8), load(users=32)).output_tokens_per_s.expected
    assert pipeline > tp8


def test_a_layout_that_cannot_run_has_reasons_and_no_performance() -> None:
    prediction = predict_serving(layout("qwen2.5-7b", tp=8), load(), CALIBRATION, POLICY)
    assert prediction.reasons
    assert prediction.performance is None


def test_a_layout_without_room_for_one_request_has_no_performance() -> None:
    prediction = predict_serving(layout("deepseek-v3", utilization=0.85, tp=8), load(), CALIBRATION, POLICY)
    assert not prediction.fits
    assert prediction.performance is None


def test_requests_beyond_memory_wait_for_a_place() -> None:
    placed = layout(tp=1, precision=Precision.NVFP4)
    few, many = (perform(placed, load(users=users, context=32_768)) for users in (4, 64))
    assert many.ttft_s.expected > 5 * few.ttft_s.expected


def test_reused_prefixes_shorten_the_wait() -> None:
    cold, warm = (perform(layout(tp=4), load(reuse=reuse)).ttft_s.expected for reuse in (0.0, 0.8))
    assert warm < 0.6 * cold


def test_a_power_cap_slows_prompts_more_than_tokens() -> None:
    free, capped = (perform(layout(on=machines(gpu_cap_w=cap), tp=4), load(users=1)) for cap in (None, 300))
    assert capped.ttft_s.expected > 1.1 * free.ttft_s.expected
    assert capped.tpot_s.expected < 1.1 * free.tpot_s.expected


MODELS = st.sampled_from(
    ["llama-3.1-8b", "llama-3.3-70b", "qwen3-235b-a22b", "deepseek-v3", "qwen3.5-397b-a17b"]
)
DEGREES = st.sampled_from([(1, 1), (2, 1), (4, 1), (8, 1), (4, 2), (2, 4)])
LOADS = st.builds(
    load,
    users=st.integers(1, 256),
    prompt=st.integers(1, 30_000),
    answer=st.integers(1, 4000),
    reuse=st.floats(0, 1),
)


@given(MODELS, DEGREES, LOADS, st.sampled_from(list(Stack)))
def test_figures_are_ordered_positive_and_consistent(
    model_id: str, degrees: tuple[int, int], under: ServingLoad, stack: Stack
) -> None:
    placed = layout(model_id, precision=Precision.NVFP4, tp=degrees[0], pp=degrees[1], stack=stack)
    figures = predict_serving(placed, under, CALIBRATION, POLICY).performance
    if not isinstance(figures, ServingPerformance):
        return
    assert 0 < figures.ttft_s.expected <= figures.ttft_p95_s.expected <= figures.ttft_burst_s.expected
    assert figures.tpot_s.expected * figures.tokens_per_s_per_user.expected == pytest.approx(1.0)
    assert figures.output_tokens_per_s.expected > 0
    assert figures.bound_by in ("memory", "interconnect", "prefill")


@given(MODELS, DEGREES, LOADS, st.floats(1.0, 4.0))
def test_more_memory_bandwidth_is_never_slower(
    model_id: str, degrees: tuple[int, int], under: ServingLoad, factor: float
) -> None:
    placed = layout(model_id, precision=Precision.NVFP4, tp=degrees[0], pp=degrees[1])
    gpu = placed.machines.gpu
    faster = replace(gpu, memory_bandwidth_bytes_per_s=gpu.memory_bandwidth_bytes_per_s * factor)
    better = replace(placed, machines=replace(placed.machines, gpu=faster))
    before, after = (
        predict_serving(each, under, CALIBRATION, POLICY).performance for each in (placed, better)
    )
    if not isinstance(before, ServingPerformance) or not isinstance(after, ServingPerformance):
        return
    assert after.tpot_s.expected <= before.tpot_s.expected * 1.02
    assert after.output_tokens_per_s.expected >= before.output_tokens_per_s.expected * 0.98


@given(MODELS, st.sampled_from([2, 4, 8]), st.integers(1, 128))
def test_more_users_slow_each_other_down(model_id: str, tp: int, users: int) -> None:
    placed = layout(model_id, precision=Precision.NVFP4, tp=tp)
    few, many = (
        predict_serving(placed, load(users=n, context=3500), CALIBRATION, POLICY).performance
        for n in (users, users * 2)
    )
    if not isinstance(few, ServingPerformance) or not isinstance(many, ServingPerformance):
        return
    assert many.tokens_per_s_per_user.expected <= few.tokens_per_s_per_user.expected * 1.02

"""Training time: FLOP counts, published efficiencies, the direction of every physical change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.layout import Fabric, Recompute, Sharding, Stack
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.prediction import TrainingPerformance
from kentino_configurator.engine.comms import Operation, collective_law
from kentino_configurator.engine.training import (
    flop_per_token,
    min_tokens_per_gpu,
    predict_training,
    step_time,
    sustained_flop_per_s,
    training_flop,
)
from kentino_configurator.engine.training_compute import token_flop
from kentino_configurator.engine.training_run import lost_share
from tests.unit.engine.helpers import job, layout, machines, model, snapshot

CALIBRATION, POLICY = snapshot().calibration, snapshot().policy
LLMQ = {"sequence_tokens": 1024, "global_batch_tokens": 524_288.0, "micro_batch_tokens": 8192.0}


def placed(
    model_id: str, nodes: int = 1, fabric: Fabric | None = None, stack: Stack = Stack.ORDINARY, **degrees: int
):
    on = machines(nodes=nodes, fabric=fabric)
    return layout(model_id, on, Precision.BF16, utilization=0.9, stack=stack, **degrees)


def perform(spread, of) -> TrainingPerformance:
    performance = predict_training(spread, of, CALIBRATION, POLICY).performance
    assert isinstance(performance, TrainingPerformance)
    return performance


def test_lora_of_8b_takes_the_flop_that_nemo_reports() -> None:
    assert flop_per_token(model("llama-3.1-8b"), "lora", 0) == pytest.approx(30.0e9, rel=0.01)


def test_recomputation_adds_a_forward_pass_of_the_layers() -> None:
    plain, again = (token_flop(model("llama-3.1-8b"), "pretrain", 4096, full) for full in (False, True))
    assert again.layers / plain.layers == pytest.approx(4 / 3)
    assert again.attention / plain.attention == pytest.approx(4 / 3)
    assert again.head == plain.head


def test_pre_training_70b_on_one_and_a_half_trillion_tokens_is_a_data_centre_job() -> None:
    flop = training_flop(model("llama-3.1-70b"), "pretrain", 1.5e12)
    h100_months = flop / (0.40 * 989e12) / (730.5 * 3600)
    assert h100_months == pytest.approx(600, rel=0.05)


# LLMQ on RTX PRO 6000: (model, GPUs, tokens/s in total)
LLMQ_RUNS = [
    ("qwen2.5-7b", 1, 8080),
    ("qwen2.5-7b", 4, 31_990),
    ("qwen2.5-7b", 8, 62_519),
    ("qwen2.5-14b", 1, 4038),
    ("qwen2.5-14b", 8, 30_395),
]


@pytest.mark.parametrize(("model_id", "gpus", "measured"), LLMQ_RUNS)
def test_tuned_runs_on_pcie_cards_are_met(model_id: str, gpus: int, measured: float) -> None:
    spread = placed(model_id, stack=Stack.TUNED, dp=gpus)
    of = job("pretrain", sharding=Sharding.ZERO1, recompute=Recompute.SELECTIVE, **LLMQ)
    assert perform(spread, of).tokens_per_s.expected == pytest.approx(measured, rel=0.10)


def test_data_parallelism_on_eight_pcie_cards_keeps_nearly_all_of_the_speed() -> None:
    of = job("pretrain", sharding=Sharding.ZERO1, recompute=Recompute.SELECTIVE, **LLMQ)
    assert (
        0.93 < perform(placed("qwen2.5-7b", stack=Stack.TUNED, dp=8), of).scaling_efficiency.expected <= 1.0
    )


def test_tensor_parallelism_over_eight_pcie_cards_loses_more_than_half_without_overlap() -> None:
    of = job("full_finetune", sharding=Sharding.NONE)
    efficiency = perform(placed("llama-3.1-70b", stack=Stack.TUNED, tp=8), of).scaling_efficiency.expected
    assert 0.30 < efficiency < 0.55


def test_the_fsdp_rule_gives_the_published_tokens() -> None:
    spread, of = placed("llama-3.1-70b", stack=Stack.TUNED, dp=8), job()
    published_flop_per_s, published_busbw = 302e12, 41e9
    busbw = (
        7 / 8 / collective_law(spread.machines, 8, Operation.ALL_GATHER, CALIBRATION, Stack.TUNED).s_per_byte
    )
    faster = sustained_flop_per_s(spread, of, CALIBRATION) / published_flop_per_s * published_busbw / busbw
    assert min_tokens_per_gpu(spread, of, CALIBRATION) == pytest.approx(4800 * faster, rel=0.1)
    assert min_tokens_per_gpu(placed("llama-3.1-70b"), job(), CALIBRATION) == 0.0


def test_a_full_pipeline_has_the_bubble_of_its_formula() -> None:
    of = job(global_batch_tokens=16 * 4096.0, micro_batch_tokens=4096.0, sharding=Sharding.NONE)
    assert step_time(placed("llama-3.1-70b", pp=2), of, CALIBRATION).bubble == pytest.approx(1 / 17)


def test_four_bit_weights_are_refused_for_gradients_and_welcome_under_qlora() -> None:
    on = machines()
    four_bit = layout("llama-3.1-8b", on, Precision.INT4, dp=8)
    assert [r.id for r in predict_training(four_bit, job("full_finetune"), CALIBRATION, POLICY).reasons] == [
        "f.int4_not_for_training.text"
    ]
    assert predict_training(four_bit, job("qlora"), CALIBRATION, POLICY).reasons == ()


def test_failures_and_checkpoints_cost_little_at_this_size() -> None:
    assert 0 < lost_share(8, POLICY) < lost_share(32, POLICY) < 0.02


def test_narrow_models_use_less_of_the_card() -> None:
    small, large = (
        sustained_flop_per_s(placed(each), job(), CALIBRATION) for each in ("qwen3-0.6b", "llama-3.1-70b")
    )
    assert small < 0.9 * large


FABRICS = [Fabric.ETHERNET_25G, Fabric.ETHERNET_100G, Fabric.ROCE_200G, Fabric.ROCE_400G]
KINDS = st.sampled_from(["full_finetune", "lora", "pretrain"])
STAGES = st.sampled_from([Sharding.ZERO1, Sharding.ZERO3])


@given(KINDS, STAGES, st.sampled_from([(1, 1, 16), (8, 1, 2), (8, 2, 1), (16, 1, 1), (4, 4, 1)]))
def test_a_faster_fabric_never_lowers_efficiency(
    kind: str, stage: Sharding, degrees: tuple[int, int, int]
) -> None:
    tp, pp, dp = degrees
    of = job(kind, sharding=stage)
    spread = (placed("llama-3.1-70b", 2, fabric, tp=tp, pp=pp, dp=dp) for fabric in FABRICS)
    rates = [step_time(each, of, CALIBRATION).total_s for each in spread]
    assert rates == sorted(rates, reverse=True)


@given(KINDS, st.sampled_from(FABRICS))
def test_tensor_parallelism_across_nodes_is_never_faster_than_inside(kind: str, fabric: Fabric) -> None:
    inside = step_time(placed("llama-3.1-70b", tp=8), job(kind, sharding=Sharding.NONE), CALIBRATION).total_s
    across = layout(
        "llama-3.1-70b", machines(gpus=4, nodes=2, fabric=fabric), Precision.BF16, utilization=0.9, tp=8
    )
    assert step_time(across, job(kind, sharding=Sharding.NONE), CALIBRATION).total_s >= inside


@given(KINDS, st.sampled_from([1, 2, 4]))
def test_larger_micro_batches_do_not_lower_data_parallel_efficiency(kind: str, sequences: int) -> None:
    small, large = (
        perform(
            placed("llama-3.1-8b", 2, Fabric.ROCE_200G, dp=16),
            job(kind, micro_batch_tokens=4096.0 * n, global_batch_tokens=4096.0 * 16 * 32),
        ).scaling_efficiency.expected
        for n in (sequences, 2 * sequences)
    )
    assert large >= small * 0.9999


@given(
    KINDS, STAGES, st.sampled_from([(1, 1, 8), (2, 2, 2), (8, 1, 1), (1, 8, 1)]), st.sampled_from(list(Stack))
)
def test_figures_agree_with_each_other(
    kind: str, stage: Sharding, degrees: tuple[int, int, int], stack: Stack
) -> None:
    tp, pp, dp = degrees
    spread, of = placed("llama-3.1-8b", stack=stack, tp=tp, pp=pp, dp=dp), job(kind, sharding=stage)
    figures = perform(spread, of)
    assert 0 < figures.scaling_efficiency.expected <= 1
    assert figures.tokens_per_s.expected * figures.step_s.expected == pytest.approx(262_144, rel=0.05)
    assert figures.days.expected * 86_400 * figures.tokens_per_s.expected >= 1e8
    assert 0 < figures.mfu.expected < 1
    assert figures.bound_by in ("compute", "interconnect", "bubble")

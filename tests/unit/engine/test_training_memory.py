"""Training memory against the ZeRO paper and published peaks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.layout import Offload, Recompute, Sharding
from kentino_configurator.core.llm import ModelSpec, Precision
from kentino_configurator.engine.training_memory import (
    adapter_parameters,
    base_bytes,
    host_bytes_per_node,
    live_bytes_per_token,
    recipe_bytes,
    shard_ranks,
    state_bytes_per_gpu,
    training_memory,
)
from tests.unit.engine.helpers import GIB, job, layout, machines, model, snapshot

POLICY = snapshot().policy


def placed(model_id: str, dp: int, gpu: str = "rtx-pro-6000-server", nodes: int = 1, **degrees: int):
    on = machines(gpu, 64 if nodes == 0 else 8, max(1, nodes))
    return layout(model_id, on, Precision.BF16, utilization=0.9, dp=dp, **degrees)


def seven_and_a_half_billion() -> ModelSpec:
    return replace(model("llama-3.1-8b"), text_params=7_500_000_000)


@pytest.mark.parametrize(
    ("stage", "gigabytes"),
    [(Sharding.NONE, 120.0), (Sharding.ZERO1, 31.4), (Sharding.ZERO2, 16.6), (Sharding.ZERO3, 1.88)],
)
def test_the_table_of_the_zero_paper_is_reproduced(stage: Sharding, gigabytes: float) -> None:
    spread = replace(placed("llama-3.1-8b", 64, nodes=0), model=seven_and_a_half_billion())
    state = sum(state_bytes_per_gpu(spread, job(sharding=stage)))
    assert state / 1e9 == pytest.approx(gigabytes, rel=0.01)


# (model, method, GPU, data-parallel ranks, micro-batch tokens, sharding, measured GiB per GPU, tolerance)
PEAKS = [
    ("llama-3.1-8b", "lora", "a100-sxm-80gb", 1, 2 * 2048, Sharding.NONE, 16.2, 0.10),
    ("llama-3.1-70b", "lora", "a100-sxm-80gb", 8, 2 * 2048, Sharding.ZERO3, 27.6, 0.15),
    ("llama-3.1-405b", "qlora", "rtx-pro-6000-server", 8, 2048, Sharding.ZERO3, 44.8, 0.15),
]


@pytest.mark.parametrize(("model_id", "kind", "gpu", "dp", "tokens", "stage", "measured", "tolerance"), PEAKS)
def test_published_peaks_are_met(
    model_id: str,
    kind: str,
    gpu: str,
    dp: int,
    tokens: int,
    stage: Sharding,
    measured: float,
    tolerance: float,
) -> None:
    memory = training_memory(
        placed(model_id, dp, gpu), job(kind, micro_batch_tokens=tokens, sharding=stage), POLICY
    )
    allocated = memory.used - memory.runtime  # what the training stack reports
    assert allocated / GIB == pytest.approx(measured, rel=tolerance)


def test_qlora_of_405b_takes_about_half_of_each_of_eight_cards() -> None:
    memory = training_memory(placed("llama-3.1-405b", 8), job("qlora", micro_batch_tokens=2048), POLICY)
    assert 44e9 < memory.used < 56e9
    assert memory.fits


def test_full_fine_tuning_of_70b_needs_more_than_one_node_and_nearly_fills_two() -> None:
    one = training_memory(placed("llama-3.1-70b", 8), job(), POLICY)
    two = training_memory(placed("llama-3.1-70b", 16, nodes=2), job(), POLICY)
    assert not one.fits
    assert 0.80 < two.used / two.usable < 0.97


def test_full_fine_tuning_of_14b_fits_one_node() -> None:
    assert training_memory(placed("qwen2.5-14b", 8), job(), POLICY).fits


@pytest.mark.parametrize(
    ("total", "parts"),
    [
        (2, (2, 0, 0)),
        (4, (2, 2, 0)),
        (6, (2, 2, 2)),
        (8, (2, 2, 4)),
        (12, (2, 2, 8)),
        (16, (2, 2, 12)),
        (18, (2, 4, 12)),
    ],
)
def test_a_recipe_is_split_into_weight_gradient_and_optimizer(total: float, parts: tuple[float, ...]) -> None:
    assert recipe_bytes(total) == parts


def test_the_qlora_base_keeps_tables_in_sixteen_bits() -> None:
    spec = model("llama-3.1-405b")
    assert base_bytes(spec, job("qlora")) / spec.text_params == pytest.approx(0.545, abs=0.01)


def test_adapters_of_rank_16_are_a_small_part_of_the_model() -> None:
    spec = model("llama-3.1-70b")
    assert adapter_parameters(spec, 16) == pytest.approx(207e6, rel=0.02)
    assert adapter_parameters(spec, 32) == 2 * adapter_parameters(spec, 16)


KINDS = st.sampled_from(["full_finetune", "lora", "qlora", "pretrain"])
STAGES = st.sampled_from(list(Sharding))


@given(
    KINDS,
    STAGES,
    st.sampled_from(list(Recompute)),
    st.sampled_from([(1, 1, 8), (2, 2, 2), (8, 1, 1), (1, 4, 2)]),
)
def test_parts_add_up(
    kind: str, stage: Sharding, recompute: Recompute, degrees: tuple[int, int, int]
) -> None:
    spread = placed("llama-3.1-70b", degrees[2], tp=degrees[0], pp=degrees[1])
    memory = training_memory(spread, job(kind, sharding=stage, recompute=recompute), POLICY)
    assert memory.used + memory.kept_back + memory.free == pytest.approx(memory.usable)
    assert min(memory.weights, memory.gradients, memory.optimizer, memory.activations) > 0


@given(KINDS, st.sampled_from([2, 4, 8]))
def test_a_higher_stage_never_needs_more_state(kind: str, dp: int) -> None:
    states = [
        sum(state_bytes_per_gpu(placed("llama-3.1-8b", dp), job(kind, sharding=stage)))
        for stage in (Sharding.NONE, Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3)
    ]
    assert states == sorted(states, reverse=True)


@given(KINDS, st.sampled_from([1, 2, 4, 8]))
def test_recomputation_saves_memory(kind: str, sequences: int) -> None:
    spread = placed("llama-3.1-8b", 8)
    kept, selective, full = (
        training_memory(
            spread, job(kind, micro_batch_tokens=4096.0 * sequences, recompute=each), POLICY
        ).activations
        for each in (Recompute.NONE, Recompute.SELECTIVE, Recompute.FULL)
    )
    assert kept > selective > full


@given(KINDS, STAGES, st.sampled_from([(1, 1, 16), (2, 2, 4), (8, 1, 2), (4, 4, 1)]))
def test_the_state_of_all_ranks_adds_up_to_the_state_of_one_copy_times_its_copies(
    kind: str, stage: Sharding, degrees: tuple[int, int, int]
) -> None:
    tp, pp, dp = degrees
    spread, of = placed("llama-3.1-70b", dp, nodes=2, tp=tp, pp=pp), job(kind, sharding=stage)
    alone = state_bytes_per_gpu(placed("llama-3.1-70b", 1), of)
    ranks = shard_ranks(spread, stage)
    copies = {
        "weights": 1 if stage is Sharding.ZERO3 else dp / ranks if stage is Sharding.HYBRID else dp,
        "optimizer": dp / ranks if stage is not Sharding.NONE else dp,
    }
    each = state_bytes_per_gpu(spread, of)
    assert each[0] * tp * pp * dp == pytest.approx(alone[0] * copies["weights"])
    assert each[2] * tp * pp * dp == pytest.approx(alone[2] * copies["optimizer"])


def test_hybrid_sharding_keeps_one_copy_in_every_node() -> None:
    spread = placed("llama-3.1-70b", 32, nodes=4)
    assert shard_ranks(spread, Sharding.HYBRID) == 8
    per_gpu = sum(state_bytes_per_gpu(spread, job(sharding=Sharding.HYBRID)))
    assert per_gpu == pytest.approx(16 * spread.model.text_params / 8)


def test_offloaded_state_leaves_the_card_and_arrives_in_the_host() -> None:
    spread = placed("llama-3.1-70b", 8)
    resident, optimizer, state = (
        job(offload=each) for each in (Offload.NONE, Offload.OPTIMIZER, Offload.STATE)
    )
    assert sum(state_bytes_per_gpu(spread, state)) == 0.0
    assert state_bytes_per_gpu(spread, optimizer)[2] == 0.0
    assert host_bytes_per_node(spread, resident) == 0.0
    for each in (optimizer, state):
        moved = sum(state_bytes_per_gpu(spread, resident)) - sum(state_bytes_per_gpu(spread, each))
        assert host_bytes_per_node(spread, each) == pytest.approx(8 * moved)


def test_a_plain_feed_forward_part_keeps_half_of_a_gated_one() -> None:
    gated = model("llama-3.1-8b")
    plain = replace(
        gated,
        layers=tuple(replace(group, ffn=replace(group.ffn, gated=False)) for group in gated.layers),
    )
    width = gated.layers[0].ffn.inter
    assert live_bytes_per_token(gated) - live_bytes_per_token(plain) == pytest.approx(4 * width)

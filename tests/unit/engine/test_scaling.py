"""The scaling table: published efficiencies, the gate, field figures, and what no fabric may change."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.layout import Fabric, Sharding, Stack
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.scaling import ScalingRow, ScalingTable, Spread
from kentino_configurator.engine.scaling import FABRICS, SHAPES, scaling_table
from kentino_configurator.engine.scaling_field import explaining_overlap
from kentino_configurator.engine.scaling_recipes import ScalingContext, spread_degrees
from kentino_configurator.engine.training import step_time
from tests.unit.engine.helpers import PRO_6000, job, layout, machines, model, snapshot

CALIBRATION, POLICY = snapshot().calibration, snapshot().policy


def context(
    model_id: str, kind: str, stack: Stack = Stack.TUNED, gpu: str = PRO_6000, **changes
) -> ScalingContext:
    return ScalingContext(
        model=model(model_id),
        job=job(kind, **({"global_batch_tokens": 1_048_576.0} | changes)),
        gpu=snapshot().gpus[gpu],
        sxm_gpu=snapshot().gpus["h100-sxm"],
        calibration=CALIBRATION,
        policy=POLICY,
        stack=stack,
    )


@cache
def table(model_id: str, kind: str, stack: Stack = Stack.TUNED) -> ScalingTable:
    return scaling_table(context(model_id, kind, stack))


def row(of: ScalingTable, nodes: int, gpus: int, spread: Spread, fabric: Fabric | None = None) -> ScalingRow:
    return next(
        r for r in of.rows if (r.nodes, r.gpus_per_node, r.spread, r.fabric) == (nodes, gpus, spread, fabric)
    )


def efficiency(of: ScalingRow) -> float:
    assert of.efficiency is not None
    return of.efficiency.expected


def rate(of: ScalingRow) -> float:
    assert of.tokens_per_s is not None
    return of.tokens_per_s.expected


def test_the_table_holds_every_shape_spread_and_fabric_once() -> None:
    rows = table("llama-3.1-70b", "full_finetune").rows
    several = sum(nodes > 1 for nodes, _ in SHAPES)
    assert len(rows) == len(Spread) * (len(SHAPES) - several + several * len(FABRICS))
    assert len({(r.nodes, r.gpus_per_node, r.spread, r.fabric) for r in rows}) == len(rows)


def test_efficiency_never_stands_without_tokens_per_second() -> None:
    for each in table("llama-3.1-70b", "full_finetune").rows:
        assert (each.efficiency is None) == (each.tokens_per_s is None) == (each.days is None)
        assert each.efficiency is not None or each.reasons


def test_rows_below_the_gate_are_marked() -> None:
    of = table("llama-3.1-70b", "full_finetune")
    assert of.gate == POLICY["efficiency.gate"]
    for each in of.rows:
        assert each.below_gate == (efficiency(each) < of.gate)


def test_tensor_parallelism_of_70b_over_one_node_loses_more_than_half_on_pcie() -> None:
    """Published arithmetic without overlap gives 0.44; the smaller products of each rank cost on top of it."""
    assert 0.30 < efficiency(row(table("llama-3.1-70b", "full_finetune"), 1, 8, Spread.TENSOR)) < 0.50


def test_a_slow_network_ruins_tensor_parallelism_and_leaves_the_pipeline_alone() -> None:
    of = table("llama-3.1-70b", "full_finetune")
    across = [efficiency(row(of, 2, 4, Spread.TENSOR, fabric)) for fabric in FABRICS]
    piped = [efficiency(row(of, 2, 4, Spread.TENSOR_AND_PIPELINE, fabric)) for fabric in FABRICS]
    assert across == sorted(across)
    assert across[0] < 0.1
    assert max(piped) - min(piped) < 0.03


def test_one_node_of_eight_beats_two_of_four_for_tensor_parallelism() -> None:
    of = table("llama-3.1-70b", "full_finetune")
    inside = rate(row(of, 1, 8, Spread.TENSOR))
    assert all(rate(row(of, 2, 4, Spread.TENSOR, fabric)) <= inside for fabric in FABRICS)


def test_kentinos_figures_stand_beside_the_projection_with_the_overlap_that_explains_them() -> None:
    of = table("llama-3.1-70b", "full_finetune")
    one, two = row(of, 1, 8, Spread.TENSOR), row(of, 2, 4, Spread.TENSOR, Fabric.ROCE_200G)
    assert one.field is not None and two.field is not None
    assert one.field.efficiency.expected == POLICY["field.tp8_one_node"] == 0.73
    assert two.field.efficiency.expected == POLICY["field.tp_2x4"] == 0.65
    assert {one.field.efficiency.evidence, two.field.efficiency.evidence} == {Evidence.FIELD}
    assert one.field.explaining_overlap is not None and 0.6 < one.field.explaining_overlap < 1.0
    assert row(of, 1, 8, Spread.DATA).field is None
    assert row(table("llama-3.1-8b", "lora"), 1, 8, Spread.TENSOR).field is None


def test_the_explaining_overlap_reproduces_the_figure() -> None:
    of = layout("llama-3.1-70b", machines(), Precision.BF16, stack=Stack.TUNED, tp=8)
    work = job(sharding=Sharding.NONE)
    overlap = explaining_overlap(of, work, 0.73, CALIBRATION)
    assert overlap is not None
    step = step_time(of, work, CALIBRATION)
    alone = step_time(replace(of, parallelism=replace(of.parallelism, tp=1)), work, CALIBRATION)
    total = step.compute_s + (1.0 - overlap) * step.tensor_s + step.update_s
    assert alone.compute_s / 8 / total == pytest.approx(0.73, rel=1e-6)
    assert explaining_overlap(of, work, 0.99, CALIBRATION) is None


def test_adapters_are_copied_and_not_sharded_over_slow_networks() -> None:
    of = table("llama-3.1-8b", "lora", Stack.ORDINARY)
    slow = row(of, 4, 8, Spread.DATA, Fabric.ETHERNET_25G)
    assert slow.sharding is not Sharding.ZERO3
    assert efficiency(slow) > 0.9
    assert of.baseline_fits


def test_efficiency_is_the_rate_per_gpu_over_one_gpu_that_holds_the_job() -> None:
    of = table("llama-3.1-8b", "lora", Stack.ORDINARY)
    for each in of.rows:
        share = rate(each) / each.gpus / of.baseline_tokens_per_s.expected
        assert efficiency(each) == pytest.approx(share, rel=1e-6)


def test_a_job_that_no_gpu_holds_has_a_stated_baseline() -> None:
    of = table("llama-3.1-70b", "full_finetune")
    assert not of.baseline_fits
    assert not row(of, 1, 8, Spread.DATA).fits
    assert row(of, 4, 8, Spread.DATA, Fabric.ROCE_400G).fits


def test_the_sxm_lead_is_fabric_times_silicon() -> None:
    splits = {split.spread: split for split in table("llama-3.1-70b", "full_finetune").sxm}
    for split in splits.values():
        assert split.total.expected == pytest.approx(split.fabric.expected * split.silicon.expected)
    assert splits[Spread.TENSOR].total.expected == pytest.approx(3.0, rel=0.2)
    assert splits[Spread.TENSOR].fabric.expected == pytest.approx(1.84, rel=0.2)
    assert splits[Spread.TENSOR].silicon.expected == pytest.approx(1.64, rel=0.2)


def test_data_parallel_fine_tuning_has_hardly_any_fabric_part() -> None:
    split = next(s for s in table("llama-3.1-8b", "lora", Stack.ORDINARY).sxm if s.spread is Spread.DATA)
    assert 0.95 < split.fabric.expected < 1.15


def test_strong_scaling_counts_from_the_smallest_cluster_that_holds_the_job() -> None:
    for curve in table("llama-3.1-70b", "full_finetune").strong:
        assert curve.points[0].nodes == 2
        assert curve.points[0].speedup == pytest.approx(2.0)
        assert curve.points[-1].nodes == POLICY["cluster.max_nodes"]


def test_a_job_over_slow_ethernet_stops_paying_at_once_when_it_must_shard() -> None:
    of = scaling_table(context("qwen2.5-32b", "full_finetune", Stack.ORDINARY, global_batch_tokens=262_144.0))
    curve = next(c for c in of.strong if c.fabric is Fabric.ETHERNET_100G)
    assert 0.0 <= curve.serial_share < 1.0
    gains = [point.gain for point in curve.points[1:]]
    paying = [p.nodes for p in curve.points if p.nodes <= curve.last_paying_nodes]
    assert all(gain >= POLICY["efficiency.gate"] for gain in gains[: len(paying) - 1])


def test_the_rule_of_minimum_tokens_is_shown_for_sharded_rows_and_grows_on_slower_networks() -> None:
    of = table("llama-3.1-70b", "full_finetune")
    tokens = [row(of, 2, 8, Spread.DATA, fabric).min_tokens for fabric in FABRICS]
    assert all(tokens)
    assert tokens == sorted(tokens, reverse=True, key=float)  # type: ignore[arg-type]
    assert row(of, 2, 8, Spread.TENSOR, FABRICS[0]).min_tokens is None


GPUS = st.sampled_from(["rtx-pro-6000-server", "l40s", "rtx-5090", "l4"])
MODELS = st.sampled_from(["llama-3.1-8b", "llama-3.1-70b", "qwen2.5-32b"])
KINDS = st.sampled_from(["full_finetune", "lora", "qlora", "pretrain"])


@settings(deadline=None)
@given(MODELS, KINDS, GPUS, st.sampled_from(list(Stack)), st.sampled_from(list(Fabric)))
def test_splitting_a_node_of_eight_never_wins_for_tensor_parallelism(
    model_id: str, kind: str, gpu: str, stack: Stack, fabric: Fabric
) -> None:
    work = job(kind, sharding=Sharding.NONE)
    inside, across = (
        layout(model_id, on, Precision.BF16, stack=stack, tp=8)
        for on in (machines(gpu), machines(gpu, 4, 2, fabric))
    )
    assert step_time(across, work, CALIBRATION).total_s >= step_time(inside, work, CALIBRATION).total_s


@settings(deadline=None)
@given(
    MODELS,
    KINDS,
    st.sampled_from(list(Spread)),
    st.sampled_from([Sharding.ZERO1, Sharding.ZERO3, Sharding.HYBRID]),
    st.sampled_from([(2, 4), (2, 8), (4, 8)]),
    st.floats(1.0, 10.0),
)
def test_more_bandwidth_never_lowers_efficiency(
    model_id: str, kind: str, spread: Spread, sharding: Sharding, shape: tuple[int, int], factor: float
) -> None:
    nodes, gpus = shape
    degrees = spread_degrees(spread, nodes, gpus)
    of = replace(
        layout(model_id, machines(gpus=gpus, nodes=nodes, fabric=Fabric.ROCE_200G), Precision.BF16),
        parallelism=degrees,
    )
    work = job(kind, sharding=sharding if degrees.dp > 1 else Sharding.NONE)
    faster = {
        key: replace(parameter, value=parameter.value * factor)
        for key, parameter in CALIBRATION.parameters.items()
        if key[0] in ("network", "link", "allreduce", "allgather") and key[2].endswith("bytes_per_s")
    }
    improved = replace(CALIBRATION, parameters={**CALIBRATION.parameters, **faster})
    assert step_time(of, work, improved).total_s <= step_time(of, work, CALIBRATION).total_s * (1 + 1e-9)

"""Checkpoints, interruptions and energy of a run."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.evidence import Evidence, exact
from kentino_configurator.core.layout import Offload, Sharding
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.prediction import TrainingPerformance
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.training import predict_training
from kentino_configurator.engine.training_run import (
    checkpoint_interval_s,
    energy_kwh,
    interruptions,
    lost_share,
    training_run,
)
from tests.unit.engine.helpers import job, layout, machines, snapshot

CALIBRATION, POLICY = snapshot().calibration, snapshot().policy
HOUR_S = 3600.0


def test_a_minute_of_writing_and_a_failure_every_38_days_give_a_checkpoint_every_five_and_a_half_hours() -> (
    None
):
    assert checkpoint_interval_s(60.0, 38 * 86400) / HOUR_S == pytest.approx(5.5, rel=0.03)


@given(st.floats(1.0, 1e4), st.floats(1e3, 1e8))
def test_the_best_interval_is_near_youngs_and_never_above_the_time_between_failures(
    write: float, between: float
) -> None:
    interval = checkpoint_interval_s(write, between)
    assert 0 < interval <= max(between, math.sqrt(2 * write * between) * 1.5)
    if write < between / 100:
        assert interval == pytest.approx(math.sqrt(2 * write * between), rel=0.15)


def test_more_cards_are_interrupted_more_often_and_lose_more() -> None:
    few, many = (interruptions(gpus, 30.0, POLICY) for gpus in (8, 32))
    assert many.expected == pytest.approx(4 * few.expected)
    assert lost_share(32, POLICY) == pytest.approx(2 * lost_share(8, POLICY))


def test_energy_is_power_times_time_times_overhead() -> None:
    days = exact(10.0, Unit.DAYS, Evidence.DERIVED)
    assert energy_kwh(days, 7000.0, 1.54).expected == pytest.approx(7 * 240 * 1.54)


def test_a_run_carries_its_checkpoint_and_what_the_host_must_hold() -> None:
    of = layout("llama-3.1-70b", machines(), Precision.BF16, dp=8)
    work = job(offload=Offload.STATE)
    performance = predict_training(of, work, CALIBRATION, POLICY).performance
    assert isinstance(performance, TrainingPerformance)
    run = training_run(of, work, performance, POLICY, ac_w=7000.0, pue=1.5)
    assert run.checkpoint_bytes == pytest.approx(14 * 70.55e9, rel=0.01)
    assert run.host_bytes_per_node == pytest.approx(16 * 70.55e9, rel=0.01)
    assert run.energy_kwh is not None and run.energy_kwh.unit is Unit.KWH
    assert run.days == performance.days


def test_unknown_power_means_unknown_energy_and_adapters_are_small_to_save() -> None:
    of = layout("llama-3.1-8b", machines(), Precision.BF16, dp=8)
    work = job("lora", sharding=Sharding.ZERO1)
    performance = predict_training(of, work, CALIBRATION, POLICY).performance
    assert isinstance(performance, TrainingPerformance)
    run = training_run(of, work, performance, POLICY)
    assert run.energy_kwh is None
    assert run.host_bytes_per_node == 0.0
    assert run.checkpoint_bytes < 2e9

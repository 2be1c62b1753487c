"""One measured point moves the level and narrows the interval."""

from __future__ import annotations

import pytest

from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.engine.level import MeasuredPoint, at_level, level_of
from kentino_configurator.engine.performance import predict_serving
from tests.unit.engine.helpers import layout, load, snapshot

CALIBRATION, POLICY = snapshot().calibration, snapshot().policy
PLACED = layout(tp=4)


def figures(users: int) -> ServingPerformance:
    performance = predict_serving(PLACED, load(users=users), CALIBRATION, POLICY).performance
    assert isinstance(performance, ServingPerformance)
    return performance


def test_a_machine_that_is_slower_than_predicted_stays_so_at_other_loads() -> None:
    measured = figures(16).tpot_s.expected * 1.2
    level = level_of(MeasuredPoint(layout=PLACED, load=load(users=16), tpot_s=measured), CALIBRATION, POLICY)
    moved = at_level(figures(32), level)
    assert moved.tpot_s.expected == pytest.approx(1.2 * figures(32).tpot_s.expected)
    assert moved.tokens_per_s_per_user.expected == pytest.approx(1 / moved.tpot_s.expected)


def test_the_interval_becomes_the_scatter_between_runs_and_says_whose_figure_it_is() -> None:
    point = MeasuredPoint(layout=PLACED, load=load(), ttft_s=figures(16).ttft_s.expected)
    moved = at_level(figures(16), level_of(point, CALIBRATION, POLICY))
    assert moved.ttft_s.high / moved.ttft_s.expected == pytest.approx(1.15)
    assert moved.ttft_s.evidence is Evidence.CUSTOMER
    assert moved.tpot_s == figures(16).tpot_s


def test_a_point_that_cannot_belong_to_the_layout_is_refused_with_both_numbers() -> None:
    point = MeasuredPoint(layout=PLACED, load=load(), output_tokens_per_s=90_000)
    with pytest.raises(
        ValueError, match=r"output tokens per second: 90000 measured against \d+ tokens/s predicted"
    ):
        level_of(point, CALIBRATION, POLICY)


def test_a_layout_that_does_not_fit_cannot_have_been_measured() -> None:
    too_large = layout("deepseek-v3", utilization=0.85, tp=8)
    with pytest.raises(ValueError, match="does not fit"):
        level_of(MeasuredPoint(layout=too_large, load=load(), tpot_s=0.05), CALIBRATION, POLICY)

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.wizard.conversion import (
    binomial_quantile,
    from_people,
    from_rate,
    poisson_quantile,
    response_s,
)


@pytest.mark.parametrize(
    ("people", "share", "think", "output", "speed", "active", "wait", "busy", "mean", "planned", "rate"),
    [
        (200, 0.20, 120, 300, 15, 40, 22.0, 0.155, 6.2, 12, 0.28),
        (60, 0.30, 180, 400, 15, 18, 28.7, 0.137, 2.5, 6, 0.09),
        (25, 0.60, 10, 500, 50, 15, 12.0, 0.545, 8.2, 12, 0.68),
        (30, 0.30, 120, 500, 15, 9, 35.3, 0.227, 2.0, 5, 0.06),
        (25, 0.30, 120, 300, 15, 8, 22.0, 0.155, 1.2, 4, 0.06),
    ],
)
def test_people_become_the_published_number_of_simultaneous_requests(
    people: int, share: float, think: float, output: int, speed: float,
    active: int, wait: float, busy: float, mean: float, planned: int, rate: float,
) -> None:  # fmt: skip
    load = from_people(people, share, think, response_s(output, 2.0, speed))
    assert load.active == active
    assert load.planned_concurrency == planned
    assert load.response_s == pytest.approx(wait, abs=0.05)
    assert load.busy_share == pytest.approx(busy, abs=0.0005)
    assert load.mean_concurrency == pytest.approx(mean, abs=0.05)
    assert load.requests_per_s == pytest.approx(rate, abs=0.005)


def test_a_rate_is_planned_for_its_mean_and_a_margin() -> None:
    load = from_rate(20.0, response_s(400, 2.0, 15))
    assert load.mean_concurrency == pytest.approx(573.3, abs=0.1)
    assert load.planned_concurrency == 630


def test_a_target_of_none_counts_like_the_word_fluent() -> None:
    assert response_s(300, None, None) == pytest.approx(22.0)


@given(st.integers(1, 60), st.floats(0.0, 1.0))
def test_the_binomial_quantile_is_the_smallest_count_that_suffices(trials: int, probability: float) -> None:
    found = binomial_quantile(trials, probability, 0.99)
    terms = [
        math.comb(trials, count) * probability**count * (1 - probability) ** (trials - count)
        for count in range(trials + 1)
    ]
    assert sum(terms[: found + 1]) >= 0.99 - 1e-9
    assert found == 0 or sum(terms[:found]) < 0.99 + 1e-9


@given(st.floats(0.001, 200.0))
def test_the_poisson_quantile_is_the_smallest_count_that_suffices(mean: float) -> None:
    found = poisson_quantile(mean, 0.99)
    terms = [math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) for count in range(found + 1)]
    assert sum(terms) >= 0.99 - 1e-9
    assert found == 0 or sum(terms[:-1]) < 0.99 + 1e-9


@given(st.integers(1, 100_000), st.floats(0.01, 1), st.floats(0, 3600), st.floats(0.1, 600))
def test_never_more_requests_at_once_than_active_people(
    people: int, share: float, think: float, response: float
) -> None:
    load = from_people(people, share, think, response)
    assert 1 <= load.planned_concurrency <= load.active <= people
    assert load.mean_concurrency <= load.active * (1 + 1e-9)


def test_a_million_people_are_counted_without_a_noticeable_wait() -> None:
    assert from_people(1_000_000, 1.0, 120, 22).planned_concurrency == pytest.approx(155_772, abs=2)
    assert from_rate(200_000, 28).planned_concurrency == pytest.approx(5_605_506, abs=5)

"""Requests per second, people and corpora become a concurrency, a token rate and a time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.request import Growth, JobKind, Workload
from kentino_configurator.engine.demand import answer_time_s, poisson_99, reserved_tokens, serving_demand

MODEL = load_snapshot().models["llama-3.1-70b"]
CHAT = Workload(
    name="chat",
    kind=JobKind.INFERENCE,
    model=MODEL,
    input_tokens=1500,
    output_tokens=400,
    max_context_tokens=8192,
    ttft_s=2.0,
    tokens_per_s_per_user=15.0,
)


@pytest.mark.parametrize(("mean", "planned"), [(0.0, 1), (1.0, 4), (6.2, 13), (100.0, 124)])
def test_that_99_percent_of_moments_are_covered(mean: float, planned: int) -> None:
    assert poisson_99(mean) == planned


@given(st.floats(0.01, 5e5), st.floats(1.0, 3.0))
def test_that_a_larger_mean_never_plans_for_less(mean: float, factor: float) -> None:
    assert poisson_99(mean * factor) >= poisson_99(mean) >= mean * 0.99


def test_that_a_rate_becomes_requests_in_flight_and_tokens_per_second() -> None:
    demand = serving_demand(replace(CHAT, requests_per_s=20.0), Growth())
    assert answer_time_s(CHAT) == pytest.approx(2.0 + 400 / 15)
    assert demand.mean_concurrency == pytest.approx(20.0 * answer_time_s(CHAT))
    assert demand.output_tokens_per_s == 8000.0
    assert demand.concurrency == poisson_99(demand.mean_concurrency)


def test_that_stated_concurrency_counts_when_no_rate_is_given() -> None:
    assert serving_demand(replace(CHAT, concurrent_requests=32), Growth()).concurrency == 32


def test_that_growth_is_sized_only_when_bought_now() -> None:
    asked = replace(CHAT, concurrent_requests=10)
    assert serving_demand(asked, Growth(factor=2.0)).concurrency == 10
    assert serving_demand(asked, Growth(factor=2.0, buy_now=True)).concurrency == 20


def test_that_memory_is_reserved_for_full_context_of_the_long_share_only() -> None:
    assert reserved_tokens(CHAT) == 8192
    assert reserved_tokens(replace(CHAT, long_request_share=0.1)) == pytest.approx(0.1 * 8192 + 0.9 * 1900)


def test_that_a_corpus_has_a_deadline_and_no_targets() -> None:
    batch = replace(
        CHAT, kind=JobKind.BATCH, corpus_input_tokens=2e9, corpus_output_tokens=2e8, deadline_hours=96.0
    )
    demand = serving_demand(batch, Growth())
    assert demand.batch_tokens == (2e9, 2e8)
    assert demand.deadline_s == 96 * 3600
    assert demand.ttft_s is None

"""Longest context, missing bytes, and the changes that make a load fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.engine.memory import serving_memory
from kentino_configurator.engine.room import Change, longest_context, missing_bytes, remedies
from tests.unit.engine.helpers import layout, load, machines, snapshot

POLICY = snapshot().policy


def test_the_longest_context_fits_and_one_step_more_does_not() -> None:
    placed, users = layout(tp=2), load(users=32)
    tokens = longest_context(placed, users, POLICY)
    assert serving_memory(placed, replace(users, kv_tokens_per_request=float(tokens)), POLICY).fits
    assert not serving_memory(placed, replace(users, kv_tokens_per_request=float(tokens + 256)), POLICY).fits


def test_the_model_limits_the_context_where_memory_does_not() -> None:
    assert longest_context(layout("llama-3.1-8b"), load(users=1), POLICY) == 131_072


def test_nothing_is_missing_where_a_load_fits() -> None:
    assert missing_bytes(layout(tp=4), load(users=8), POLICY) == 0.0
    assert remedies(layout(tp=4), load(users=8), POLICY) == ()


def test_a_cache_that_is_too_large_can_be_halved_or_shared_by_fewer_users() -> None:
    found = remedies(layout(tp=2), load(users=56), POLICY)
    assert [remedy.change for remedy in found][:2] == [Change.KV_FP8, Change.FEWER_USERS]
    assert found[1].value < 56


def test_weights_that_are_too_large_need_fewer_bits_or_more_gpus() -> None:
    found = remedies(layout(tp=1, precision=Precision.BF16), load(users=1), POLICY)
    assert {remedy.change for remedy in found} == {Change.FEWER_BITS, Change.MORE_GPUS}
    assert min(remedy.value for remedy in found if remedy.change is Change.MORE_GPUS) == 2


def test_a_degree_the_model_does_not_allow_is_not_proposed() -> None:
    found = remedies(
        layout("qwen2.5-7b", machines("l4", 8), Precision.BF16, tp=1), load(users=64, context=32_768), POLICY
    )
    assert all(remedy.layout.parallelism.tp != 8 for remedy in found)


MODELS = st.sampled_from(["llama-3.1-8b", "llama-3.3-70b", "qwen3.5-27b", "deepseek-v3"])


@given(MODELS, st.sampled_from([1, 2, 4]), st.integers(1, 200), st.sampled_from(list(KvPrecision)))
def test_every_remedy_holds_what_it_promises(model_id: str, tp: int, users: int, kv: KvPrecision) -> None:
    placed, under = layout(model_id, kv=kv, tp=tp), load(users=users, context=20_000)
    for remedy in remedies(placed, under, POLICY):
        assert serving_memory(remedy.layout, remedy.load, POLICY).fits
        assert missing_bytes(placed, under, POLICY) > 0


@pytest.mark.parametrize("users", [1, 8, 64])
def test_more_users_shorten_the_longest_context(users: int) -> None:
    few, many = (longest_context(layout(tp=4), load(users=n), POLICY) for n in (users, users * 8))
    assert many <= few

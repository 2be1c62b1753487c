"""The closed loop of users: Little's law, limits, order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.engine.queueing import Service, answers_per_s, closed_loop


def service(step: float = 0.02, extra: float = 0.3, own: float = 0.35, steps: float = 499) -> Service:
    return Service(
        decode_step_s=step,
        mixed_step_s=own,
        prompt_extra_s=extra,
        prompt_slot_s=own,
        prompt_service_s=own,
        decode_steps=steps,
    )


def test_one_second_of_engine_time_is_spent_on_prompts_and_decode_steps() -> None:
    each = service()
    rate = answers_per_s(each, 16)
    assert rate * each.prompt_extra_s + rate * each.decode_steps * each.decode_step_s / 16 == pytest.approx(
        1.0
    )


def test_the_time_between_tokens_contains_the_stalls_by_other_prompts() -> None:
    loop = closed_loop(service(), 16, 16)
    assert loop.tpot_s == pytest.approx(0.02 + 16 * 0.3 / 499)


def test_a_single_user_never_waits_for_others() -> None:
    loop = closed_loop(service(), 1, 1)
    assert loop.ttft_median_s == pytest.approx(0.35)
    assert loop.ttft_p95_s == pytest.approx(0.35)


FAST = st.floats(1e-3, 0.2)


@given(FAST, FAST, st.floats(0.001, 2), st.integers(1, 2000), st.integers(1, 512))
def test_the_loop_obeys_littles_law_and_p95_is_not_below_the_median(
    step: float, extra: float, own: float, steps: int, users: int
) -> None:
    loop = closed_loop(service(step, extra, max(own, extra), steps), users, users)
    assert loop.answers_per_s * loop.tpot_s * steps == pytest.approx(users)
    assert loop.ttft_p95_s >= loop.ttft_median_s
    assert 0 <= loop.prefill_share <= 1


@given(FAST, FAST, st.integers(1, 512))
def test_more_users_finish_more_answers_together(step: float, extra: float, users: int) -> None:
    each = service(step, extra)
    assert answers_per_s(each, users) <= answers_per_s(each, users + 1)

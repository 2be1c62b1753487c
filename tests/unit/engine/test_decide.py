"""What holds for every decision: more of the good never worsens it, and what changes nothing changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kentino_configurator.bom.offers import build_offers
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.decision import Decision, Severity, Verdict
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.request import (
    Availability,
    Circuit,
    Growth,
    JobKind,
    Limits,
    Request,
    RequestedPlan,
    Runs,
    Site,
    Workload,
)
from kentino_configurator.engine.decide import decide

SNAPSHOT = load_snapshot()
OFFERS = build_offers(SNAPSHOT)


def chat(model: str = "llama-3.1-70b", users: int = 16, **changes: object) -> Workload:
    values: dict[str, object] = {
        "name": "chat",
        "kind": JobKind.INFERENCE,
        "model": SNAPSHOT.models[model],
        "input_tokens": 3000,
        "output_tokens": 500,
        "max_context_tokens": 8192,
        "concurrent_requests": users,
        "ttft_s": 2.0,
        "tokens_per_s_per_user": 15.0,
    }
    return Workload(**(values | changes))  # type: ignore[arg-type]


def decided(*workloads: Workload, quick: bool = True, **parts: object) -> Decision:
    return decide(Request(workloads=workloads, **parts), SNAPSHOT, OFFERS, quick=quick)  # type: ignore[arg-type]


def price(decision: Decision) -> float:
    assert decision.three_year_cost is not None
    return decision.three_year_cost.total.expected


def rules(decision: Decision) -> set[str]:
    return {finding.rule for finding in decision.findings}


def test_that_more_users_never_cost_less() -> None:
    costs = [price(decided(chat(users=users))) for users in (1, 4, 16, 32, 64, 128)]
    assert costs == sorted(costs)


def test_that_a_softer_target_never_costs_more() -> None:
    strict = decided(chat(users=32))
    soft = decided(chat(users=32, ttft_s=6.0, tokens_per_s_per_user=6.0))
    assert price(soft) <= price(strict)


def test_that_the_order_of_workloads_changes_nothing() -> None:
    first, second = chat("qwen2.5-7b", 8), chat("qwen2.5-32b", 4, name="second")
    one, other = decided(first, second), decided(second, first)
    assert one.configuration == other.configuration
    assert one.verdict == other.verdict


def test_that_jobs_by_turns_need_no_more_than_jobs_at_once() -> None:
    first, second = chat("qwen2.5-32b", 8), chat("qwen2.5-32b", 8, name="second")
    turns = decided(first, replace(second, runs=Runs.EXCLUSIVE))
    assert price(turns) <= price(decided(first, second))


def test_that_growth_of_one_changes_nothing() -> None:
    assert (
        decided(chat()).configuration
        == decided(chat(), growth=Growth(factor=1.0, buy_now=True)).configuration
    )


def test_that_growth_bought_later_is_named() -> None:
    decision = decided(chat(), growth=Growth(factor=2.0))
    assert decision.configuration == decided(chat()).configuration
    assert "growth_later" in rules(decision)


def test_that_a_spare_is_one_more_machine() -> None:
    alone, spared = decided(chat()), decided(chat(availability=Availability.N_PLUS_1))
    assert alone.configuration is not None
    assert spared.configuration is not None
    assert spared.configuration.nodes == alone.configuration.nodes + 1
    assert spared.configuration.spare_nodes == 1
    assert "spare_added" in rules(spared)


def test_that_a_budget_never_changes_the_machine_but_is_reported() -> None:
    decision = decided(chat(), limits=Limits(budget_eur=1000.0))
    assert decision.configuration == decided(chat()).configuration
    assert "over_budget" in rules(decision)


def test_that_an_office_gets_a_tower_within_its_circuit() -> None:
    site = Site(circuits=(Circuit(volts=230, amps=16, phases=1, count=1),), office=True)
    decision = decided(chat(), site=site)
    assert decision.configuration is not None
    node = decision.configuration.node
    assert node.form == "tower"
    assert node.ac_w.expected <= 230 * 16 * 0.8


def test_that_four_bit_for_gradients_blocks_and_is_not_used() -> None:
    job = Workload(
        name="tuning",
        kind=JobKind.FULL_FINETUNE,
        model=SNAPSHOT.models["llama-3.1-8b"],
        weights_precision=Precision.INT4,
        dataset_tokens=1e7,
        sequence_tokens=2048,
        deadline_days=7.0,
    )
    decision = decided(job)
    blocking = {f.rule for f in decision.findings if f.severity is Severity.BLOCK}
    assert "int4_not_for_training" in blocking
    assert decision.configuration is not None
    assert decision.configuration.weights_precision is Precision.BF16


def test_that_two_small_nodes_are_compared_with_one() -> None:
    asked = Limits(requested=RequestedPlan(nodes=2, gpus_per_node=4, gpu="rtx-pro-6000-server"))
    decision = decided(chat(), limits=asked, quick=False)
    assert decision.verdict is Verdict.SINGLE_NODE
    assert "two_small_nodes_trap" in rules(decision)
    assert any(option.kind == "requested" for option in decision.alternatives)


def test_that_a_decision_names_at_least_three_alternatives_with_a_reason() -> None:
    decision = decided(chat(), quick=False)
    assert len(decision.alternatives) >= 3
    assert all(option.why_not.id for option in decision.alternatives)


def test_that_the_answer_changes_where_the_tipping_point_says() -> None:
    decision = decided(chat(), quick=False)
    up = next(
        p for p in decision.tipping_points if p.field.endswith("concurrent_requests") and p.direction > 0
    )
    below = decided(chat(users=int(up.at) - 1))
    beyond = decided(chat(users=int(up.at)))
    assert below.configuration is not None
    assert beyond.configuration is not None
    assert below.configuration.node == decision.configuration.node  # type: ignore[union-attr]
    assert beyond.configuration.node != decision.configuration.node  # type: ignore[union-attr]


def test_that_memory_of_the_result_adds_up_to_what_the_driver_reports() -> None:
    memory = decided(chat()).memory
    assert memory is not None
    assert memory.used + memory.free + memory.kept_back == pytest.approx(memory.usable)


def test_that_the_trace_has_five_questions_and_one_that_decided() -> None:
    for decision in (decided(chat()), decided(chat(users=2000)), decided(chat("deepseek-v3", 16))):
        assert [entry.number for entry in decision.trace] == [1, 2, 3, 4, 5]
        assert sum(entry.decided for entry in decision.trace) == 1


def test_that_no_machine_within_the_limits_names_the_limit_and_the_nearest_thing() -> None:
    decision = decided(
        chat("llama-3.1-405b", 32),
        site=Site(circuits=(Circuit(volts=230, amps=16, phases=1, count=1),), office=True),
        limits=Limits(max_nodes=1, allow_int4=False),
        quick=False,
    )
    assert decision.verdict is Verdict.NO_ANSWER
    assert decision.limits_met
    assert decision.needed

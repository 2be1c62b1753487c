from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.decision import Severity
from kentino_configurator.wizard.validation import usable_answers

JOB = {"kind": "inference", "model": "llama-3.1-8b"}


def lines(tree: dict[str, Any]) -> list[str]:
    return [problem.line() for problem in usable_answers(Answers(tree)).problems]


@pytest.mark.parametrize(
    ("tree", "key", "nearest"),
    [
        ({"custommer": {}}, "custommer", "customer"),
        ({"workloads": [{**JOB, "max_context": 8192}]}, "workloads[0].max_context", "max_context_tokens"),
        ({"workloads": [JOB, {**JOB, "ttft": 2}]}, "workloads[1].ttft", "ttft_s"),
        ({"budget_eur": 50_000}, "budget_eur", "limits.budget_eur"),
        ({"limits": {"amps": 16}}, "limits.amps", "gpus"),
        ({"site": {"ciruits": []}}, "site.ciruits", "circuits"),
        ({"limits": {"requested": {"gpu_count": 4}}}, "limits.requested.gpu_count", "gpu"),
    ],
)
def test_an_unknown_entry_names_the_nearest_known_one(tree: dict[str, Any], key: str, nearest: str) -> None:
    (line,) = lines(tree)
    assert line.startswith(f"{key}: Unknown entry ")
    assert f'Nearest known: "{nearest}"' in line


@pytest.mark.parametrize(
    ("tree", "line"),
    [
        ({"workloads": {}}, "workloads: {} cannot be used. Use a list with 1 to 40 jobs."),
        ({"workloads": []}, "workloads: [] cannot be used. Use a list with 1 to 40 jobs."),
        ({"workloads": [8]}, "workloads[0]: 8 cannot be used. Use an object in braces."),
        (
            {"workloads": [{"kind": "chat"}]},
            'workloads[0].kind: "chat" cannot be used. '
            "Use one of: inference, batch, lora, qlora, full_finetune, pretrain.",
        ),
        (
            {"workloads": [{"concurrent_requests": "8"}]},
            'workloads[0].concurrent_requests: "8" cannot be used. '
            "Use a number without quotation marks, for example 1.",
        ),
        (
            {"workloads": [{"input_tokens": True}]},
            "workloads[0].input_tokens: true cannot be used. Use a number without quotation marks, for example 1.",
        ),
        (
            {"workloads": [{"concurrent_requests": 3.5}]},
            "workloads[0].concurrent_requests: 3.5 cannot be used. Use a whole number.",
        ),
        (
            {"workloads": [{"ttft_s": float("nan")}]},
            "workloads[0].ttft_s: NaN cannot be used. Use a number without quotation marks, for example 0.1.",
        ),
        (
            {"workloads": [{"requests_per_s": float("inf")}]},
            "workloads[0].requests_per_s: Infinity cannot be used. "
            "Use a number without quotation marks, for example 0.001.",
        ),
        (
            {"workloads": [{"concurrent_requests": -1}]},
            "workloads[0].concurrent_requests: -1 cannot be used. Enter a whole number from 1 to 20,000.",
        ),
        (
            {"limits": {"allow_int4": 1}},
            "limits.allow_int4: 1 cannot be used. Use true or false, without quotation marks.",
        ),
        ({"site": {"network_gbps": 40}}, "site.network_gbps: 40 cannot be used. Use one of: 1, 10, 25, 100."),
        (
            {"customer": {"country": "Portugal"}},
            'customer.country: "Portugal" cannot be used. '
            "Choose a country from the list; type its name or its two-letter code.",
        ),
        (
            {"customer": {"name": "A\x00B"}},
            'customer.name: "A\\u0000B" cannot be used. Remove the control characters.',
        ),
        (
            {"limits": {"gpus": "rtx-5090"}},
            'limits.gpus: "rtx-5090" cannot be used. Use a list in square brackets.',
        ),
        (
            {"commercial": {"needed_by": "31.3.2027"}},
            'commercial.needed_by: "31.3.2027" cannot be used. Use a date as year-month-day, for example 2027-03-31.',
        ),
        (
            {"site": {"circuits": [{"volts": 110, "amps": 16}]}},
            "site.circuits[0]: {...} cannot be used. Each circuit needs volts (230, 400), amperes (10, 16, 32, 63), "
            "phases (1 or 3) and a number from 1 to 20.",
        ),
        (
            {"schema_version": 2},
            "schema_version: This file was written by a newer version (2). Update the program to open it.",
        ),
        ({"schema_version": "1"}, 'schema_version: "1" cannot be used. Use one of: 1.'),
    ],
)
def test_what_cannot_be_used_is_named_with_what_would_be_right(tree: dict[str, Any], line: str) -> None:
    assert lines(tree) == [line]


def test_null_is_refused_where_it_means_nothing() -> None:
    (line,) = lines({"workloads": [{"output_tokens": None}]})
    assert "leave the entry out to get the default" in line


@pytest.mark.parametrize(
    "tree",
    [
        {"workloads": [{"ttft_s": None, "concurrent_requests": None, "requests_per_s": None}]},
        {"limits": {"budget_eur": None, "max_nodes": None, "gpus": None, "requested": None}},
        {"customer": {"vat_id": None}, "site": None, "growth": None, "commercial": None},
        {"site": {"circuits": None, "rack_units": None, "cooling_kw": None, "max_inlet_c": None}},
    ],
)
def test_null_means_no_such_requirement(tree: dict[str, Any]) -> None:
    assert lines(tree) == []


def test_whole_numbers_may_be_written_as_floats() -> None:
    usable = usable_answers(
        Answers({"workloads": [{"dataset_tokens": 20000000.0, "concurrent_requests": 8.0}]})
    )
    assert usable.problems == ()
    assert usable.answers.get("workloads[0].concurrent_requests") == 8
    assert isinstance(usable.answers.get("workloads[0].concurrent_requests"), int)


def test_words_are_matched_without_regard_to_case() -> None:
    usable = usable_answers(
        Answers({"customer": {"country": "pt"}, "workloads": [{"weights_precision": "FP8"}]})
    )
    assert usable.problems == ()
    assert usable.answers.get("customer.country") == "PT"
    assert usable.answers.get("workloads[0].weights_precision") == "fp8"


def test_a_share_written_as_a_percentage_is_understood_and_said() -> None:
    usable = usable_answers(Answers({"workloads": [{"long_request_share": 10, "prefix_reuse": 0.9}]}))
    (note,) = usable.problems
    assert note.severity is Severity.NOTE
    assert note.sentence.replace("\u00a0", " ") == "10 was read as 10 %."
    assert usable.answers.get("workloads[0].long_request_share") == 0.1
    assert usable.answers.get("workloads[0].prefix_reuse") == 0.9


def test_a_list_of_jobs_that_cannot_be_used_is_dropped_as_a_whole() -> None:
    assert usable_answers(Answers({"workloads": []})).answers.get("workloads") is ABSENT


def test_only_the_unusable_value_is_dropped() -> None:
    usable = usable_answers(Answers({"workloads": [{**JOB, "ttft_s": "soon"}], "colour": "blue"}))
    assert usable.answers.get("workloads[0].model") == "llama-3.1-8b"
    assert usable.answers.get("workloads[0].ttft_s") is ABSENT
    assert usable.answers.get("colour") is ABSENT


def test_depth_and_size_do_not_crash() -> None:
    deep: Any = "x"
    for _ in range(sys.getrecursionlimit() * 3):
        deep = {"a": [deep]}
    huge = {f"key{number}": number for number in range(2000)}
    assert len(lines({"deep": deep, "customer": {"name": deep}})) == 2
    assert len(lines(huge)) == 2000
    assert len(lines({"workloads": [{}] * 100_000})) == 1
    assert len(lines({"workloads": [{"dataset_tokens": 10**5000}]})) == 1


@given(data=st.data())
def test_any_json_tree_is_read_without_an_exception(
    data: st.DataObject, request_trees: st.SearchStrategy[dict[str, Any]]
) -> None:
    usable = usable_answers(Answers(data.draw(request_trees)))
    assert all(problem.line() for problem in usable.problems)


@given(data=st.data())
def test_what_is_usable_stays_the_same_when_it_is_read_again(
    data: st.DataObject, request_trees: st.SearchStrategy[dict[str, Any]]
) -> None:
    usable = usable_answers(Answers(data.draw(request_trees))).answers
    assert usable_answers(usable).answers == usable
    assert usable_answers(usable).problems == ()

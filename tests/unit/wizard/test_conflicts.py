from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kentino_configurator.core.decision import Severity
from kentino_configurator.wizard.reading import Reading

Read = Callable[..., Reading]
CHAT = {"kind": "inference", "model": "llama-3.1-70b"}


def test_question_and_answer_must_fit_the_context(read: Read) -> None:
    tree = {"workloads": [{**CHAT, "input_tokens": 8000, "output_tokens": 1000, "max_context_tokens": 8192}]}
    (problem,) = read(tree).problems
    assert problem.path == "workloads[0].max_context_tokens"
    assert "9,000" in problem.sentence
    fallback = read(tree, lenient=True).request
    assert fallback is not None
    assert fallback.workloads[0].max_context_tokens == 9000


def test_the_context_must_fit_the_model(read: Read) -> None:
    tree = {"workloads": [{**CHAT, "max_context_tokens": 1_000_000}]}
    (problem,) = read(tree).problems
    assert problem.path == "workloads[0].max_context_tokens"
    assert "131,072" in problem.sentence
    fallback = read(tree, lenient=True).request
    assert fallback is not None
    assert fallback.workloads[0].max_context_tokens == 8192


def test_a_question_longer_than_the_model_is_named_at_the_question(read: Read) -> None:
    tree = {"workloads": [{**CHAT, "input_tokens": 200_000}]}
    (problem,) = read(tree).problems
    assert problem.path == "workloads[0].input_tokens"
    fallback = read(tree, lenient=True).request
    assert fallback is not None
    assert fallback.workloads[0].input_tokens == 1500


def test_training_examples_must_fit_an_existing_model_but_not_a_new_one(read: Read) -> None:
    long = {"model": "llama-3.1-70b", "sequence_tokens": 262_144}
    assert [p.path for p in read({"workloads": [{**long, "kind": "lora"}]}).problems] == [
        "workloads[0].sequence_tokens"
    ]
    assert read({"workloads": [{**long, "kind": "pretrain"}]}).problems == ()


def test_there_are_never_more_requests_than_active_people(read: Read) -> None:
    tree = {
        "workloads": [
            {**CHAT, "concurrent_requests": 50, "load_basis": {"named_users": 200, "active_share": 0.2}}
        ]
    }
    (problem,) = read(tree).problems
    assert problem.path == "workloads[0].concurrent_requests"
    assert "40" in problem.sentence


def test_two_jobs_need_two_names(read: Read) -> None:
    (problem,) = read({"workloads": [{"name": "chat"}, {"name": "chat"}]}).problems
    assert problem.path == "workloads[1].name"


@pytest.mark.parametrize(
    ("tree", "path", "severity"),
    [
        ({"workloads": [{**CHAT, "requests_per_s": 5000}]}, "workloads[0].requests_per_s", Severity.NOTE),
        (
            {"workloads": [{**CHAT, "requests_per_s": 20, "concurrent_requests": 8}]},
            "workloads[0].requests_per_s",
            Severity.WARN,
        ),
        (
            {"workloads": [{"kind": "lora", "model": "llama-3.1-8b", "weights_precision": "int4"}]},
            "workloads[0].weights_precision",
            Severity.WARN,
        ),
        (
            {"workloads": [{**CHAT, "concurrent_requests": 64, "max_context_tokens": 131_072}]},
            "workloads[0].max_context_tokens",
            Severity.NOTE,
        ),
        ({"site": {"office": True, "rack_units": 12}}, "site.rack_units", Severity.WARN),
        (
            {"customer": {"country": "PT"}, "commercial": {"vat_mode": "intra_eu"}},
            "customer.vat_id",
            Severity.WARN,
        ),
        ({"customer": {"country": "DE", "vat_id": "DE12"}}, "customer.vat_id", Severity.WARN),
        (
            {"customer": {"country": "PT"}, "commercial": {"installation": True}},
            "commercial.installation",
            Severity.WARN,
        ),
        ({"customer": {"parent_country": "CN"}}, "customer.parent_country", Severity.WARN),
    ],
)
def test_what_wants_a_look_is_a_remark_and_never_stops_the_answer(
    tree: dict[str, Any], path: str, severity: Severity, read: Read
) -> None:
    reading = read(tree)
    assert reading.request is not None
    assert [(note.path, note.severity) for note in reading.notes] == [(path, severity)]
    assert len(reading.notes[0].sentence) > 20


@pytest.mark.parametrize(
    "tree",
    [
        {"workloads": [{**CHAT, "requests_per_s": 1, "concurrent_requests": 32}]},
        {
            "workloads": [
                {**CHAT, "concurrent_requests": 64, "max_context_tokens": 131_072, "long_request_share": 0.1}
            ]
        },
        {"customer": {"country": "PT", "vat_id": "PT 123 456 789"}, "commercial": {"vat_mode": "intra_eu"}},
        {"site": {"office": True, "rack_units": 0}},
    ],
)
def test_what_agrees_is_not_remarked(tree: dict[str, Any], read: Read) -> None:
    reading = read(tree)
    assert reading.problems + reading.notes == ()

"""A benchmark of the customer's own machine moves the figures of jobs like it, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kentino_configurator.answer.measured_level import MeasuredPointError, read_measured_point
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.commands import size
from kentino_configurator.core.catalog import CatalogSnapshot

REQUEST = {
    "schema_version": 1,
    "workloads": [
        {
            "name": "assistant",
            "kind": "inference",
            "model": "llama-3.3-70b",
            "weights_precision": "fp8",
            "input_tokens": 1500,
            "output_tokens": 300,
            "concurrent_requests": 8,
        }
    ],
    "limits": {"gpus": ["rtx-pro-6000"]},
}
LAYOUT = {
    "model": "llama-3.3-70b",
    "gpu": "rtx-pro-6000",
    "gpus_per_node": 4,
    "tp": 2,
    "weights_precision": "fp8",
}
BENCHMARK = {
    "layout": LAYOUT,
    "max_concurrency": 8,
    "request_rate": "inf",
    "num_prompts": 200,
    "completed": 200,
    "total_input_tokens": 300_000,
    "total_output_tokens": 60_000,
    "median_tpot_ms": 40.0,
    "output_throughput": 180.0,
}


@pytest.fixture(scope="module")
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark: Any) -> tuple[int, str, str]:
    request, measured = tmp_path / "request.json", tmp_path / "benchmark.json"
    request.write_text(json.dumps(REQUEST), encoding="utf-8")
    measured.write_text(json.dumps(benchmark), encoding="utf-8")
    code = size(request, None, as_json=True, measured=measured)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_lengths_and_users_are_those_of_the_benchmark(snapshot: CatalogSnapshot) -> None:
    point = read_measured_point(BENCHMARK, snapshot)
    assert (point.load.input_tokens, point.load.output_tokens, point.load.concurrency) == (1500, 300, 8)
    assert (point.tpot_s, point.ttft_s, point.output_tokens_per_s) == (0.04, None, 180.0)


def test_two_copies_share_users_and_throughput(snapshot: CatalogSnapshot) -> None:
    point = read_measured_point(BENCHMARK | {"layout": LAYOUT | {"dp": 2}}, snapshot)
    assert (point.load.concurrency, point.output_tokens_per_s) == (4, 90.0)


def test_typed_figures_are_read_as_well(snapshot: CatalogSnapshot) -> None:
    typed = {
        "layout": LAYOUT,
        "concurrency": 4,
        "input_tokens": 900,
        "output_tokens": 100,
        "median_ttft_ms": 350,
    }
    point = read_measured_point(typed, snapshot)
    assert (point.load.concurrency, point.load.input_tokens, point.ttft_s) == (4, 900, 0.35)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"layout": LAYOUT | {"model": "nobody's model"}}, "layout.model"),
        ({"layout": LAYOUT | {"kind": "lora"}}, "not a training run"),
        ({"median_tpot_ms": "fast"}, "median_tpot_ms: 'fast' cannot be used"),
        ({"median_tpot_ms": None, "output_throughput": None}, "states none of"),
        ({"total_input_tokens": None}, "input_tokens: is missing"),
        ({"max_concurrency": None, "request_rate": 3.0}, "an arrival rate does not say"),
    ],
)
def test_what_cannot_be_used_is_named(changes: dict[str, Any], words: str, snapshot: CatalogSnapshot) -> None:
    with pytest.raises(MeasuredPointError, match=words):
        read_measured_point(BENCHMARK | changes, snapshot)


def test_without_a_layout_nobody_knows_what_was_measured(snapshot: CatalogSnapshot) -> None:
    figures = {name: value for name, value in BENCHMARK.items() if name != "layout"}
    with pytest.raises(MeasuredPointError, match="layout: is missing"):
        read_measured_point(figures, snapshot)


def test_the_answer_shows_the_measured_level_as_the_customers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(tmp_path, capsys, BENCHMARK)
    assert code == 0
    result = json.loads(out)
    figures = result["performance"][0]
    assert figures["tpot_s"]["evidence"] == figures["output_tokens_per_s"]["evidence"] == "customer"
    assert figures["ttft_s"]["evidence"] != "customer"
    assert result["measured_level"]["ttft"] is None
    assert result["measured_level"]["tpot"] > 0


@pytest.mark.parametrize(
    ("benchmark", "words"),
    [
        (BENCHMARK | {"layout": LAYOUT | {"model": "qwen2.5-72b"}}, "is not what the answer proposes"),
        (BENCHMARK | {"median_tpot_ms": 9000.0}, "check model, format, GPUs"),
        ([], "must be an object"),
    ],
)
def test_a_benchmark_of_something_else_is_refused(
    benchmark: Any, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(tmp_path, capsys, benchmark)
    assert code == 2
    assert words in err and err.startswith("benchmark.json: ")

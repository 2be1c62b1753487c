from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_configurator.core.answers import Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.request import Availability, Circuit, JobKind, Request, RequestedPlan, Runs
from kentino_configurator.wizard.presets import load_preset, presets
from kentino_configurator.wizard.reading import Reading, read_request

DATA = Path(__file__).parents[2] / "data"
CASES = json.loads((DATA / "golden_cases.json").read_text(encoding="utf-8"))["cases"]
Read = Callable[..., Reading]


def request_of(reading: Reading) -> Request:
    assert reading.request is not None, [problem.line() for problem in reading.problems]
    return reading.request


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_reference_request_is_read_without_problems(case: dict[str, Any], read: Read) -> None:
    reading = read(case["request"])
    assert [problem.line() for problem in reading.problems] == []
    assert reading.request is not None


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_every_preset_is_read_without_problems_or_remarks(preset: Any, snapshot: CatalogSnapshot) -> None:
    reading = read_request(load_preset(preset.name), snapshot)
    assert [problem.line() for problem in reading.problems + reading.notes] == []


def test_no_answers_at_all_make_a_request_with_every_default_listed(read: Read) -> None:
    request = request_of(read({}))
    (workload,) = request.workloads
    assert workload.kind is JobKind.INFERENCE
    assert workload.model.id == "llama-3.3-70b"
    assert (workload.input_tokens, workload.output_tokens, workload.max_context_tokens) == (1500, 300, 8192)
    assert (workload.concurrent_requests, workload.ttft_s, workload.tokens_per_s_per_user) == (8, 2.0, 15)
    listed = {assumption.field: assumption for assumption in request.assumptions}
    assert listed["workloads[0].concurrent_requests"].value == 8
    assert {"workloads[0].kind", "workloads[0].model", "workloads[0].ttft_s", "growth.factor"} <= set(listed)
    assert all(assumption.source and assumption.effect for assumption in request.assumptions)


def test_a_stated_value_is_no_assumption(read: Read) -> None:
    tree = {"workloads": [{"kind": "inference", "input_tokens": 3000}], "growth": {"factor": 2}}
    fields = {assumption.field for assumption in request_of(read(tree)).assumptions}
    assert not fields & {"workloads[0].kind", "workloads[0].input_tokens", "growth.factor"}
    assert "growth.within_months" in fields


def test_null_is_an_answer_and_no_assumption(read: Read) -> None:
    request = request_of(read({"workloads": [{"ttft_s": None, "tokens_per_s_per_user": None}]}))
    assert request.workloads[0].ttft_s is None
    assert "workloads[0].ttft_s" not in {assumption.field for assumption in request.assumptions}


def test_site_facts_left_out_limit_nothing(read: Read) -> None:
    site = request_of(read({})).site
    assert (site.circuits, site.rack_units, site.cooling_kw, site.max_inlet_c) == (None, None, None, None)


def test_every_block_reaches_the_request(read: Read) -> None:
    request = request_of(read(json.loads(FULL)))
    workload = request.workloads[0]
    assert workload.availability is Availability.N_PLUS_1
    assert (workload.long_request_share, workload.prefix_reuse, workload.tenancy) == (0.1, 0.5, "departments")
    assert workload.load_basis is not None
    assert workload.load_basis.named_users == 200
    assert request.workloads[1].runs is Runs.EXCLUSIVE
    assert request.workloads[1].lora_rank == 32
    assert request.site.circuits == (Circuit(volts=230, amps=16, phases=1, count=2),)
    assert request.growth.buy_now is True
    assert request.limits.gpu_ids == (
        "rtx-5090",
        "rtx-pro-6000-server",
        "rtx-pro-6000-ws",
        "rtx-pro-6000-maxq",
    )
    assert request.limits.requested == RequestedPlan(nodes=2, gpus_per_node=4, gpu="rtxpro6000")
    assert request.operations.operators == "nobody"
    assert request.commercial.vat_mode == "intra_eu"
    assert request.customer.vat_id == "PT123456789"


FULL = """
{"schema_version": 1,
 "customer": {"name": "Example", "country": "PT", "language": "pt", "vat_id": "PT123456789", "site": "colocation",
  "end_user_country": "PT", "parent_country": "DE", "data_sensitivity": "personal"},
 "workloads": [
  {"name": "chat", "kind": "inference", "model": "meta-llama/Llama-3.1-70B-Instruct", "use": "research",
   "weights_precision": "nvfp4", "kv_precision": "fp8", "input_tokens": 3000, "output_tokens": 500,
   "max_context_tokens": 16384, "concurrent_requests": 12, "ttft_s": 2, "tokens_per_s_per_user": 15,
   "availability": "n_plus_1", "long_request_share": 0.1, "prefix_reuse": 0.5, "tenancy": "departments",
   "load_basis": {"named_users": 200, "active_share": 0.2, "think_time_s": 120}},
  {"name": "tuning", "kind": "lora", "model": "llama-3.1-70b", "dataset_tokens": 20000000.0, "epochs": 3,
   "sequence_tokens": 4096, "deadline_days": 2, "runs": "exclusive", "lora_rank": 32, "runs_per_month": 8}],
 "growth": {"factor": 1.5, "within_months": 12, "buy_now": true},
 "site": {"circuits": [{"volts": 230, "amps": 16, "phases": 1, "count": 2}], "feeds": "ab", "cooling_kw": 8,
  "max_inlet_c": 25, "rack_units": 12, "rack_depth_mm": 1000, "office": false, "network_gbps": 25,
  "switch_ports": "2 x SFP28", "storage": "nfs", "access_note": "lift 1.1 m"},
 "limits": {"budget_eur": 200000, "max_nodes": 2, "gpus": ["rtx-5090", "rtx-pro-6000"], "allow_int4": false,
  "requested": {"nodes": 2, "gpus_per_node": 4, "gpu": "RTX PRO 6000"}},
 "operations": {"operators": "nobody", "support_hours": "always", "hourly_cost_eur": 80,
  "electricity_eur_per_kwh": 0.2, "pue": 1.3, "duty_percent": 50},
 "commercial": {"currency": "CZK", "discount_percent": 5, "validity_days": 30, "incoterm": "dap",
  "vat_mode": "intra_eu", "delivery_place": "Lisboa", "installation": true, "reference": "RFQ 7",
  "public_tender": true, "warranty": "", "needed_by": "2027-03-31", "geforce_decision": "keep", "note": "Hello"}}
"""


def test_strict_reading_refuses_and_lenient_reading_falls_back(read: Read) -> None:
    tree = {"workloads": [{"model": "llama-9", "concurrent_requests": "8"}], "colour": "blue"}
    strict, lenient = read(tree), read(tree, lenient=True)
    assert strict.request is None
    assert len(strict.problems) == 3
    assert lenient.problems == strict.problems
    assert request_of(lenient).workloads[0].concurrent_requests == 8


def test_an_unknown_model_names_the_nearest_ones(read: Read) -> None:
    (problem,) = read({"workloads": [{"model": "lama-3.1-70b"}]}).problems
    assert problem.path == "workloads[0].model"
    assert "llama-3.1-70b" in problem.sentence


def test_unknown_gpus_name_the_nearest_ones(read: Read) -> None:
    tree = {"limits": {"gpus": ["rtx-5090", "rtx 5099"], "requested": {"gpu": "rtx pro 600"}}}
    first, second = read(tree).problems
    assert (first.path, second.path) == ("limits.gpus[1]", "limits.requested.gpu")
    assert "rtx-5090" in first.sentence
    assert "rtx-pro-6000" in second.sentence


def test_an_architecture_is_a_model(read: Read) -> None:
    case = next(case for case in CASES if case["id"] == "g26")
    model = request_of(read(case["request"])).workloads[0].model
    assert model.num_layers == 140
    assert 590e9 < model.text_params < 680e9


def test_a_config_file_is_found_beside_the_request(snapshot: CatalogSnapshot, tmp_path: Path) -> None:
    source = next((DATA / "model_configs").glob("Qwen__Qwen2.5-7B-Instruct.json"))
    (tmp_path / "config.json").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    answers = Answers({"workloads": [{"model": {"config": "config.json"}}]})
    model = request_of(read_request(answers, snapshot, base_dir=tmp_path)).workloads[0].model
    assert model.num_layers == 28
    assert 7e9 < model.text_params < 8e9


@pytest.mark.parametrize(
    "content", [None, b"{", b"[]", b"\xff\xfe", b'{"num_hidden_layers": 0}', b"[" * 100_000]
)
def test_an_unusable_config_file_is_one_sentence(
    content: bytes | None, snapshot: CatalogSnapshot, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "config.json").write_bytes(content)
    answers = Answers({"workloads": [{"model": {"config": "config.json"}}]})
    reading = read_request(answers, snapshot, base_dir=tmp_path)
    (problem,) = reading.problems
    assert problem.path == "workloads[0].model.config"
    assert "\n" not in problem.line()


def test_a_batch_gets_the_lengths_of_its_documents(read: Read) -> None:
    tree = {
        "customer": {"language": "en"},
        "workloads": [{"kind": "batch", "corpus_input_tokens": 2e9, "corpus_output_tokens": 2e8}],
    }
    request = request_of(read(tree))
    workload = request.workloads[0]
    assert workload.input_tokens == 630
    assert workload.output_tokens == 63
    assert workload.max_context_tokens == 693
    assert workload.output_tokens / workload.input_tokens == pytest.approx(0.1, rel=0.01)
    assert "workloads[0].input_tokens" in {assumption.field for assumption in request.assumptions}


def test_the_lengths_of_a_batch_can_be_stated(read: Read) -> None:
    job = {"kind": "batch", "input_tokens": 2000, "output_tokens": 100, "max_context_tokens": 4096}
    workload = request_of(read({"workloads": [job]})).workloads[0]
    assert (workload.input_tokens, workload.output_tokens, workload.max_context_tokens) == (2000, 100, 4096)


def test_a_rate_leaves_the_concurrency_open(read: Read) -> None:
    stated_null = request_of(read({"workloads": [{"requests_per_s": 20.0, "concurrent_requests": None}]}))
    left_out = request_of(read({"workloads": [{"requests_per_s": 20.0}]}))
    assert stated_null.workloads[0].concurrent_requests is None
    assert left_out.workloads[0].concurrent_requests is None


def test_no_load_at_all_is_the_plain_assumption(read: Read) -> None:
    request = request_of(read({"workloads": [{"requests_per_s": None, "concurrent_requests": None}]}))
    assert request.workloads[0].concurrent_requests == 8
    assert "workloads[0].concurrent_requests" in {assumption.field for assumption in request.assumptions}


def test_people_become_a_concurrency_with_their_assumptions(read: Read) -> None:
    request = request_of(read({"workloads": [{"load_basis": {"named_users": 200}}]}))
    workload = request.workloads[0]
    assert workload.concurrent_requests == 12
    assert workload.load_basis is not None
    assert workload.load_basis.active_share == 0.2
    listed = {assumption.field for assumption in request.assumptions}
    assert {"workloads[0].load_basis.active_share", "workloads[0].load_basis.think_time_s"} <= listed


def test_training_has_no_serving_figures(read: Read) -> None:
    workload = request_of(read({"workloads": [{"kind": "lora"}]})).workloads[0]
    assert (workload.input_tokens, workload.concurrent_requests, workload.ttft_s) == (0, None, None)
    assert (workload.dataset_tokens, workload.epochs, workload.sequence_tokens) == (20e6, 3, 4096)
    assert workload.deadline_days == 7


@settings(max_examples=60)
@given(data=st.data())
def test_lenient_reading_always_gives_a_request(
    data: st.DataObject, snapshot: CatalogSnapshot, request_trees: st.SearchStrategy[dict[str, Any]]
) -> None:
    answers = Answers(data.draw(request_trees))
    lenient, strict = read_request(answers, snapshot, lenient=True), read_request(answers, snapshot)
    assert lenient.request is not None
    assert json.dumps([assumption.value for assumption in lenient.request.assumptions])
    assert (strict.request is None) == bool(strict.problems)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kentino_configurator.wizard.defaults import default_of, load_of, question, value_of
from kentino_configurator.wizard.known import Known

Build = Callable[[dict[str, Any]], Known]


def job(name: str, **more: Any) -> dict[str, Any]:
    return {"workloads": [{"hints": {"job": name}, **more}]}


@pytest.mark.parametrize(
    ("name", "kind", "model", "asked", "answered", "longest", "ttft", "speed"),
    [
        ("assistant", "inference", "llama-3.3-70b", 1500, 300, 8192, 2.0, 15),
        ("rag", "inference", "llama-3.3-70b", 4000, 400, 16384, 2.0, 15),
        ("coding", "inference", "qwen3-coder-30b-a3b", 32000, 500, 131072, 2.0, 50),
        ("agents", "inference", "llama-3.3-70b", 8600, 180, 32768, 2.0, 15),
        ("lab", "inference", "llama-3.3-70b", 1500, 300, 8192, 2.0, 15),
    ],
)
def test_a_job_brings_its_model_lengths_and_waiting(
    name: str,
    kind: str,
    model: str,
    asked: int,
    answered: int,
    longest: int,
    ttft: float,
    speed: float,
    known: Build,
) -> None:
    found = known(job(name))
    values = [
        value_of(found, question_id)
        for question_id in ("m_model", "d_input_tokens", "d_output_tokens", "d_max_context", "d_ttft_s")
    ]
    assert values == [model, asked, answered, longest, ttft]
    assert value_of(found, "d_tokens_per_s_user") == speed


@pytest.mark.parametrize(
    ("name", "share", "think"),
    [("assistant", 0.2, 120), ("rag", 0.3, 180), ("coding", 0.6, 10), ("agents", 0.6, 5), ("lab", 0.3, 120)],
)
def test_a_job_brings_its_active_share_and_think_time(
    name: str, share: float, think: float, known: Build
) -> None:
    found = known(job(name))
    assert value_of(found, "d_active_share") == share
    assert value_of(found, "d_think_time") == think


@pytest.mark.parametrize(
    ("profile", "asked", "answered", "longest"),
    [
        ("chat", 1500, 300, 8192),
        ("rag", 4000, 400, 16384),
        ("long_document", 12000, 350, 32768),
        ("code_completion", 2000, 30, 8192),
        ("code_agent", 32000, 500, 131072),
        ("tool_agent", 8600, 180, 32768),
        ("reasoning", 1500, 3000, 32768),
    ],
)
def test_a_profile_brings_its_lengths_with_their_origin(
    profile: str, asked: int, answered: int, longest: int, known: Build
) -> None:
    found = known({"workloads": [{"hints": {"profile": profile}}]})
    assert value_of(found, "d_input_tokens") == asked
    assert value_of(found, "d_output_tokens") == answered
    assert value_of(found, "d_max_context") == longest
    assert default_of(found, question("d_input_tokens")).origin == f"origin.profile_{profile}"


@pytest.mark.parametrize(
    ("word", "ttft", "speed"),
    [
        ("instant", 0.5, 25),
        ("fluent", 2.0, 15),
        ("patient", 6.0, 6),
        ("fast_text", 2.0, 50),
        ("none", None, None),
    ],
)
def test_a_word_for_waiting_brings_two_numbers(
    word: str, ttft: float | None, speed: float | None, known: Build
) -> None:
    found = known({"workloads": [{"hints": {"latency": word}}]})
    assert (value_of(found, "d_ttft_s"), value_of(found, "d_tokens_per_s_user")) == (ttft, speed)


@pytest.mark.parametrize(
    ("size", "model"),
    [
        ("small", "qwen2.5-7b"),
        ("medium", "qwen2.5-32b"),
        ("large", "llama-3.3-70b"),
        ("very_large", "qwen3-235b-a22b"),
        ("frontier", "llama-3.1-405b"),
    ],
)
def test_a_size_class_stands_for_a_model(size: str, model: str, known: Build) -> None:
    found = known({"workloads": [{"hints": {"size_class": size}}]})
    assert default_of(found, question("m_model")).value == model
    assert default_of(found, question("m_model")).origin == "origin.size_class"


@pytest.mark.parametrize(
    ("kind", "tokens", "epochs", "sequence", "days"),
    [
        ("lora", 20e6, 3, 4096, 7),
        ("qlora", 20e6, 3, 4096, 7),
        ("full_finetune", 100e6, 1, 4096, 7),
        ("pretrain", 1.5e12, 1, 8192, 180),
    ],
)
def test_a_training_kind_brings_its_recipe(
    kind: str, tokens: float, epochs: int, sequence: int, days: int, known: Build
) -> None:
    found = known({"workloads": [{"kind": kind}]})
    values = [
        value_of(found, question_id)
        for question_id in (
            "t_dataset_tokens",
            "t_epochs",
            "t_sequence_tokens",
            "t_deadline_days",
            "t_recipe",
        )
    ]
    assert values == [tokens, epochs, sequence, days, 16]


@pytest.mark.parametrize(
    ("kinds", "allowed"),
    [(["inference"], True), (["batch"], True), (["qlora"], True), (["lora"], False), (["pretrain"], False),
     (["inference", "lora"], True)],
)  # fmt: skip
def test_four_bit_is_offered_for_inference_and_qlora_only(
    kinds: list[str], allowed: bool, known: Build
) -> None:
    assert value_of(known({"workloads": [{"kind": kind} for kind in kinds]}), "m_allow_int4") is allowed


def test_training_and_batch_take_turns_with_people(known: Build) -> None:
    found = known(
        {"workloads": [{"kind": "inference"}, {"kind": "lora"}, {"kind": "batch"}, {"kind": "inference"}]}
    )
    assert [value_of(found, "j_runs", index) for index in range(4)] == [
        "together", "exclusive", "exclusive", "together",
    ]  # fmt: skip


def test_jobs_without_a_name_get_different_ones(known: Build) -> None:
    found = known({"workloads": [{}, {"kind": "lora"}, {}, {"name": "assistant 2"}, {}]})
    names = [value_of(found, "j_workload_name", index) for index in range(5)]
    assert names == ["assistant", "lora", "assistant 2", "assistant 2", "assistant 3"]


@pytest.mark.parametrize(
    ("country", "language", "group", "vat"),
    [
        ("CZ", "cs", "slavic", "domestic"),
        ("PT", "pt", "romance", "gross"),
        ("DE", "en", "english", "gross"),
        ("US", "en", "english", "export"),
    ],
)
def test_the_country_suggests_language_and_vat(
    country: str, language: str, group: str, vat: str, known: Build
) -> None:
    found = known({"customer": {"country": country}})
    assert value_of(found, "j_document_language") == language
    assert value_of(found, "d_text_language") == group
    assert value_of(found, "b_vat_mode") == vat
    assert value_of(found, "b_parent_country") == country


def test_a_vat_number_suggests_an_intra_community_supply(known: Build) -> None:
    assert (
        value_of(known({"customer": {"country": "PT", "vat_id": "PT123456789"}}), "b_vat_mode") == "intra_eu"
    )


def test_the_place_suggests_office_and_pue(known: Build) -> None:
    office, rented = known({"customer": {"site": "office"}}), known({"customer": {"site": "colocation"}})
    assert (value_of(office, "s_office"), value_of(office, "o_pue")) == (True, 1.7)
    assert (value_of(rented, "s_office"), value_of(rented, "o_pue")) == (False, 1.4)


def test_duty_follows_the_jobs(known: Build) -> None:
    assert value_of(known({}), "o_duty") == 24
    assert value_of(known({"workloads": [{"kind": "inference"}, {"kind": "lora"}]}), "o_duty") == 90


def test_three_hundred_thousand_czech_pages_are_the_corpus_of_the_preset(known: Build) -> None:
    corpus = {"amount": 300_000, "unit": "pages"}
    found = known(
        {"customer": {"country": "CZ"}, "workloads": [{"kind": "batch", "hints": {"corpus": corpus}}]}
    )
    assert value_of(found, "d_corpus_input_tokens") == 327_000_000
    assert value_of(found, "d_corpus_output_tokens") == 60_000_000


@pytest.mark.parametrize(
    ("corpus", "tokens"),
    [
        ({"amount": 400_000, "unit": "words"}, 630_000),
        ({"amount": 1, "unit": "gigabytes"}, 328_125_000),
        ({"amount": 480_000, "unit": "tokens"}, 630_000),
    ],
)
def test_every_unit_of_the_corpus_is_converted(corpus: dict[str, Any], tokens: int, known: Build) -> None:
    tree = {"customer": {"language": "en"}, "workloads": [{"kind": "batch", "hints": {"corpus": corpus}}]}
    assert value_of(known(tree), "d_corpus_input_tokens") == tokens


def test_embeddings_write_nothing(known: Build) -> None:
    found = known({"workloads": [{"hints": {"job": "embeddings"}}]})
    assert value_of(found, "d_corpus_output_tokens") == 0
    assert value_of(found, "d_output_tokens") == 0
    assert value_of(found, "d_input_tokens") == 400


def test_the_context_grows_with_question_and_answer(known: Build) -> None:
    found = known({"workloads": [{"input_tokens": 20000, "output_tokens": 1000}]})
    assert value_of(found, "d_max_context") == 21000


def test_lengths_shrink_to_what_a_short_model_can_hold(known: Build) -> None:
    shape = {
        "name": "short", "num_layers": 12, "hidden_size": 768, "num_attention_heads": 12, "num_kv_heads": 12,
        "head_dim": 64, "intermediate_size": 3072, "vocab_size": 32000, "max_context": 2048,
    }  # fmt: skip
    found = known({"workloads": [{"model": {"architecture": shape}, "hints": {"profile": "rag"}}]})
    asked, answered = value_of(found, "d_input_tokens"), value_of(found, "d_output_tokens")
    assert (asked + answered, value_of(found, "d_max_context")) == (2048, 2048)
    assert (
        value_of(
            known({"workloads": [{"kind": "lora", "model": {"architecture": shape}}]}), "t_sequence_tokens"
        )
        == 2048
    )


def test_the_ways_to_state_a_load_recognise_what_was_answered(known: Build) -> None:
    def basis(workload: dict[str, Any]) -> Any:
        return value_of(known({"workloads": [workload]}), "d_load_basis")

    assert basis({}) == "people"
    assert basis({"concurrent_requests": 8}) == "concurrent"
    assert basis({"requests_per_s": 2}) == "rate"
    assert basis({"concurrent_requests": 12, "load_basis": {"named_users": 200}}) == "people"


def test_choosing_people_counts_the_default_people(known: Build) -> None:
    found = known({"workloads": [{"hints": {"load": "people"}}]})
    load = load_of(found)
    assert load is not None
    assert (load.active, value_of(found, "d_concurrent_requests")) == (10, load.planned_concurrency)
    assert default_of(found, question("d_concurrent_requests")).origin == "origin.concurrency_people"

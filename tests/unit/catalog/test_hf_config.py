"""Reading models' own description files: 91 of them against the facts they should give."""

from __future__ import annotations

import copy
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.catalog.config_fields import read_config
from kentino_configurator.catalog.errors import ModelError
from kentino_configurator.catalog.hf_config import (
    arch_from_config,
    model_from_architecture,
    model_from_config,
)
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.parameters import model_kv_bytes_per_sequence

FOLDER = Path(__file__).parents[2] / "data" / "model_configs"
SIZES = (
    "num_layers",
    "hidden_size",
    "vocab_size",
    "tie_embeddings",
    "max_context",
    "num_attention_heads",
    "num_kv_heads",
    "head_dim",
    "intermediate_size",
)
# A file whose facts are not all recovered yet belongs here with the facts that differ; empty: all are.
KNOWN_GAPS: dict[str, set[str]] = {}


@cache
def expected_files() -> dict[str, dict[str, Any]]:
    files: dict[str, dict[str, Any]] = json.loads((FOLDER / "_expected.json").read_text("utf-8"))["files"]
    return files


@cache
def config_file(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


def recovered(name: str) -> dict[str, Any]:
    """The facts of a file in the words of ``_expected.json``."""
    arch = arch_from_config(read_config(config_file(name)))
    model = model_from_config(config_file(name))
    mixers: dict[str, int] = {}
    for mixer, _, count in arch["layers"]:
        key = mixer.removesuffix("_shared")
        mixers[key] = mixers.get(key, 0) + count
    windows = {
        key.removesuffix("_shared"): mixer["window"]
        for key, mixer in arch["mixers"].items()
        if mixer.get("window")
    }
    return {
        **{size: arch[size] for size in SIZES},
        "mixer_layers": mixers,
        "windows": windows or None,
        "moe": _experts(arch),
        "text_params": model.text_params,
        "kv_bytes_per_token_bf16": model.kv_bytes_per_token_bf16,
        "kv_bytes_32768_bf16": model_kv_bytes_per_sequence(model, 32768, 2),
    }


def _experts(arch: dict[str, Any]) -> dict[str, int] | None:
    routed = [ffn for ffn in arch["ffns"].values() if ffn["kind"] == "moe"]
    if not routed:
        return None
    layers = sum(count for _, ffn, count in arch["layers"] if ffn.startswith("moe"))
    return {key: routed[0][key] for key in ("experts", "top_k", "inter", "shared_inter")} | {"layers": layers}


def differing(name: str) -> set[str]:
    """Facts of a file that are not as expected; a null expectation means: not modelled there."""
    expected, found = expected_files()[name], recovered(name)
    return {
        key
        for key, value in expected.items()
        if key in found and value is not None and not _equal(found[key], value)
    }


def _equal(found: Any, value: Any) -> bool:
    # Counts taken from model classes leave out layer scalars, which are buffers there: a few dozen in billions.
    if isinstance(value, int) and not isinstance(value, bool) and value > 10**9:
        return math.isclose(found, value, rel_tol=1e-8)
    return bool(found == value)


@pytest.mark.parametrize("name", sorted(expected_files()))
def test_a_real_file_gives_the_facts_it_should(name: str) -> None:
    assert differing(name) == KNOWN_GAPS.get(name, set())


def test_all_91_files_are_looked_at() -> None:
    assert len(expected_files()) == 91


@pytest.mark.parametrize(
    ("name", "precision"),
    [
        ("meta-llama__Llama-3.1-8B-Instruct.json", Precision.BF16),
        ("google__gemma-2-9b.json", Precision.BF16),
        ("Qwen__Qwen3-8B-FP8.json", Precision.FP8),
        ("RedHatAI__Llama-4-Scout-17B-16E-Instruct-FP8-dynamic.json", Precision.FP8),
        ("synthetic__qwen2.5-7b-awq.json", Precision.INT4_AWQ),
        ("synthetic__qwen2.5-32b-gptq-int4.json", Precision.INT4_GPTQ),
        ("synthetic__llama-3.1-8b-bnb-nf4.json", Precision.INT4),
        ("moonshotai__Kimi-K2.5.json", Precision.INT4),
        ("openai__gpt-oss-20b.json", Precision.MXFP4),
        ("nvidia__GLM-5.2-NVFP4.json", Precision.NVFP4),
    ],
)
def test_the_format_of_the_weights_is_recognised(name: str, precision: Precision) -> None:
    assert model_from_config(config_file(name)).native_precision is precision


def test_the_quantisation_file_beside_is_read(tmp_path: Path) -> None:
    stem = "nvidia__Llama-3.1-70B-Instruct-FP8"
    (tmp_path / "hf_quant_config.json").write_bytes((FOLDER / f"{stem}.hf_quant_config.json").read_bytes())
    model = model_from_config(config_file(f"{stem}.json"), folder=tmp_path)
    assert model.native_precision is Precision.FP8


def test_the_real_byte_count_beside_is_kept_and_a_difference_is_told(tmp_path: Path) -> None:
    index = {"metadata": {"total_size": 20_000_000_000}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    model = model_from_config(config_file("meta-llama__Llama-3.1-8B-Instruct.json"), folder=tmp_path)
    assert [size.bytes for size in model.checkpoint_sizes] == [20_000_000_000]
    assert any("20.0 GB" in warning and "16.1 GB" in warning for warning in model.warnings)


def test_broken_files_beside_are_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "hf_quant_config.json").write_text("{")
    (tmp_path / "model.safetensors.index.json").write_text("[1]")
    model = model_from_config(config_file("meta-llama__Llama-3.1-8B-Instruct.json"), folder=tmp_path)
    assert (model.native_precision, model.checkpoint_sizes) == (Precision.BF16, ())


def test_an_unknown_model_type_is_counted_as_a_plain_decoder_and_says_so() -> None:
    data = dict(config_file("meta-llama__Llama-3.1-8B-Instruct.json")) | {"model_type": "brand_new"}
    model = model_from_config(data)
    assert model.text_params == 8_030_261_248
    assert any("'brand_new' is not known" in warning for warning in model.warnings)


def test_an_unknown_layer_type_is_counted_as_full_attention_and_says_so() -> None:
    data = dict(config_file("meta-llama__Llama-3.2-1B.json")) | {"layer_types": ["spiral_attention"] * 16}
    model = model_from_config(data)
    assert model.kv_bytes_per_token_bf16 == 32768
    assert any("'spiral_attention'" in warning for warning in model.warnings)


def test_a_size_that_the_class_supplies_is_named_as_assumed() -> None:
    model = model_from_config(
        {"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064}}
    )
    assert model.num_layers == 32
    assert "num_hidden_layers" in model.assumed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden_size": None}, "hidden_size or d_model is missing"),
        ({"num_hidden_layers": None}, "num_hidden_layers or num_layers is missing"),
        ({"hidden_size": "4096"}, "hidden_size must be a whole number"),
        ({"hidden_size": -1}, "hidden_size must be a whole number"),
        ({"num_hidden_layers": 10**8}, "num_layers must be a whole number from 0 to 10,000"),
        ({"num_attention_heads": 2.5}, "num_attention_heads must be a whole number"),
        ({"num_key_value_heads": 7}, "32 attention heads cannot share 7 KV heads"),
        ({"num_local_experts": 4, "num_experts_per_tok": 8}, "8 experts per token are more than the 4"),
        ({"kv_lora_rank": 512}, "qk_nope_head_dim is missing"),
    ],
)
def test_a_size_that_cannot_be_is_named(change: dict[str, Any], message: str) -> None:
    data = dict(config_file("meta-llama__Llama-3.1-8B-Instruct.json")) | change
    with pytest.raises(ModelError, match=message):
        model_from_config(data)


def test_a_hand_written_architecture_of_600_billion_is_counted() -> None:
    model = model_from_architecture(
        {
            "name": "dense-600b",
            "num_layers": 140,
            "hidden_size": 20480,
            "num_attention_heads": 160,
            "num_kv_heads": 16,
            "head_dim": 128,
            "intermediate_size": 57344,
            "vocab_size": 128256,
        }
    )
    assert (model.id, model.text_params) == ("dense-600b", 627_693_834_240)
    assert model.assumed == ("max_context",)


def test_whole_numbers_may_be_written_as_floats() -> None:
    data = dict(config_file("meta-llama__Llama-3.1-8B-Instruct.json")) | {"hidden_size": 4096.0}
    assert model_from_config(data).text_params == 8_030_261_248


def test_every_architecture_of_the_catalogue_may_be_given_by_hand(
    snapshot: CatalogSnapshot, sources: Path
) -> None:
    for entry in json.loads((sources / "models.json").read_text("utf-8"))["models"]:
        model = model_from_architecture(entry["arch"] | {"name": entry["id"]})
        assert model.layers == snapshot.models[entry["id"]].layers, entry["id"]
        assert model.text_params == entry["computed"]["text_params"], entry["id"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "an object with the model's sizes"),
        ({"num_layer": 3}, "'num_layer' is not known; 'num_layers' is known"),
        ({"hidden_size": 8, "vocab_size": 8, "layers": 3, "mixers": {}, "ffns": {}}, "layers must be a list"),
        ({"hidden_size": 8, "vocab_size": 8, "layers": [], "mixers": {}, "ffns": {}}, "1 to 10,000 layers"),
        (
            {"hidden_size": 8, "vocab_size": 8, "layers": [["a", "b", 1]], "mixers": {}, "ffns": {}},
            "'a' must stand in mixers",
        ),
        (
            {
                "hidden_size": 8,
                "vocab_size": 8,
                "layers": [{"repeat": 10**8, "layers": [["a", "b", 1]]}],
                "mixers": {"a": {"kind": "none"}},
                "ffns": {"b": {"kind": "none"}},
            },
            "1 to 10,000 layers",
        ),
        (
            {"hidden_size": 8, "vocab_size": 8, "layers": [], "mixers": {"a": {"head": 1}}, "ffns": {}},
            "'head' is not known; 'heads' is known",
        ),
        (
            {"hidden_size": 8, "vocab_size": 8, "layers": [], "mixers": {"a": {"heads": "8"}}, "ffns": {}},
            r"mixers\.a\.heads must be a whole number",
        ),
        (
            {
                "hidden_size": 8,
                "vocab_size": 8,
                "layers": [["a", "b", 1]],
                "mixers": {"a": {"kind": "spiral"}},
                "ffns": {"b": {"kind": "none"}},
            },
            "known kind .*spiral",
        ),
    ],
)
def test_a_wrong_architecture_is_answered_with_one_sentence(data: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        model_from_architecture(data)
    assert "\n" not in str(caught.value)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**10),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.one_of(st.none(), st.integers(0, 3), st.text(max_size=3)), max_size=4),
    st.just({}),
    st.just({"a": 1}),
)


@given(st.sampled_from(sorted(expected_files())), st.data())
def test_a_damaged_file_gives_a_model_or_a_model_error(name: str, data: st.DataObject) -> None:
    config = copy.deepcopy(config_file(name))
    fields = config["text_config"] if isinstance(config.get("text_config"), dict) else config
    for key in data.draw(st.lists(st.sampled_from(sorted(fields)), min_size=1, max_size=3)):
        fields[key] = data.draw(JUNK)
    try:
        assert model_from_config(config).text_params > 0
    except ModelError as error:
        assert str(error) and "\n" not in str(error)

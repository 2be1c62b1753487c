"""Counting rules against the element counts of released checkpoints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.llm import Ffn, FfnKind, Mixer, MixerKind
from kentino_configurator.core.parameters import (
    ffn_active_params,
    ffn_params,
    kv_bytes_per_sequence,
    kv_bytes_per_token,
    kv_growth_bytes_per_token,
    mixer_params,
    model_kv_bytes_per_sequence,
    state_bytes,
)

LLAMA_8B = Mixer(kind=MixerKind.GQA, heads=32, kv_heads=8, head_dim=128)
WINDOW = Mixer(kind=MixerKind.GQA, heads=8, kv_heads=4, head_dim=64, window=1024)


@pytest.fixture(scope="module")
def entries(sources: Path) -> dict[str, dict[str, Any]]:
    models = json.loads((sources / "models.json").read_text("utf-8"))["models"]
    return {entry["id"]: entry["computed"] for entry in models}


def test_all_130_models_reproduce_their_computed_counts(
    snapshot: CatalogSnapshot, entries: dict[str, dict[str, Any]]
) -> None:
    assert len(snapshot.models) == 130
    for model_id, expected in entries.items():
        model = snapshot.models[model_id]
        assert model.text_params == expected["text_params"], model_id
        assert model.active_params == expected["active_params_without_input_embedding"], model_id
        assert model.kv_bytes_per_token_bf16 == expected["kv_bytes_per_token_bf16"], model_id
        assert model.mtp_params == (expected["mtp_params"] or 0), model_id
        assert model.vision_params == (expected["vision_params"] or 0), model_id


def test_all_130_models_reproduce_the_cache_of_one_sequence(
    snapshot: CatalogSnapshot, entries: dict[str, dict[str, Any]]
) -> None:
    for model_id, computed in entries.items():
        for context, expected in computed["kv_bytes_one_sequence_bf16"].items():
            found = model_kv_bytes_per_sequence(snapshot.models[model_id], int(context), 2)
            assert found == expected, (model_id, context)


def test_exact_published_counts_agree_within_a_tenth_of_a_percent(
    snapshot: CatalogSnapshot, sources: Path
) -> None:
    """Registry counts of packed formats hold scales and tables too; plain ones must fit."""
    entries = json.loads((sources / "models.json").read_text("utf-8"))["models"]
    plain = [e for e in entries if e["published"]["kind"] == "exact" and e["native_weight_dtype"] == "BF16"]
    assert len(plain) > 90
    for entry in plain:
        model = snapshot.models[entry["id"]]
        parts = {"text": model.text_params, "vision": model.vision_params, "mtp": model.mtp_params}
        counted = sum(parts[part] for part in entry["published"]["includes"] if part in parts)
        if (entry["checkpoint_extra"] or {}).get("lm_head_copy"):
            counted += model.vocab_size * model.hidden_size
        assert counted == pytest.approx(entry["published"]["total_params"], rel=0.001), entry["id"]


def test_a_grouped_attention_counts_query_key_value_and_output() -> None:
    assert mixer_params(LLAMA_8B, 4096) == 4096 * (4096 + 1024 + 1024) + 4096 * 4096


def test_an_expert_network_is_active_only_with_the_chosen_experts() -> None:
    ffn = Ffn(kind=FfnKind.MOE, inter=768, experts=128, top_k=8)
    router = 2048 * 128
    assert ffn_params(ffn, 2048) == 128 * 3 * 2048 * 768 + router
    assert ffn_active_params(ffn, 2048) == 8 * 3 * 2048 * 768 + router


def test_a_latent_cache_does_not_depend_on_the_number_of_heads() -> None:
    few = Mixer(kind=MixerKind.MLA, heads=16, kv_lora_rank=512, qk_rope_head_dim=64)
    many = Mixer(kind=MixerKind.MLA, heads=128, kv_lora_rank=512, qk_rope_head_dim=64)
    assert kv_growth_bytes_per_token(few, 2) == kv_growth_bytes_per_token(many, 2) == 1152


def test_a_layer_that_shares_a_cache_stores_nothing_and_has_no_key_or_value_weights() -> None:
    own = Mixer(kind=MixerKind.GQA, heads=8, kv_heads=2, head_dim=256)
    shared = Mixer(kind=MixerKind.GQA, heads=8, kv_heads=2, head_dim=256, shared_kv=True)
    assert kv_bytes_per_sequence(shared, 4096, 2) == 0
    assert mixer_params(own, 2560) - mixer_params(shared, 2560) == 2 * 2560 * 2 * 256


@given(st.integers(0, 10**6))
def test_a_window_layer_never_keeps_more_than_its_window(context: int) -> None:
    assert kv_bytes_per_sequence(WINDOW, context, 2) == min(context, 1024) * 2 * 4 * 64 * 2


@given(st.integers(1, 10**6))
def test_the_mean_per_token_times_the_tokens_is_the_sequence(context: int) -> None:
    mean = kv_bytes_per_token(WINDOW, context, 1)
    assert mean * context == pytest.approx(kv_bytes_per_sequence(WINDOW, context, 1))


def test_an_empty_sequence_needs_no_cache() -> None:
    assert kv_bytes_per_token(LLAMA_8B, 0, 2) == 0


def test_recurrent_layers_hold_a_state_that_does_not_grow() -> None:
    mamba = Mixer(kind=MixerKind.MAMBA2, heads=128, head_dim=64, groups=8, state=128, conv_kernel=4)
    assert state_bytes(mamba) == 128 * 64 * 128 * 4 + (128 * 64 + 2 * 8 * 128) * 3 * 2
    assert kv_bytes_per_sequence(mamba, 10_000, 2) == 0
    assert state_bytes(LLAMA_8B) == 0

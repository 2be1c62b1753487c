"""People's spellings of models and GPUs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.catalog.names import nearest_gpus, nearest_models, resolve_gpus, resolve_model
from kentino_configurator.catalog.spellings import gpu_spelling, model_spelling
from kentino_configurator.core.catalog import CatalogSnapshot

SHORT_IDS = (
    "llama-3.3-70b",
    "llama-3.1-70b",
    "llama-3.1-405b",
    "llama-3.1-8b",
    "llama-3.2-1b",
    "qwen2.5-72b",
    "qwen2.5-32b",
    "qwen2.5-14b",
    "qwen2.5-7b",
    "qwen3-14b",
    "qwen3-coder-30b-a3b",
    "mistral-small-3.2-24b",
    "deepseek-v3",
    "mixtral-8x22b",
    "qwen3-235b-a22b",
)

SPELLINGS = {
    "Llama-3.1-70B": "llama-3.1-70b",
    "meta-llama/Llama-3.1-70B-Instruct": "llama-3.1-70b",
    "Meta-Llama-3.1-70B-Instruct": "llama-3.1-70b",
    "LLAMA 3.1 70b": "llama-3.1-70b",
    "Llama-3-8B-Instruct": "llama-3.1-8b",
    "Gemma-3-12B-it": "gemma-3-12b",
    "Qwen3-235B-A22B-Instruct-2507": "qwen3-235b-a22b",
    "Mixtral-8x7B-Instruct-v0.1": "mixtral-8x7b",
    "DeepSeek-R1 (671B)": "deepseek-r1",
    "DeepSeek-R1-0528": "deepseek-r1",
    "Kimi-K2.6 (1T, 32B active)": "kimi-k2.6",
    "GLM-4.5-Air (106B, 12B active)": "glm-4.5-air-106b-a12b",
    "Mistral Large 3": "mistral-large-3-675b",
    "kimi-k2": "kimi-k2-1t-a32b",
    "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5": "llama-3.3-nemotron-super-49b-v1.5",
}

CARDS = {
    "rtx-pro-6000": ["rtx-pro-6000-server", "rtx-pro-6000-ws", "rtx-pro-6000-maxq"],
    "RTX PRO 6000 Blackwell 96GB (edition unstated)": [
        "rtx-pro-6000-server",
        "rtx-pro-6000-ws",
        "rtx-pro-6000-maxq",
    ],
    "Pro 6000": ["rtx-pro-6000-server", "rtx-pro-6000-ws", "rtx-pro-6000-maxq"],
    "5090": ["rtx-5090"],
    "RTX PRO 6000 Blackwell Server 96GB": ["rtx-pro-6000-server"],
    "NVIDIA RTX PRO 6000 Blackwell Workstation Edition": ["rtx-pro-6000-ws"],
    "rtx pro 6000 Max-Q": ["rtx-pro-6000-maxq"],
    "GeForce RTX 5090": ["rtx-5090"],
    "RTX 5090 32GB": ["rtx-5090"],
    "L40S 48GB": ["l40s"],
    "l40": ["l40"],
    "NVIDIA L4": ["l4"],
    "H100": ["h100-sxm", "h100-pcie", "h100-nvl"],
    "H100 SXM 80GB (DGX)": ["h100-sxm"],
    "H200 NVL 141GB (PCIe card)": ["h200-nvl"],
    "A100 80GB": ["a100-sxm-80gb", "a100-pcie-80gb"],
    "A100 40GB": ["a100-pcie-40gb"],
    "A100 SXM 40GB": [],
    "B200 SXM 180GB": ["b200"],
    "RTX PRO 5000 72 GB": ["rtx-pro-5000-72gb"],
    "RTX 3090 24GB": [],
    "": [],
}


@pytest.mark.parametrize("name", SHORT_IDS)
def test_a_short_id_is_the_canonical_id(snapshot: CatalogSnapshot, name: str) -> None:
    found = resolve_model(snapshot, name)
    assert found is not None and found.id == name


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_spelling_of_a_model_is_understood(snapshot: CatalogSnapshot, name: str) -> None:
    found = resolve_model(snapshot, name)
    assert found is not None and found.id == SPELLINGS[name]


def test_every_model_is_found_by_id_name_and_repository(snapshot: CatalogSnapshot) -> None:
    for model in snapshot.models.values():
        for name in (model.id, model.name, model.hf_id, model.hf_id.split("/")[-1]):
            assert resolve_model(snapshot, name) is model, name


def test_an_unknown_model_is_answered_with_the_nearest_ones(snapshot: CatalogSnapshot) -> None:
    assert resolve_model(snapshot, "llama-3.1-71b") is None
    assert nearest_models(snapshot, "llama-3.1-71b")[0] == "llama-3.1-70b"


def test_a_name_that_several_sizes_share_stands_for_none_of_them(snapshot: CatalogSnapshot) -> None:
    assert resolve_model(snapshot, "gpt-oss") is None
    assert resolve_model(snapshot, "llama-3.1") is None


def test_two_versions_are_never_taken_for_each_other(snapshot: CatalogSnapshot) -> None:
    assert resolve_model(snapshot, "llama-2-70b") is None
    assert resolve_model(snapshot, "qwen2-72b") is None


@pytest.mark.parametrize("name", CARDS)
def test_a_spelling_of_a_card_is_understood(snapshot: CatalogSnapshot, name: str) -> None:
    assert [gpu.id for gpu in resolve_gpus(snapshot, name)] == CARDS[name]


def test_every_card_is_found_by_id_and_name(snapshot: CatalogSnapshot) -> None:
    for gpu in snapshot.gpus.values():
        assert gpu in resolve_gpus(snapshot, gpu.id), gpu.id
        assert gpu in resolve_gpus(snapshot, gpu.name), gpu.id


def test_an_unknown_card_is_answered_with_the_nearest_ones(snapshot: CatalogSnapshot) -> None:
    assert "rtx-5090" in nearest_gpus(snapshot, "rtx-5080")


@given(st.text(max_size=60))
def test_any_text_can_be_asked_for(text: str) -> None:
    assert model_spelling(text).isalnum() or model_spelling(text) == ""
    assert gpu_spelling(text).isalnum() or gpu_spelling(text) == ""

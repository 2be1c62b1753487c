"""Models and cards of the measurement tables: their shapes count up to the published sizes."""

from __future__ import annotations

import csv

import pytest

from kentino_configurator.catalog.measured import load_measured_names
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.paths import resource_dir

FOLDER = resource_dir() / "measurements"
NAMES = load_measured_names(load_snapshot(), FOLDER)

PUBLISHED_BILLIONS = {
    "Qwen2.5-0.5B": 0.494,
    "Qwen2.5-1.5B": 1.544,
    "Qwen2.5-3B": 3.086,
    "Llama-2-7B": 6.738,
    "Llama-2-13B": 13.016,
    "Llama-2-34B": 33.74,
    "Llama-2-70B": 68.977,
    "MPT-7b": 6.65,
    "MPT-13b": 12.85,
    "MPT-30b": 29.96,
    "MPT-70b": 64.86,
    "TinyLlama-1.1B": 1.1,
    "Qwen-7B": 7.72,
    "Qwen-14B": 14.17,
    "Qwen-72B": 72.3,
    "GPT 175B": 175.0,
    "GPT 530B": 530.0,
    "phi-1.5": 1.42,
}


@pytest.mark.parametrize(("name", "billions"), PUBLISHED_BILLIONS.items())
def test_the_shape_counts_up_to_the_published_size(name: str, billions: float) -> None:
    model = NAMES.model(name)
    assert model is not None
    assert model.text_params / 1e9 == pytest.approx(billions, rel=0.005)
    assert model.sources


@pytest.mark.parametrize(
    ("text", "memory_gb", "tflops"),
    [
        ("A100 SXM 40GB", 40, 312),
        ("A100 40GB", 40, 312),
        ("RTX 3090 24GB", 24, 71),
        ("RTX A5000 24GB", 24, 111),
    ],
)
def test_cards_that_are_not_sold_are_known_by_peoples_names(text: str, memory_gb: int, tflops: float) -> None:
    card = NAMES.gpu(text)
    assert card is not None
    assert card.vram_bytes / 2**30 == pytest.approx(memory_gb, rel=0.05)
    assert card.bf16_flop_per_s / 1e12 == pytest.approx(tflops, rel=0.01)


def test_the_catalogue_comes_first_and_nobody_else_is_invented() -> None:
    h100 = NAMES.gpu("H100 SXM 80GB")
    assert h100 is not None and h100.id == "h100-sxm"
    assert NAMES.gpu("Quadro 4000") is None
    assert NAMES.model("a model nobody knows") is None


@pytest.mark.parametrize("table", ["models.csv", "gpus.csv"])
def test_every_fact_has_a_source(table: str) -> None:
    with (FOLDER / table).open(encoding="utf-8", newline="") as lines:
        assert all(row["source"] for row in csv.DictReader(lines))

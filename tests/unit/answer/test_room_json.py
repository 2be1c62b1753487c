"""``predict`` says how much room there is, and what would make a load fit that does not."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from kentino_configurator.answer.prediction_json import prediction_object
from kentino_configurator.answer.report import prediction_lines
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.texts.catalogue import load_texts
from kentino_configurator.wizard.layout_reading import read_layout

LAYOUT = {
    "model": "llama-3.3-70b",
    "gpu": "rtx-pro-6000",
    "gpus_per_node": 4,
    "tp": 2,
    "weights_precision": "fp8",
    "input_tokens": 16_000,
    "output_tokens": 500,
    "concurrency": 30,
}

snapshot = cache(load_snapshot)


def predicted(language: str = "en", **changes: Any) -> dict[str, Any]:
    reading = read_layout(LAYOUT | changes, snapshot())
    return prediction_object(reading, snapshot(), load_texts(language))


def test_a_load_that_fits_misses_nothing_and_needs_no_change() -> None:
    room = predicted(concurrency=4)["room"]
    assert (room["missing_bytes"], room["missing"], room["changes"]) == (0.0, None, [])
    assert room["users_at_context"] >= 4
    assert room["longest_context_tokens"] >= 16_500


def test_a_load_that_does_not_fit_says_by_how_much_and_names_the_smallest_change_first() -> None:
    result = predicted()
    room = result["room"]
    assert room["missing_bytes"] == pytest.approx(-result["memory_per_gpu"]["free"])
    assert room["changes"][0]["change"] == "kv_fp8"
    assert {change["change"] for change in room["changes"]} >= {"fewer_users", "more_gpus"}


def test_the_promised_number_of_users_fits() -> None:
    users = next(c for c in predicted()["room"]["changes"] if c["change"] == "fewer_users")["value"]
    assert predicted(concurrency=int(users))["fits"]
    assert not predicted(concurrency=int(users) + 1)["fits"]


def test_the_longest_context_stands_beside_the_memory() -> None:
    result = predicted()
    assert result["memory_per_gpu"]["longest_context_tokens"] == result["room"]["longest_context_tokens"] > 0


@pytest.mark.parametrize("language", ["en", "pt", "cs"])
def test_the_terminal_lists_the_changes_in_words(language: str) -> None:
    lines = prediction_lines(predicted(language))
    assert any("FP8" in line for line in lines if line.startswith("  - "))


def test_a_training_run_has_no_room_for_requests() -> None:
    training = {key: LAYOUT[key] for key in ("model", "gpu", "gpus_per_node")} | {"kind": "lora"}
    result = prediction_object(read_layout(training, snapshot()), snapshot(), load_texts("en"))
    assert result["room"] is None
    assert result["memory_per_gpu"]["longest_context_tokens"] is None
    assert prediction_lines(result)

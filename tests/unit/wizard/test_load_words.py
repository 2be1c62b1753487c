from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kentino_configurator.texts import load_texts
from kentino_configurator.wizard.known import Known
from kentino_configurator.wizard.load_words import load_sentences

Build = Callable[[dict[str, Any]], Known]


def words(known: Known) -> list[str]:
    english = load_texts("en")
    return [english.say(sentence).replace("\u00a0", " ") for sentence in load_sentences(known)]


def test_people_are_converted_before_the_eyes_of_the_customer(known: Build) -> None:
    found = words(known({"workloads": [{"load_basis": {"named_users": 200}}]}))
    assert found == [
        "200 people × 20 % active = 40. Each waits 22 s and thinks 120 s, "
        "so 6.2 requests run on average and at most 12 in 99 % of moments.",
        "Active share and think time are assumptions until you replace them with your own figures.",
    ]


def test_the_note_about_assumptions_goes_when_both_were_answered(known: Build) -> None:
    basis = {"named_users": 200, "active_share": 0.25, "think_time_s": 60}
    assert len(words(known({"workloads": [{"load_basis": basis}]}))) == 1


def test_a_rate_is_converted_to_tokens(known: Build) -> None:
    found = words(known({"workloads": [{"requests_per_s": 20, "output_tokens": 400}]}))
    assert found == ["20 requests/s × 400 tokens = 8,000 tokens/s of written text at the peak."]


@pytest.mark.parametrize(
    "workload", [{"concurrent_requests": 8}, {"kind": "lora"}, {"hints": {"load": "rate"}}]
)
def test_a_load_without_conversion_has_no_sentence(workload: dict[str, Any], known: Build) -> None:
    assert words(known({"workloads": [workload]})) == []

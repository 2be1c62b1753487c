"""The article's own cases and plain arithmetic: requests with what must hold of the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kentino_configurator.answer.result_json import result_object
from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answers import Answers
from kentino_configurator.texts.catalogue import load_texts
from tests.golden.expectations import shortfalls

CASES = json.loads((Path(__file__).parents[1] / "data" / "golden_cases.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def service() -> Service:
    return Service(load_snapshot())


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
def test_the_case_holds(case: dict[str, Any], service: Service) -> None:
    evaluation = service.evaluate(Answers(case["request"]), lenient=False)
    assert evaluation.answer is not None, evaluation.problems
    result = result_object(evaluation.answer, load_texts("en"))
    assert shortfalls(case["expect"], result) == []
    assert len(result["trace"]) == 5

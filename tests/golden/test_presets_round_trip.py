"""Every preset goes from file to verdict to PDF, and its saved project opens again with the same answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from kentino_configurator.answer.result_json import result_object
from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answers import Answers
from kentino_configurator.export.pdf.render import render_proposal
from kentino_configurator.project.document import new_project, with_answers
from kentino_configurator.project.store import load_project, save_project
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.texts.catalogue import load_texts
from kentino_configurator.wizard.presets import load_preset, presets

EXPECTED = {preset.name: preset.expected_verdicts for preset in presets()}


@pytest.fixture(scope="module")
def service() -> Service:
    return Service(load_snapshot())


def result_of(answers: Answers, service: Service) -> dict[str, object]:
    answer = service.evaluate(answers, lenient=False).answer
    assert answer is not None
    return result_object(answer, load_texts("en"))


def test_that_there_are_fourteen_presets() -> None:
    assert len(EXPECTED) == 14


@pytest.mark.parametrize("name", EXPECTED)
def test_that_a_preset_becomes_the_expected_verdict_and_a_pdf_and_opens_again(
    name: str, service: Service, tmp_path: Path
) -> None:
    answers = load_preset(name)
    first = result_of(answers, service)
    assert first["verdict"] in EXPECTED[name]

    answer = service.evaluate(answers).answer
    assert answer is not None
    document = render_proposal(build_proposal(answer, service.snapshot), answer.request.customer.language)
    assert document.startswith(b"%PDF")

    file = tmp_path / f"{name}.kentino"
    save_project(with_answers(new_project(), answers), file)
    again = result_of(load_project(file).project.active_answers, service)
    assert again == first

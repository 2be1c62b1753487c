"""Every shipped example from file to PDF."""

from __future__ import annotations

from datetime import date
from itertools import cycle

import pypdfium2
import pytest

from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.decision import Verdict
from kentino_configurator.export.pdf.render import render_proposal
from kentino_configurator.paths import resource_dir
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.proposal.terms import DocumentTerms
from kentino_configurator.texts import LOCALES
from kentino_configurator.wizard.presets import load_preset

NAMES = sorted(path.stem for path in (resource_dir() / "presets").glob("*.json") if path.stem[0] != "_")
TERMS = DocumentTerms(issued=date(2026, 12, 1))


@pytest.fixture(scope="module")
def service() -> Service:
    return Service(load_snapshot())


@pytest.mark.parametrize(("name", "language"), list(zip(NAMES, cycle(LOCALES), strict=False)))
def test_an_example_becomes_a_document_without_gaps(service: Service, name: str, language: str) -> None:
    answer = service.evaluate(load_preset(name)).answer
    assert answer is not None
    proposal = build_proposal(answer, service.snapshot, terms=TERMS)
    document = pypdfium2.PdfDocument(render_proposal(proposal, language))
    pages = [page.get_textpage().get_text_bounded() for page in document]
    document.close()
    ours = answer.decision.verdict not in (Verdict.REFER_SXM, Verdict.NO_ANSWER)
    assert len(pages) >= (6 if ours else 4)
    assert not [page for page in pages if "{" in page or "\u25a1" in page]

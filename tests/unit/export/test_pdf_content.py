"""Every sentence of the document is on its pages: nothing clipped, dropped or replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from io import BytesIO

import pikepdf
import pikepdf.pdfa
import pypdfium2
import pytest

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Verdict
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Listing, Message
from kentino_configurator.core.topology import TopologyGraph
from kentino_configurator.export.pdf.render import render_proposal, render_summary
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.blocks import Curve, KeyFigure
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.proposal.document import Audience, Proposal, Section
from kentino_configurator.texts import LOCALES, load_texts
from kentino_configurator.topology.graph import build_graph
from tests.unit.proposal.sample import TERMS, answer, bill, lines, snapshot
from tests.unit.proposal.test_summary_and_tender import tender

EVERY = [
    pytest.param(verdict, language, marks=() if (number + place) % 3 == 1 else (pytest.mark.slow,))
    for number, verdict in enumerate(Verdict)
    for place, language in enumerate(LOCALES)
]
LONG_NAME = "An exceedingly long designation of a part, eighty characters without any reason"


def squeezed(text: str) -> str:
    return re.sub(r"[\s\ufffe]+", "", text)


def text_of(data: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(data)
    try:
        return [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()


def pages_of_sections(data: bytes, proposal: Proposal) -> dict[str, int]:
    document = pypdfium2.PdfDocument(data)
    try:
        numbers = [item.get_dest().get_index() + 1 for item in document.get_toc()]
    finally:
        document.close()
    return dict(zip((section.id for section in proposal.sections), numbers, strict=True))


def sentences(value: object) -> Iterator[Arg]:
    """Sentences and names of a section; figures are printed in parts, drawings as drawings."""
    if isinstance(value, StrEnum):
        return
    if isinstance(value, Message | Listing | str):
        yield value
    elif isinstance(value, tuple):
        for inner in value:
            yield from sentences(inner)
    elif isinstance(value, KeyFigure):
        yield from sentences((value.label, value.lines))
    elif is_dataclass(value) and not isinstance(value, TopologyGraph | Curve | Estimate):
        for field in fields(value):
            yield from sentences(getattr(value, field.name))


def missing(data: bytes, proposal: Proposal, language: str) -> list[str]:
    words = Words(texts=load_texts(language).for_document(), pages=pages_of_sections(data, proposal))
    printed = squeezed("".join(text_of(data)))
    wanted = (words.plain(s) for section in proposal.sections for s in sentences(shown(section)))
    return [text for text in wanted if squeezed(text) not in printed]


def shown(section: Section) -> object:
    """A page of its own starts with its blocks; its title is in the outline."""
    return section.blocks if section.own_page else (section.title, section.lead, section.blocks)


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_every_sentence_of_the_document_is_printed(verdict: Verdict, language: str) -> None:
    proposal = build_proposal(answer(verdict), snapshot(), terms=TERMS)
    assert missing(render_proposal(proposal, language), proposal, language) == []


@pytest.mark.parametrize("language", LOCALES)
def test_the_compliance_table_and_the_internal_part_are_printed_too(language: str) -> None:
    proposal = build_proposal(
        tender(), snapshot(), terms=TERMS, audience=Audience.INTERNAL, internal_notes="pays <late>"
    )
    data = render_proposal(proposal, language)
    assert missing(data, proposal, language) == []
    tag = load_texts(language).say("doc.tag.internal")
    assert all(squeezed(tag) in squeezed(page) for page in text_of(data))


@pytest.mark.parametrize(("verdict", "language"), list(zip(Verdict, [*LOCALES, *LOCALES], strict=True)))
def test_a_summary_is_one_page_of_pdf_a(verdict: Verdict, language: str) -> None:
    data = render_summary(answer(verdict), snapshot(), language, TERMS)
    assert len(text_of(data)) == 1
    assert pikepdf.pdfa.validate_written(BytesIO(data), "3b").passed


def large() -> Answer:
    """64 nodes and 500 lines, a third of them with names of 80 characters."""
    plain = answer(Verdict.MULTI_NODE)
    assert plain.decision.configuration is not None
    configuration = replace(plain.decision.configuration, nodes=64)
    parts = tuple(
        replace(lines()[i % 5], line=i + 1, description=f"Part {i + 1}, {LONG_NAME if i % 3 else 'short'}")
        for i in range(500)
    )
    return replace(
        plain,
        decision=replace(plain.decision, configuration=configuration),
        topology=build_graph(configuration, snapshot()),
        bom=bill(parts),
    )


@pytest.mark.slow
def test_a_project_of_64_nodes_and_500_lines_loses_nothing() -> None:
    proposal = build_proposal(large(), snapshot(), terms=TERMS)
    data = render_proposal(proposal, "cs")
    assert missing(data, proposal, "cs") == []
    assert all(len(page) > 150 for page in text_of(data))
    assert pikepdf.pdfa.validate_written(BytesIO(data), "3b").passed

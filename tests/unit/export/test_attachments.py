"""The files inside the PDF: read back by other programs, and a project that opens again."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import date
from io import BytesIO, StringIO
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pikepdf
import pikepdf.pdfa
import pytest

from kentino_configurator.core.answers import Answers
from kentino_configurator.core.decision import Verdict
from kentino_configurator.export.attachments import attachments_of
from kentino_configurator.export.pdf.render import render_proposal
from kentino_configurator.export.svg import topology_svg
from kentino_configurator.project.document import Project, project_of_request, with_copy_of_variant
from kentino_configurator.project.from_pdf import project_from_pdf
from kentino_configurator.project.store import ProjectError
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.proposal.document import Audience
from kentino_configurator.texts import LOCALES
from tests.unit.proposal.sample import ISSUED, TERMS, answer, snapshot

SECRET = "we pay 61234 for it"


def project() -> Project:
    answers = Answers({"customer": {"name": "Žluťoučký kůň, Évora"}, "workloads": [{"ttft_s": None}]})
    made = with_copy_of_variant(project_of_request(answers, "Test", ISSUED))
    return replace(made, internal_notes=SECRET)


def pdf_of(
    verdict: Verdict = Verdict.SINGLE_NODE, language: str = "en", audience: Audience = Audience.CUSTOMER
) -> bytes:
    given = answer(verdict)
    document = build_proposal(given, snapshot(), terms=TERMS)
    return render_proposal(document, language, attachments_of(given, project(), language, audience))


def files_of(data: bytes) -> dict[str, bytes]:
    with pikepdf.open(BytesIO(data)) as pdf:
        return {name: pdf.attachments[name].get_file().read_bytes() for name in pdf.attachments}


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return pdf_of()


def test_the_files_have_a_kind_a_description_and_a_relationship(pdf: bytes) -> None:
    with pikepdf.open(BytesIO(pdf)) as document:
        found = {str(spec.UF): (str(spec.AFRelationship), str(spec.Desc)) for spec in document.Root.AF}
        kinds = {name: document.attachments[name].get_file().mime_type for name in document.attachments}
    assert {name: relation for name, (relation, _) in found.items()} == {
        "project.kentino": "/Source",
        "bom.csv": "/Data",
        "bom.xlsx": "/Data",
        "result.json": "/Data",
        "topology.svg": "/Data",
    }
    assert all(description for _, description in found.values())
    assert kinds["topology.svg"] == "image/svg+xml"


def test_with_files_it_still_is_pdf_a_3b(pdf: bytes) -> None:
    report = pikepdf.pdfa.validate_written(BytesIO(pdf), "3b")
    assert [str(finding) for finding in report.findings] == []


def test_the_same_document_with_files_gives_the_same_bytes(pdf: bytes) -> None:
    assert pdf_of() == pdf


def test_workbook_csv_and_json_hold_the_total_of_page_1(pdf: bytes) -> None:
    files, bom = files_of(pdf), answer().bom
    assert bom is not None
    book = openpyxl.load_workbook(BytesIO(files["bom.xlsx"]), data_only=True)
    rows = list(csv.reader(StringIO(files["bom.csv"].decode("utf-8-sig")), delimiter=";"))
    assert float(bom.net.amount) in [row[8] for row in book.worksheets[0].iter_rows(values_only=True)]
    assert sum(round(float(row[8]) * 100) for row in rows[1:] if row[8]) == bom.net.cents
    assert json.loads(files["result.json"])["bom"]["net_cents"] == bom.net.cents


def test_a_referral_carries_no_bill_and_no_drawing() -> None:
    assert set(files_of(pdf_of(Verdict.REFER_SXM))) == {"project.kentino", "result.json"}


def test_opening_the_pdf_restores_the_variant_shown(pdf: bytes, tmp_path: Path) -> None:
    path = tmp_path / "offer.pdf"
    path.write_bytes(pdf)
    restored = project_from_pdf(path)
    assert restored.active_answers == project().active_answers
    assert restored.title == "Test"
    assert len(restored.variants) == 1


def test_nothing_internal_is_in_any_stream_of_a_customers_file(pdf: bytes) -> None:
    with pikepdf.open(BytesIO(pdf)) as document:
        streams = [s.read_bytes() for s in document.objects if isinstance(s, pikepdf.Stream)]
    assert len(streams) > 10
    assert not [stream for stream in streams if SECRET.encode() in stream]


def test_the_internal_copy_keeps_notes_and_variants(tmp_path: Path) -> None:
    path = tmp_path / "internal.pdf"
    path.write_bytes(pdf_of(audience=Audience.INTERNAL))
    restored = project_from_pdf(path)
    assert restored.internal_notes == SECRET
    assert len(restored.variants) == 2


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"no pdf", "no readable PDF"), (None, "cannot be read")],
)
def test_what_is_no_document_of_ours_is_refused_in_one_sentence(
    tmp_path: Path, content: bytes | None, what: str
) -> None:
    path = tmp_path / "x.pdf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProjectError, match=what) as problem:
        project_from_pdf(path)
    assert str(path) in str(problem.value)


@pytest.mark.parametrize(
    ("inside", "what"),
    [
        (None, "holds no project"),
        (b"{", "no valid JSON"),
        (b"[]", "is damaged"),
        (b'{"schema_version": 99, "variants": []}', "newer version"),
        (b'{"schema_version": 1, "variants": []}', '"variants"'),
    ],
)
def test_a_pdf_with_a_wrong_project_inside_is_refused(
    tmp_path: Path, inside: bytes | None, what: str
) -> None:
    path = tmp_path / "x.pdf"
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        if inside is not None:
            pdf.attachments["project.kentino"] = inside
        pdf.save(path)
    with pytest.raises(ProjectError, match=what):
        project_from_pdf(path)


def test_the_same_request_and_day_make_the_same_project() -> None:
    one, two, other = (project_of_request(Answers({"a": n}), "t", date(2026, 12, 1)) for n in (1, 1, 2))
    assert one == two
    assert one.id != other.id


@pytest.mark.parametrize("language", LOCALES)
def test_the_drawing_is_well_formed_and_says_what_it_shows(language: str) -> None:
    graph = answer().topology
    assert graph is not None
    root = ElementTree.fromstring(topology_svg(graph, language))
    name = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in root.iter(f"{name}text")]
    assert len([text for text in texts if text and "GPU" in text]) >= 8
    assert graph.platform in (root.findtext(f"{name}title") or "")
    assert "GPU" in (root.findtext(f"{name}desc") or "")


def test_a_strange_name_cannot_break_out_of_the_drawing() -> None:
    graph = answer().topology
    assert graph is not None
    hostile = replace(graph, platform='</title><script>"&\x01')
    root = ElementTree.fromstring(topology_svg(hostile, "en"))
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))

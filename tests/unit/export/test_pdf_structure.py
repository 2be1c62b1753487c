"""The archive form of the document: PDF/A-3b, and a structure tree that a screen reader can follow."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pikepdf
import pikepdf.pdfa
import pytest

from kentino_configurator.core.decision import Verdict
from kentino_configurator.export.pdf.render import render_proposal
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.texts import LOCALES
from tests.unit.proposal.sample import TERMS, answer, snapshot

EVERY = [
    pytest.param(verdict, language, marks=() if (number + place) % 3 == 0 else (pytest.mark.slow,))
    for number, verdict in enumerate(Verdict)
    for place, language in enumerate(LOCALES)
]
PAINT = {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "Tj", "TJ", "'", '"', "sh", "Do"}


@pytest.fixture(scope="module")
def rendered() -> dict[tuple[Verdict, str], bytes]:
    return {}


@pytest.fixture
def data(rendered: dict[tuple[Verdict, str], bytes], verdict: Verdict, language: str) -> bytes:
    """Each document is printed once for all tests."""
    if (verdict, language) not in rendered:
        proposal = build_proposal(answer(verdict), snapshot(), terms=TERMS)
        rendered[verdict, language] = render_proposal(proposal, language)
    return rendered[verdict, language]


@pytest.fixture
def document(data: bytes) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(BytesIO(data)) as pdf:
        yield pdf


def kids(element: pikepdf.Object) -> list[pikepdf.Object]:
    return list(element.K) if "/K" in element else []


def elements(element: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """An element and everything below it, in reading order."""
    yield element
    for kid in kids(element):
        if kid.get("/Type") == "/StructElem":
            yield from elements(kid)


def all_elements(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    return list(elements(pdf.Root.StructTreeRoot.K[0]))


def of_kind(pdf: pikepdf.Pdf, kind: str) -> list[pikepdf.Object]:
    return [element for element in all_elements(pdf) if kind == element.S]


def attribute(cell: pikepdf.Object, name: str) -> object:
    return cell.A.get(name) if "/A" in cell else None


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_the_document_is_pdf_a_3b(data: bytes) -> None:
    report = pikepdf.pdfa.validate_written(BytesIO(data), "3b")
    assert [str(finding) for finding in report.findings] == []
    assert report.passed


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_everything_painted_is_content_or_decoration(document: pikepdf.Pdf) -> None:
    for page in document.pages:
        depth, stray = 0, []
        for instruction in pikepdf.parse_content_stream(page):
            operator = str(instruction.operator)
            depth += (operator in ("BDC", "BMC")) - (operator == "EMC")
            assert depth in (0, 1)
            if not depth and operator in PAINT:
                stray.append(instruction)
        assert (stray, depth) == ([], 0)


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_every_marked_content_has_exactly_one_place_in_the_tree(document: pikepdf.Pdf) -> None:
    places = {page.obj.objgen: number for number, page in enumerate(document.pages)}
    in_tree = [
        (places[kid.Pg.objgen], int(kid.MCID))
        for element in all_elements(document)
        for kid in kids(element)
        if kid.get("/Type") == "/MCR"
    ]
    painted = [
        (number, int(instruction.operands[1]["/MCID"]))
        for number, page in enumerate(document.pages)
        for instruction in pikepdf.parse_content_stream(page)
        if str(instruction.operator) == "BDC" and "/MCID" in instruction.operands[1]
    ]
    assert len(in_tree) == len(set(in_tree))
    assert sorted(in_tree) == sorted(painted)


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_the_way_back_from_the_page_leads_to_the_same_element(document: pikepdf.Pdf) -> None:
    numbers = document.Root.StructTreeRoot.ParentTree.Nums
    parents = dict(zip(map(int, numbers[::2]), numbers[1::2], strict=True))
    for element in all_elements(document):
        for kid in kids(element):
            if kid.get("/Type") == "/MCR":
                assert parents[int(kid.Pg.StructParents)][int(kid.MCID)].objgen == element.objgen
            elif kid.get("/Type") == "/OBJR":
                assert parents[int(kid.Obj.StructParent)].objgen == element.objgen


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_every_section_begins_with_the_only_heading_of_its_rank(document: pikepdf.Pdf) -> None:
    sections = kids(document.Root.StructTreeRoot.K[0])
    assert {str(section.S) for section in sections} == {"/Sect"}
    assert len(sections) == len(list(document.open_outline().root))
    for section in sections:
        headings = [str(e.S) for e in elements(section) if e.S in ("/H1", "/H2")]
        assert headings[0] == "/H1"
        assert headings.count("/H1") == 1


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_every_row_of_a_table_has_as_many_cells_as_the_others_and_a_header(document: pikepdf.Pdf) -> None:
    for table in of_kind(document, "/Table"):
        rows = kids(table)
        assert {str(row.S) for row in rows} == {"/TR"}
        assert len({sum(int(attribute(c, "/ColSpan") or 1) for c in kids(row)) for row in rows}) == 1
        cells = [cell for row in rows for cell in kids(row)]
        assert {str(cell.S) for cell in cells} <= {"/TH", "/TD"}
        assert all(attribute(cell, "/Scope") in ("/Row", "/Column") for cell in cells if cell.S == "/TH")
        assert any(cell.S == "/TH" for cell in cells)


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_lists_hold_items_and_items_hold_a_body(document: pikepdf.Pdf) -> None:
    for whole in of_kind(document, "/L"):
        assert {str(item.S) for item in kids(whole)} == {"/LI"}
        for item in kids(whole):
            assert "/LBody" in {str(part.S) for part in kids(item)} <= {"/Lbl", "/LBody"}


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_every_figure_has_words_and_every_link_its_target(document: pikepdf.Pdf) -> None:
    for figure in of_kind(document, "/Figure"):
        assert str(figure.Alt)
    links = of_kind(document, "/Link")
    assert len(links) == sum(len(page.obj.get("/Annots", [])) for page in document.pages)
    assert all("/Dest" in kid.Obj for link in links for kid in kids(link))


@pytest.mark.parametrize(("verdict", "language"), EVERY)
def test_language_title_and_metadata_agree(document: pikepdf.Pdf, language: str) -> None:
    tag = LOCALES[language].replace("_", "-")
    assert str(document.Root.Lang) == tag
    assert document.Root.ViewerPreferences.DisplayDocTitle
    with document.open_metadata() as metadata:
        assert metadata["dc:title"] == str(document.docinfo["/Title"])
        assert tag in str(metadata["dc:language"])


@pytest.mark.parametrize(("verdict", "language"), [(Verdict.SINGLE_NODE, "en")])
def test_a_repeated_head_is_read_once(document: pikepdf.Pdf) -> None:
    for table in of_kind(document, "/Table"):
        heads = [row for row in kids(table) if all(attribute(c, "/Scope") == "/Column" for c in kids(row))]
        assert len(heads) <= 1

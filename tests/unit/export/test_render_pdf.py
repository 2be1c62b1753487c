"""The PDF read back: texts, fonts, pages, and names that try to break it."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pikepdf
import pypdfium2
import pytest

from kentino_configurator.core.decision import Verdict
from kentino_configurator.export.pdf.render import render_proposal
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.texts import LOCALES, load_texts
from tests.unit.proposal.sample import TERMS, answer, answer_named, bill, lines, snapshot

LONGEST_WORDS = "Ultra" * 16
NASTY = (
    "<b>bold",
    "a & b < c",
    "=cmd()",
    "</para>",
    "{placeholder}",
    "tab\tand\nline",
    LONGEST_WORDS,
    "x" * 300,
)


def pdf_of(verdict: Verdict, language: str = "en") -> bytes:
    return render_proposal(build_proposal(answer(verdict), snapshot(), terms=TERMS), language)


def pages_of(data: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(data)
    try:
        return [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()


def flat(text: str) -> str:
    """Words without line breaks and hyphenation marks of the reader."""
    return re.sub(r"\s+", " ", text.replace("\ufffe", ""))


def without_spaces(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module")
def rendered() -> dict[tuple[Verdict, str], bytes]:
    return {(verdict, language): pdf_of(verdict, language) for verdict in Verdict for language in LOCALES}


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("verdict", Verdict)
def test_no_placeholder_and_no_text_id_is_left(
    rendered: dict[tuple[Verdict, str], bytes], verdict: Verdict, language: str
) -> None:
    text = "\n".join(pages_of(rendered[verdict, language]))
    assert "{" not in text
    assert not re.search(r"\[(doc|p|a|v|late)\.", text)
    assert "late." not in text


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("verdict", Verdict)
def test_only_the_bundled_fonts_are_used(
    rendered: dict[tuple[Verdict, str], bytes], verdict: Verdict, language: str
) -> None:
    with pikepdf.open(BytesIO(rendered[verdict, language])) as pdf:
        fonts = {
            str(entry.BaseFont)
            for entry in pdf.objects
            if isinstance(entry, pikepdf.Dictionary) and "/BaseFont" in entry
        }
    assert fonts
    assert {name.split("+")[-1].split("-")[0] for name in fonts} == {"KentinoInter"}
    assert all("+" in name for name in fonts)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize(
    "verdict", [Verdict.SINGLE_NODE, Verdict.SINGLE_NODE_INT4, Verdict.REPLICAS, Verdict.MULTI_NODE]
)
def test_an_offer_has_at_least_six_pages_and_page_1_stands_alone(
    rendered: dict[tuple[Verdict, str], bytes], verdict: Verdict, language: str
) -> None:
    pages = pages_of(rendered[verdict, language])
    texts = load_texts(language)
    assert len(pages) >= 6
    for text_id in ("doc.reasons", "doc.risks", "doc.price_and_delivery", "doc.decided_by"):
        assert texts.say(text_id) in flat(pages[0])


@pytest.mark.parametrize("verdict", Verdict)
def test_every_page_has_words_and_its_number(
    rendered: dict[tuple[Verdict, str], bytes], verdict: Verdict
) -> None:
    pages = pages_of(rendered[verdict, "en"])
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page
        assert "catalogue 2026.11.3 of 28" in flat(page)
        assert len(page) > 150


def test_the_verdict_and_the_price_stand_on_page_1(rendered: dict[tuple[Verdict, str], bytes]) -> None:
    page = flat(pages_of(rendered[Verdict.SINGLE_NODE, "en"])[0])
    assert "Buy one server with 8 GPUs." in page
    assert "Do not buy 2 nodes for it." in page
    assert bill().net.amount == bill().list_net.amount
    assert f"{bill().net.amount:,.2f}" in page


def test_page_numbers_in_sentences_are_those_of_the_sections(
    rendered: dict[tuple[Verdict, str], bytes],
) -> None:
    pages = pages_of(rendered[Verdict.SINGLE_NODE, "en"])
    named = re.search(r"the tests on page (\d+) check it", flat(pages[0]))
    assert named is not None
    assert "Acceptance tests" in pages[int(named[1]) - 1]


def test_draft_and_budgetary_stand_on_every_page(rendered: dict[tuple[Verdict, str], bytes]) -> None:
    for page in pages_of(rendered[Verdict.SINGLE_NODE, "en"]):
        assert "Draft" in page
        assert "budgetary – confirm with Kentino" in page


def test_a_referral_names_no_price(rendered: dict[tuple[Verdict, str], bytes]) -> None:
    text = flat(" ".join(pages_of(rendered[Verdict.REFER_SXM, "en"])[:1]))
    assert "Not offered by Kentino." in text
    assert "€" not in text


def test_the_same_document_gives_the_same_bytes() -> None:
    assert pdf_of(Verdict.REPLICAS, "cs") == pdf_of(Verdict.REPLICAS, "cs")


def test_title_author_and_outline_are_set(rendered: dict[tuple[Verdict, str], bytes]) -> None:
    document = pypdfium2.PdfDocument(rendered[Verdict.SINGLE_NODE, "pt"])
    meta = document.get_metadata_dict()
    outline = [item.get_title() for item in document.get_toc()]
    document.close()
    assert meta["Title"].startswith("Proposta")
    assert "Example Lab" in meta["Title"]
    assert meta["Author"] == "Kentino"
    assert meta["CreationDate"].startswith("D:20261201")
    assert len(outline) == 13


@pytest.mark.parametrize("name", NASTY)
def test_a_strange_name_is_printed_as_it_is(name: str) -> None:
    data = render_proposal(build_proposal(answer_named(name), snapshot(), terms=TERMS), "en")
    text = without_spaces(" ".join(pages_of(data)).replace("\ufffe", ""))
    assert without_spaces(name) in text


def test_a_greek_name_is_printed_and_a_chinese_one_is_replaced_and_reported() -> None:
    data = render_proposal(build_proposal(answer_named("Αθήνα 配置"), snapshot(), terms=TERMS), "en")
    text = flat(" ".join(pages_of(data)))
    assert "Αθήνα □□" in text
    assert "U+7F6E, U+914D" in text


def test_a_bill_of_500_lines_repeats_its_head_and_loses_no_line() -> None:
    long = tuple(replace(lines()[i % 5], line=i + 1, description=f"Part number {i + 1}.") for i in range(500))
    plain = replace(answer(), bom=bill(long))
    pages = pages_of(render_proposal(build_proposal(plain, snapshot(), terms=TERMS), "en"))
    text = flat(" ".join(pages))
    assert all(f"Part number {number}." in text for number in range(1, 501))
    with_lines = [page for page in pages if "Part number" in page]
    assert all("Item, maker, part number" in flat(page) for page in with_lines)


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match="language"):
        pdf_of(Verdict.SINGLE_NODE, "xx")

"""The document as bytes of a PDF. The same document and language give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from typing import Any, Final

from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.archive import Attachment, archived
from kentino_configurator.export.pdf.fonts import register_fonts
from kentino_configurator.export.pdf.pages import Furniture
from kentino_configurator.export.pdf.story import SectionStart, story
from kentino_configurator.export.pdf.structure import Element, Tag, TaggedCanvas
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.document import Proposal
from kentino_configurator.proposal.summary import build_summary
from kentino_configurator.proposal.terms import DocumentTerms
from kentino_configurator.texts import LOCALES, Texts, load_texts

_MOST_PASSES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where everything came to stand in one pass."""

    pages: int
    section_pages: Mapping[str, int]
    missing: frozenset[str]
    data: bytes
    structure: Element


def render_proposal(proposal: Proposal, language: str, attachments: Sequence[Attachment] = ()) -> bytes:
    """The PDF/A-3b in ``en``, ``pt`` or ``cs`` with files inside; another language raises ``ValueError``."""
    register_fonts()
    found = _settled(proposal, load_texts(language).for_document())
    return archived(found.data, found.structure, _tag(language), proposal.terms.issued, attachments)


def render_summary(
    answer: Answer, snapshot: CatalogSnapshot, language: str, terms: DocumentTerms | None = None
) -> bytes:
    """The one-page summary as PDF/A-3b; without terms dated today. Another language raises ``ValueError``."""
    return render_proposal(build_summary(answer, snapshot, terms=terms), language)


def _settled(proposal: Proposal, texts: Texts) -> Layout:
    """Page numbers inside sentences and "page x of y" need the finished layout: it is repeated until they hold."""
    known = Layout(pages=0, section_pages={}, missing=frozenset(), data=b"", structure=Element(Tag.DOCUMENT))
    for _ in range(_MOST_PASSES):
        found = _lay_out(proposal, texts, known)
        if (found.pages, found.section_pages, found.missing) == (
            known.pages,
            known.section_pages,
            known.missing,
        ):
            return found
        known = found
    return known


def _lay_out(proposal: Proposal, texts: Texts, known: Layout) -> Layout:
    words = Words(texts=texts, pages=known.section_pages, missing=set(known.missing))
    buffer = BytesIO()
    document = _Document(buffer, proposal, words, known.pages)
    canvases = _Canvases(proposal.terms.issued)
    document.build(story(proposal, words), canvasmaker=canvases)
    return Layout(
        pages=document.page,
        section_pages=dict(document.section_pages),
        missing=frozenset(words.missing),
        data=buffer.getvalue(),
        structure=canvases.structure,
    )


class _Canvases:
    """Makes the canvas of one pass, whose file says the day of issue instead of the moment of writing."""

    def __init__(self, issued: date) -> None:
        self._issued = issued
        self.structure = Element(Tag.DOCUMENT)

    def __call__(self, *args: Any, **options: Any) -> TaggedCanvas:
        canvas = TaggedCanvas(*args, **options)
        canvas._doc._timeStamp.YMDhms = (self._issued.year, self._issued.month, self._issued.day, 0, 0, 0)
        self.structure = canvas.structure
        return canvas


def _tag(language: str) -> str:
    """The language as documents name it: ``pt-PT``."""
    return LOCALES[language].replace("_", "-")


class _Document(BaseDocTemplate):  # type: ignore[misc]
    """Page frame, header and footer; remembers on which page each section begins."""

    def __init__(self, buffer: BytesIO, proposal: Proposal, words: Words, pages: int) -> None:
        super().__init__(
            buffer,
            pagesize=(theme.PAGE_WIDTH, theme.PAGE_HEIGHT),
            title=_title(proposal, words),
            author=words.plain(proposal.terms.author or proposal.terms.seller.legal_name or "Kentino"),
            subject=words.plain(proposal.project),
            creator="Kentino configurator",
            lang=_tag(words.texts.language),
            displayDocTitle=True,
            initialFontName=theme.REGULAR,
            invariant=1,
            pageCompression=1,
        )
        self.section_pages: dict[str, int] = {}
        self._furniture = Furniture(proposal=proposal, words=words, pages=pages)
        self._section = ""
        self._section_of_page = ""
        frame = Frame(
            theme.MARGIN,
            theme.FRAME_BOTTOM,
            theme.CONTENT_WIDTH,
            theme.FRAME_TOP - theme.FRAME_BOTTOM,
            leftPadding=0,
            rightPadding=0,
            topPadding=0,
            bottomPadding=0,
            id="content",
        )
        self.addPageTemplates(PageTemplate(id="page", frames=[frame], onPageEnd=self._end_page))

    def afterFlowable(self, flowable: Flowable) -> None:
        """Notes where sections begin."""
        if isinstance(flowable, SectionStart):
            self.section_pages[flowable.section_id] = self.page
            self._section = flowable.short_name
            self._section_of_page = self._section_of_page or self._section

    def _end_page(self, canvas: TaggedCanvas, document: Any) -> None:
        shown = self._section_of_page or self._section
        self._furniture.draw(canvas, document.page, shown if document.page > 1 else "")
        self._section_of_page = ""


def _title(proposal: Proposal, words: Words) -> str:
    kind, number = words.plain(proposal.title), proposal.terms.number
    return " · ".join(part for part in (f"{kind} {number}".strip(), words.plain(proposal.project)) if part)

"""The document as bytes of a PDF. The same document and language give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from typing import Any, Final

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.fonts import register_fonts
from kentino_configurator.export.pdf.pages import Furniture
from kentino_configurator.export.pdf.story import SectionStart, story
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.document import Proposal
from kentino_configurator.texts import LOCALES, Texts, load_texts

_MOST_PASSES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where everything came to stand in one pass."""

    pages: int
    section_pages: Mapping[str, int]
    missing: frozenset[str]
    data: bytes


def render_proposal(proposal: Proposal, language: str) -> bytes:
    """The PDF in ``en``, ``pt`` or ``cs``; another language raises ``ValueError``.

    Page numbers inside sentences and "page x of y" need the finished layout: it is repeated until they hold.
    """
    register_fonts()
    texts = load_texts(language).for_document()
    known = Layout(pages=0, section_pages={}, missing=frozenset(), data=b"")
    for _ in range(_MOST_PASSES):
        found = _lay_out(proposal, texts, known)
        if (found.pages, found.section_pages, found.missing) == (
            known.pages,
            known.section_pages,
            known.missing,
        ):
            return found.data
        known = found
    return known.data


def _lay_out(proposal: Proposal, texts: Texts, known: Layout) -> Layout:
    words = Words(texts=texts, pages=known.section_pages, missing=set(known.missing))
    buffer = BytesIO()
    document = _Document(buffer, proposal, words, known.pages)
    document.build(story(proposal, words), canvasmaker=_canvas_dated(proposal.terms.issued))
    return Layout(
        pages=document.page,
        section_pages=dict(document.section_pages),
        missing=frozenset(words.missing),
        data=buffer.getvalue(),
    )


def _canvas_dated(issued: date) -> Callable[..., Canvas]:
    """A canvas whose file says the day of issue instead of the moment of writing."""

    def make(*args: Any, **options: Any) -> Canvas:
        canvas = Canvas(*args, **options)
        canvas._doc._timeStamp.YMDhms = (issued.year, issued.month, issued.day, 0, 0, 0)
        return canvas

    return make


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
            lang=LOCALES[words.texts.language].replace("_", "-"),
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

    def _end_page(self, canvas: Canvas, document: Any) -> None:
        shown = self._section_of_page or self._section
        self._furniture.draw(canvas, document.page, shown if document.page > 1 else "")
        self._section_of_page = ""


def _title(proposal: Proposal, words: Words) -> str:
    kind, number = words.plain(proposal.title), proposal.terms.number
    return " · ".join(part for part in (f"{kind} {number}".strip(), words.plain(proposal.project)) if part)

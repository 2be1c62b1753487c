"""The proposal: a preview of the very bytes that are saved, in the language of the document."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.texts import LOCALES, Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.views.base import ResultView, ViewContext
from kentino_configurator.ui.views.models.table import Cell, Column, Row
from kentino_configurator.ui.views.page import SIDE_PX, TOP_PX
from kentino_configurator.ui.views.parts.headings import block_title, column, line, view_title
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.pages_view import PagesView, Veil
from kentino_configurator.ui.views.parts.tag import Tag
from kentino_configurator.ui.views.proposal_pages import Document, Printing
from kentino_configurator.ui.views.saving import FileSaver, safe_name
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.icon_label import StateLine
from kentino_configurator.ui.widgets.label import Hairline, label
from kentino_configurator.ui.widgets.scroll import ScrollColumn
from kentino_configurator.ui.widgets.segmented import Option, Segmented

PANEL_PX = 368
NARROW_PANEL_PX = 312
_NARROW_BELOW_PX = 1080
_log = logging.getLogger(__name__)


class ProposalView(ResultView):
    """Left the pages, right what they are and what is open. Old pages stay, greyed, until the new ones are there."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._context = context
        self._wanted: tuple[Answer, Texts] | None = None
        self._language: str | None = None
        self._printing: Printing | None = None
        self._document: Document | None = None
        self._saver = FileSaver(self)
        self._saver.told.connect(self._tell)
        self.pages = PagesView()
        self._veil = Veil(self.pages)
        self._veil.cancelled.connect(self._cancel)
        self._panel = QWidget()
        self._panel_rows = QVBoxLayout(self._panel)
        self._content: QWidget = QWidget()
        self._told = StateLine()
        self._lay_out()
        context.session.evaluation_failed.connect(self._begin)

    def _lay_out(self) -> None:
        side, top = theme.px(SIDE_PX), theme.px(TOP_PX)
        self._panel_rows.setContentsMargins(theme.px(24), top, side, side)
        self._panel_rows.addWidget(self._content)
        self._panel_rows.addStretch(1)
        self._scroll = ScrollColumn(self._panel, self._panel_rows)
        self._scroll.setFixedWidth(theme.px(PANEL_PX))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.pages, 1)
        layout.addWidget(Hairline(vertical=True))
        layout.addWidget(self._scroll)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower panel in small windows."""
        narrow = event.size().width() < theme.px(_NARROW_BELOW_PX)
        self._scroll.setFixedWidth(theme.px(NARROW_PANEL_PX if narrow else PANEL_PX))

    @property
    def document(self) -> Document | None:
        """What is shown and would be saved."""
        return self._document

    @property
    def language(self) -> str:
        """The language of the document: the one chosen here, else the customer's."""
        customer = self._wanted[0].request.customer.language if self._wanted else "en"
        language = self._language or customer
        return language if language in LOCALES else "en"

    # ------------------------------------------------------------ making the document

    def show_answer(self, answer: Answer, texts: Texts) -> None:
        """Make the document of an answer, unless it is the one shown. An unfinished answer is waited for."""
        self._wanted = (answer, texts)
        self.pages.setAccessibleName(texts.say("view.proposal.pages"))
        self._fill_panel(texts)
        if self._is_current():
            self._stop()
            return
        self._veil.begin(texts.say("view.proposal.making"), texts.say("view.proposal.cancel"))
        if self._context.session.is_complete:
            self._begin()

    def choose_language(self, language: str) -> None:
        """Print in another language."""
        self._language = language
        self._again()

    def _again(self) -> None:
        if self._wanted is not None:
            self.show_answer(*self._wanted)

    def _is_current(self) -> bool:
        document, wanted = self._document, self._wanted
        if document is None or wanted is None:
            return False
        return document.answer is wanted[0] and document.language == self.language

    def _begin(self) -> None:
        if self._wanted is None or self._is_current():
            return
        if self._printing is not None:
            self._printing.drop()
        self._printing = Printing(
            self._wanted[0],
            self._context.snapshot,
            self.language,
            self._context.session.project,
            self._done,
            self._failed,
        )
        self._printing.end_with(self)

    def _stop(self) -> None:
        if self._printing is not None:
            self._printing.drop()
            self._printing = None
        self._veil.end()

    def _done(self, document: Document) -> None:
        self._printing = None
        self._document = document
        self.pages.show_bytes(document.data)
        self._veil.end()
        self._refill()

    def _failed(self, error: Exception) -> None:
        _log.error("the document could not be made", exc_info=error)
        self._stop()
        self._refill()
        if self._wanted is not None:
            self._tell(self._wanted[1].say("view.proposal.failed"), "block")

    def _cancel(self) -> None:
        self._stop()
        self._refill()

    # ------------------------------------------------------------ the panel

    def _refill(self) -> None:
        if self._wanted is not None:
            self._fill_panel(self._wanted[1])

    def _fill_panel(self, texts: Texts) -> None:
        old, self._content = self._content, column(*self._blocks(texts), spacing_px=20)
        self._panel_rows.replaceWidget(old, self._content)
        old.hide()
        old.setParent(None)
        old.deleteLater()

    def _blocks(self, texts: Texts) -> Iterator[QWidget]:
        yield view_title(texts.say("w.view.proposal"), texts.say("view.proposal.lead"))
        yield column(
            label(texts.say("view.proposal.language"), "label"), self._languages(texts), spacing_px=6
        )
        yield self._state(texts)
        yield self._buttons(texts)
        document = self._document
        if document is None:
            return
        if document.proposal.open_points:
            yield _open_points(document, texts)
        yield self._contents(texts)

    def _languages(self, texts: Texts) -> Segmented:
        options = tuple(Option(value=name, words=texts.say(f"language.{name}")) for name in LOCALES)
        choice = Segmented(options, self.language)
        choice.set_name(texts.say("view.proposal.language"))
        choice.chosen.connect(self.choose_language)
        return choice

    def _state(self, texts: Texts) -> QWidget:
        self._told = StateLine()
        self._told.hide()
        document = self._document
        if document is None:
            return column(label(texts.say("view.proposal.making"), "body", "ink2", wrap=True), self._told)
        proposal = document.proposal
        words = texts.say("view.proposal.kind", kind=texts.words(proposal.title), pages=self.pages.page_count)
        tag = texts.say("view.proposal.draft" if proposal.terms.draft else "view.proposal.final")
        head = line(Tag(tag, filled=not proposal.terms.draft), label(words, "label", wrap=True), stretch=1)
        return column(head, *self._stale(texts), self._told, spacing_px=8)

    def _stale(self, texts: Texts) -> Iterator[QWidget]:
        """Old pages that nobody is replacing: the making was stopped or failed."""
        if self._is_current() or self._printing is not None or not self._context.session.is_complete:
            return
        yield StateLine(texts.say("view.proposal.stale"), "warn")
        again = Button(texts.say("view.proposal.again"), ButtonKind.LINK)
        again.clicked.connect(self._again)
        yield again

    def _buttons(self, texts: Texts) -> QWidget:
        pdf = Button(texts.say("view.proposal.save"), ButtonKind.FILLED, icon="save")
        pdf.setEnabled(self._is_current())
        pdf.clicked.connect(lambda: self._save_pdf(texts))
        buttons = [pdf]
        bom = self._wanted[0].bom if self._wanted is not None else None
        if bom is not None:
            book = Button(texts.say("view.save.workbook"), icon="list")
            book.clicked.connect(lambda: self._save_workbook(bom, texts))
            buttons.append(book)
        return column(*buttons, spacing_px=8)

    def _contents(self, texts: Texts) -> QWidget:
        name = texts.say("view.proposal.contents")
        table = HouseTable(name, head=False)
        table.set_table(_CONTENTS, [_entry(title, page, texts) for title, page in self.pages.contents()])
        table.activated_key.connect(lambda page: self.pages.go_to(int(page)))
        return column(block_title(name), table, spacing_px=4)

    # ------------------------------------------------------------ saving

    def _save_pdf(self, texts: Texts) -> None:
        document = self._document
        if document is not None and self._is_current():
            name = f"{self._file_name(texts)}.pdf"
            self._saver.save(name, texts.say("view.proposal.kind_of_file"), lambda: document.data, texts)

    def _save_workbook(self, bom: BillOfMaterials, texts: Texts) -> None:
        from kentino_configurator.export.xlsx import bom_workbook

        language = self.language
        name = f"{self._file_name(texts)}.xlsx"
        kind = texts.say("view.save.workbook_kind")
        self._saver.save(name, kind, lambda: bom_workbook(bom, language), texts)

    def _file_name(self, texts: Texts) -> str:
        return safe_name(self._context.session.title, texts.say("w.view.proposal"))

    def _tell(self, told: str, role: str) -> None:
        self._told.show_state(told, role)
        self._told.show()


_CONTENTS = (Column(stretch=1, least_px=120), Column(right=True))


def _entry(title: str, page: int, texts: Texts) -> Row:
    """Number and title of a section and its page; the key is the page counted from 0."""
    return Row(
        key=str(page), cells=(Cell(words=title), Cell(words=texts.numbers.plain(page + 1), ink="ink2"))
    )


def _open_points(document: Document, texts: Texts) -> QWidget:
    points = document.proposal.open_points
    rows: list[QWidget] = [
        block_title(texts.say("view.proposal.open"), texts.numbers.plain(len(points))),
        label(texts.say("view.proposal.open_lead"), "small", "ink2", wrap=True),
    ]
    for point in points:
        rows += [Hairline(), label(texts.words(point), "small", "ink", wrap=True)]
    return column(*rows, spacing_px=6)

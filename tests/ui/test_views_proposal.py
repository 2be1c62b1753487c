"""The proposal view: the preview is the file, its language is its own, old pages stay until new ones are there."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Service
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.project.document import Project
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.views import proposal_pages
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.pages_view import PagesView, Veil
from kentino_configurator.ui.views.proposal import ProposalView
from kentino_configurator.ui.widgets.button import Button
from kentino_configurator.ui.widgets.label import label
from kentino_configurator.ui.widgets.scroll import ScrollColumn
from kentino_configurator.ui.widgets.segmented import Segmented
from kentino_configurator.ui.workers import wait_for_all
from tests.ui.views import VERDICTS, Stage, parts, settle


def shown(stage: Stage, preset: str, language: str = "en") -> ProposalView:
    view = stage.show("proposal", preset, language)
    assert isinstance(view, ProposalView)
    finish()
    return view


def finish() -> None:
    wait_for_all()
    settle()


def button(view: ProposalView, text_id: str, language: str = "en") -> Button:
    return next(b for b in parts(view, Button) if b.text() == load_texts(language).say(text_id))


@pytest.mark.parametrize(
    "name", ["single_node", "replicas", "multi_node", "refer_sxm", "no_answer", "training"]
)
def test_every_verdict_becomes_pages(stage: Stage, name: str) -> None:
    view = shown(stage, VERDICTS[name])
    assert view.document is not None
    assert view.pages.page_count == len(pypdfium2.PdfDocument(view.document.data)) > 1


def test_the_preview_is_the_file(stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "offer.pdf"), ""))
    view = shown(stage, VERDICTS["refer_sxm"])
    button(view, "view.proposal.save").click()
    finish()
    assert view.document is not None
    assert (tmp_path / "offer.pdf").read_bytes() == view.document.data


def test_nothing_is_written_when_the_choice_of_a_file_is_given_up(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    monkeypatch.chdir(tmp_path)
    view = shown(stage, VERDICTS["refer_sxm"])
    button(view, "view.proposal.save").click()
    finish()
    assert list(tmp_path.iterdir()) == []


def test_the_document_has_a_language_of_its_own(stage: Stage) -> None:
    view = shown(stage, VERDICTS["refer_sxm"], "en")
    parts(view, Segmented)[0].chosen.emit("cs")
    finish()
    assert view.document is not None
    assert view.document.language == "cs"
    assert button(view, "view.proposal.save", "en").isEnabled()
    stage.fill(view, VERDICTS["refer_sxm"], "pt")
    finish()
    assert view.document.language == "cs"


def test_the_customers_language_is_the_first_choice(stage: Stage) -> None:
    view = stage.view("proposal")
    assert isinstance(view, ProposalView)
    answer = stage.fill(view, VERDICTS["refer_sxm"])
    assert view.language == answer.request.customer.language


def test_old_pages_stay_but_cannot_be_saved_while_new_ones_are_made(stage: Stage) -> None:
    view = shown(stage, VERDICTS["refer_sxm"])
    pages = view.pages.page_count
    view.choose_language("pt")
    settle()
    assert view.pages.page_count == pages
    assert not button(view, "view.proposal.save").isEnabled()
    finish()
    assert button(view, "view.proposal.save").isEnabled()


def test_stopping_keeps_the_old_pages_and_offers_to_make_them_again(stage: Stage) -> None:
    view = shown(stage, VERDICTS["refer_sxm"])
    before = view.document
    view.choose_language("pt")
    parts_of_view = view.findChildren(Veil)
    parts_of_view[0].cancelled.emit()
    finish()
    assert view.document is before
    button(view, "view.proposal.again").click()
    finish()
    assert view.document is not None
    assert view.document.language == "pt"


def test_a_document_that_is_no_longer_wanted_is_not_even_begun(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    make = proposal_pages.make_document

    def counted(
        answer: Answer, snapshot: CatalogSnapshot, language: str, project: Project
    ) -> proposal_pages.Document:
        begun.append(language)
        return make(answer, snapshot, language, project)

    monkeypatch.setattr(proposal_pages, "make_document", counted)
    view = stage.view("proposal")
    assert isinstance(view, ProposalView)
    stage.fill(view, VERDICTS["refer_sxm"])
    for language in ("pt", "cs", "pt", "cs"):
        view.choose_language(language)
    finish()
    assert view.document is not None
    assert view.document.language == "cs"
    assert len(begun) < 5


def test_a_document_that_cannot_be_made_is_told_and_the_old_one_stays(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown(stage, VERDICTS["refer_sxm"])
    before = view.document

    def broken(*_: object) -> None:
        raise RuntimeError("no ink")

    monkeypatch.setattr(proposal_pages, "make_document", broken)
    view.choose_language("pt")
    finish()
    assert view.document is before
    assert not button(view, "view.proposal.save").isEnabled()
    assert button(view, "view.proposal.again").isVisible()


def test_the_open_points_of_a_draft_are_listed(stage: Stage) -> None:
    view = shown(stage, VERDICTS["single_node"])
    assert view.document is not None
    texts = load_texts("en")
    told = {shown_label.text() for shown_label in parts(view, type(label("")))}
    points = view.document.proposal.open_points
    assert points
    assert {texts.words(point) for point in points} <= told


def test_the_contents_name_every_section_in_order(stage: Stage) -> None:
    view = shown(stage, VERDICTS["single_node"])
    assert view.document is not None
    titles, pages = zip(*view.pages.contents(), strict=True)
    texts = load_texts(view.document.language)
    sections = [texts.words(section.title) for section in view.document.proposal.sections]
    assert [title.split(" ", 1)[1] for title in titles] == sections
    assert list(pages) == sorted(pages)


def test_a_section_in_the_contents_leads_to_its_page(qtbot: QtBot, stage: Stage) -> None:
    view = shown(stage, VERDICTS["single_node"])
    contents = parts(view, HouseTable)[0]
    row = next(i for i, entry in enumerate(contents.table.rows) if entry.key == "2")
    contents.selectRow(row)
    qtbot.keyClick(contents, Qt.Key.Key_Return)
    settle()
    assert view.pages.pageNavigator().currentPage() == 2


def test_a_view_that_goes_away_while_its_document_is_made_is_not_told(
    service: Service, snapshot: CatalogSnapshot
) -> None:
    stage = Stage(service)
    view = stage.show("proposal", VERDICTS["refer_sxm"])
    assert isinstance(view, ProposalView)
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    finish()
    assert not shiboken6.isValid(view)


@pytest.mark.parametrize("language", ["en", "pt", "cs", "pseudo"])
def test_nothing_in_the_panel_is_cut_in_the_smallest_window(stage: Stage, language: str) -> None:
    view = stage.show("proposal", VERDICTS["single_node"], language, (1036, 510))
    assert isinstance(view, ProposalView)
    finish()
    scroll = parts(view, ScrollColumn)[0]
    content = scroll.widget()
    assert content is not None
    right = scroll.viewport().width()
    wide = [w for w in parts(content, QWidget) if w.mapTo(content, w.rect().topRight()).x() > right]
    assert [w for w in wide if not isinstance(w.parentWidget(), QAbstractScrollArea)] == []


def test_new_pages_keep_the_place_in_the_document(stage: Stage) -> None:
    view = shown(stage, VERDICTS["single_node"])
    view.pages.go_to(3)
    settle()
    view.choose_language("cs")
    finish()
    assert view.pages.pageNavigator().currentPage() == 3


def test_the_veil_appears_only_when_it_takes_long(qtbot: QtBot) -> None:
    pages = PagesView("Pages")
    veil = Veil(pages)
    qtbot.addWidget(pages)
    pages.resize(400, 400)
    pages.show()
    veil.begin("being made", "Stop")
    assert not veil.isVisible()
    qtbot.waitUntil(veil.isVisible, timeout=2000)
    assert veil.geometry() == pages.rect()
    veil.end()
    assert not veil.isVisible()

"""What holds for every view and every verdict: it shows, everything in it is named, nothing is cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFontMetrics
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QScrollArea, QWidget

from kentino_configurator.answer.service import Service
from kentino_configurator.settings import Theme as Preference
from kentino_configurator.texts import load_texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.views import VIEWS, Badge
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.proposal import ProposalView
from kentino_configurator.ui.widgets.scroll import ScrollColumn
from kentino_configurator.ui.workers import wait_for_all
from tests.ui.views import VERDICTS, VIEW_IDS, Stage, answer_of, parts, settle

SMALLEST = (1036, 510)
RUNNING_VIEWS = [name for name in VIEW_IDS if name not in ("topology", "proposal")]


def test_the_rail_lists_the_views_in_their_order() -> None:
    assert VIEW_IDS == (
        "decision",
        "memory",
        "performance",
        "topology",
        "alternatives",
        "operations",
        "bom",
        "proposal",
    )


@pytest.mark.parametrize("preset", VERDICTS.values(), ids=VERDICTS)
@pytest.mark.parametrize("view_id", VIEW_IDS)
def test_every_view_shows_every_verdict_in_every_language(stage: Stage, view_id: str, preset: str) -> None:
    view = stage.view(view_id)
    for language in ("en", "pt", "cs"):
        stage.fill(view, preset, language)
        assert view.grab().height() == view.height()


@pytest.mark.parametrize("preset", VERDICTS.values(), ids=VERDICTS)
@pytest.mark.parametrize("view_id", VIEW_IDS)
def test_what_takes_the_keyboard_has_a_name(stage: Stage, view_id: str, preset: str) -> None:
    view = stage.show(view_id, preset)
    unnamed = [widget for widget in _focusable(view) if not _spoken(widget)]
    assert unnamed == []


def _focusable(view: QWidget) -> Iterator[QWidget]:
    for widget in parts(view, QWidget):
        takes_it = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if takes_it and widget.isEnabled():
            yield widget


def _spoken(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""


@pytest.mark.parametrize("language", ["en", "pt", "cs", "pseudo"])
@pytest.mark.parametrize("preset", VERDICTS.values(), ids=VERDICTS)
@pytest.mark.parametrize("view_id", RUNNING_VIEWS)
def test_nothing_is_cut_in_the_smallest_window(
    stage: Stage, view_id: str, preset: str, language: str
) -> None:
    view = stage.show(view_id, preset, language, SMALLEST)
    assert [label.text() for label in parts(view, QLabel) if _is_cut(label)] == []
    assert _beyond_the_edge(view) == []
    assert [widget for widget in parts(view, QWidget) if _is_too_low(widget)] == []
    for table in parts(view, HouseTable):
        assert _too_long_words(table) == []


def _is_cut(label: QLabel) -> bool:
    if label.wordWrap():
        longest = max((_advance(label, word) for word in label.text().split()), default=0)
        return label.height() < label.heightForWidth(label.width()) or label.width() < longest
    return label.width() < _advance(label, label.text())


def _is_too_low(widget: QWidget) -> bool:
    return widget.sizePolicy().hasHeightForWidth() and widget.height() < widget.heightForWidth(widget.width())


def _advance(label: QLabel, words: str) -> int:
    return QFontMetrics(label.font()).horizontalAdvance(words)


def _beyond_the_edge(view: QWidget) -> list[QWidget]:
    column = parts(view, ScrollColumn)[0]
    content = column.widget()
    assert content is not None
    right = column.viewport().width()
    return [
        child
        for child in parts(content, QWidget)
        if child.mapTo(content, child.rect().topRight()).x() > right
        and not isinstance(child.parentWidget(), QAbstractScrollArea)
    ]


def _too_long_words(table: HouseTable) -> list[str]:
    """Words that do not fit the column they stand in, which wrapping cannot help."""
    found = []
    for row, line in enumerate(table.table.rows):
        for column, cell in enumerate(line.cells):
            if table.isColumnHidden(column) or table.columnSpan(row, column) > 1:
                continue
            metrics = QFontMetrics(theme.font(cell.type_role))
            room = table.columnWidth(column) - theme.px(24) - (theme.px(22) if cell.mark else 0)
            found += [word for word in cell.words.split() if metrics.horizontalAdvance(word) > room]
    return found


@pytest.mark.parametrize("view_id", RUNNING_VIEWS)
def test_large_text_in_a_small_window_still_fits(qapp: QApplication, stage: Stage, view_id: str) -> None:
    theme.set_text_scale(qapp, 150)
    view = stage.show(view_id, VERDICTS["single_node"], "pt", (1200, 600))
    assert [label.text() for label in parts(view, QLabel) if _is_cut(label)] == []
    assert [widget for widget in parts(view, QWidget) if _is_too_low(widget)] == []
    assert _beyond_the_edge(view) == []


@pytest.mark.parametrize("view_id", VIEW_IDS)
def test_a_view_follows_the_theme_while_it_is_open(qapp: QApplication, stage: Stage, view_id: str) -> None:
    view = stage.show(view_id, VERDICTS["single_node"])
    before = view.grab().toImage()
    theme.apply(qapp, theme.theme_for(Preference.DARK))
    settle()
    assert view.grab().toImage() != before


@pytest.mark.parametrize("view_id", RUNNING_VIEWS)
def test_the_same_answer_is_not_laid_out_again(stage: Stage, view_id: str) -> None:
    view = stage.show(view_id, VERDICTS["single_node"])
    tables = parts(view, QWidget)
    stage.fill(view, VERDICTS["single_node"])
    assert parts(view, QWidget) == tables


def test_another_answer_keeps_the_place_in_the_page(stage: Stage) -> None:
    view = stage.show("operations", VERDICTS["replicas"])
    bar = parts(view, QScrollArea)[0].verticalScrollBar()
    bar.setValue(120)
    stage.fill(view, VERDICTS["multi_node"])
    assert bar.value() == 120


@pytest.mark.parametrize("preset", VERDICTS.values(), ids=VERDICTS)
def test_badges_count_what_is_open(service: Service, preset: str) -> None:
    answer, texts = answer_of(service, preset), load_texts("en")
    badges = {spec.id: spec.badge(answer, texts) for spec in VIEWS}
    warned = [f for f in answer.decision.findings if f.severity.value == "warn"]
    blocked = [f for f in answer.decision.findings if f.severity.value == "block"]
    expected = Badge(str(len(blocked)), "block") if blocked else Badge(str(len(warned)), "warn")
    assert badges["decision"] == (expected if blocked or warned else Badge())
    assert bool(badges["bom"].words) is (answer.bom is not None and answer.bom.unpriced_lines > 0)


def test_the_proposal_is_the_only_view_that_works_in_the_background(stage: Stage) -> None:
    view = stage.show("proposal", VERDICTS["refer_sxm"])
    assert isinstance(view, ProposalView)
    wait_for_all()
    settle()
    assert view.document is not None

"""The bill of materials view: lines, prices, totals, checks, search, copy, workbook."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Service
from kentino_configurator.core.bom import Outcome
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.money import money
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.views.models.table import RowKind
from kentino_configurator.ui.views.parts.expander import Expander
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.search_box import SearchBox
from kentino_configurator.ui.views.words import bom as words
from kentino_configurator.ui.widgets.button import Button
from kentino_configurator.ui.workers import wait_for_all
from tests.ui.views import VERDICTS, Stage, answer_of, parts, settle

WITH_MACHINE = {name: preset for name, preset in VERDICTS.items() if name not in ("refer_sxm", "no_answer")}


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_every_line_is_listed_once_under_its_group(stage: Stage, preset: str) -> None:
    view = stage.view("bom")
    answer = stage.fill(view, preset)
    assert answer.bom is not None
    rows = parts(view, HouseTable)[0].table.rows
    lines = [row.key for row in rows if row.kind is RowKind.LINE]
    assert sorted(lines) == sorted(line.sku for line in answer.bom.lines)
    groups = [row for row in rows if row.kind is RowKind.GROUP]
    assert len(groups) == len({line.group for line in answer.bom.lines})


def test_a_missing_price_is_said_and_never_a_zero(service: Service) -> None:
    bom = answer_of(service, VERDICTS["single_node"]).bom
    assert bom is not None
    rows = {row.key: row for row in words.line_rows(bom, "", load_texts("en"))}
    for line in bom.lines:
        if line.price_status is PriceStatus.MISSING:
            assert [cell.words for cell in rows[line.sku].cells[5:8]] == ["no price"] * 3


def test_every_state_of_a_price_has_its_mark_and_its_word(service: Service) -> None:
    bom = answer_of(service, VERDICTS["multi_node"]).bom
    assert bom is not None
    tallies = words.status_tallies(bom, load_texts("en"))
    assert [tally.mark.name for tally in tallies] == [status.value for status in PriceStatus]
    assert sum(tally.count for tally in tallies) == len(bom.lines)


def test_the_search_narrows_the_lines_and_drops_empty_groups(qtbot: QtBot, stage: Stage) -> None:
    view = stage.show("bom", VERDICTS["single_node"])
    table, search = parts(view, HouseTable)[0], parts(view, SearchBox)[0]
    everything = len(table.table.rows)
    qtbot.keyClicks(search.edit, "nvidia RTX")
    kinds = [row.kind for row in table.table.rows]
    assert 0 < len(kinds) < everything
    assert kinds[0] is RowKind.GROUP
    stage.fill(view, VERDICTS["single_node"], "pt")
    assert parts(view, SearchBox)[0].edit.text() == "nvidia RTX"
    qtbot.keyClick(parts(view, SearchBox)[0].edit, Qt.Key.Key_Escape)
    assert len(parts(view, HouseTable)[0].table.rows) == everything


def test_a_search_without_a_hit_leaves_the_totals_alone(stage: Stage) -> None:
    view = stage.show("bom", VERDICTS["single_node"])
    parts(view, SearchBox)[0].edit.setText("no such thing")
    assert parts(view, HouseTable)[0].table.rows == ()


def test_the_whole_table_is_copied_tab_separated(stage: Stage) -> None:
    view = stage.show("bom", VERDICTS["single_node"])
    copy = next(b for b in parts(view, Button) if b.text() == load_texts("en").say("view.bom.copy"))
    copy.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[1] == "Item"
    assert len(lines) == 1 + len(parts(view, HouseTable)[0].table.rows)


def test_totals_say_the_currency_once_and_that_they_are_a_lower_bound(service: Service) -> None:
    answer, texts = answer_of(service, VERDICTS["single_node"]), load_texts("en")
    assert answer.bom is not None
    taxed = replace(answer.bom, vat_rate_percent=21.0, vat=money("100"), gross=answer.bom.net + money("100"))
    last = words.total_lines(taxed, answer, texts)[-1]
    assert last.main
    assert last.name == "Total, EUR, at least"
    assert last.value == f"{answer.bom.net.amount + 100:,.2f}"
    assert words.sum_check(answer.bom, texts)[1] == "ok"


def test_an_open_vat_treatment_is_said_and_the_net_total_is_the_main_one(service: Service) -> None:
    answer, texts = answer_of(service, VERDICTS["single_node"]), load_texts("en")
    assert answer.bom is not None
    untaxed = replace(answer.bom, vat_rate_percent=None, vat=None, gross=None)
    *_, vat, last = words.total_lines(untaxed, answer, texts)
    assert vat.value == texts.say("n.not_known")
    assert last.name == "Net total, EUR, at least"


def test_what_could_not_be_judged_is_never_counted_as_passed(service: Service) -> None:
    bom = answer_of(service, VERDICTS["multi_node"]).bom
    assert bom is not None
    tallies = words.check_tallies(bom, load_texts("en"))
    counts = {tally.words: tally.count for tally in tallies}
    assert counts["not known"] == sum(check.outcome is Outcome.UNKNOWN for check in bom.checks) > 0
    assert sum(counts.values()) == len(bom.checks)


def test_a_rule_that_fired_without_words_of_its_own_says_that_it_is_not_met(service: Service) -> None:
    bom = answer_of(service, VERDICTS["multi_node"]).bom
    assert bom is not None
    fired = words.checks_with(bom, Outcome.WARN)
    told = {row.key: row.cells[1].words for row in words.check_rows(fired, load_texts("en"))}
    assert told["K4"].startswith("Not met: ")
    assert not told["K2"].startswith("Not met: ")


def test_unknown_checks_open_and_stay_open(stage: Stage) -> None:
    view = stage.show("bom", VERDICTS["single_node"])
    unknown = parts(view, Expander)[0]
    unknown.toggle.click()
    stage.fill(view, VERDICTS["multi_node"])
    assert parts(view, Expander)[0].toggle.isChecked()


def test_the_workbook_is_saved_with_every_line(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "list"), ""))
    view = stage.view("bom")
    answer = stage.fill(view, VERDICTS["single_node"])
    save = next(b for b in parts(view, Button) if b.text() == load_texts("en").say("view.save.workbook"))
    save.click()
    wait_for_all()
    settle()
    assert answer.bom is not None
    book = openpyxl.load_workbook(BytesIO((tmp_path / "list.xlsx").read_bytes()))
    assert book.active is not None
    assert book.active.max_row > len(answer.bom.lines)


def test_a_folder_that_cannot_be_written_is_told_in_place(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    target = tmp_path / "file" / "list.xlsx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    view = stage.show("bom", VERDICTS["single_node"])
    next(b for b in parts(view, Button) if b.text() == load_texts("en").say("view.save.workbook")).click()
    wait_for_all()
    settle()
    told = [label.text() for label in parts(view, QLabel) if str(target) in label.text()]
    assert len(told) == 1
    assert "choose another folder" in told[0]

"""The alternatives view: columns, what differs, what is equal, what can be shown beside."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Service
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.views.parts.compare_grid import CompareGrid, RangeStrip
from kentino_configurator.ui.views.words import alternatives as words
from kentino_configurator.ui.views.words.candidates import candidates, columns_for, others_than
from kentino_configurator.ui.widgets.button import Button
from tests.ui.views import VERDICTS, Stage, answer_of, parts, settle

WITH_MACHINE = {name: preset for name, preset in VERDICTS.items() if name not in ("refer_sxm", "no_answer")}


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_what_is_proposed_comes_first_and_nothing_is_lost(service: Service, preset: str) -> None:
    answer, texts = answer_of(service, preset), load_texts("en")
    shown = columns_for(candidates(answer), [], 3)
    assert shown[0].is_chosen
    others = others_than(shown, answer, texts)
    assert len(shown) - 1 + len(others) == len(answer.decision.alternatives)


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_rows_that_differ_differ_and_equal_rows_are_equal(service: Service, preset: str) -> None:
    answer, texts = answer_of(service, preset), load_texts("en")
    shown = columns_for(candidates(answer), [], 3)
    different, equal = words.rows(shown, texts)
    assert different[0].name == texts.say("view.alternatives.holds")
    assert different[-1].name == texts.say("view.alternatives.right_when")
    if len(shown) > 1:
        assert not any(row.is_equal for row in different[1:-1])
    assert all(row.is_equal for row in equal)
    assert all(len(row.cells) == len(shown) for row in (*different, *equal))


def test_the_bars_of_a_row_have_one_axis(service: Service) -> None:
    answer, texts = answer_of(service, VERDICTS["single_node"]), load_texts("en")
    shown = columns_for(candidates(answer), [], 4)
    different, _ = words.rows(shown, texts)
    rows = [row for row in different if row.cells[0].bar is not None]
    assert rows
    for row in rows:
        targets = {round(cell.bar.target.share, 9) for cell in row.cells if cell.bar and cell.bar.target}
        assert len(targets) == 1


def test_changes_are_signed_and_the_first_column_has_none(service: Service) -> None:
    answer, texts = answer_of(service, VERDICTS["single_node"]), load_texts("en")
    shown = columns_for(candidates(answer), [], 3)
    price = next(row for row in words.rows(shown, texts)[0] if row.name == texts.say("w.price.net"))
    assert price.cells[0].change == ""
    assert price.cells[1].change[0] in "+−"


def test_a_missed_target_is_said_in_words(service: Service) -> None:
    answer, texts = answer_of(service, VERDICTS["no_answer"]), load_texts("en")
    shown = columns_for(candidates(answer), [], 3)
    cells = [cell for row in words.rows(shown, texts)[0] for cell in row.cells if cell.state == "warn"]
    assert cells
    assert {cell.note for cell in cells} == {texts.say("view.alternatives.misses")}


def test_no_answer_compares_what_would_work_without_a_proposal(service: Service) -> None:
    shown = columns_for(candidates(answer_of(service, VERDICTS["no_answer"])), [], 4)
    assert shown
    assert not any(candidate.is_chosen for candidate in shown)


def test_as_many_columns_as_fit(stage: Stage) -> None:
    view = stage.show("alternatives", VERDICTS["single_node"], size=(1240, 780))
    wide = len(parts(view, RangeStrip))
    view.resize(760, 780)
    settle()
    assert len(parts(view, RangeStrip)) < wide
    assert len(parts(view, CompareGrid)) == 1


def test_another_alternative_can_be_shown_beside_the_proposal(qtbot: QtBot, stage: Stage) -> None:
    view = stage.show("alternatives", VERDICTS["single_node"], size=(1000, 780))
    beside = next(
        b for b in parts(view, Button) if b.text() == load_texts("en").say("view.alternatives.beside")
    )
    wanted = beside.accessibleName().split(": ")[1]
    qtbot.keyClick(beside, Qt.Key.Key_Space)
    settle()
    others = [b.accessibleName() for b in parts(view, Button)]
    assert not any(name.endswith(wanted) for name in others)


def test_a_referral_has_nothing_to_compare(stage: Stage) -> None:
    view = stage.show("alternatives", VERDICTS["refer_sxm"])
    assert parts(view, CompareGrid) == []

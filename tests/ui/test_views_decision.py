"""The decision view: five questions, findings, what was not chosen, answers without a machine of ours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Service
from kentino_configurator.core.decision import Severity, Verdict
from kentino_configurator.core.message import message
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.views.parts.expander import Expander
from kentino_configurator.ui.views.parts.finding_row import FindingHead, FindingRow
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.question_card import QuestionCard
from kentino_configurator.ui.views.parts.tag import Tag
from kentino_configurator.ui.views.words import decision as words
from tests.ui.views import VERDICTS, Stage, answer_of, parts, settle

WITH_MACHINE = {name: preset for name, preset in VERDICTS.items() if name not in ("refer_sxm", "no_answer")}


@pytest.mark.parametrize("preset", VERDICTS.values(), ids=VERDICTS)
def test_all_five_questions_are_answered_in_the_articles_order(service: Service, preset: str) -> None:
    pictures = words.question_pictures(answer_of(service, preset).decision, load_texts("en"))
    assert [picture.number for picture in pictures] == [1, 2, 3, 4, 5]
    assert all(picture.question and picture.answer for picture in pictures)


@pytest.mark.parametrize("language", ["en", "pt", "cs"])
@pytest.mark.parametrize("preset", VERDICTS.values(), ids=VERDICTS)
def test_the_answer_stands_apart_and_is_not_said_twice(service: Service, preset: str, language: str) -> None:
    for picture in words.question_pictures(answer_of(service, preset).decision, load_texts(language)):
        assert not picture.sentence.startswith(f"{picture.answer}.")


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_one_question_decided_and_shows_its_formulas_at_once(stage: Stage, preset: str) -> None:
    view = stage.show("decision", preset)
    assert len(parts(view, QuestionCard)) == 5
    assert len(parts(view, Tag)) == 1
    opened = [expander for expander in parts(view, Expander) if expander.toggle.isChecked()]
    assert len(opened) <= 1


def test_a_formula_that_was_opened_stays_open_with_the_next_answer(qtbot: QtBot, stage: Stage) -> None:
    view = stage.show("decision", VERDICTS["single_node"])
    closed = next(e for e in parts(view, Expander) if not e.toggle.isChecked())
    qtbot.keyClick(closed.toggle, Qt.Key.Key_Right)
    assert closed.toggle.isChecked()
    stage.fill(view, VERDICTS["batch"])
    assert sum(e.toggle.isChecked() for e in parts(view, Expander)) == 2


def test_findings_stand_by_severity_and_those_that_ask_for_something_are_open(stage: Stage) -> None:
    view = stage.view("decision")
    answer = stage.fill(view, VERDICTS["replicas"])
    rows = parts(view, FindingRow)
    severities = [finding.severity for finding in answer.decision.findings]
    assert len(rows) == len(severities)
    opened = [row.head.isChecked() for row in rows]
    asking = sum(severity is not Severity.NOTE for severity in severities)
    assert opened == [True] * asking + [False] * (len(rows) - asking)


def test_a_finding_opens_and_closes_by_keyboard(qtbot: QtBot, stage: Stage) -> None:
    view = stage.show("decision", VERDICTS["multi_node"])
    head = parts(view, FindingHead)[0]
    shown = len(parts(view, QLabel))
    qtbot.keyClick(head, Qt.Key.Key_Left)
    settle()
    assert len(parts(view, QLabel)) == shown - 2
    qtbot.keyClick(head, Qt.Key.Key_Return)
    settle()
    assert len(parts(view, QLabel)) == shown


def test_the_count_of_blocking_findings_is_shown_even_when_it_is_none(service: Service) -> None:
    decision = answer_of(service, VERDICTS["single_node"]).decision
    assert words.blocking_words(decision, load_texts("en")) == "0\u00a0block the proposal"


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_everything_that_was_not_chosen_says_why(service: Service, preset: str) -> None:
    decision = answer_of(service, preset).decision
    pictures = words.instead_pictures(decision, load_texts("en"))
    assert len(pictures) == len(decision.alternatives)
    assert all(picture.name and picture.why for picture in pictures)


def test_rules_and_search_are_said_to_agree_or_not(service: Service) -> None:
    answer = answer_of(service, VERDICTS["single_node"])
    agreed = words.foot_pictures(answer, load_texts("en"))[-1]
    assert agreed.agrees is True
    decision = replace(
        answer.decision,
        search_verdict=Verdict.REPLICAS,
        disagreement=message("e.disagree", machine="a machine", saving="1 EUR"),
    )
    differing = words.foot_pictures(replace(answer, decision=decision), load_texts("en"))[-1]
    assert differing.agrees is False
    assert "Replicas behind a router" in differing.words


def test_a_referral_names_the_system_and_what_can_still_be_delivered(stage: Stage) -> None:
    view = stage.view("decision")
    answer = stage.fill(view, VERDICTS["refer_sxm"])
    referral = answer.decision.referral
    assert referral is not None
    table = parts(view, HouseTable)[0].table
    assert referral.gpu in table.rows[0].cells[0].note
    told = " ".join(label.text() for label in parts(view, QLabel))
    for text_id in referral.can_deliver:
        assert load_texts("en").say(text_id) in told


def test_no_answer_names_every_limit_and_what_would_work_then(stage: Stage) -> None:
    view = stage.view("decision")
    answer = stage.fill(view, VERDICTS["no_answer"])
    table = parts(view, HouseTable)[0].table
    assert len(table.rows) == len(answer.decision.limits_met) > 0
    assert all(cell.words for row in table.rows for cell in row.cells)
    assert len(words.needed(answer.decision, load_texts("en"))) == len(answer.decision.needed)


def test_columns_stand_under_each_other_where_it_is_narrow(stage: Stage) -> None:
    view = stage.show("decision", VERDICTS["single_node"])
    first, last = parts(view, QuestionCard)[0], parts(view, FindingHead)[0]
    assert _top(first, view) + 400 > _top(last, view)
    view.resize(700, 780)
    settle()
    assert _top(last, view) > _top(parts(view, QuestionCard)[-1], view)


def _top(widget: QWidget, view: QWidget) -> int:
    return widget.mapTo(view, widget.rect().topLeft()).y()

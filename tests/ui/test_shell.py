"""The window from the first question to the result: pages, rail, panel, undo, language."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Service
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.decision import Finding, Severity
from kentino_configurator.texts import Texts, load_texts
from kentino_configurator.ui.fields.circuits_field import CircuitsField
from kentino_configurator.ui.fields.search_field import SearchField
from kentino_configurator.ui.fields.typed import LineField
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.pages.question_page import QuestionPage
from kentino_configurator.ui.pages.question_row import QuestionRow
from kentino_configurator.ui.places import page_key, view_key
from kentino_configurator.ui.result_panel import ResultPanel, WeightLimits
from kentino_configurator.ui.result_words import verdict_words
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.views import Badge, ResultView, ViewSpec
from kentino_configurator.ui.widgets.button import Button
from kentino_configurator.ui.widgets.notice_card import NoticeCard
from kentino_configurator.ui.widgets.segmented import Segmented
from kentino_configurator.ui.workbench import Workbench
from kentino_configurator.wizard.presets import load_preset
from tests.ui.conftest import OpenWindow
from tests.ui.samples import sample_answer

CONCURRENCY = "workloads[0].concurrent_requests"


def bench_of(window: MainWindow) -> Workbench:
    assert window.workbench is not None
    return window.workbench


def pages_of(window: MainWindow) -> list[str]:
    return [key for key in bench_of(window).places() if key.startswith("page:")]


def page_of(window: MainWindow) -> QuestionPage:
    page = bench_of(window).page
    assert page is not None
    return page


def row_of(window: MainWindow, question_id: str) -> QuestionRow:
    return next(row for place, row in page_of(window).rows() if place.question.id == question_id)


def type_into(qtbot: QtBot, window: MainWindow, question_id: str, text: str) -> QuestionRow:
    row = row_of(window, question_id)
    edit = row.field.focus_target()
    assert isinstance(edit, QLineEdit)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    return row


def shown_texts(widget: object) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())  # type: ignore[attr-defined]


def test_there_is_an_answer_before_anything_is_answered(open_window: OpenWindow) -> None:
    window = open_window(real=True)
    window.new_project()
    window.session.evaluate_now()
    evaluation = window.session.evaluation
    assert evaluation is not None and evaluation.answer is not None
    assert verdict_words(evaluation.answer, window.texts) in shown_texts(bench_of(window).space.panel)


def test_continue_leads_from_the_first_question_to_the_result(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    window.session.evaluate_now()
    bench = bench_of(window)
    seen = [bench.current]
    while bench.page is not None and len(seen) < 10:
        bench.go_on()
        seen.append(bench.current)
    assert seen[-1].startswith("view:")
    assert seen[:-1] == [page_key(name) for name in ("job", "model", "demand", "site", "terms", "review")]


def test_a_number_typed_into_a_field_moves_the_answer(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window(real=True)
    window.open_example("assistant_200_employees")
    bench_of(window).show_key(page_key("demand"))
    type_into(qtbot, window, "d_concurrent_requests", "400")
    assert window.session.answers.get(CONCURRENCY) == 400
    window.session.evaluate_now()
    evaluation = window.session.evaluation
    assert evaluation is not None and evaluation.answer is not None
    assert evaluation.answer.request.workloads[0].concurrent_requests == 400


def test_text_that_is_no_number_stays_in_the_field_and_is_explained(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window = open_window()
    window.new_project()
    bench = bench_of(window)
    bench.show_key(page_key("demand"))
    type_into(qtbot, window, "d_concurrent_requests", "many")
    bench.show_key(page_key("site"))
    bench.show_key(page_key("demand"))
    row = row_of(window, "d_concurrent_requests")
    edit = row.field.focus_target()
    assert isinstance(edit, QLineEdit) and edit.text() == "many"
    assert "many" in row.problem
    assert window.session.answers.get(CONCURRENCY) == "many"


def test_continue_names_the_problem_once_and_then_lets_go(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench = bench_of(window)
    bench.show_key(page_key("demand"))
    type_into(qtbot, window, "d_concurrent_requests", "many")
    bench.go_on()
    assert bench.current == page_key("demand")
    assert bench.space.foot.has_problems
    bench.go_on()
    assert bench.current == page_key("site")


def test_eight_k_says_how_it_was_read_and_offers_the_other_reading(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("demand"))
    row = type_into(qtbot, window, "d_max_context", "8k")
    assert window.session.answers.get("workloads[0].max_context_tokens") == 8192
    assert "8,192" in shown_texts(row)
    row.other_reading_wanted.emit(row._other)
    assert window.session.answers.get("workloads[0].max_context_tokens") == 8000


def test_an_emptied_optional_field_means_no_requirement(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("site"))
    type_into(qtbot, window, "s_max_inlet_c", "30")
    row = row_of(window, "s_max_inlet_c")
    edit = row.field.focus_target()
    assert isinstance(edit, QLineEdit)
    edit.clear()
    row.field.flush()
    assert window.session.answers.get("site.max_inlet_c") is None


def test_reset_brings_the_default_back(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("demand"))
    row = type_into(qtbot, window, "d_concurrent_requests", "77")
    row.reset_wanted.emit()
    assert window.session.answers.get(CONCURRENCY) is ABSENT


def test_undoing_everything_leads_back_to_the_start(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    start = window.session.answers
    chance = random.Random(7)
    for _ in range(60):
        path = chance.choice(
            ["growth.factor", "site.rack_units", "limits.budget_eur", CONCURRENCY, "customer.name"]
        )
        window.session.set_answer(
            path, chance.randint(1, 20)
        ) if chance.random() < 0.8 else window.session.clear_answer(path)
    changed = window.session.answers
    while window.session.can_undo:
        window.session.undo()
    assert window.session.answers.tree == start.tree
    while window.session.can_redo:
        window.session.redo()
    assert window.session.answers.tree == changed.tree


def test_typing_one_number_digit_by_digit_is_one_step_of_undo(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    for value in (1, 12, 120):
        window.session.set_answer(CONCURRENCY, value)
    window.session.undo()
    assert window.session.answers.get(CONCURRENCY) is ABSENT


def test_undo_is_seen_in_the_field(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("demand"))
    row = type_into(qtbot, window, "d_concurrent_requests", "77")
    window.session.undo()
    edit = row.field.focus_target()
    assert isinstance(edit, QLineEdit) and edit.text() != "77"


def test_visiting_every_page_changes_no_answer(open_window: OpenWindow) -> None:
    window = open_window()
    window.open_example("university_lab")
    before = window.session.answers
    for key in pages_of(window):
        bench_of(window).show_key(key)
    assert window.session.answers is before
    assert not window.session.can_undo


@pytest.mark.parametrize(
    "preset", ["university_lab", "corpus_by_friday", "pretrain_70b", "cannot_405b_office"]
)
def test_pages_panel_and_rail_show_every_kind_of_job(preset: str, open_window: OpenWindow) -> None:
    window = open_window(real=True)
    window.open_example(preset)
    window.session.evaluate_now()
    bench = bench_of(window)
    evaluation = window.session.evaluation
    assert evaluation is not None and evaluation.answer is not None
    for key in pages_of(window):
        bench.show_key(key)
        assert bench.current == key
        assert verdict_words(evaluation.answer, window.texts) in shown_texts(bench.space.panel)


def test_the_training_page_comes_and_goes_with_a_training_job(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench = bench_of(window)
    assert page_key("training") not in bench.places()
    window.session.set_answer("workloads[0].hints.job", "lora")
    assert page_key("training") in bench.places()
    bench.show_key(page_key("training"))
    window.session.undo()
    assert bench.current in bench.places()


def test_jobs_can_be_added_and_removed(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    page_of(window)._add_job()
    assert len(window.session.answers.get("workloads")) == 2
    jobs = [place.workload for place, _ in page_of(window).rows() if place.question.id == "j_job_kind"]
    assert jobs == [0, 1]
    page_of(window)._remove_job(1)
    assert len(window.session.answers.get("workloads")) == 1


def test_an_assumption_in_the_review_leads_to_its_question(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench = bench_of(window)
    bench.show_question("s_storage")
    assert bench.current == page_key("site")
    assert window.focusWidget() is row_of(window, "s_storage").field.focus_target()


def test_the_window_changes_its_language_and_keeps_the_answers(open_window: OpenWindow) -> None:
    window = open_window()
    window.open_example("rag_law_firm")
    bench_of(window).show_key(page_key("site"))
    before = window.session.answers
    window.set_language("pt")
    assert bench_of(window).current == page_key("site")
    assert window.session.answers is before
    assert load_texts("pt").say("page.site.question") in shown_texts(page_of(window))
    assert window.session.answers.get("customer.language") == before.get("customer.language")


def test_the_expert_page_asks_what_the_other_pages_leave_out(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_expert_project()
    asked = {place.question.id for place, _ in page_of(window).rows()}
    assert {"d_ttft_s", "m_weights_precision", "b_max_nodes", "j_customer_name"} <= asked


class _Echo(ResultView):
    """A view that shows the verdict."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: Answer | None = None

    def show_answer(self, answer: Answer, texts: Texts) -> None:
        self.shown = answer


def test_a_view_gets_the_answer_and_the_strip_above_it(qtbot: QtBot, service: Service, texts: Texts) -> None:
    from PySide6.QtWidgets import QMenu

    session = Session(service.evaluate)
    view = _Echo()
    spec = ViewSpec(
        id="memory", icon="list", factory=lambda context: view, badge=lambda answer, words: Badge("2", "warn")
    )
    bench = Workbench(session, service.snapshot, texts, QMenu(), (spec,))
    qtbot.addWidget(bench)
    bench.show()
    bench.show_key(view_key("memory"))
    assert view.shown is None
    session.new(load_preset("assistant_200_employees"))
    session.evaluate_now()
    assert view.shown is not None
    assert bench.space.strip.isVisible() and not bench.space.panel.isVisible()
    assert verdict_words(view.shown, texts) in shown_texts(bench.space.strip)
    session.close()


def test_an_incomplete_answer_keeps_what_would_change_it(qtbot: QtBot, texts: Texts) -> None:
    panel = ResultPanel(texts, WeightLimits())
    qtbot.addWidget(panel)
    panel.show()
    panel.show_answer(sample_answer())
    levers = len(panel._lever_rows)
    panel.show_answer(sample_answer(), complete=False)
    assert levers == len(panel._lever_rows) == 3


def test_the_panel_says_computing_only_while_it_waits(qtbot: QtBot, texts: Texts) -> None:
    panel = ResultPanel(texts, WeightLimits())
    qtbot.addWidget(panel)
    panel.show()
    panel.show_answer(sample_answer())
    panel.set_computing(True)
    assert texts.say("w.panel.computing") in shown_texts(panel)
    panel.set_computing(False)
    assert texts.say("w.panel.computing") not in shown_texts(panel)


def test_the_answer_comes_from_the_background_quick_first_then_complete(
    qtbot: QtBot, service: Service
) -> None:
    session = Session(service.evaluate, in_background=True)
    seen: list[bool] = []
    session.answer_changed.connect(lambda _evaluation: seen.append(session.is_complete))
    session.set_answer(CONCURRENCY, 20)
    qtbot.waitUntil(lambda: seen == [False, True], timeout=20_000)
    session.close()


def test_a_broken_engine_leaves_the_last_answer_and_says_so(qtbot: QtBot) -> None:
    def broken(answers: Answers, *, quick: bool = False) -> object:
        raise RuntimeError("no")

    session = Session(broken, in_background=True)  # type: ignore[arg-type]
    with qtbot.waitSignal(session.evaluation_failed, timeout=5000):
        session.set_answer(CONCURRENCY, 20)
    assert session.evaluation is None
    session.close()


def test_a_finding_stands_below_the_question_that_causes_it_with_a_way_out(open_window: OpenWindow) -> None:
    args = {"kv_peak": "344 GB", "kv_typical": "34 GB", "share": "10 %", "verdict": "the same"}
    trap = Finding(rule="peak_context_everywhere", severity=Severity.WARN, args=args)
    answer = sample_answer()
    answer = replace(answer, decision=replace(answer.decision, findings=(trap,)))
    window = open_window(answer=answer)
    window.new_project()
    window.session.evaluate_now()
    bench_of(window).show_key(page_key("demand"))
    card = page_of(window).findChild(NoticeCard)
    assert card is not None and "344 GB" in card.accessibleName()
    card.findChild(Button).click()
    assert window.session.answers.get("workloads[0].long_request_share") == pytest.approx(0.1)


def test_people_become_requests_with_every_number_of_the_way(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("demand"))
    type_into(qtbot, window, "d_named_users", "200")
    bench_of(window).space.rail.list.setFocus()
    words = shown_texts(row_of(window, "d_concurrent_requests"))
    assert "200 people" in words and "at most 12 in 99" in words


def test_the_panel_leads_to_the_most_important_unanswered_question(open_window: OpenWindow) -> None:
    window = open_window(real=True)
    window.new_project()
    window.session.evaluate_now()
    panel = bench_of(window).space.panel
    assert "Not yet known" in shown_texts(panel)
    panel._answer_it.click()
    assert panel._wanted is not None
    assert page_of(window).page.id in page_key(bench_of(window).current)


def test_what_is_being_typed_is_left_alone_when_an_answer_arrives(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("demand"))
    edit = row_of(window, "d_concurrent_requests").field.focus_target()
    assert isinstance(edit, QLineEdit)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "12")
    window.session.evaluate_now()
    assert edit.text() == "12"
    assert window.session.answers.get(CONCURRENCY) is ABSENT


def test_a_variant_is_a_copy_that_can_be_changed_and_left(open_window: OpenWindow) -> None:
    window = open_window()
    window.open_example("assistant_200_employees")
    window.session.evaluate_now()
    bench = bench_of(window)
    bench.add_variant()
    window.session.set_answer(CONCURRENCY, 300)
    bench.show_variant(0)
    assert window.session.answers.get(CONCURRENCY) == 12
    bench.show_variant(1)
    assert window.session.answers.get(CONCURRENCY) == 300
    bench.remove_variant()
    assert [variant.name for variant in window.session.project.variants] == ["A"]
    window.session.undo()
    assert window.session.answers.get(CONCURRENCY) == 300


@pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", "propagateSizeHints")
def test_a_model_is_found_by_a_part_of_its_name(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("model"))
    field = row_of(window, "m_model").field
    assert isinstance(field, SearchField)
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "mistral small 3.2")
    assert field._popup.isVisible()
    found = field._found
    assert found.rowCount() >= 1
    field._take_index(found.index(0, 0))
    assert "mistral" in window.session.answers.get("workloads[0].model")
    field._popup.hide()


def test_a_model_that_does_not_exist_names_the_nearest_ones(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("model"))
    row = row_of(window, "m_model")
    row.field.entered.emit("lama 3 70 b")
    assert "lama 3 70 b" in row.problem


def test_a_circuit_is_added_changed_and_removed(open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench_of(window).show_key(page_key("site"))
    field = row_of(window, "s_circuits").field
    assert isinstance(field, CircuitsField)
    field._add.click()
    field._rows[0]._choices["amps"]._choose(32)
    assert window.session.answers.get("site.circuits") == [
        {"volts": 230, "amps": 32, "phases": 1, "count": 1}
    ]
    field._rows[0].removed.emit()
    assert window.session.answers.get("site.circuits") is None


def test_three_hundred_random_actions_break_nothing(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    chance = random.Random(2026)
    for _ in range(300):
        chance.choice(ACTIONS)(window, chance)
    window.session.evaluate_now()
    while window.session.can_undo:
        window.session.undo()
    assert window.session.answers.tree == {}


def _switch(window: MainWindow, chance: random.Random) -> None:
    bench_of(window).show_key(chance.choice(pages_of(window)))


def _type(window: MainWindow, chance: random.Random) -> None:
    rows = [row for _, row in page_of(window).rows() if isinstance(row.field, LineField)]
    if rows:
        row = chance.choice(rows)
        row.field.edit.setText(
            chance.choice(["0", "7", "8k", "1,5", "-3", "zzz", "", "99999999999", "2027-03-31"])
        )
        row.field.flush()


def _choose(window: MainWindow, chance: random.Random) -> None:
    controls = [control for control in page_of(window).findChildren(Segmented) if control.isVisible()]
    if controls:
        chance.choice(controls)._choose(chance.randrange(4))


def _undo(window: MainWindow, chance: random.Random) -> None:
    window.session.undo() if chance.random() < 0.7 else window.session.redo()


def _go_on(window: MainWindow, _chance: random.Random) -> None:
    bench_of(window).go_on()
    if bench_of(window).page is None:
        bench_of(window).show_key(page_key("job"))


def _add_job(window: MainWindow, chance: random.Random) -> None:
    bench_of(window).show_key(page_key("job"))
    if len(window.session.answers.get("workloads") or ()) < 3:
        page_of(window)._add_job()
    elif chance.random() < 0.5:
        page_of(window)._remove_job(1)


ACTIONS = (_switch, _type, _type, _choose, _choose, _undo, _go_on, _add_job)

"""Files of the window: save, open, recover, leave; nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from kentino_configurator.answer.service import Service
from kentino_configurator.project.recovery import recoverable_sessions
from kentino_configurator.project.store import load_project
from kentino_configurator.ui import dialogs
from kentino_configurator.ui.main_window import MainWindow, file_name
from kentino_configurator.ui.request_file import RequestFileError, load_request_file
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.start_page import StartPage
from tests.ui.conftest import OpenWindow
from tests.ui.samples import sample_answer

NAME = "customer.name"


def test_a_saved_project_opens_with_the_same_answers(open_window: OpenWindow, tmp_path: Path) -> None:
    file = tmp_path / "lab.kentino"
    first = open_window()
    first.open_example("university_lab")
    first.session.evaluate_now()
    assert first._save_to(file)
    first.session.close()
    second = open_window()
    second.open_file(file)
    assert second.session.answers.tree == first.session.answers.tree
    assert load_project(file).project.catalog_version == sample_answer().catalog_version


def test_saving_clears_the_mark_of_change_and_names_the_time(open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window()
    window.new_project()
    window.session.set_answer(NAME, "Example Lab")
    assert window.isWindowModified() and "Example Lab" in window.windowTitle()
    window._save_to(tmp_path / "a.kentino")
    assert not window.isWindowModified()
    assert window.workbench is not None and window.workbench.top_bar.saved.text().startswith("Saved")


def test_save_asks_for_a_file_the_first_time(
    open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "asked"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    window = open_window()
    window.new_project()
    window.session.set_answer(NAME, "Example Lab")
    window.save()
    assert load_project(file.with_suffix(".kentino")).project.active_answers.get(NAME) == "Example Lab"


def test_a_damaged_file_changes_nothing_and_is_explained(
    open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "broken.kentino"
    file.write_text("{", encoding="utf-8")
    told: list[str] = []
    monkeypatch.setattr(MainWindow, "show_problem", lambda self, what, detail: told.append(detail))
    window = open_window()
    window.new_project()
    before = window.session.answers
    window.open_file(file)
    assert window.session.answers is before
    assert len(told) == 1 and "broken.kentino" in told[0]


@pytest.mark.parametrize(
    ("choice", "left"),
    [(dialogs.Leave.DISCARD, True), (dialogs.Leave.CANCEL, False)],
    ids=["discard", "cancel"],
)
def test_changes_that_are_in_no_file_are_asked_about(
    choice: dialogs.Leave, left: bool, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs.LeaveDialog, "ask", lambda *_: choice)
    window = open_window()
    window.new_project()
    window.session.set_answer(NAME, "Example Lab")
    window.new_project()
    assert (window.session.answers.get(NAME) == "Example Lab") is not left


def test_work_of_a_window_that_was_killed_is_offered_and_continues(
    service: Service, open_window: OpenWindow
) -> None:
    killed = Session(service.evaluate)
    killed.set_answer(NAME, "Killed Lab")
    killed.autosave()
    assert killed._recovery is not None
    killed._recovery.lock.release()  # as the system does for a process that is gone
    window = open_window()
    key = next(
        key
        for key, found in window._recoverable.items()
        if found.project.active_answers.get(NAME) == "Killed Lab"
    )
    window._recover(key)
    assert window.session.answers.get(NAME) == "Killed Lab"
    assert not window.session.is_saved


def test_text_that_was_typed_but_not_left_survives_a_kill(service: Service) -> None:
    killed = Session(service.evaluate)
    killed.keep_draft(killed.answers.with_value(NAME, "Half a na"))
    assert killed.answers.tree == {}
    assert killed._recovery is not None
    killed._recovery.lock.release()
    names = [found.project.active_answers.get(NAME) for found in recoverable_sessions()]
    assert "Half a na" in names


def test_a_window_that_is_closed_leaves_nothing_to_recover(service: Service) -> None:
    session = Session(service.evaluate)
    session.set_answer(NAME, "Closed Lab")
    session.autosave()
    session.close()
    names = [found.project.active_answers.get(NAME) for found in recoverable_sessions()]
    assert "Closed Lab" not in names


def test_a_file_open_in_one_window_is_read_only_in_the_other(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "shared.kentino"
    first, second = Session(service.evaluate), Session(service.evaluate)
    first.new()
    first.set_answer(NAME, "Example Lab")
    first.save(file)
    second.open(file)
    assert second.read_only and second.other_owner is not None
    first.close()
    second.close()


def test_the_start_page_lists_what_was_saved_before(open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window()
    window.new_project()
    window.session.set_answer(NAME, "Listed Lab")
    window._save_to(tmp_path / "listed.kentino")
    window.show_start()
    assert any("Listed Lab" in name for name in spoken_names(window.start_page))


def spoken_names(page: StartPage) -> list[str]:
    from PySide6.QtWidgets import QAbstractButton

    return [button.accessibleName() for button in page.findChildren(QAbstractButton)]


def test_a_request_file_begins_a_new_project(open_window: OpenWindow, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"customer": {"name": "From a file"}}), encoding="utf-8")
    window = open_window()
    window.open_file(file)
    assert window.session.answers.get(NAME) == "From a file"
    assert window.session.file is None


def test_the_description_of_a_model_begins_a_project_about_it(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"model_type": "llama", "hidden_size": 4096}), encoding="utf-8")
    assert load_request_file(file).get("workloads[0].model.config") == str(file)


@pytest.mark.parametrize("content", ["[1]", "not json", ""])
def test_a_json_file_of_another_kind_is_refused_in_one_sentence(content: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(RequestFileError, match=r"other\.json"):
        load_request_file(file)


def test_a_title_becomes_a_file_name_that_every_system_takes(open_window: OpenWindow) -> None:
    texts = open_window().texts
    assert file_name('A/B: "c"? <d>', texts) == "AB c d"
    assert file_name("///", texts) == texts.say("w.bar.untitled")

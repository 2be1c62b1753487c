from __future__ import annotations

from pathlib import Path

from kentino_configurator.core.answers import Answers
from kentino_configurator.project.document import new_project
from kentino_configurator.project.recent import recent_projects
from kentino_configurator.project.store import save_project


def test_recent_files_are_named_by_title_customer_or_file(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.kentino" for name in ("titled", "customer", "bare", "gone")]
    answers = Answers({"customer": {"name": "Example Lab"}})
    save_project(new_project(answers, title="Offer 7"), files[0])
    save_project(new_project(answers), files[1])
    save_project(new_project(), files[2])
    found = recent_projects(str(file) for file in files)
    assert [entry.title for entry in found] == ["Offer 7", "Example Lab", "bare", "gone"]
    assert [entry.project is None for entry in found] == [False, False, False, True]
    assert "cannot be read" in found[3].reason

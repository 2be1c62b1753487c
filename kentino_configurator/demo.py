"""``demo``: the main job on a shipped example, for machines without a screen. Prints where the files are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.paths import HOME_VARIABLE
from kentino_configurator.project.document import project_of_request
from kentino_configurator.propose import write_proposal, write_workbook
from kentino_configurator.wizard.presets import load_preset

EXAMPLE = "rag_law_firm"


def run(out: Path) -> int:
    """Writes proposal, workbook and pictures of the example into ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    service = Service(load_snapshot())
    answers = load_preset(EXAMPLE)
    answer = service.evaluate(answers).answer
    assert answer is not None
    language = answer.request.customer.language
    project = project_of_request(answers, EXAMPLE, date.today())
    written = write_proposal(answer, service, out / f"{EXAMPLE}.pdf", language, project)
    written += write_workbook(answer, service, out / f"{EXAMPLE}.xlsx", language)
    written += _pictures(out)
    print("No screen was found, so the shipped example was worked through. Look at:")
    for path in written:
        print(f"  {path.resolve()}")
    return 0


def _pictures(out: Path) -> list[Path]:
    from kentino_configurator.app import take_pictures

    with _home_of_its_own():
        return take_pictures(out / "pictures", EXAMPLE)


@contextmanager
def _home_of_its_own() -> Iterator[None]:
    """An empty user folder: the pictures show nobody's unsaved work, and leave none behind."""
    before = os.environ.get(HOME_VARIABLE)
    with tempfile.TemporaryDirectory() as home:
        os.environ[HOME_VARIABLE] = home
        try:
            yield
        finally:
            os.environ.pop(HOME_VARIABLE)
            if before is not None:
                os.environ[HOME_VARIABLE] = before

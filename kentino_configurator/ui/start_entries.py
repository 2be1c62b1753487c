"""The rows of the start page: recent projects, examples, what a crash left behind, the catalogue."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.project.recent import RecentProject, recent_projects
from kentino_configurator.project.recovery import Recoverable
from kentino_configurator.texts import Texts
from kentino_configurator.ui.start_page import StartEntry
from kentino_configurator.wizard.presets import Preset, presets

MOST_RECENT = 6


def recent_entries(files: Sequence[str], texts: Texts) -> tuple[StartEntry, ...]:
    """One row for each recent file; a file that is gone says so and stays until another takes its place."""
    return tuple(_recent_entry(found, texts) for found in recent_projects(files[:MOST_RECENT]))


def _recent_entry(found: RecentProject, texts: Texts) -> StartEntry:
    missing = found.project is None
    return StartEntry(
        key=str(found.path),
        title=found.title,
        detail=texts.say("w.start.missing") if missing else found.path.name,
        remark="" if found.project is None else moment_words(found.project.modified, texts),
        remark_detail=str(found.path.parent.name),
    )


def example_entries(texts: Texts) -> tuple[StartEntry, ...]:
    """The presets with the verdict they show."""
    return tuple(_example_entry(preset, texts) for preset in presets())


def _example_entry(preset: Preset, texts: Texts) -> StartEntry:
    return StartEntry(
        key=preset.name,
        title=texts.say(preset.label),
        detail=texts.say(preset.help),
        remark=texts.say(f"v.{preset.expected_verdicts[0].value}.title"),
    )


def recovery_words(found: Recoverable, texts: Texts) -> str:
    """Which work was found and from when."""
    customer = found.project.active_answers.get("customer.name")
    name = found.project.title or (customer if isinstance(customer, str) else "")
    if not name and found.file is not None:
        name = Path(found.file).stem
    return texts.say(
        "w.start.recover",
        name=name or texts.say("w.bar.untitled"),
        time=moment_words(found.written, texts),
    )


def catalogue_line(snapshot: CatalogSnapshot, texts: Texts) -> str:
    """Version and date of the catalogue."""
    version = texts.say("w.rail.catalogue", version=snapshot.version)
    return f"{version}, {moment_words(snapshot.date, texts)}"


def moment_words(iso: str, texts: Texts) -> str:
    """A day, and the time of day when the text has one, in local time."""
    try:
        moment = datetime.datetime.fromisoformat(iso)
    except ValueError:
        return iso
    if len(iso) <= len("2026-12-01"):
        return texts.short_date(moment.date())
    local = moment.astimezone()
    return f"{texts.short_date(local.date())}, {local:%H:%M}"

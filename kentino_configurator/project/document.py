"""A project: variants of answers with what is needed to give the same result later."""

from __future__ import annotations

import datetime
import json
import uuid
from dataclasses import dataclass, replace
from typing import Final

from kentino_configurator.core.answers import Answers

SCHEMA_VERSION: Final = 1
FIRST_VARIANT: Final = "A"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One set of answers with its short name."""

    name: str
    answers: Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedQuote:
    """A quotation that left the house; ``issued_on`` is an ISO date."""

    number: str
    revision: int
    issued_on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything a ``.kentino`` file holds. ``active`` is the index of the variant shown.

    ``document_language`` is empty when the proposal follows the customer's language. ``created`` and ``modified``
    are ISO times in UTC. The catalogue's version and hash and the program's version are those of the last result.
    ``internal_notes`` never reach a customer's document.
    """

    id: str
    title: str = ""
    variants: tuple[Variant, ...] = (Variant(name=FIRST_VARIANT, answers=Answers({})),)
    active: int = 0
    document_language: str = ""
    created: str = ""
    modified: str = ""
    catalog_version: str = ""
    catalog_sha256: str = ""
    app_version: str = ""
    internal_notes: str = ""
    quotes: tuple[IssuedQuote, ...] = ()

    @property
    def active_variant(self) -> Variant:
        """The variant shown."""
        return self.variants[self.active]

    @property
    def active_answers(self) -> Answers:
        """The answers of the variant shown."""
        return self.active_variant.answers


def new_project(
    answers: Answers | None = None, title: str = "", now: datetime.datetime | None = None
) -> Project:
    """A project with one variant."""
    moment = timestamp(now)
    variant = Variant(name=FIRST_VARIANT, answers=answers or Answers({}))
    return Project(id=uuid.uuid4().hex, title=title, variants=(variant,), created=moment, modified=moment)


def project_of_request(answers: Answers, title: str, day: datetime.date) -> Project:
    """The project of a request file: the same answers, title and day give the same project."""
    moment = datetime.datetime.combine(day, datetime.time(), datetime.UTC)
    content = json.dumps([answers.tree, title], ensure_ascii=True, sort_keys=True, default=dict)
    return replace(new_project(answers, title, moment), id=uuid.uuid5(uuid.NAMESPACE_OID, content).hex)


def for_customer(project: Project) -> Project:
    """What a customer may have of a project: the variant shown, and nothing internal."""
    return replace(project, variants=(project.active_variant,), active=0, internal_notes="")


def timestamp(now: datetime.datetime | None = None) -> str:
    """A moment as ISO text in UTC, to the second."""
    moment = now or datetime.datetime.now(datetime.UTC)
    return moment.astimezone(datetime.UTC).isoformat(timespec="seconds")


def with_answers(project: Project, answers: Answers) -> Project:
    """The project with other answers in the variant shown."""
    changed = replace(project.active_variant, answers=answers)
    variants = tuple(
        changed if index == project.active else old for index, old in enumerate(project.variants)
    )
    return replace(project, variants=variants)


def with_copy_of_variant(project: Project) -> Project:
    """The project with a copy of the variant shown behind it, under the next free letter; the copy is shown."""
    copy = replace(project.active_variant, name=_free_name(project))
    variants = (*project.variants[: project.active + 1], copy, *project.variants[project.active + 1 :])
    return replace(project, variants=variants, active=project.active + 1)


def without_variant(project: Project, index: int) -> Project:
    """The project without one variant; the last one stays."""
    if len(project.variants) == 1:
        return project
    variants = project.variants[:index] + project.variants[index + 1 :]
    active = project.active - 1 if index < project.active else min(project.active, len(variants) - 1)
    return replace(project, variants=variants, active=active)


def with_variant_shown(project: Project, index: int) -> Project:
    """The project with another variant shown."""
    return replace(project, active=max(0, min(index, len(project.variants) - 1)))


def with_variant_renamed(project: Project, index: int, name: str) -> Project:
    """The project with one variant under another name."""
    variants = tuple(
        replace(old, name=name) if position == index else old for position, old in enumerate(project.variants)
    )
    return replace(project, variants=variants)


def _free_name(project: Project) -> str:
    taken = {variant.name for variant in project.variants}
    letters = (chr(ord(FIRST_VARIANT) + offset) for offset in range(26))
    numbers = (f"{FIRST_VARIANT}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (*letters, *numbers) if name not in taken)

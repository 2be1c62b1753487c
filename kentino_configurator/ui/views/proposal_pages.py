"""The document of an answer, made in the background: its bytes, and what is still open in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.ui.workers import Job, run_in_background

if TYPE_CHECKING:
    from kentino_configurator.project.document import Project
    from kentino_configurator.proposal.document import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A finished document in one language."""

    answer: Answer
    language: str
    proposal: Proposal
    data: bytes


def make_document(answer: Answer, snapshot: CatalogSnapshot, language: str, project: Project) -> Document:
    """Build and print, with the files inside; the printing library is loaded with the first document."""
    from kentino_configurator.export.document_file import document_file
    from kentino_configurator.project.quotes import terms_of
    from kentino_configurator.proposal.seller_file import load_seller
    from kentino_configurator.settings import load_preferences

    terms = terms_of(project, load_preferences(), load_seller(), date.today())
    file = document_file(answer, snapshot, language, terms=terms, project=project)
    return Document(answer=answer, language=language, proposal=file.proposal, data=file.data)


class Printing:
    """One document under way. A dropped one is not even begun when its turn comes."""

    def __init__(
        self,
        answer: Answer,
        snapshot: CatalogSnapshot,
        language: str,
        project: Project,
        done: Callable[[Document], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._dropped = Event()
        self._job: Job = run_in_background(
            lambda: None if self._dropped.is_set() else make_document(answer, snapshot, language, project),
            lambda document: done(document) if document is not None else None,
            failed,
        )

    def end_with(self, owner: QObject) -> None:
        """Tell nobody once ``owner`` is gone."""
        owner.destroyed.connect(self._job.cancel)

    def drop(self) -> None:
        """Nobody wants it any more."""
        self._dropped.set()
        self._job.cancel()

"""The finished document of an answer: what window, command line and tests write alike."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.export.attachments import attachments_of
from kentino_configurator.export.pdf.render import render_proposal
from kentino_configurator.project.document import Project
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.proposal.document import Audience, Proposal
from kentino_configurator.proposal.sections.compliance import requirements_of
from kentino_configurator.proposal.terms import DocumentTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFile:
    """A document with its bytes."""

    proposal: Proposal
    data: bytes


def document_file(
    answer: Answer,
    snapshot: CatalogSnapshot,
    language: str,
    *,
    terms: DocumentTerms | None = None,
    project: Project | None = None,
    audience: Audience = Audience.CUSTOMER,
) -> DocumentFile:
    """The PDF with its attachments; without a project it cannot be opened as one later.

    Raises ``ValueError`` for an unknown language.
    """
    notes = project.internal_notes if project is not None and audience is Audience.INTERNAL else ""
    proposal = build_proposal(answer, snapshot, terms=terms, audience=audience, internal_notes=notes)
    files = attachments_of(answer, project, language, audience, requirements_of(answer, snapshot))
    return DocumentFile(proposal=proposal, data=render_proposal(proposal, language, files))

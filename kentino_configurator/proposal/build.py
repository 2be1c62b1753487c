"""From an answer to the document: which sections it has, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, Verdict
from kentino_configurator.core.message import Arg, message
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Audience, DocumentKind, Proposal, Section
from kentino_configurator.proposal.open_points import open_points, open_points_section
from kentino_configurator.proposal.sections.acceptance import acceptance_section
from kentino_configurator.proposal.sections.alternatives import alternatives_section
from kentino_configurator.proposal.sections.bom import bom_section
from kentino_configurator.proposal.sections.compliance import compliance_section
from kentino_configurator.proposal.sections.decision import decision_section
from kentino_configurator.proposal.sections.elsewhere import referral_decision, system_section
from kentino_configurator.proposal.sections.internal import internal_section
from kentino_configurator.proposal.sections.limits import nearest_section, no_answer_decision
from kentino_configurator.proposal.sections.method import method_section
from kentino_configurator.proposal.sections.needs import needs_section
from kentino_configurator.proposal.sections.operations import operations_section
from kentino_configurator.proposal.sections.site import site_section
from kentino_configurator.proposal.sections.sizing import sizing_section
from kentino_configurator.proposal.sections.terms import terms_section
from kentino_configurator.proposal.sections.topology import topology_section
from kentino_configurator.proposal.sections.why import why_section
from kentino_configurator.proposal.terms import DocumentTerms

_KINDS = {Verdict.REFER_SXM: DocumentKind.REFERRAL, Verdict.NO_ANSWER: DocumentKind.ANALYSIS}


def build_proposal(
    answer: Answer,
    snapshot: CatalogSnapshot,
    *,
    terms: DocumentTerms | None = None,
    audience: Audience = Audience.CUSTOMER,
    internal_notes: str = "",
) -> Proposal:
    """The document of an answer. Without terms it is a draft of today without a number.

    The same answer and terms give an equal document. ``internal_notes`` and the sources of prices are in the
    internal document only. With open points it stays a draft.
    """
    case = Case(answer=answer, snapshot=snapshot, terms=terms or DocumentTerms(issued=date.today()))
    kind = _KINDS.get(answer.decision.verdict, DocumentKind.PROPOSAL)
    points = open_points(case)
    commercial = answer.request.commercial
    return Proposal(
        kind=kind,
        title=message(f"doc.kind_of_document.{kind.value}"),
        project=case.project,
        terms=replace(case.terms, draft=case.terms.draft or bool(points)),
        valid_until=case.terms.valid_until(commercial.validity_days) if case.is_offer else None,
        catalog_version=answer.catalog_version,
        catalog_date=answer.catalog_date,
        budgetary=answer.bom is not None and answer.bom.budgetary,
        sections=(*_sections(case, points), *_internal(case, audience, internal_notes)),
        open_points=points,
        audience=audience,
    )


def _internal(case: Case, audience: Audience, notes: str) -> Iterator[Section]:
    if audience is Audience.INTERNAL:
        yield internal_section(case, notes)


def _sections(case: Case, points: tuple[Arg, ...]) -> Iterator[Section]:
    configuration, referral = case.configuration, case.decision.referral
    if configuration is not None:
        yield from _offer(case, configuration, points)
        return
    yield no_answer_decision(case) if referral is None else referral_decision(case, referral)
    yield needs_section(case)
    yield why_section(case)
    yield nearest_section(case) if referral is None else system_section(case, referral)
    if points:
        yield open_points_section(points)
    yield method_section(case)


def _offer(case: Case, configuration: Configuration, points: tuple[Arg, ...]) -> Iterator[Section]:
    yield decision_section(case, configuration)
    yield needs_section(case)
    yield why_section(case)
    yield sizing_section(case, configuration)
    yield alternatives_section(case, configuration)
    if case.answer.topology is not None:
        yield topology_section(case, case.answer.topology)
    if case.bom is not None:
        yield site_section(case, case.bom)
    if case.decision.ops_tax is not None:
        yield operations_section(case, case.decision.ops_tax)
    if case.bom is not None:
        yield bom_section(case, case.bom)
    if case.request.commercial.public_tender:
        yield compliance_section(case, configuration)
    yield terms_section(case, configuration)
    yield acceptance_section(case, configuration)
    if points:
        yield open_points_section(points)
    yield method_section(case)

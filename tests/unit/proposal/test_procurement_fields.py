"""Every field that a purchasing department asks for is in the document, filled or marked open."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date

import pytest

from kentino_configurator.core.decision import Verdict
from kentino_configurator.core.request import Customer
from kentino_configurator.proposal.blocks import Row, Table
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.proposal.document import Proposal
from kentino_configurator.proposal.terms import DocumentTerms, Revision, SellerProfile
from tests.unit.proposal.sample import ISSUED, TERMS, answer, snapshot
from tests.unit.proposal.test_build_proposal import parts, section, text_ids

# Field -> the text that names it and the section where it stands; revision, dates and language are in the furniture.
FIELDS = {
    "customer reference": ("terms", "doc.term.reference"),
    "seller's legal name": ("terms", "doc.party.seller"),
    "seller's address": ("terms", "doc.party.seller_address"),
    "company and VAT number": ("terms", "doc.party.seller_ids"),
    "customer": ("terms", "doc.party.customer"),
    "customer's address": ("terms", "doc.party.customer_address"),
    "customer's VAT number": ("terms", "doc.party.customer_ids"),
    "contact": ("terms", "doc.party.customer_contact"),
    "delivery site": ("terms", "doc.term.site"),
    "line, SKU, maker, part number": ("bom", "doc.bom.maker"),
    "quantity": ("bom", "doc.column.quantity"),
    "unit": ("bom", "doc.line.unit"),
    "unit price": ("bom", "doc.column.unit_net"),
    "discount": ("bom", "doc.line.discount"),
    "line price": ("bom", "doc.column.line_net"),
    "VAT rate": ("bom", "doc.line.vat_rate"),
    "origin and HS code": ("bom", "doc.line.origin"),
    "warranty of a line": ("bom", "doc.line.warranty"),
    "lead time of a line": ("bom", "doc.line.lead_time"),
    "or equivalent": ("bom", "doc.line.equivalent"),
    "how firm a price is": ("bom", "doc.bom.status"),
    "totals": ("bom", "doc.bom.totals"),
    "freight": ("terms", "doc.term.freight"),
    "installation": ("terms", "doc.term.installation"),
    "VAT text": ("terms", "doc.term.vat"),
    "Incoterm, place, lead time": ("terms", "p.text.delivery"),
    "partial delivery": ("terms", "doc.term.partial"),
    "packing": ("terms", "doc.term.packing"),
    "insurance": ("terms", "doc.term.insurance"),
    "payment": ("terms", "doc.term.payment"),
    "retention of title": ("terms", "doc.term.retention"),
    "warranty": ("terms", "doc.term.warranty"),
    "response and repair": ("terms", "doc.term.service"),
    "data carriers": ("terms", "doc.term.drives"),
    "CE, RoHS, WEEE": ("terms", "doc.law.ce"),
    "ecodesign": ("terms", "doc.law.ecodesign"),
    "security updates": ("terms", "doc.law.security"),
    "export control": ("terms", "doc.law.export"),
    "circuits": ("site", "doc.site.circuits"),
    "heat": ("site", "doc.site.heat"),
    "airflow": ("site", "doc.site.air"),
    "inlet temperature": ("site", "doc.site.inlet"),
    "rack units": ("site", "doc.site.rack"),
    "mass": ("site", "doc.site.mass"),
    "the way in": ("site", "doc.check.way"),
    "noise": ("site", "doc.check.noise"),
    "network ports": ("site", "doc.site.network"),
    "acceptance tests": ("acceptance", "doc.column.test"),
    "deemed acceptance": ("acceptance", "a.deemed"),
    "assumptions": ("needs", "p.title.assumptions"),
}


def proposal(terms: DocumentTerms = TERMS) -> Proposal:
    return build_proposal(answer(), snapshot(), terms=terms)


@pytest.fixture(scope="module")
def document() -> Proposal:
    return proposal()


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_of_procurement_is_there(document: Proposal, field: str) -> None:
    section_id, text_id = FIELDS[field]
    assert text_id in text_ids(section(document, section_id))


def test_no_row_of_terms_is_empty(document: Proposal) -> None:
    rows = [row for part in parts(section(document, "terms")) if isinstance(part, Table) for row in part.rows]
    assert len(rows) > 25
    assert [row for row in rows if isinstance(row, Row) and not row.cells[1].words] == []


@pytest.mark.parametrize("verdict", [Verdict.SINGLE_NODE, Verdict.MULTI_NODE])
def test_an_empty_seller_prints_a_mark_in_every_place_that_needs_one(verdict: Verdict) -> None:
    nobody = replace(answer(verdict), request=replace(answer(verdict).request, customer=Customer()))
    document = build_proposal(nobody, snapshot(), terms=TERMS)
    marked = [
        row.cells[0].words.id
        for part in parts(section(document, "terms"))
        if isinstance(part, Table)
        for row in part.rows
        if "doc.to_be_completed" in text_ids(row)
    ]
    assert {"doc.party.seller", "doc.party.customer", "doc.term.payment", "doc.law.export"} <= set(marked)


def test_what_the_seller_entered_is_printed_as_it_is() -> None:
    names = [field.name for field in fields(SellerProfile) if field.name != "legal_texts_approved_on"]
    seller = SellerProfile(**{name: f"value of {name}" for name in names})
    document = proposal(replace(TERMS, seller=seller))
    printed = {part for part in parts(document.sections) if isinstance(part, str)}
    assert {f"value of {name}" for name in names} <= printed


def test_revisions_are_listed_from_the_second_on() -> None:
    history = (Revision(number=1, issued=date(2026, 11, 1)), Revision(number=2, issued=ISSUED))
    assert "doc.term.revisions" in text_ids(proposal(replace(TERMS, history=history)).sections)
    assert "doc.term.revisions" not in text_ids(proposal(replace(TERMS, history=history[:1])).sections)


def test_open_points_keep_it_a_draft() -> None:
    document = proposal(replace(TERMS, draft=False))
    assert document.open_points
    assert document.terms.draft

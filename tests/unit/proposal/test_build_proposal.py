"""Which sections a document has, and what they must say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date

import pytest

from kentino_configurator.core.decision import Verdict
from kentino_configurator.core.message import Message
from kentino_configurator.core.money import Money, total
from kentino_configurator.proposal.blocks import KeyFigures, Row, Signatures, Table
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.proposal.document import DocumentKind, Proposal, Section
from kentino_configurator.proposal.terms import DocumentTerms, SellerProfile
from tests.unit.proposal.sample import ISSUED, TERMS, answer, snapshot

OFFERS = (Verdict.SINGLE_NODE, Verdict.SINGLE_NODE_INT4, Verdict.REPLICAS, Verdict.MULTI_NODE)
OFFER_SECTIONS = [
    "decision",
    "needs",
    "why",
    "sizing",
    "alternatives",
    "topology",
    "site",
    "operations",
    "bom",
    "terms",
    "acceptance",
    "open_points",
    "method",
]


def proposal(verdict: Verdict = Verdict.SINGLE_NODE, terms: DocumentTerms = TERMS) -> Proposal:
    return build_proposal(answer(verdict), snapshot(), terms=terms)


def section(document: Proposal, section_id: str) -> Section:
    return next(section for section in document.sections if section.id == section_id)


def parts(value: object) -> Iterator[object]:
    """A value and everything inside it."""
    yield value
    if isinstance(value, Message):
        for inner in value.args.values():
            yield from parts(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from parts(inner)
    elif is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))


def said(value: object, text_id: str) -> Message:
    """The first message with that id."""
    return next(part for part in parts(value) if isinstance(part, Message) and part.id == text_id)


def text_ids(value: object) -> set[str]:
    return {part.id for part in parts(value) if isinstance(part, Message)}


@pytest.mark.parametrize("verdict", OFFERS)
def test_an_offer_has_every_section_in_order(verdict: Verdict) -> None:
    assert [item.id for item in proposal(verdict).sections] == OFFER_SECTIONS


def test_a_referral_has_no_price_no_validity_and_no_acceptance_sheet() -> None:
    document = proposal(Verdict.REFER_SXM)
    assert document.kind is DocumentKind.REFERRAL
    assert document.valid_until is None
    assert [item.id for item in document.sections] == [
        "decision",
        "needs",
        "why",
        "sxm",
        "open_points",
        "method",
    ]
    assert not [part for part in parts(section(document, "decision")) if isinstance(part, Money)]


def test_no_answer_is_an_analysis_without_total_signature_or_validity() -> None:
    document = proposal(Verdict.NO_ANSWER)
    assert document.kind is DocumentKind.ANALYSIS
    assert document.valid_until is None
    assert not [part for part in parts(document.sections) if isinstance(part, Signatures)]
    assert not [text_id for text_id in text_ids(document.sections) if text_id.startswith("doc.sum.")]
    assert "doc.not_a_quotation" in text_ids(section(document, "decision"))


def test_page_1_has_four_figures_reasons_risks_and_what_would_change_it() -> None:
    first = section(proposal(), "decision")
    figures = next(block for block in first.blocks if isinstance(block, KeyFigures))
    assert len(figures.items) == 4
    assert {"doc.reasons", "doc.risks", "doc.what_changes", "doc.lever.concurrent_requests"} <= text_ids(
        first
    )


def test_a_plan_of_the_customer_that_is_worse_is_named_in_the_headline() -> None:
    assert "doc.not.requested" in text_ids(section(proposal(), "decision"))


def test_the_price_risk_counts_lines_that_kentino_has_not_confirmed() -> None:
    risk = said(section(proposal(), "decision"), "doc.risk.prices.text")
    assert (risk.args["open"], risk.args["total"], risk.args["unpriced"]) == (4, 5, 1)


def test_the_total_of_page_1_equals_the_lines_of_the_bill() -> None:
    document = proposal()
    bom = answer().bom
    assert bom is not None
    lines = total(line.net for line in bom.lines if line.net is not None)
    printed = [part for part in parts(section(document, "decision")) if isinstance(part, Money)]
    assert lines in printed
    assert "doc.bom.sum_wrong" not in text_ids(section(document, "bom"))


def test_a_wrong_total_is_said_aloud() -> None:
    plain = answer()
    assert plain.bom is not None
    wrong = replace(plain, bom=replace(plain.bom, list_net=Money(1), net=Money(1)))
    document = build_proposal(wrong, snapshot(), terms=TERMS)
    assert "doc.bom.sum_wrong" in text_ids(section(document, "bom"))


def test_every_line_of_the_bill_is_one_row() -> None:
    bom = section(proposal(), "bom")
    table = next(block for block in bom.blocks if isinstance(block, Table))
    assert len([row for row in table.rows if not row.group]) == 5


def test_missing_data_of_the_seller_is_marked_and_listed() -> None:
    document = proposal()
    assert "doc.to_be_completed" in text_ids(section(document, "terms"))
    assert {"doc.open.seller", "doc.open.number"} <= text_ids(document.open_points)


def test_complete_terms_leave_no_mark_about_the_seller() -> None:
    seller = SellerProfile(**{field.name: "given" for field in fields(SellerProfile)})
    document = proposal(terms=replace(TERMS, number="K-2026-0412", seller=seller, draft=False))
    assert {"doc.open.seller", "doc.open.number", "doc.open.legal"}.isdisjoint(text_ids(document.open_points))
    assert "doc.not_approved" not in text_ids(section(document, "terms"))


def test_assumptions_are_sorted_by_their_effect() -> None:
    table = [block for block in section(proposal(), "needs").blocks if isinstance(block, Table)][-1]
    effects = [row.cells[3].words for row in table.rows]
    assert [effect.id for effect in effects if isinstance(effect, Message)] == ["moves.strong", "moves.weak"]


def test_what_was_assumed_does_not_stand_among_what_was_told() -> None:
    *told, assumed = (block for block in section(proposal(), "needs").blocks if isinstance(block, Table))
    assert "q.d_long_share.label" in text_ids(assumed)
    assert "q.d_long_share.label" not in text_ids(tuple(told))
    assert "q.d_concurrent_requests.label" in text_ids(tuple(told))


def test_acceptance_promises_the_weak_end() -> None:
    serving = said(section(proposal(), "acceptance"), "a.serving.expect")
    assert serving.args["rate"].value == 830
    assert serving.args["ttft"].value == 2.0


@pytest.mark.parametrize(
    ("verdict", "test_id"),
    [
        (Verdict.SINGLE_NODE_INT4, "a.quality.expect"),
        (Verdict.REPLICAS, "a.failover.expect"),
        (Verdict.MULTI_NODE, "a.fabric.expect"),
        (Verdict.MULTI_NODE, "a.training.expect"),
    ],
)
def test_each_verdict_has_its_own_acceptance_test(verdict: Verdict, test_id: str) -> None:
    assert test_id in text_ids(section(proposal(verdict), "acceptance"))
    assert test_id not in text_ids(section(proposal(Verdict.SINGLE_NODE), "acceptance"))


def test_a_cluster_multiplies_duties_that_one_node_only_mentions() -> None:
    one, cluster = (
        text_ids(section(proposal(v), "operations")) for v in (Verdict.SINGLE_NODE, Verdict.MULTI_NODE)
    )
    assert "ops.sum.half_capacity" in cluster - one
    assert "doc.ops.one_node" in one - cluster


def test_the_same_answer_and_terms_give_an_equal_document() -> None:
    assert proposal() == proposal()


def test_without_terms_it_is_a_draft_of_today() -> None:
    document = build_proposal(answer(), snapshot())
    assert document.terms.draft
    assert document.terms.issued == date.today()


def test_the_offer_ends_after_the_days_of_validity() -> None:
    assert proposal().valid_until == date(2026, 12, 15)
    assert date(2026, 12, 1) == ISSUED


def test_rows_fit_their_columns() -> None:
    for verdict in Verdict:
        for part in parts(proposal(verdict).sections):
            if isinstance(part, Table):
                assert {len(row.cells) for row in part.rows if isinstance(row, Row)} <= {len(part.columns)}

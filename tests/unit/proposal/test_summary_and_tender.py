"""The one-page summary, the compliance table of a tender, and the internal copy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Verdict
from kentino_configurator.core.money import Money
from kentino_configurator.proposal.build import build_proposal
from kentino_configurator.proposal.document import Audience, DocumentKind, Section
from kentino_configurator.proposal.sections.compliance import Compliance, requirements_of
from kentino_configurator.proposal.summary import build_summary
from tests.unit.proposal.sample import TERMS, answer, bill, lines, snapshot
from tests.unit.proposal.test_build_proposal import OFFERS, parts, section, text_ids


def tender(verdict: Verdict = Verdict.SINGLE_NODE, given: Answer | None = None) -> Answer:
    plain = given or answer(verdict)
    commercial = replace(plain.request.commercial, public_tender=True)
    return replace(plain, request=replace(plain.request, commercial=commercial))


def requirement(found: tuple[Compliance, ...], text_id: str) -> Compliance:
    return next(item for item in found if text_id in text_ids(item.requirement))


def summary(verdict: Verdict) -> Section:
    document = build_summary(answer(verdict), snapshot(), terms=TERMS)
    (only,) = document.sections
    return only


@pytest.mark.parametrize("verdict", Verdict)
def test_a_summary_of_every_verdict_says_that_it_is_no_quotation(verdict: Verdict) -> None:
    document = build_summary(answer(verdict), snapshot(), terms=TERMS)
    assert document.kind is DocumentKind.SUMMARY
    assert document.valid_until is None
    assert document.sections[0].own_page
    assert "doc.summary.no_quotation" in text_ids(document)


@pytest.mark.parametrize("verdict", OFFERS)
def test_a_summary_of_an_offer_fills_every_zone(verdict: Verdict) -> None:
    zones = {"doc.summary.money", "doc.summary.price", "doc.summary.site", "doc.reasons", "p.title.memory"}
    assert zones <= text_ids(summary(verdict))


def test_a_summary_names_pages_of_no_other_document() -> None:
    assert "late.page_of" not in text_ids(summary(Verdict.SINGLE_NODE))


def test_a_referral_has_no_price_in_its_summary() -> None:
    assert not [part for part in parts(summary(Verdict.REFER_SXM)) if isinstance(part, Money)]


def test_only_a_tender_has_a_compliance_table() -> None:
    plain = build_proposal(answer(), snapshot(), terms=TERMS)
    asked = build_proposal(tender(), snapshot(), terms=TERMS)
    assert "matrix" not in [item.id for item in plain.sections]
    assert {"doc.column.complies", "doc.matrix.functional"} <= text_ids(section(asked, "matrix"))
    assert requirements_of(answer(), snapshot()) == ()


def test_a_speed_complies_only_with_its_weak_end() -> None:
    found = requirements_of(tender(), snapshot())
    assert requirement(found, "doc.est.ttft").met is True
    workload = replace(answer().request.workloads[0], tokens_per_s_per_user=19)
    faster = replace(answer(), request=replace(answer().request, workloads=(workload,)))
    found = requirements_of(tender(given=faster), snapshot())
    assert requirement(found, "doc.est.each").met is False


def test_what_nobody_knows_is_neither_yes_nor_no() -> None:
    plain = answer()
    assert plain.bom is not None
    unknown = replace(plain, bom=replace(plain.bom, site=replace(plain.bom.site, max_inlet_c=None)))
    found = requirements_of(tender(given=unknown), snapshot())
    assert requirement(found, "doc.site.inlet").met is None


def test_a_lower_bound_inside_the_budget_proves_nothing() -> None:
    def with_budget(eur: float) -> Answer:
        limits = replace(answer().request.limits, budget_eur=eur)
        return replace(answer(), request=replace(answer().request, limits=limits))

    within, over = (requirements_of(tender(given=with_budget(eur)), snapshot()) for eur in (1e6, 1e3))
    assert requirement(within, "q.b_budget.label").met is None
    assert requirement(over, "q.b_budget.label").met is False


def test_the_internal_copy_alone_has_notes_and_remarks_on_parts() -> None:
    remarked = replace(
        answer(), bom=bill((replace(lines()[0], notes="ask the second supplier"), *lines()[1:]))
    )
    ours, theirs = (
        build_proposal(remarked, snapshot(), terms=TERMS, audience=audience, internal_notes="pays late")
        for audience in (Audience.INTERNAL, Audience.CUSTOMER)
    )
    assert {"pays late", "ask the second supplier"} <= {p for p in parts(ours) if isinstance(p, str)}
    assert {"pays late", "ask the second supplier"}.isdisjoint(p for p in parts(theirs) if isinstance(p, str))

"""One page for a meeting or a mail: made for every verdict, never a quotation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.request import Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Block,
    Bullets,
    Heading,
    KeyFigure,
    KeyFigures,
    MemoryBar,
    Pair,
    Paragraph,
    Point,
    Points,
    Role,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import DocumentKind, Proposal, Section
from kentino_configurator.proposal.late import date_arg, expected_of, iso_date_arg, range_of
from kentino_configurator.proposal.performance import estimate_rows
from kentino_configurator.proposal.sections.decision import does, headline, levers, machine_card
from kentino_configurator.proposal.sections.elsewhere import referral_decision
from kentino_configurator.proposal.sections.limits import no_answer_decision
from kentino_configurator.proposal.sections.needs import strongest_assumptions
from kentino_configurator.proposal.sections.reasons import reasons, strongest_rejected
from kentino_configurator.proposal.sections.site import worst_site_check
from kentino_configurator.proposal.sentences import or_open, price_message
from kentino_configurator.proposal.terms import DocumentTerms

MOST_REASONS = 2
MOST_LEVERS = 2
MOST_ASSUMPTIONS = 3
_TOLD = ("doc.est.all", "doc.est.hours", "doc.est.days", "doc.est.ttft", "doc.est.train")
_SPEED_FIGURES = 2


def build_summary(
    answer: Answer, snapshot: CatalogSnapshot, *, terms: DocumentTerms | None = None
) -> Proposal:
    """The summary as a document of one page; without terms dated today."""
    case = Case(answer=answer, snapshot=snapshot, terms=terms or DocumentTerms(issued=date.today()))
    return Proposal(
        kind=DocumentKind.SUMMARY,
        title=message("doc.kind_of_document.summary"),
        project=case.project,
        terms=replace(case.terms, draft=False),
        valid_until=None,
        catalog_version=answer.catalog_version,
        catalog_date=answer.catalog_date,
        budgetary=answer.bom is not None and answer.bom.budgetary,
        sections=(_section(case),),
        open_points=(),
    )


def _section(case: Case) -> Section:
    return Section(
        id="summary",
        title=message("p.title.one_page"),
        blocks=(*_blocks(case), *_foot(case)),
        own_page=True,
    )


def _blocks(case: Case) -> tuple[Block, ...]:
    if case.configuration is not None:
        return tuple(_offer(case, case.configuration))
    referral = case.decision.referral
    page = no_answer_decision(case) if referral is None else referral_decision(case, referral)
    return page.blocks


def _offer(case: Case, configuration: Configuration) -> Iterator[Block]:
    yield headline(case, configuration)
    yield Paragraph(words=does(case, configuration), role=Role.LEAD)
    yield KeyFigures(items=tuple(_figures(case)))
    yield Heading(words=message("doc.the_machine"))
    yield machine_card(configuration)
    yield from _memory(case)
    yield Pair(
        left=(Heading(words=message("doc.summary.money")), Bullets(items=tuple(_money(case)))),
        right=(Heading(words=message("doc.reasons")), Points(items=_why(case, configuration))),
    )
    if case.decision.tipping_points:
        yield Heading(words=message("doc.what_changes"))
        yield levers(case.decision.tipping_points[:MOST_LEVERS])
    yield Pair(
        left=(Heading(words=message("doc.summary.site")), Paragraph(words=worst_site_check(case))),
        right=(Heading(words=message("p.title.assumptions")), *_assumed(case)),
    )


def _figures(case: Case) -> Iterator[KeyFigure]:
    """Two speeds, how many requests fit at full length, power."""
    first = next(case.served(), None)
    if first is not None:
        yield from _speeds(*first)
        yield from _room(*first)
    if case.bom is not None:
        power = case.bom.power.ac_w
        yield KeyFigure(label=message("doc.figure.power"), value=power, lines=(range_of(power),))


def _speeds(workload: Workload, result: WorkloadResult) -> Iterator[KeyFigure]:
    rows = [row for row in estimate_rows(workload, result) if getattr(row.name, "id", "") in _TOLD]
    for row in rows[:_SPEED_FIGURES]:
        value: Arg = message("n.not_known") if row.estimate is None else row.estimate
        ends: Arg = "" if row.estimate is None else range_of(row.estimate)
        yield KeyFigure(label=row.name, value=value, lines=(ends, row.target_words))


def _room(workload: Workload, result: WorkloadResult) -> Iterator[KeyFigure]:
    if workload.kind.is_training or not workload.max_context_tokens:
        return
    requests = int(result.memory.max_concurrency_at_context) * result.copies_loaded
    context = Quantity(workload.max_context_tokens, Unit.TOKENS)
    yield KeyFigure(
        label=message("doc.summary.room"),
        value=requests,
        lines=(message("doc.summary.each", context=context),),
    )


def _memory(case: Case) -> Iterator[Block]:
    memory = case.decision.memory
    if memory is not None:
        yield Heading(words=message("p.title.memory"))
        yield MemoryBar(
            memory=memory,
            comfortable_share=case.share("weights.comfortable_share"),
            ceiling_share=case.share("weights.ceiling_share"),
        )


def _money(case: Case) -> Iterator[Arg]:
    """Price without VAT with its date, and what a year costs."""
    if case.bom is not None:
        price = price_message(case.bom.net, case.bom.unpriced_lines > 0)
        day = iso_date_arg(case.answer.catalog_date)
        yield message("doc.summary.price", price=price, date=day)
    cost = case.decision.three_year_cost
    if cost is not None:
        years = case.share("cost.years")
        yield _a_year("doc.cost.energy", cost.energy.scaled(1 / years))
        yield _a_year("doc.cost.operations", cost.operations.scaled(1 / years))


def _a_year(name: str, cost: Estimate) -> Arg:
    return message("doc.summary.a_year", name=message(name), expected=expected_of(cost), range=range_of(cost))


def _why(case: Case, configuration: Configuration) -> tuple[Point, ...]:
    """Two reasons, then the strongest alternative that was rejected."""
    own = reasons(case, configuration)[:MOST_REASONS]
    rejected = strongest_rejected(case)
    return own if rejected is None or rejected in own else (*own, rejected)


def _assumed(case: Case) -> Iterator[Block]:
    items = strongest_assumptions(case, MOST_ASSUMPTIONS)
    yield Bullets(items=items) if items else Paragraph(words=message("doc.nothing_assumed"))


def _foot(case: Case) -> Iterator[Block]:
    contact = or_open(case.terms.seller.contact)
    next_step = "doc.summary.next" if case.is_offer else "doc.summary.contact"
    yield Paragraph(words=message(next_step, contact=contact), role=Role.BODY)
    yield Paragraph(
        words=message("doc.summary.no_quotation", date=date_arg(case.terms.issued)), role=Role.STRONG
    )

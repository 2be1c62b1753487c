"""No answer: which limit was met, the nearest configurations that work, what is needed."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.answer.sentences import verdict_message
from kentino_configurator.core.decision import Alternative, Configuration, LimitMet
from kentino_configurator.core.message import Arg, message
from kentino_configurator.proposal.blocks import (
    Block,
    Bullets,
    Cell,
    Column,
    EstimateRows,
    Heading,
    Headline,
    MemoryBar,
    Paragraph,
    Role,
    Row,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.performance import estimate_rows
from kentino_configurator.proposal.sections.alternatives import comparison
from kentino_configurator.proposal.sentences import listed, machines_message, price_message


def no_answer_decision(case: Case) -> Section:
    """Page 1 of an analysis: the limit, the nearest thing that works, what is needed. No total."""
    return Section(
        id="decision",
        title=message("p.title.decision"),
        blocks=tuple(_first_page(case)),
        own_page=True,
    )


def _first_page(case: Case) -> Iterator[Block]:
    yield Headline(do=message("doc.no_answer"), do_not=_limit_words(case))
    yield Paragraph(words=verdict_message(case.answer, "text"), role=Role.LEAD)
    yield Paragraph(words=message("doc.not_a_quotation"), role=Role.STRONG)
    if case.decision.limits_met:
        yield Heading(words=message("p.title.limit"))
        yield _limits(case.decision.limits_met)
    if case.decision.needed:
        yield Heading(words=message("doc.needed_title"))
        yield Bullets(items=case.decision.needed)
    yield Heading(words=message("p.title.nearest"))
    yield from _nearest_words(case)


def _limit_words(case: Case) -> Arg:
    if not case.decision.limits_met:
        return message("doc.no_answer.none")
    return message("doc.no_answer.limit", limit=condition(case.decision.limits_met[0].name))


def condition(name: str) -> Arg:
    """The condition behind a limit in words; two conditions are joined."""
    parts = tuple(message(f"e.condition.{part}") for part in name.split("+"))
    return listed(parts)


def _limits(limits: tuple[LimitMet, ...]) -> Table:
    return Table(
        columns=(
            Column(title=message("doc.column.limit")),
            Column(title=message("doc.column.asked"), width_mm=44),
            Column(title=message("doc.column.works"), width_mm=70),
        ),
        rows=tuple(
            Row(
                cells=(
                    Cell(words=condition(limit.name), strong=True),
                    Cell(words=limit.asked),
                    Cell(words=limit.best),
                )
            )
            for limit in limits
        ),
    )


def _nearest_words(case: Case) -> Iterator[Block]:
    items = tuple(item.why_not for item in case.decision.alternatives)
    if items:
        yield Bullets(items=items)
    else:
        yield Paragraph(words=message("doc.no_answer.nothing"))


def nearest_section(case: Case) -> Section:
    """The configurations that work with one condition changed, in short."""
    return Section(
        id="alternatives",
        title=message("p.title.nearest"),
        lead=message("doc.nearest.lead"),
        blocks=tuple(_nearest(case)),
    )


def _nearest(case: Case) -> Iterator[Block]:
    if not case.decision.alternatives:
        yield Paragraph(words=message("doc.no_answer.nothing"))
        return
    yield comparison(case, None)
    yield Paragraph(words=message("doc.compare.caption"), role=Role.CAPTION)
    shown: list[Configuration] = []
    for item in case.decision.alternatives:
        configuration = item.configuration
        if configuration is not None and item.results and configuration not in shown:
            shown.append(configuration)
            yield from _short_sizing(case, configuration, item)


def _short_sizing(case: Case, configuration: Configuration, item: Alternative) -> Iterator[Block]:
    price = price_message(item.net, item.net_is_lower_bound)
    yield Heading(words=machines_message(configuration), remark=message("doc.nearest.price", price=price))
    result = item.results[0]
    yield MemoryBar(
        memory=result.memory,
        comfortable_share=case.share("weights.comfortable_share"),
        ceiling_share=case.share("weights.ceiling_share"),
    )
    workload = next((w for w in case.request.workloads if w.name == result.workload), None)
    if workload is not None:
        yield EstimateRows(rows=estimate_rows(workload, result))

"""The compliance table of a public tender: each requirement, whether it is met, where and with which value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.request import Availability
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Heading,
    Paragraph,
    Role,
    Row,
    Sign,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import expected_of, page_of, range_of
from kentino_configurator.proposal.performance import estimate_rows
from kentino_configurator.proposal.sentences import price_message
from kentino_configurator.proposal.terms import DocumentTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Compliance:
    """One requirement. ``met`` is ``None`` where nothing is known; ``section`` is where the value stands."""

    requirement: Arg
    met: bool | None
    value: Arg
    section: str


_WORDS = {True: "o.yes", False: "o.no", None: "n.not_known"}
_SIGNS = {True: Sign.TICK, False: Sign.WARN, None: Sign.UNKNOWN}


def compliance_section(case: Case, configuration: Configuration) -> Section:
    """The table, then the machine in functional figures beside its brands."""
    return Section(
        id="matrix",
        title=message("p.title.matrix"),
        lead=message("p.text.bom_equivalent", page=page_of("matrix")),
        blocks=tuple(_blocks(case, configuration)),
    )


def met_words(item: Compliance) -> Arg:
    """Yes, no, or not known."""
    return message(_WORDS[item.met])


def _blocks(case: Case, configuration: Configuration) -> Iterator[Block]:
    yield Table(
        columns=(
            Column(title=message("doc.column.requirement")),
            Column(title=message("doc.column.complies"), width_mm=30),
            Column(title=message("doc.column.page"), width_mm=14, align=Align.RIGHT),
            Column(title=message("doc.column.value"), width_mm=58, align=Align.RIGHT, quiet=True),
        ),
        rows=tuple(_row(item) for item in compliance(case, configuration)),
    )
    yield Paragraph(words=message("doc.matrix.caption"), role=Role.CAPTION)
    yield Heading(words=message("doc.matrix.functional"))
    yield Table(
        columns=(Column(), Column(width_mm=70, align=Align.RIGHT)),
        rows=tuple(
            Row(cells=(Cell(words=name, strong=True), Cell(words=value)))
            for name, value in _functional(case, configuration)
        ),
        compact=True,
    )


def _row(item: Compliance) -> Row:
    return Row(
        cells=(
            Cell(words=item.requirement, strong=True),
            Cell(words=met_words(item), sign=_SIGNS[item.met]),
            Cell(words=page_of(item.section)),
            Cell(words=item.value),
        )
    )


def requirements_of(answer: Answer, snapshot: CatalogSnapshot) -> tuple[Compliance, ...]:
    """The requirements of a public tender; none where the request is no tender or nothing is offered."""
    case = Case(answer=answer, snapshot=snapshot, terms=DocumentTerms(issued=date.min))
    if case.configuration is None or not case.request.commercial.public_tender:
        return ()
    return compliance(case, case.configuration)


def compliance(case: Case, configuration: Configuration) -> tuple[Compliance, ...]:
    """Every requirement of the request that has a number to hold against it."""
    found = [*_speeds(case), *_room(case), *_spare(case, configuration)]
    if case.bom is not None:
        found += [*_site(case, case.bom), *_budget(case, case.bom)]
    return tuple(found)


def _speeds(case: Case) -> Iterator[Compliance]:
    for workload, result in case.served():
        for row in estimate_rows(workload, result):
            if row.target_words:
                yield Compliance(
                    requirement=_requirement(row.name, row.target_words),
                    met=row.met,
                    value=message("n.not_known") if row.estimate is None else _ends(row.estimate),
                    section="sizing",
                )


def _requirement(name: Arg, limit: Arg) -> Arg:
    return message("doc.colon", name=name, text=limit)


def _ends(estimate: Estimate) -> Arg:
    return message("doc.matrix.range", expected=expected_of(estimate), range=range_of(estimate))


def _room(case: Case) -> Iterator[Compliance]:
    for workload, result in case.served():
        asked, room = workload.concurrent_requests, result.memory.max_concurrency_at_context
        if workload.kind.is_training or asked is None or not workload.max_context_tokens:
            continue
        possible = int(room) * result.copies_loaded
        limit = message(
            "doc.matrix.room",
            requests=Quantity(asked, Unit.REQUESTS),
            context=Quantity(workload.max_context_tokens, Unit.TOKENS),
        )
        yield Compliance(
            requirement=limit,
            met=possible >= asked,
            value=Quantity(possible, Unit.REQUESTS),
            section="sizing",
        )


def _spare(case: Case, configuration: Configuration) -> Iterator[Compliance]:
    if any(w.availability is Availability.N_PLUS_1 for w in case.request.workloads):
        spare = configuration.spare_copies + configuration.spare_nodes
        yield Compliance(
            requirement=message("doc.matrix.spare"),
            met=spare > 0,
            value=Quantity(configuration.spare_nodes, Unit.NODES),
            section="decision",
        )


def _site(case: Case, bom: BillOfMaterials) -> Iterator[Compliance]:
    site, place = case.request.site, bom.site
    limits = (
        ("doc.site.rack", site.rack_units, place.rack_units, Unit.RACK_UNITS),
        ("doc.site.depth", site.rack_depth_mm, place.depth_mm, Unit.MILLIMETRES),
    )
    for name, limit, need, unit in limits:
        if limit is not None:
            yield Compliance(
                requirement=_requirement(message(name), message("n.at_most", value=Quantity(limit, unit))),
                met=None if need is None else need <= limit,
                value=message("n.not_known") if need is None else Quantity(need, unit),
                section="site",
            )
    if site.max_inlet_c is not None:
        bearable = place.max_inlet_c
        yield Compliance(
            requirement=_requirement(message("doc.site.inlet"), Quantity(site.max_inlet_c, Unit.CELSIUS)),
            met=None if bearable is None else bearable >= site.max_inlet_c,
            value=message("n.not_known") if bearable is None else Quantity(bearable, Unit.CELSIUS),
            section="site",
        )


def _budget(case: Case, bom: BillOfMaterials) -> Iterator[Compliance]:
    budget = case.request.limits.budget_eur
    if budget is None:
        return
    within = bom.net.cents <= budget * 100
    lower_bound = bom.unpriced_lines > 0
    yield Compliance(
        requirement=_requirement(
            message("q.b_budget.label"), message("n.at_most", value=Quantity(budget, Unit.EUR))
        ),
        met=None if within and lower_bound else within,
        value=price_message(bom.net, lower_bound),
        section="bom",
    )


def _functional(case: Case, configuration: Configuration) -> Iterator[tuple[Arg, Arg]]:
    gpu = configuration.node.gpu
    yield message("doc.matrix.gpus"), Quantity(configuration.gpus, Unit.GPUS)
    yield message("doc.matrix.vram"), Quantity(gpu.vram_bytes, Unit.BYTES)
    yield message("doc.matrix.bandwidth"), Quantity(gpu.memory_bandwidth_bytes_per_s, Unit.BYTES_PER_S)
    for workload, result in case.served():
        for row in estimate_rows(workload, result)[:3]:
            if row.estimate is not None:
                yield message("doc.of_job", what=row.name, job=workload.name), _ends(row.estimate)
    if case.bom is not None:
        yield message("doc.site.ac"), _ends(case.bom.power.ac_w)
    cost = case.decision.three_year_cost
    if cost is not None:
        yield message("doc.matrix.energy"), Quantity(cost.kwh_per_year, Unit.KWH_PER_YEAR)
        yearly = cost.energy.scaled(1 / case.share("cost.years"))
        yield message("doc.matrix.energy_cost"), _ends(yearly)

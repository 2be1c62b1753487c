"""The referral to an SXM system: size class, why the links decide, what Kentino can still deliver."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.answer.sentences import verdict_message
from kentino_configurator.core.decision import Referral
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Bullets,
    Cell,
    Column,
    Heading,
    Headline,
    KeyFigure,
    KeyFigures,
    Pair,
    Paragraph,
    Point,
    Points,
    Role,
    Row,
    Table,
    WriteLine,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import expected_of, high_of, low_of, range_of
from kentino_configurator.proposal.sections.alternatives import comparison
from kentino_configurator.proposal.sentences import finding_message, trace_message


def referral_decision(case: Case, referral: Referral) -> Section:
    """Page 1 of a referral. It names no price of a system that Kentino does not build."""
    return Section(
        id="decision",
        title=message("p.title.decision"),
        blocks=tuple(_first_page(case, referral)),
        own_page=True,
    )


def _first_page(case: Case, referral: Referral) -> Iterator[Block]:
    yield Headline(do=message("doc.buy.sxm"), do_not=message("doc.not.refer_sxm"))
    yield Paragraph(words=verdict_message(case.answer, "text"), role=Role.LEAD)
    if case.request.commercial.note:
        yield Paragraph(words=message("doc.note", note=case.request.commercial.note))
    yield KeyFigures(items=tuple(_figures(referral)))
    yield Paragraph(words=message("doc.sxm.figures_caption"), role=Role.CAPTION)
    yield Pair(
        left=(Heading(words=message("doc.sxm.why")), Points(items=_why(case, referral))),
        right=(Heading(words=message("p.title.can_deliver")), Points(items=_deliver(referral))),
    )
    yield Paragraph(words=message("p.text.sxm_question"), role=Role.STRONG)
    yield Pair(
        left=(Heading(words=message("doc.figure.price")), Paragraph(words=message("doc.sxm.no_price"))),
        right=(
            Heading(words=message("doc.next_step")),
            Paragraph(words=message("doc.sxm.next")),
            WriteLine(caption=message("doc.decided_by")),
        ),
    )


def _figures(referral: Referral) -> Iterator[KeyFigure]:
    if referral.pcie_days is not None:
        yield KeyFigure(
            label=message("doc.sxm.pcie_days"),
            value=referral.pcie_days,
            lines=(range_of(referral.pcie_days), Quantity(referral.pcie_nodes, Unit.NODES)),
        )
    yield KeyFigure(
        label=message("doc.sxm.size"),
        value=Quantity(referral.gpus, Unit.GPUS),
        lines=(referral.gpu, message("doc.sxm.size_class")),
    )
    if referral.days is not None:
        yield KeyFigure(label=message("doc.sxm.days"), value=referral.days, lines=(range_of(referral.days),))
    if referral.latency_s is not None:
        yield KeyFigure(
            label=message("doc.sxm.latency"), value=referral.latency_s, lines=(range_of(referral.latency_s),)
        )
    yield KeyFigure(
        label=message("doc.sxm.power"),
        value=Quantity(referral.power_w, Unit.WATTS),
        lines=(message("doc.sxm.power_note"),),
    )


def _why(case: Case, referral: Referral) -> tuple[Point, ...]:
    factors = message(
        "p.text.sxm_why" if referral.days is not None else "doc.sxm.why_latency",
        fabric_factor=expected_of(referral.fabric_factor),
        silicon_factor=expected_of(referral.silicon_factor),
    )
    points = [Point(title=message("doc.sxm.links"), text=factors)]
    points += [
        Point(title=message(f"tr.{entry.number}.question"), text=trace_message(entry))
        for entry in case.decision.trace
        if entry.decided
    ]
    points += [
        Point(title=finding_message(f, "text"), text=finding_message(f, "why"))
        for f in case.decision.findings
        if f.rule == "pretrain_frontier"
    ]
    return tuple(points[:3])


def _deliver(referral: Referral) -> tuple[Point, ...]:
    return tuple(
        Point(title=message(text_id), text=message(text_id.replace("e.deliver.", "doc.deliver.")))
        for text_id in referral.can_deliver
    )


def system_section(case: Case, referral: Referral) -> Section:
    """The system that is needed instead, with fabric and silicon apart, and the alternatives."""
    return Section(
        id="sxm",
        title=message("p.title.sxm_system"),
        lead=_size(referral),
        blocks=tuple(_system(case, referral)),
    )


def _size(referral: Referral) -> Arg:
    return message(
        "doc.sxm.lead",
        gpus=referral.gpus,
        gpu=referral.gpu,
        power=Quantity(referral.power_w, Unit.WATTS),
        fabric=message(f"e.fabric.{referral.fabric}") if referral.fabric in set(Fabric) else "NVLink",
    )


def _system(case: Case, referral: Referral) -> Iterator[Block]:
    yield Table(
        columns=(
            Column(title=message("doc.column.figure")),
            *(
                Column(title=message(f"doc.column.{n}"), width_mm=30, align=Align.RIGHT)
                for n in ("low", "expected", "high")
            ),
        ),
        rows=tuple(_projection(referral)),
    )
    yield Paragraph(words=message("doc.sxm.projection"), role=Role.CAPTION)
    yield Paragraph(words=_infiniband(referral))
    if case.decision.alternatives:
        yield Heading(words=message("p.title.alternatives"))
        yield comparison(case, None)
    yield Heading(words=message("p.title.can_deliver"))
    yield Bullets(
        items=tuple(
            message("doc.colon", name=message(i), text=message(i.replace("e.deliver.", "doc.deliver.")))
            for i in referral.can_deliver
        )
    )
    yield Paragraph(words=message("doc.deliver.caption"), role=Role.CAPTION)


def _projection(referral: Referral) -> Iterator[Row]:
    figures = (
        ("doc.sxm.pcie_days", referral.pcie_days),
        ("doc.sxm.pcie_efficiency", referral.pcie_efficiency),
        ("doc.sxm.days", referral.days),
        ("doc.sxm.latency", referral.latency_s),
        ("doc.sxm.fabric_factor", referral.fabric_factor),
        ("doc.sxm.silicon_factor", referral.silicon_factor),
    )
    for name, estimate in figures:
        if estimate is not None:
            ends = (low_of(estimate), expected_of(estimate), high_of(estimate))
            yield Row(cells=(Cell(words=message(name), strong=True), *(Cell(words=end) for end in ends)))


def _infiniband(referral: Referral) -> Arg:
    if referral.pcie_days is None or referral.pcie_efficiency is None:
        return message("doc.sxm.no_pcie")
    return message(
        "p.text.sxm_ib",
        nodes=Quantity(referral.pcie_nodes, Unit.NODES),
        days=referral.pcie_days,
        efficiency=referral.pcie_efficiency,
    )

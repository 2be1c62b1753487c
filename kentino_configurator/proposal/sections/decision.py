"""Page 1: what to buy, what it does, why, what could go wrong, what changes it, what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.answer.sentences import driver_of, verdict_message
from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.decision import Configuration, TippingPoint, Verdict
from kentino_configurator.core.message import Arg, Message, Quantity, message
from kentino_configurator.core.request import JobKind, Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Heading,
    Headline,
    KeyFigures,
    MachineCard,
    Pair,
    Paragraph,
    Points,
    Role,
    Row,
    Table,
    WriteLine,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import date_arg, page_of
from kentino_configurator.proposal.sections.key_figures import key_figures
from kentino_configurator.proposal.sections.reasons import exceeds_one_node, reasons, risks
from kentino_configurator.proposal.sentences import TO_BE_COMPLETED, fabric_message, or_open, tokens

MOST_LEVERS = 3
LEVER_UNITS = {
    "concurrent_requests": Unit.COUNT,
    "requests_per_s": Unit.REQUESTS_PER_S,
    "max_context_tokens": Unit.TOKENS,
    "deadline_days": Unit.DAYS,
    "deadline_hours": Unit.HOURS,
    "dataset_tokens": Unit.TOKENS,
}


def decision_section(case: Case, configuration: Configuration) -> Section:
    """The page a director reads alone."""
    return Section(
        id="decision",
        title=message("p.title.decision"),
        blocks=tuple(_blocks(case, configuration)),
        own_page=True,
    )


def _blocks(case: Case, configuration: Configuration) -> Iterator[Block]:
    yield headline(case, configuration)
    yield Paragraph(words=does(case, configuration), role=Role.LEAD)
    if case.request.commercial.note:
        yield Paragraph(words=message("doc.note", note=case.request.commercial.note))
    yield KeyFigures(items=key_figures(case))
    yield Paragraph(words=message("doc.speeds_are_estimates", page=page_of("acceptance")), role=Role.CAPTION)
    yield Heading(words=message("doc.the_machine"))
    yield machine_card(configuration)
    yield Pair(
        left=(Heading(words=message("doc.reasons")), Points(items=reasons(case, configuration))),
        right=(Heading(words=message("doc.risks")), Points(items=risks(case, configuration))),
    )
    if case.decision.tipping_points:
        yield Heading(words=message("doc.what_changes"))
        yield levers(case.decision.tipping_points)
    yield Pair(left=_price(case), right=_next_step(case))


def headline(case: Case, configuration: Configuration) -> Headline:
    """Two short sentences: what to do, and what not to do or what it depends on."""
    verdict = case.decision.verdict
    gpus = Quantity(configuration.node.gpu_count, Unit.GPUS)
    nodes = Quantity(configuration.nodes, Unit.NODES)
    if verdict in (Verdict.SINGLE_NODE, Verdict.SINGLE_NODE_INT4):
        do: Message = message(f"doc.buy.{configuration.node.form}", gpus=gpus)
    elif verdict is Verdict.REPLICAS:
        do = message("doc.buy.replicas", nodes=nodes, gpus=gpus)
    else:
        do = message("doc.buy.multi_node", nodes=nodes)
    return Headline(do=do, do_not=_do_not(case, configuration))


def _do_not(case: Case, configuration: Configuration) -> Message:
    asked = case.request.limits.requested
    if case.decision.verdict is Verdict.SINGLE_NODE and asked is not None and asked.nodes > 1:
        return message("doc.not.requested", nodes=Quantity(asked.nodes, Unit.NODES))
    return message(f"doc.not.{case.decision.verdict.value}")


def does(case: Case, configuration: Configuration) -> Message:
    """What the machine will do, then the verdict's own two sentences."""
    main = case.request.workloads[0]
    return message("doc.two", first=_job(main), second=_verdict_text(case))


def _verdict_text(case: Case) -> Message:
    """The verdict's two sentences; a cluster that only serves has no efficiency to speak of."""
    text = verdict_message(case.answer, "text")
    if case.decision.verdict is Verdict.MULTI_NODE and case.decision.scaling_efficiency is None:
        fits = exceeds_one_node(case) is False
        return message("doc.cluster_for_speed" if fits else "doc.cluster_text", **text.args)
    return text


def _next_words(case: Case) -> Message:
    words = verdict_message(case.answer, "next")
    if case.decision.verdict is Verdict.REPLICAS and case.decision.tipping_points:
        return message("doc.replicas_next")
    if case.decision.verdict is not Verdict.MULTI_NODE:
        return words
    if not case.decision.tipping_points:
        return message("doc.cluster_next", page=page_of("operations"))
    return message(words.id, **{**words.args, "ops_page": page_of("operations")})


def _job(workload: Workload) -> Message:
    model = workload.model.name
    if workload.kind is JobKind.BATCH:
        return message("doc.does.batch", model=model, tokens=tokens(workload.corpus_input_tokens))
    if workload.kind.is_training:
        method = message(f"doc.kind.{workload.kind.value}")
        return message(
            "doc.does.training", model=model, method=method, tokens=tokens(workload.dataset_tokens)
        )
    context = tokens(workload.max_context_tokens)
    if workload.concurrent_requests is None and workload.requests_per_s is not None:
        rate = Quantity(workload.requests_per_s, Unit.REQUESTS_PER_S)
        return message("doc.does.rate", model=model, rate=rate, context=context)
    requests = Quantity(workload.concurrent_requests or 1, Unit.REQUESTS)
    return message("doc.does.inference", model=model, requests=requests, context=context)


def machine_card(configuration: Configuration) -> MachineCard:
    """The machines in small with three or four facts."""
    node = configuration.node
    return MachineCard(
        gpus_per_node=node.gpu_count,
        sockets=node.platform.sockets or 1,
        nodes=configuration.nodes,
        gpu_memory_gb=node.gpu.marketed_gb,
        router=configuration.fabric is None and configuration.nodes > 1,
        fabric=configuration.fabric is not None,
        facts=tuple(_facts(configuration)),
    )


def _facts(configuration: Configuration) -> Iterator[tuple[Arg, Arg]]:
    node = configuration.node
    if configuration.nodes > 1:
        yield (
            Quantity(configuration.nodes, Unit.NODES),
            fabric_message(configuration) if (configuration.fabric) else message("doc.card.router"),
        )
    memory = Quantity(node.gpu.vram_bytes, Unit.BYTES)
    yield (
        Quantity(node.gpu_count, Unit.GPUS),
        message("doc.card.gpu", gpu=node.card.name, memory=memory),
    )
    yield message("doc.card.model"), node.platform.name
    size = Quantity(node.rack_units, Unit.RACK_UNITS) if node.rack_units else message(f"doc.form.{node.form}")
    yield message("doc.card.size"), size


def levers(points: tuple[TippingPoint, ...]) -> Table:
    """What would change the answer: now, from which value on, and what it becomes."""
    return Table(
        columns=(
            Column(width_mm=44),
            Column(width_mm=31, quiet=True),
            Column(width_mm=41),
            Column(align=Align.RIGHT, quiet=True),
        ),
        rows=tuple(_lever(point) for point in points[:MOST_LEVERS]),
    )


def _lever(point: TippingPoint) -> Row:
    unit = LEVER_UNITS[driver_of(point)]
    at = Quantity(point.at, unit)
    return Row(
        cells=(
            Cell(words=message(f"doc.lever.{driver_of(point)}"), strong=True),
            Cell(words=Quantity(point.now, unit)),
            Cell(words=message("doc.from" if point.direction > 0 else "doc.down_to", value=at), strong=True),
            Cell(words=point.becomes),
        )
    )


def _price(case: Case) -> tuple[Block, ...]:
    if case.bom is None:
        return ()
    return (
        Heading(words=message("doc.price_and_delivery"), remark=case.bom.net.currency),
        Table(
            columns=(Column(), Column(width_mm=36, align=Align.RIGHT)),
            rows=(
                *price_rows(case.bom, case),
                Row(
                    cells=(
                        Cell(words=message("doc.lead_time")),
                        Cell(words=or_open(case.terms.seller.lead_time)),
                    )
                ),
            ),
        ),
    )


def price_rows(bom: BillOfMaterials, case: Case) -> Iterator[Row]:
    """Net, discount, VAT and total; the net sum is a lower bound while lines have no price."""
    lower = bom.unpriced_lines > 0
    if bom.discount.cents:
        percent = case.request.commercial.discount_percent / 100
        yield _amount(message("doc.sum.list"), bom.list_net)
        yield _amount(message("doc.sum.discount", share=Quantity(percent, Unit.SHARE)), bom.discount)
    yield _amount(message("doc.sum.net_at_least" if lower else "doc.sum.net"), bom.net)
    mode = case.request.commercial.vat_mode
    if bom.vat is None or bom.gross is None or not mode:
        yield Row(cells=(Cell(words=message("doc.sum.vat_open")), Cell(words=TO_BE_COMPLETED, warn=True)))
        return
    rate = Quantity((bom.vat_rate_percent or 0.0) / 100, Unit.SHARE)
    yield _amount(message(f"doc.sum.vat.{mode}", rate=rate), bom.vat)
    total = message("doc.sum.total_at_least" if lower else "doc.sum.total")
    yield Row(cells=(Cell(words=total, strong=True), Cell(words=bom.gross, strong=True)), total=True)


def _amount(label: Message, value: Arg) -> Row:
    return Row(cells=(Cell(words=label), Cell(words=value)))


def _next_step(case: Case) -> tuple[Block, ...]:
    until = date_arg(case.terms.valid_until(case.request.commercial.validity_days))
    who: Arg = case.customer or message("doc.the_customer")
    return (
        Heading(words=message("doc.next_step")),
        Paragraph(words=message("doc.decides", who=who, date=until)),
        Paragraph(words=_next_words(case)),
        WriteLine(caption=message("doc.decided_by")),
    )

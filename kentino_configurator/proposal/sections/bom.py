"""The bill of materials: one asset per line, totals, price states, checks."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.bom import BillOfMaterials, BomCheck, BomGroup, BomLine, Outcome
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.money import total
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Heading,
    Legend,
    Pair,
    Paragraph,
    Role,
    Row,
    Sign,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import iso_date_arg, page_of
from kentino_configurator.proposal.sections.decision import price_rows
from kentino_configurator.proposal.sentences import (
    OUTCOME_SIGNS,
    PRICE_SIGNS,
    TO_BE_COMPLETED,
    check_message,
    or_open,
)

_CHECK_ORDER = (Outcome.BLOCK, Outcome.WARN, Outcome.UNKNOWN)


def bom_section(case: Case, bom: BillOfMaterials) -> Section:
    """Lines, totals and checks."""
    return Section(
        id="bom",
        title=message("p.title.bom"),
        lead=message("doc.bom.lead", currency=bom.net.currency),
        blocks=tuple(_blocks(case, bom)),
    )


def _blocks(case: Case, bom: BillOfMaterials) -> Iterator[Block]:
    yield _lines(bom)
    yield Pair(left=_legend(case, bom), right=_totals(case, bom), left_share=0.46)
    yield Paragraph(
        words=message(
            "p.text.price_date",
            date=iso_date_arg(case.answer.catalog_date),
            version=case.answer.catalog_version,
        ),
        role=Role.CAPTION,
    )
    yield Heading(words=message("doc.bom.every_line"))
    yield Table(
        columns=(Column(width_mm=48), Column(quiet=True)),
        rows=tuple(_common(label, value) for label, value in _of_every_line(case, bom)),
        compact=True,
    )
    yield from _checks(bom)


def _of_every_line(case: Case, bom: BillOfMaterials) -> Iterator[tuple[str, Arg]]:
    """What buyers ask of each line and what is the same for all of them here."""
    seller, percent = case.terms.seller, case.request.commercial.discount_percent
    rate = bom.vat_rate_percent
    yield "doc.line.unit", message("doc.line.piece")
    yield "doc.line.discount", Quantity(percent / 100, Unit.SHARE)
    yield "doc.line.vat_rate", TO_BE_COMPLETED if rate is None else Quantity(rate / 100, Unit.SHARE)
    yield "doc.line.origin", or_open(seller.origin_and_hs_codes)
    yield "doc.line.warranty", or_open(seller.warranty or case.request.commercial.warranty)
    yield "doc.line.lead_time", or_open(seller.lead_time)
    tender = case.request.commercial.public_tender
    page = page_of("matrix")
    yield (
        "doc.line.equivalent",
        message("p.text.bom_equivalent", page=page) if tender else message("doc.line.as_named"),
    )


def _common(label: str, value: Arg) -> Row:
    missing = value is TO_BE_COMPLETED
    return Row(cells=(Cell(words=message(label), strong=True), Cell(words=value, warn=missing)))


def _lines(bom: BillOfMaterials) -> Table:
    return Table(
        columns=(
            Column(width_mm=7, align=Align.RIGHT, quiet=True),
            Column(title=message("doc.column.item")),
            Column(title=message("doc.column.quantity"), width_mm=12, align=Align.RIGHT),
            Column(title=message("doc.column.unit_net"), width_mm=23, align=Align.RIGHT),
            Column(title=message("doc.column.line_net"), width_mm=26, align=Align.RIGHT),
            Column(title=message("doc.column.price"), width_mm=29),
        ),
        rows=tuple(_rows(bom)),
    )


def _rows(bom: BillOfMaterials) -> Iterator[Row]:
    group: BomGroup | None = None
    for line in bom.lines:
        if line.group is not group:
            group = line.group
            yield _group_row(group)
        yield _line(line)


def _group_row(group: BomGroup) -> Row:
    empty = Cell(words="")
    name = Cell(words=message(f"doc.group.{group.value}"))
    return Row(cells=(empty, name, empty, empty, empty, empty), group=True)


def _line(line: BomLine) -> Row:
    return Row(
        cells=(
            Cell(words=line.line),
            Cell(words=line.description, note=_maker(line), strong=True),
            Cell(words=line.quantity),
            Cell(words=line.unit_net or message("doc.dash")),
            Cell(words=line.net or message("doc.dash"), strong=True),
            _status(line),
        )
    )


def _maker(line: BomLine) -> Arg:
    maker: Arg = line.maker or message("doc.bom.various")
    number: Arg = line.mpn or message("doc.bom.part_number_open")
    return message("doc.bom.maker", maker=maker, number=number, sku=line.sku)


def _status(line: BomLine) -> Cell:
    status = line.price_status
    return Cell(
        words=message(f"n.price.{status.value}"),
        note=iso_date_arg(line.price_date, short=True) if line.price_date else "",
        sign=PRICE_SIGNS[status],
        warn=status in (PriceStatus.PLACEHOLDER, PriceStatus.MISSING),
    )


def _legend(case: Case, bom: BillOfMaterials) -> tuple[Block, ...]:
    used = [status for status in PriceStatus if bom.lines_with_status(status)]
    items = tuple(
        (PRICE_SIGNS[s], message(f"doc.status.{s.value}", count=bom.lines_with_status(s))) for s in used
    )
    return (Heading(words=message("doc.bom.status")), Legend(items=items))


def _totals(case: Case, bom: BillOfMaterials) -> tuple[Block, ...]:
    lines_sum = total((line.net for line in bom.lines if line.net is not None), bom.net.currency)
    agree = lines_sum == bom.list_net and bom.list_net - bom.discount == bom.net
    words = (
        message("p.text.bom_sum_check", sum=lines_sum, total=bom.list_net)
        if agree
        else message("doc.bom.sum_wrong")
    )
    return (
        Heading(words=message("doc.bom.totals"), remark=bom.net.currency),
        Table(columns=(Column(), Column(width_mm=36, align=Align.RIGHT)), rows=tuple(price_rows(bom, case))),
        Legend(items=((Sign.TICK if agree else Sign.BLOCK, words),)),
        *_open(bom),
    )


def _open(bom: BillOfMaterials) -> Iterator[Block]:
    if bom.unpriced_lines:
        yield Paragraph(words=message("doc.bom.unpriced", count=bom.unpriced_lines), role=Role.CAPTION)


def _checks(bom: BillOfMaterials) -> Iterator[Block]:
    counts = {outcome: sum(check.outcome is outcome for check in bom.checks) for outcome in Outcome}
    yield Heading(
        words=message("p.title.checks"),
        remark=message(
            "doc.checks.count",
            passed=counts[Outcome.PASS],
            fired=counts[Outcome.WARN] + counts[Outcome.BLOCK],
            unknown=counts[Outcome.UNKNOWN],
        ),
    )
    shown = [check for outcome in _CHECK_ORDER for check in bom.checks if check.outcome is outcome]
    if not shown:
        yield Paragraph(words=message("doc.checks.all_passed"))
        return
    yield Table(
        columns=(Column(width_mm=34), Column()), rows=tuple(_check(check) for check in shown), compact=True
    )


def _check(check: BomCheck) -> Row:
    return Row(
        cells=(
            Cell(words=message(f"doc.outcome.{check.outcome.value}"), sign=OUTCOME_SIGNS[check.outcome]),
            Cell(words=check_message(check)),
        )
    )

"""What is still open in a document: missing data of the seller, prices, checks, decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from kentino_configurator.core.bom import BillOfMaterials, Outcome
from kentino_configurator.core.decision import Severity
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Arg, message
from kentino_configurator.proposal.blocks import Cell, Column, Row, Sign, Table
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.sentences import finding_message

_OPTIONAL = ("legal_texts_approved_on",)


def open_points(case: Case) -> tuple[Arg, ...]:
    """Everything that keeps the document a draft."""
    return (*_identity(case), *_prices(case.bom), *_checks(case.bom), *_decisions(case))


def open_points_section(points: tuple[Arg, ...]) -> Section:
    """The list, each with a place for name and date."""
    return Section(
        id="open_points",
        title=message("p.title.open_points"),
        lead=message("doc.open.lead"),
        blocks=(
            Table(
                columns=(
                    Column(title=message("doc.column.open")),
                    Column(title=message("doc.column.who"), width_mm=50),
                ),
                rows=tuple(Row(cells=(Cell(words=point, sign=Sign.BOX), Cell(words=""))) for point in points),
                compact=True,
            ),
        ),
    )


def _identity(case: Case) -> Iterator[Arg]:
    if not case.terms.number:
        yield message("doc.open.number")
    if not case.customer:
        yield message("doc.open.customer")
    seller = case.terms.seller
    missing = sum(not getattr(seller, f.name) for f in fields(seller) if f.name not in _OPTIONAL)
    if missing:
        yield message("doc.open.seller", count=missing)
    if case.is_offer and not seller.legal_texts_approved_on:
        yield message("doc.open.legal")
    if case.is_offer and (case.bom is None or case.bom.vat is None):
        yield message("doc.open.vat")
    if case.is_offer and not case.request.commercial.delivery_place:
        yield message("doc.open.place")


def _prices(bom: BillOfMaterials | None) -> Iterator[Arg]:
    if bom is None:
        return
    unconfirmed = len(bom.lines) - bom.lines_with_status(PriceStatus.KENTINO_LIST) - bom.unpriced_lines
    if bom.unpriced_lines:
        yield message("doc.open.unpriced", count=bom.unpriced_lines)
    if unconfirmed:
        yield message("doc.open.prices", count=unconfirmed)
    numbers = sum(not line.mpn for line in bom.lines)
    if numbers:
        yield message("doc.open.part_numbers", count=numbers)


def _checks(bom: BillOfMaterials | None) -> Iterator[Arg]:
    if bom is None:
        return
    unknown = sum(check.outcome is Outcome.UNKNOWN for check in bom.checks)
    if unknown:
        yield message("doc.open.checks", count=unknown)


def _decisions(case: Case) -> Iterator[Arg]:
    for finding in case.decision.findings:
        if finding.severity in (Severity.BLOCK, Severity.WARN):
            yield message(
                "doc.two", first=finding_message(finding, "text"), second=finding_message(finding, "change")
            )

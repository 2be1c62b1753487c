"""Commercial terms and product law: what is known is printed, what is missing says so."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Block,
    Cell,
    Column,
    Heading,
    Paragraph,
    Role,
    Row,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import country_name, date_arg
from kentino_configurator.proposal.sentences import TO_BE_COMPLETED, listed, or_open
from kentino_configurator.proposal.terms import Revision


def terms_section(case: Case, configuration: Configuration) -> Section:
    """Terms, parties, product law and export."""
    return Section(
        id="terms",
        title=message("p.title.terms"),
        blocks=tuple(_blocks(case, configuration)),
    )


def _blocks(case: Case, configuration: Configuration) -> Iterator[Block]:
    yield _table(_offer(case))
    yield Heading(words=message("doc.parties"))
    yield _table(_parties(case))
    yield Heading(words=message("p.title.compliance"))
    yield _table(_law(case))
    if configuration.node.gpu.is_geforce:
        yield Paragraph(words=_geforce(case, configuration))
    if not case.terms.seller.legal_texts_approved_on:
        yield Paragraph(words=message("doc.not_approved"), role=Role.CAPTION)


def _table(rows: Iterator[tuple[str, Arg]]) -> Table:
    return Table(
        columns=(Column(width_mm=48), Column(quiet=True)),
        rows=tuple(_row(label, value) for label, value in rows),
        compact=True,
    )


def _row(label: str, value: Arg) -> Row:
    missing = value is TO_BE_COMPLETED
    return Row(cells=(Cell(words=message(label), strong=True), Cell(words=value, warn=missing)))


def _offer(case: Case) -> Iterator[tuple[str, Arg]]:
    terms, commercial = case.terms, case.request.commercial
    seller = terms.seller
    until = terms.valid_until(commercial.validity_days)
    yield "doc.term.validity", message("p.text.validity", date=date_arg(until))
    if len(terms.history) > 1:
        yield "doc.term.revisions", listed(tuple(_revision(item) for item in terms.history))
    yield "doc.term.reference", commercial.reference or message("doc.not_stated")
    yield "doc.term.vat", _vat(case)
    yield "doc.term.delivery", _delivery(case)
    yield "doc.term.site", commercial.delivery_place or TO_BE_COMPLETED
    yield "doc.term.freight", or_open(seller.freight)
    yield "doc.term.partial", or_open(seller.partial_delivery)
    yield "doc.term.packing", or_open(seller.packing)
    yield "doc.term.insurance", or_open(seller.insurance)
    yield "doc.term.installation", message("o.yes" if commercial.installation else "o.no")
    yield "doc.term.payment", _or(seller.payment, "p.text.payment", "terms")
    yield "doc.term.retention", message("p.text.retention")
    yield "doc.term.warranty", _or(seller.warranty or commercial.warranty, "p.text.warranty", "term")
    yield "doc.term.service", or_open(seller.service_levels)
    yield "doc.term.drives", _or(seller.data_carriers, "p.text.drives", "option")


def _revision(item: Revision) -> Arg:
    return message("doc.term.revision", number=item.number, date=date_arg(item.issued))


def _or(text: str, text_id: str, name: str) -> Arg:
    return message(text_id, **{name: text}) if text else TO_BE_COMPLETED


def _vat(case: Case) -> Arg:
    mode = case.request.commercial.vat_mode
    rate = case.bom.vat_rate_percent if case.bom is not None else None
    if not mode or rate is None:
        return message("doc.two", first=TO_BE_COMPLETED, second=message("p.text.vat_confirm"))
    sentence = message(
        f"p.text.vat_{mode}",
        rate=Quantity(rate / 100, Unit.SHARE),
        seller=or_open(case.terms.seller.vat_id),
        buyer=case.request.customer.vat_id or TO_BE_COMPLETED,
    )
    return message("doc.two", first=sentence, second=message("p.text.vat_confirm"))


def _delivery(case: Case) -> Arg:
    commercial = case.request.commercial
    return message(
        "p.text.delivery",
        incoterm=commercial.incoterm,
        place=commercial.delivery_place or TO_BE_COMPLETED,
        lead=or_open(case.terms.seller.lead_time),
    )


def _parties(case: Case) -> Iterator[tuple[str, Arg]]:
    seller, customer = case.terms.seller, case.request.customer
    yield "doc.party.seller", or_open(seller.legal_name)
    yield "doc.party.seller_address", or_open(seller.address)
    yield "doc.party.seller_ids", _ids(seller.company_number, seller.vat_id)
    yield "doc.party.seller_bank", or_open(seller.bank_account)
    yield "doc.party.seller_contact", or_open(seller.contact)
    yield "doc.party.customer", or_open(customer.name)
    yield "doc.party.customer_address", TO_BE_COMPLETED
    yield "doc.party.customer_ids", or_open(customer.vat_id)
    yield "doc.party.customer_contact", TO_BE_COMPLETED


def _ids(company_number: str, vat_id: str) -> Arg:
    if not company_number and not vat_id:
        return TO_BE_COMPLETED
    return message("doc.party.ids", number=or_open(company_number), vat=or_open(vat_id))


def _law(case: Case) -> Iterator[tuple[str, Arg]]:
    seller, customer = case.terms.seller, case.request.customer
    yield "doc.law.ce", message("p.text.ce", weee=or_open(seller.weee_number))
    yield "doc.law.ecodesign", message("p.text.ecodesign")
    yield "doc.law.security", _or(seller.security_updates_until, "p.text.cra", "date")
    country = customer.end_user_country or customer.country
    yield (
        "doc.law.export",
        message(
            "p.text.export",
            eccn=message("p.text.eccn_open"),
            country=_country(country),
            parent=_country(customer.parent_country),
        ),
    )


def _country(code: str) -> Arg:
    return country_name(code) if code else TO_BE_COMPLETED


def _geforce(case: Case, configuration: Configuration) -> Arg:
    decision = case.request.commercial.geforce_decision
    finding = next((f for f in case.decision.findings if f.rule == "geforce_in_rack"), None)
    alternative = finding.args.get("alternative") if finding is not None else None
    return message(
        "p.text.geforce",
        decision=message(f"doc.geforce.{decision}") if decision in ("keep", "switch") else TO_BE_COMPLETED,
        alternative=alternative or message("doc.geforce.alternative"),
    )

"""A price list somebody sends: each row is a usable price or is rejected with the reason."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.price_header import Header, find_header
from kentino_configurator.catalog.sheet import Cell, read_sheets
from kentino_configurator.catalog.typed_cells import (
    BadCell,
    amount_of,
    currency_of,
    date_of,
    decimal_mark_of,
    percent_of,
    text_of,
    vat_flag_of,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPrice:
    """One usable row. ``vat_percent`` is contained in the amount: 0 of a net price."""

    row: int
    sku: str
    mpn: str
    amount: Decimal
    currency: str
    vat_included: bool
    vat_percent: Decimal
    priced_on: datetime.date
    valid_until: datetime.date | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A row that cannot be used, with the reason in one sentence."""

    row: int
    item: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """A read file. ``sha256`` is that of its bytes, ``sheet`` empty for CSV; rows without a price are left out."""

    file_name: str
    sha256: str
    sheet: str
    prices: tuple[ListedPrice, ...]
    rejected: tuple[Rejected, ...]
    unpriced: int = 0


def read_price_list(path: Path, today: datetime.date) -> PriceList:
    """Every row of a CSV or XLSX file; raises ``CatalogError`` when the file has no table of prices."""
    found = find_header(read_sheets(path))
    if found is None:
        raise CatalogError(
            f"{path}: no header row with a price and a SKU or MPN in the first rows; "
            "name the columns SKU, MPN, Price, Currency, VAT, Date, Valid until."
        )
    sheet, header = found
    rows = [
        (number, row)
        for number, row in enumerate(sheet.rows[header.first_data_row :], start=header.first_data_row + 1)
        if any(cell not in (None, "") for cell in row)
    ]
    mark = decimal_mark_of(header.cell(row, "price") for _, row in rows)
    priced = [(number, row) for number, row in rows if header.cell(row, "price") not in (None, "")]
    read = [_read(number, row, header, mark, today) for number, row in priced]
    return PriceList(
        file_name=path.name,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        sheet=sheet.name,
        prices=tuple(row for row in read if isinstance(row, ListedPrice)),
        rejected=tuple(row for row in read if isinstance(row, Rejected)),
        unpriced=len(rows) - len(priced),
    )


def _read(
    number: int, row: Sequence[Cell], header: Header, mark: str | None, today: datetime.date
) -> ListedPrice | Rejected:
    try:
        return _listed_price(number, row, header, mark, today)
    except BadCell as error:
        return Rejected(row=number, item=" ".join(_keys(row, header)), reason=str(error))


def _keys(row: Sequence[Cell], header: Header) -> Iterator[str]:
    """SKU and MPN as far as they can be read."""
    for field in ("sku", "mpn"):
        try:
            if text := text_of(header.cell(row, field)):
                yield text
        except BadCell:
            continue


def _listed_price(
    number: int, row: Sequence[Cell], header: Header, mark: str | None, today: datetime.date
) -> ListedPrice:
    amount, beside = _named("price", lambda: amount_of(header.cell(row, "price"), mark))
    included = _vat_included(row, header)
    priced_on, valid_until = _dates(row, header, today)
    return ListedPrice(
        row=number,
        sku=_named("SKU", lambda: text_of(header.cell(row, "sku"))),
        mpn=_named("MPN", lambda: text_of(header.cell(row, "mpn"))),
        amount=amount,
        currency=_currency(row, header, beside),
        vat_included=included,
        vat_percent=_vat_percent(row, header) if included else Decimal(0),
        priced_on=priced_on,
        valid_until=valid_until,
        note=_named("note", lambda: text_of(header.cell(row, "note"))),
    )


def _named(column: str, read: Callable[[], T]) -> T:
    """What ``read`` gives; its complaint gets the name of the column in front."""
    try:
        return read()
    except BadCell as error:
        raise BadCell(f"the {column} {error}") from error


def _currency(row: Sequence[Cell], header: Header, beside_amount: str) -> str:
    """The currency of the row's own column, of the amount or of the header, which must not contradict each other."""
    typed = _named("currency", lambda: text_of(header.cell(row, "currency")))
    stated = {code for code in (beside_amount, header.currency) if code}
    if typed:
        stated.add(_named("currency", lambda: currency_of(typed)))
    if not stated:
        raise BadCell("the currency is missing; write a code such as EUR")
    if len(stated) > 1:
        raise BadCell(f"the currencies {' and '.join(sorted(stated))} contradict each other")
    return stated.pop()


def _vat_included(row: Sequence[Cell], header: Header) -> bool:
    typed = _named("VAT", lambda: text_of(header.cell(row, "vat")))
    if typed:
        included = _named("VAT", lambda: vat_flag_of(typed))
        if header.vat_included is not None and included != header.vat_included:
            raise BadCell("VAT of the row and of the header contradict each other")
        return included
    if header.vat_included is None:
        raise BadCell("VAT is not stated; write 'excl' or 'incl'")
    return header.vat_included


def _vat_percent(row: Sequence[Cell], header: Header) -> Decimal:
    cell = header.cell(row, "vat_percent")
    if cell in (None, ""):
        raise BadCell("the VAT rate is missing; a price with VAT needs a column 'VAT rate'")
    return _named("VAT rate", lambda: percent_of(cell))


def _dates(
    row: Sequence[Cell], header: Header, today: datetime.date
) -> tuple[datetime.date, datetime.date | None]:
    """Day of the price and end of its validity; the day must not lie ahead, the end not in the past."""
    if header.cell(row, "date") in (None, ""):
        raise BadCell("the date is missing; write a date such as 2026-12-31")
    priced_on = _named("date", lambda: date_of(header.cell(row, "date")))
    if priced_on > today:
        raise BadCell(f"the date {priced_on} lies ahead; import the list when it is valid")
    end = header.cell(row, "valid_until")
    valid_until = None if end in (None, "") else _named("valid until", lambda: date_of(end))
    if valid_until is not None and valid_until < today:
        raise BadCell(f"the price was valid until {valid_until}; ask for a current one")
    return priced_on, valid_until

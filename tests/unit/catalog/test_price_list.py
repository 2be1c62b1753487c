"""Reading price lists as CSV and XLSX."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import Workbook

from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.price_list import PriceList, read_price_list

TODAY = datetime.date(2026, 12, 1)
HEADER = "SKU,Price,Currency,VAT,Date\n"


def _read(tmp_path: Path, text: str, encoding: str = "utf-8") -> PriceList:
    path = tmp_path / "list.csv"
    path.write_bytes(text.encode(encoding))
    return read_price_list(path, TODAY)


def _reason(price_list: PriceList) -> str:
    (rejected,) = price_list.rejected
    assert not price_list.prices
    return rejected.reason


def test_a_plain_list_is_read(tmp_path: Path) -> None:
    read = _read(tmp_path, HEADER + "rtx-5090,5500.00,EUR,excl,2026-11-30\n")
    (price,) = read.prices
    assert (price.row, price.sku, price.amount, price.currency) == (2, "rtx-5090", Decimal("5500.00"), "EUR")
    assert (price.vat_included, price.vat_percent) == (False, 0)
    assert (price.priced_on, price.valid_until) == (datetime.date(2026, 11, 30), None)
    assert len(read.sha256) == 64 and read.file_name == "list.csv"


def test_a_czech_list_with_semicolons_and_decimal_commas_is_read(tmp_path: Path) -> None:
    text = (
        "Ceník Kentino;;;;\n\nKód zboží;Název;Cena bez DPH (EUR);Datum;Platnost do\n"
        "rtx-5090;karta;5 500,50;1. 12. 2026;31.12.2026\nl40s;karta;8.100;1.12.2026;\n"
    )
    for encoding in ("utf-8", "utf-8-sig", "cp1250", "utf-16"):
        read = _read(tmp_path, text, encoding)
        assert [price.amount for price in read.prices] == [Decimal("5500.50"), Decimal(8100)]
        assert {(price.currency, price.vat_included) for price in read.prices} == {("EUR", False)}
        assert read.prices[0].valid_until == datetime.date(2026, 12, 31)


def test_a_portuguese_list_with_vat_is_read(tmp_path: Path) -> None:
    text = (
        "Código;Preço com IVA;Moeda;Taxa de IVA;Data;Válido até\n"
        "rtx-5090;6.765,00;EUR;23 %;30/11/2026;31/12/2026\n"
    )
    (price,) = _read(tmp_path, text).prices
    assert (price.amount, price.vat_included, price.vat_percent) == (Decimal(6765), True, Decimal(23))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("rtx-5090,-5.00,EUR,excl,2026-11-30", "the price is -5.00; a price must be above zero"),
        ("rtx-5090,five,EUR,excl,2026-11-30", "the price is 'five'"),
        ("rtx-5090,1.234,EUR,excl,2026-11-30", "can be read in two ways"),
        ("rtx-5090,5500.00,,excl,2026-11-30", "the currency is missing"),
        ("rtx-5090,5500.00,EURO,excl,2026-11-30", "the currency is 'EURO'"),
        ("rtx-5090,5500.00 CZK,EUR,excl,2026-11-30", "CZK and EUR contradict"),
        ("rtx-5090,5500.00,EUR,,2026-11-30", "VAT is not stated"),
        ("rtx-5090,5500.00,EUR,incl,2026-11-30", "VAT rate is missing"),
        ("rtx-5090,5500.00,EUR,excl,", "the date is missing"),
        ("rtx-5090,5500.00,EUR,excl,2026-13-01", "the date is '2026-13-01'"),
        ("rtx-5090,5500.00,EUR,excl,2027-01-01", "lies ahead"),
    ],
)
def test_a_row_that_cannot_be_used_says_why(tmp_path: Path, row: str, words: str) -> None:
    assert words in _reason(_read(tmp_path, HEADER + row + "\n"))


def test_a_price_whose_validity_ended_is_rejected(tmp_path: Path) -> None:
    text = "SKU,Price EUR excl. VAT,Date,Valid until\nrtx-5090,5500.00,2026-10-01,2026-11-30\n"
    assert "valid until 2026-11-30" in _reason(_read(tmp_path, text))


def test_rows_without_a_price_and_empty_rows_are_left_alone(tmp_path: Path) -> None:
    read = _read(tmp_path, HEADER + "rtx-5090,,EUR,excl,2026-11-30\n,,,,\n")
    assert (read.prices, read.rejected, read.unpriced) == ((), (), 1)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("list.csv", b"a,b\n1,2\n", "no header row"),
        ("list.csv", b"", "no header row"),
        ("list.ods", b"x", r"must end in \.csv or \.xlsx"),
        ("list.xlsx", b"not a workbook", "not an XLSX workbook"),
        ("list.xlsx", b"PK\x05\x06" + bytes(18), "cannot be read as a workbook"),
        ("list.csv", b'SKU,Price\n"open', "no header row|quotation mark"),
        ("list.csv", b"\x00\xff\xfe\x81\x8d", "no header row|not a text file"),
    ],
)
def test_a_file_that_is_no_price_list_is_refused(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CatalogError, match=words):
        read_price_list(path, TODAY)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="cannot be read"):
        read_price_list(tmp_path / "none.csv", TODAY)


def _workbook(tmp_path: Path, rows: list[list[object]], merged: tuple[str, ...] = ()) -> PriceList:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for area in merged:
        sheet.merge_cells(area)
    path = tmp_path / "list.xlsx"
    book.save(path)
    return read_price_list(path, TODAY)


def test_a_workbook_with_a_title_and_a_header_over_two_rows_is_read(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Kentino price list 2026", None, None, None],
        ["SKU", "Price", None, "Date"],
        [None, "EUR excl. VAT", "pieces", None],
        ["rtx-5090", 5500.5, 3, datetime.datetime(2026, 11, 30)],
    ]
    read = _workbook(tmp_path, rows, ("A1:D1", "B2:C2", "A2:A3", "D2:D3"))
    (price,) = read.prices
    assert (price.row, price.amount, price.currency, price.vat_included) == (
        4,
        Decimal("5500.5"),
        "EUR",
        False,
    )
    assert price.priced_on == datetime.date(2026, 11, 30)
    assert read.sheet == "Sheet"


def test_a_formula_without_a_saved_result_is_rejected(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["SKU", "Price EUR excl VAT", "Date"],
        ["rtx-5090", "=1+1", "2026-11-30"],
    ]
    assert "formula whose result was not saved" in _reason(_workbook(tmp_path, rows))


def test_the_remains_of_computed_numbers_do_not_matter(tmp_path: Path) -> None:
    rows: list[list[object]] = [["SKU", "Price EUR excl VAT", "Date"], ["l4", 0.1 + 0.2, "2026-11-30"]]
    assert _workbook(tmp_path, rows).prices[0].amount == Decimal("0.3")


def test_the_sheet_with_the_prices_is_found(tmp_path: Path) -> None:
    book = Workbook()
    first = book.active
    assert first is not None
    first.append(["read me first"])
    prices = book.create_sheet("prices")
    prices.append(["MPN", "Price EUR excl VAT", "Date"])
    prices.append(["MCX755106AS-HEAT", 1500, "2026-11-30"])
    book.save(tmp_path / "two.xlsx")
    read = read_price_list(tmp_path / "two.xlsx", TODAY)
    assert (read.sheet, read.prices[0].mpn) == ("prices", "MCX755106AS-HEAT")

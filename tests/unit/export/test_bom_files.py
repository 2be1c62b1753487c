"""Workbook and CSV read back by other programs."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import BytesIO, StringIO

import openpyxl
import pytest

from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.money import Money
from kentino_configurator.export.csv import bom_csv
from kentino_configurator.export.xlsx import bom_workbook
from kentino_configurator.texts import LOCALES
from tests.unit.proposal.sample import bill, lines

FORMULAS = ("=cmd()", "+1", "-1", "@SUM(A1)")


def sheet(bom: BillOfMaterials, *, values: bool, language: str = "en") -> list[tuple[object, ...]]:
    book = openpyxl.load_workbook(BytesIO(bom_workbook(bom, language)), data_only=values)
    return list(book.worksheets[0].iter_rows(values_only=True))


def rows(data: bytes, separator: str) -> list[list[str]]:
    return list(csv.reader(StringIO(data.decode("utf-8-sig")), delimiter=separator))


def with_name(name: str) -> BillOfMaterials:
    return bill((replace(lines()[0], description=name, mpn=name, maker=name), *lines()[1:]))


def test_the_workbook_has_one_header_row_and_one_row_for_each_line() -> None:
    head, *body = sheet(bill(), values=True)
    assert head[:3] == ("Line", "Group", "SKU")
    assert [row[0] for row in body if row[0]] == [1, 2, 3, 4, 5]


def test_line_totals_and_sums_are_formulas_with_their_values() -> None:
    formulas, values = sheet(bill(), values=False), sheet(bill(), values=True)
    assert formulas[2][8] == "=G3*H3"
    assert values[2][8] == pytest.approx(2 * 3893.33)
    assert formulas[6][8] == "=SUM(I2:I6)"
    assert values[6][8] == pytest.approx(float(bill().net.amount))
    assert bill().gross is not None
    assert values[8][8] == pytest.approx(float(bill().gross.amount))


def test_a_discount_is_a_row_of_its_own() -> None:
    plain = bill()
    reduced = replace(plain, discount=Money(1_000_00), net=plain.net - Money(1_000_00), vat=None, gross=None)
    values = sheet(reduced, values=True)
    assert [row[8] for row in values[6:9]] == [
        pytest.approx(float(plain.list_net.amount)),
        pytest.approx(-1000.0),
        pytest.approx(float(reduced.net.amount)),
    ]


def test_part_numbers_stay_text_with_their_leading_zeros() -> None:
    assert sheet(bill(), values=True)[1][4] == "001"


def test_a_missing_price_is_empty_and_said_in_words() -> None:
    missing = sheet(bill(), values=True)[4]
    assert missing[7] is None
    assert missing[8] is None
    assert missing[10] == "no price"


@pytest.mark.parametrize("name", FORMULAS)
def test_a_text_that_looks_like_a_formula_is_written_as_text(name: str) -> None:
    book = openpyxl.load_workbook(BytesIO(bom_workbook(with_name(name), "en")))
    cell = book.worksheets[0]["F2"]
    assert (cell.value, cell.data_type) == (name, "s")


@pytest.mark.parametrize("language", LOCALES)
def test_the_same_bill_gives_the_same_workbook(language: str) -> None:
    assert bom_workbook(bill(), language) == bom_workbook(bill(), language)


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_the_csv_holds_the_same_lines(separator: str) -> None:
    head, *body = rows(bom_csv(bill(), "en", separator), separator)
    assert head[0] == "Line"
    assert [row[0] for row in body] == ["1", "2", "3", "4", "5"]
    assert [row[8] for row in body] == ["11900.00", "7786.66", "117864.00", "", "1800.01"]


@pytest.mark.parametrize("name", FORMULAS)
def test_no_cell_of_the_csv_can_be_run_as_a_formula(name: str) -> None:
    row = rows(bom_csv(with_name(name), "en"), ";")[1]
    assert row[5] == f"'{name}"


def test_separators_and_quotes_inside_a_text_survive() -> None:
    row = rows(bom_csv(with_name('rack; 4U "short"'), "cs"), ";")[1]
    assert row[5] == 'rack; 4U "short"'


def test_another_separator_is_refused() -> None:
    with pytest.raises(ValueError, match="separator"):
        bom_csv(bill(), "en", "|")

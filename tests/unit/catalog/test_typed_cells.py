"""What cells of a price list mean."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.catalog.sheet import Cell, Unreadable
from kentino_configurator.catalog.typed_cells import (
    BadCell,
    amount_of,
    currency_of,
    date_of,
    decimal_mark_of,
    percent_of,
    vat_flag_of,
)


@pytest.mark.parametrize(
    ("typed", "amount", "currency"),
    [
        ("1234.50", "1234.50", ""),
        ("1 234,50", "1234.50", ""),
        ("1\u00a0234,50 Kč", "1234.50", "CZK"),
        ("1.234,50", "1234.50", ""),
        ("1,234.50", "1234.50", ""),
        ("1'234.50 CHF", "1234.50", "CHF"),
        ("€ 12.345.678,90", "12345678.90", "EUR"),
        ("1.234.567", "1234567", ""),
        ("17,5", "17.5", ""),
        ("890,-", "890", ""),
        ("$99", "99", "USD"),
    ],
)
def test_amounts_are_read_as_people_write_them(typed: str, amount: str, currency: str) -> None:
    assert amount_of(typed, None) == (Decimal(amount), currency)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("-5,00", "above zero"),
        ("0", "above zero"),
        (Decimal("-1"), "above zero"),
        ("12.3456", "two decimals"),
        (Decimal("1.005"), "two decimals"),
        ("abc", "currency code"),
        ("1.2.3,4,5", "such as 1234.50"),
        ("12-34", "such as 1234.50"),
        ("", "is empty"),
        (Unreadable("holds the error #REF!; correct the formula"), "#REF!"),
    ],
)
def test_an_amount_that_cannot_be_used_is_refused_with_what_would_be_right(cell: Cell, words: str) -> None:
    with pytest.raises(BadCell, match=words):
        amount_of(cell, None)


def test_a_group_of_three_after_one_mark_needs_the_rest_of_the_column() -> None:
    with pytest.raises(BadCell, match="two ways"):
        amount_of("1.234", None)
    assert amount_of("1.234", ",") == (Decimal(1234), "")
    assert amount_of("1,234", ".") == (Decimal(1234), "")


def test_the_decimal_mark_is_the_one_the_column_agrees_on() -> None:
    assert decimal_mark_of(["1.234", "17,50", "9"]) == ","
    assert decimal_mark_of(["1.234", "17.50"]) == "."
    assert decimal_mark_of(["17,50", "17.50"]) is None
    assert decimal_mark_of([Decimal(3), None, "1.234"]) is None


@given(st.decimals(min_value="0.01", max_value=10**9, places=2))
def test_every_amount_comes_back_from_the_three_usual_forms(amount: Decimal) -> None:
    english = f"{amount:,.2f}"
    for typed in (
        english,
        english.replace(",", " ").replace(".", ","),
        english.replace(",", "x").replace(".", ",").replace("x", "."),
    ):
        assert amount_of(typed, None)[0] == amount


@pytest.mark.parametrize(
    ("typed", "included"),
    [
        *(("excl", False), ("bez DPH", False), ("sem IVA", False), ("ex. VAT", False), ("no", False)),
        *(("incl. VAT", True), ("včetně DPH", True), ("s DPH", True), ("com IVA", True), ("Ano", True)),
    ],
)
def test_vat_is_read_in_three_languages(typed: str, included: bool) -> None:
    assert vat_flag_of(typed) is included


def test_a_vat_rate_alone_does_not_say_whether_it_is_included() -> None:
    with pytest.raises(BadCell, match="'excl' or 'incl'"):
        vat_flag_of("21 %")


@pytest.mark.parametrize(("cell", "rate"), [("21 %", 21), ("21", 21), (Decimal("0.21"), 21), ("5,5%", "5.5")])
def test_vat_rates_are_read_in_percent(cell: Cell, rate: object) -> None:
    assert percent_of(cell) == Decimal(str(rate))


@pytest.mark.parametrize(
    "typed", ["2026-12-31", "31.12.2026", "31. 12. 2026", "31/12/2026", "2026-12-31T00:00:00"]
)
def test_dates_are_iso_or_day_first(typed: str) -> None:
    assert date_of(typed) == datetime.date(2026, 12, 31)


@pytest.mark.parametrize("typed", ["12/31/2026", "31.2.2026", "soon", ""])
def test_other_dates_are_refused(typed: str) -> None:
    with pytest.raises(BadCell, match=r"31\.12\.2026"):
        date_of(typed)


def test_an_unknown_currency_is_refused() -> None:
    assert currency_of(" kč ") == "CZK"
    with pytest.raises(BadCell, match="such as EUR"):
        currency_of("doubloons")

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.bom.items import Item, known_net, to_lines, unpriced
from kentino_configurator.bom.totals import totals, vat_rate
from kentino_configurator.core.bom import BomGroup, BomLine
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import Price, PriceStatus
from kentino_configurator.core.money import Money

_PRICES = st.none() | st.integers(min_value=0, max_value=10**8)
_RATES = st.sampled_from([21.0, 0.0, None])


def _item(cents: int | None, quantity: int) -> Item:
    status = PriceStatus.MISSING if cents is None else PriceStatus.OBSERVED
    amount = None if cents is None else Money(cents)
    return Item(
        group=BomGroup.NODE,
        category="gpu",
        sku="card",
        mpn="",
        maker="",
        description="card",
        quantity=quantity,
        price=Price(amount=amount, status=status, observed_on="2026-10-05", source="shop"),
        source="shop",
    )


_ITEMS = st.lists(st.builds(_item, _PRICES, st.integers(min_value=1, max_value=64)), max_size=12)


@given(_ITEMS, st.decimals(min_value=0, max_value=100, places=2), _RATES)
def test_totals_equal_the_sum_of_the_lines_to_the_cent(
    items: list[Item], discount: Decimal, rate: float | None
) -> None:
    lines = to_lines(items)
    money = totals(lines, float(discount), rate)
    assert money.list_net.cents == sum(line.net.cents for line in lines if line.net is not None)
    assert money.list_net - money.discount == money.net
    assert 0 <= money.discount.cents <= money.list_net.cents
    assert (money.vat is None) == (rate is None)
    if money.vat is not None:
        assert money.gross == money.net + money.vat


@given(_ITEMS)
def test_a_missing_price_is_counted_and_never_taken_as_zero(items: list[Item]) -> None:
    lines = to_lines(items)
    without_price = [line for line in lines if line.net is None]
    assert len(without_price) == unpriced(items)
    assert all(line.price_status is PriceStatus.MISSING and line.unit_net is None for line in without_price)
    priced_only = [item for item in items if item.price.amount is not None]
    assert known_net(items) == known_net(priced_only)


def _lines(cents: int) -> tuple[BomLine, ...]:
    return to_lines([_item(cents, 1)])


def test_the_czech_rate_of_the_policy_applies_at_home(snapshot: CatalogSnapshot) -> None:
    for mode in ("domestic", "gross"):
        money = totals(_lines(10_000), 0, vat_rate(mode, "CZ", snapshot.policy))
        assert (money.vat_rate_percent, money.vat, money.gross) == (21, Money(2_100), Money(12_100))


def test_exempt_supplies_have_a_rate_of_zero(snapshot: CatalogSnapshot) -> None:
    for mode in ("intra_eu", "export"):
        assert totals(_lines(10_000), 0, vat_rate(mode, "PT", snapshot.policy)).vat == Money(0)


def test_the_rate_of_a_private_buyer_abroad_is_to_be_confirmed(snapshot: CatalogSnapshot) -> None:
    assert vat_rate("gross", "PT", snapshot.policy) is None
    assert vat_rate("", "CZ", snapshot.policy) is None


def test_without_a_vat_rate_there_is_no_vat_and_no_gross_price() -> None:
    money = totals(_lines(10_000), 0, None)
    assert (money.vat_rate_percent, money.vat, money.gross) == (None, None, None)


def test_a_discount_is_taken_once_from_the_sum_and_rounded_half_up() -> None:
    lines = to_lines([_item(1_001, 1), _item(1_002, 1)])
    assert totals(lines, 2.5, None).discount == Money(50)
    assert totals(replace_quantity(lines, 2), 0, None).list_net == Money(4_006)


def replace_quantity(lines: tuple[BomLine, ...], quantity: int) -> tuple[BomLine, ...]:
    return tuple(replace(line, quantity=quantity) for line in lines)

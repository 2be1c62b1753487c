"""The rule from dated observations to the one current price."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kentino_configurator.catalog.prices import Observation, current_price
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PriceStatus

RATES = {"EUR": Decimal(1), "USD": Decimal("0.92")}
READ_ON = "2026-12-01"


def seen(
    low: str,
    currency: str = "EUR",
    kind: str = "street",
    observed: str = "2026-10-05",
    vat_percent: str = "0",
    **more: str,
) -> Observation:
    return Observation(
        item_id="x",
        low=Decimal(low),
        high=Decimal(more.get("high", low)),
        currency=currency,
        vat=more.get("vat", "ex. VAT"),
        vat_percent=Decimal(vat_percent),
        observed=observed,
        kind=kind,
        source="shop",
        note="",
    )


def test_a_dated_euro_street_price_without_its_vat_is_observed() -> None:
    price = current_price([seen("17679.95", vat_percent="20")], RATES, READ_ON)
    assert (price.net_cents, price.status) == (1473329, PriceStatus.OBSERVED)
    assert price.observed_on == "2026-10-05"


def test_the_latest_euro_street_price_wins_over_estimates_and_other_currencies() -> None:
    price = current_price(
        [
            seen("100", kind="estimate", observed="2026-11-01"),
            seen("90", observed="2026-09-01"),
            seen("95", observed="2026-10-01"),
            seen("50", currency="USD", observed="2026-11-30"),
        ],
        RATES,
        READ_ON,
    )
    assert price.net_cents == 9500


def test_a_converted_price_is_estimated_and_says_at_which_rate() -> None:
    price = current_price([seen("2000", currency="USD")], RATES, READ_ON)
    assert (price.net_cents, price.status) == (184000, PriceStatus.ESTIMATED)
    assert "0.92 EUR per USD, planning rate" in price.note


def test_a_range_counts_with_its_midpoint_and_is_estimated() -> None:
    price = current_price([seen("900", high="1400")], RATES, READ_ON)
    assert (price.net_cents, price.status) == (115000, PriceStatus.ESTIMATED)


@pytest.mark.parametrize("kind", ["used", "planning"])
def test_used_goods_and_planning_figures_are_placeholders(kind: str) -> None:
    assert current_price([seen("10", kind=kind)], RATES, READ_ON).status is PriceStatus.PLACEHOLDER


def test_a_maker_list_price_beats_used_goods_and_planning_figures() -> None:
    price = current_price([seen("10", kind="used"), seen("30", kind="oem_list")], RATES, READ_ON)
    assert (price.net_cents, price.status) == (3000, PriceStatus.ESTIMATED)


def test_an_undated_figure_is_a_placeholder_dated_by_its_reading() -> None:
    price = current_price([seen("12000", kind="estimate", observed="")], RATES, READ_ON)
    assert (price.status, price.observed_on) == (PriceStatus.PLACEHOLDER, READ_ON)
    assert "undated" in price.note


def test_an_undated_list_price_is_estimated() -> None:
    price = current_price([seen("2998", currency="USD", kind="list", observed="")], RATES, READ_ON)
    assert price.status is PriceStatus.ESTIMATED


def test_a_bare_year_counts_from_its_first_day() -> None:
    assert current_price([seen("5", observed="2026")], RATES, READ_ON).observed_on == "2026-01-01"


def test_a_currency_without_a_rate_leaves_the_price_missing_and_is_mentioned() -> None:
    price = current_price([seen("1559.99", currency="GBP")], RATES, READ_ON)
    assert (price.net_cents, price.status) == (None, PriceStatus.MISSING)
    assert "1559.99 GBP" in price.note


def test_nothing_seen_is_missing_and_never_zero() -> None:
    price = current_price([], RATES, READ_ON)
    assert (price.net_cents, price.status, price.observed_on) == (None, PriceStatus.MISSING, "")


def test_the_server_edition_borrows_the_workstation_price_as_an_estimate(snapshot: CatalogSnapshot) -> None:
    server, workstation = (snapshot.gpus[f"rtx-pro-6000-{edition}"].price for edition in ("server", "ws"))
    assert server.amount == workstation.amount
    assert (workstation.status, server.status) == (PriceStatus.OBSERVED, PriceStatus.ESTIMATED)
    assert "Workstation Edition taken" in server.note


def test_planning_figures_of_infiniband_switches_are_never_more_than_placeholders(
    snapshot: CatalogSnapshot,
) -> None:
    assert snapshot.parts["nvidia-mqm9700-ns2f"].price.status is PriceStatus.PLACEHOLDER


def test_the_price_of_an_l40_is_not_that_of_a_used_card(snapshot: CatalogSnapshot) -> None:
    price = snapshot.gpus["l40"].price
    assert price.amount is not None and price.amount.amount > 15_000
    assert price.status is PriceStatus.ESTIMATED and "used" in price.note

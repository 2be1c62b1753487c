"""From priced lines to net, discount, VAT and gross, exact to the cent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from kentino_configurator.core.bom import BomLine
from kentino_configurator.core.money import Money, total
from kentino_configurator.core.policy import Policy

HOME = "CZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """``list_net - discount == net`` and ``net + vat == gross``; VAT is ``None`` while its rate is not known."""

    list_net: Money
    discount: Money
    net: Money
    vat_rate_percent: float | None
    vat: Money | None
    gross: Money | None


def totals(lines: Iterable[BomLine], discount_percent: float, vat_rate_percent: float | None) -> Totals:
    """Sums the lines that have a price; lines without one are counted elsewhere, never as zero."""
    list_net = total(line.net for line in lines if line.net is not None)
    discount = list_net.times(Decimal(str(discount_percent)) / 100)
    net = list_net - discount
    rate = vat_rate_percent
    vat = None if rate is None else net.times(Decimal(str(rate)) / 100)
    return Totals(
        list_net=list_net,
        discount=discount,
        net=net,
        vat_rate_percent=rate,
        vat=vat,
        gross=None if vat is None else net + vat,
    )


def vat_rate(vat_mode: str, country: str, policy: Policy) -> float | None:
    """VAT rate of an offer in percent: the Czech one at home, 0 for exempt supplies.

    ``None`` where it is to be confirmed: no mode stated, or a private buyer in another country, whose own rate
    applies and is not in the catalogue.
    """
    if vat_mode in ("intra_eu", "export"):
        return 0.0
    if vat_mode == "domestic" or (vat_mode == "gross" and country == HOME):
        return round(policy["vat.home_standard_share"] * 100, 6)
    return None

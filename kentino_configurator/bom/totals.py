"""From priced lines to net, discount, VAT and gross, exact to the cent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from kentino_configurator.core.bom import BomLine
from kentino_configurator.core.money import Money, total

CZECH_VAT_PERCENT = 21
"""Czech standard rate (Act 235/2004 Coll., section 47), to be confirmed at the invoice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """``list_net - discount == net`` and ``net + vat == gross``; VAT is ``None`` while its mode is not stated."""

    list_net: Money
    discount: Money
    net: Money
    vat_rate_percent: float | None
    vat: Money | None
    gross: Money | None


def totals(lines: Iterable[BomLine], discount_percent: float, vat_mode: str) -> Totals:
    """Sums the lines that have a price; lines without one are counted elsewhere, never as zero."""
    list_net = total(line.net for line in lines if line.net is not None)
    discount = list_net.times(Decimal(str(discount_percent)) / 100)
    net = list_net - discount
    rate = vat_rate_percent(vat_mode)
    vat = None if rate is None else net.times(Decimal(str(rate)) / 100)
    return Totals(
        list_net=list_net,
        discount=discount,
        net=net,
        vat_rate_percent=rate,
        vat=vat,
        gross=None if vat is None else net + vat,
    )


def vat_rate_percent(vat_mode: str) -> float | None:
    """Czech standard rate for ``domestic`` and ``gross``, 0 for exempt supplies, ``None`` when not stated."""
    if vat_mode in ("domestic", "gross"):
        return float(CZECH_VAT_PERCENT)
    return 0.0 if vat_mode in ("intra_eu", "export") else None

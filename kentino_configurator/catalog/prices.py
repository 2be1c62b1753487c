"""From dated price observations to the one current price of an item: net, in EUR, with its status.

The rule, in order:

1. An observation counts when its currency has a rate. Ranges count with their midpoint.
2. The best rank wins, then the latest date (of Kentino's list the later row of one day): Kentino's own list; EUR
   street, marketplace and paid prices; other EUR figures (estimates, bands, the price of a sibling); street prices in
   another currency; list prices and estimates in another currency; list prices of computer makers; used goods;
   planning figures.
3. VAT is taken out with the percentage noted beside the observation, then the currency is converted.
4. ``kentino_list`` is only Kentino's own list in EUR: a converted figure is not firm. ``observed`` is only a dated
   EUR street price whose VAT is stated. Used goods, planning figures and undated figures that are not list prices
   become ``placeholder``. Everything else is ``estimated``. No observation, or none whose currency has a rate:
   ``missing``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from kentino_configurator.core.hardware import PriceStatus

STREET = frozenset({"street", "marketplace", "paid"})
OWN_LIST = "kentino_list"
LAST_RESORT = ("oem_list", "used", "planning")
KINDS = STREET | frozenset({OWN_LIST, "estimate", "band", "proxy", "list", *LAST_RESORT})
_NEVER_QUOTE = frozenset({"used", "planning"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One price seen somewhere. ``observed`` is an ISO date or its start (``2026``, ``2026-09``), empty if unknown.

    ``valid_until`` is an ISO date, empty where the source states none.
    """

    item_id: str
    low: Decimal
    high: Decimal
    currency: str
    vat: str
    vat_percent: Decimal
    observed: str
    kind: str
    source: str
    note: str
    valid_until: str = ""

    @property
    def middle(self) -> Decimal:
        """Midpoint of the range."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentPrice:
    """The price an offer uses. ``net_cents`` (EUR) is ``None`` exactly when the status is ``missing``."""

    net_cents: int | None
    status: PriceStatus
    observed_on: str
    source: str
    note: str
    valid_until: str = ""


def current_price(
    observations: Iterable[Observation], eur_rates: Mapping[str, Decimal], read_on: str
) -> CurrentPrice:
    """The current price under the rule above; ``read_on`` stands in for the date of an undated figure."""
    observations = tuple(observations)
    usable = [one for one in observations if one.currency in eur_rates]
    if not usable:
        return CurrentPrice(
            net_cents=None, status=PriceStatus.MISSING, observed_on="", source="", note=_seen(observations)
        )
    _, best = max(enumerate(usable), key=_order)
    return CurrentPrice(
        net_cents=_net_cents(best, eur_rates[best.currency]),
        status=_status(best),
        observed_on=_earliest_day(best.observed) or read_on,
        source=best.source,
        note=_note(best, eur_rates[best.currency]),
        valid_until=best.valid_until,
    )


def _order(numbered: tuple[int, Observation]) -> tuple[int, str, int]:
    """The larger the better; a corrected list of Kentino follows the first one of the same day."""
    number, one = numbered
    return -_rank(one), one.observed, number if one.kind == OWN_LIST else -number


def _rank(one: Observation) -> int:
    if one.kind == OWN_LIST:
        return 0
    if one.kind in LAST_RESORT:
        return 5 + LAST_RESORT.index(one.kind)
    if one.currency == "EUR":
        return 1 if one.kind in STREET else 2
    return 3 if one.kind in STREET else 4


def _status(one: Observation) -> PriceStatus:
    if one.kind == OWN_LIST and one.currency == "EUR":
        return PriceStatus.KENTINO_LIST
    if one.kind in _NEVER_QUOTE or (not one.observed and one.kind != "list"):
        return PriceStatus.PLACEHOLDER
    exact_day = len(one.observed) >= len("2026-09")
    certain_vat = "presumed" not in one.vat and "verify" not in one.vat
    if one.kind in STREET and one.currency == "EUR" and exact_day and certain_vat and one.low == one.high:
        return PriceStatus.OBSERVED
    return PriceStatus.ESTIMATED


def _net_cents(one: Observation, eur_per_unit: Decimal) -> int:
    net = one.middle / (1 + one.vat_percent / 100) * eur_per_unit
    return int((net * 100).to_integral_value(ROUND_HALF_UP))


def _earliest_day(observed: str) -> str:
    """An ISO date: a bare year or month counts from its first day, so that it is never taken as fresher."""
    if not observed:
        return ""
    return {4: f"{observed}-01-01", 7: f"{observed}-01"}.get(len(observed), observed)


def _note(one: Observation, eur_per_unit: Decimal) -> str:
    remarks = [
        one.note,
        f"{one.kind.replace('_', ' ')} {_amount(one)} {one.currency}",
        f"VAT: {one.vat}",
    ]
    if one.currency != "EUR":
        remarks.append(f"converted at {eur_per_unit.normalize():f} EUR per {one.currency}, planning rate")
    if not one.observed:
        remarks.append("the source is undated, the date is the day of reading")
    return "; ".join(remark for remark in remarks if remark)


def _seen(observations: tuple[Observation, ...]) -> str:
    """What was seen in currencies without a rate."""
    return "; ".join(f"{_amount(one)} {one.currency} at {one.source}, no rate" for one in observations)


def _amount(one: Observation) -> str:
    return str(one.low) if one.low == one.high else f"{one.low}-{one.high}"

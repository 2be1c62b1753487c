"""Group K: prices and services of the quote."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from kentino_configurator.bom.checks.registry import Result, blocked, passed, rule, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.bom import BomGroup, BomLine
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Listing, Quantity
from kentino_configurator.core.units import Unit

_FIRM = (PriceStatus.KENTINO_LIST, PriceStatus.OBSERVED)
_VOLATILE = ("gpu", "ram", "storage_drive")


def _priced(s: Subject) -> Iterator[BomLine]:
    return (line for line in s.lines if line.unit_net is not None)


def _names(lines: list[BomLine]) -> Listing:
    return Listing(tuple(line.description for line in lines))


@rule("K1")
def price_origin(s: Subject) -> Result | None:
    """A firm price without them blocks, an estimate without them is named."""
    bare = [line for line in _priced(s) if not (line.price_date and line.source)]
    args = {"need": sum(1 for _ in _priced(s)), "have": sum(1 for _ in _priced(s)) - len(bare)}
    if any(line.price_status in _FIRM for line in bare):
        return blocked(**args, option=bare[0].description)
    return warned(**args, option=bare[0].description) if bare else passed(**args)


@rule("K2")
def stale_prices(s: Subject) -> Result | None:
    """Age at the date of the catalogue; the oldest line is named. Undated prices are rule K1."""
    today = date.fromisoformat(s.snapshot.date)
    ages = [(today - seen, line) for line in _priced(s) if (seen := observed_on(line.price_date))]
    stale = [(age, line) for age, line in ages if age > _allowed(s, line)]
    if not stale:
        return passed()
    age, line = max(stale, key=lambda pair: pair[0])
    return warned(part=line.description, age=Quantity(age.days, Unit.DAYS))


def _allowed(s: Subject, line: BomLine) -> timedelta:
    volatile = line.category in _VOLATILE
    days = s.snapshot.policy["price.stale_days_volatile" if volatile else "price.stale_days"]
    return timedelta(days=days)


def observed_on(text: str) -> date | None:
    """The first day of a date given as year, year and month, or day; ``None`` when it is none."""
    parts = text[:10].split("-")
    if not parts[0].isdigit():
        return None
    padded = [*parts, "01", "01"][:3]
    try:
        return date.fromisoformat("-".join(padded))
    except ValueError:
        return None


@rule("K3")
def one_currency(s: Subject) -> Result | None:
    """Currencies of the lines."""
    found = {line.unit_net.currency for line in s.lines if line.unit_net is not None}
    return passed() if len(found) <= 1 else blocked(need=1, have=len(found), option="EUR")


@rule("K4")
def list_prices(s: Subject) -> Result | None:
    """Makers' list prices are named: the street asks another price."""
    listed = [line for line in _priced(s) if "list" in line.source.lower()]
    if not listed:
        return None
    return warned(need=0, have=len(listed), option=_names(listed))


@rule("K5")
def missing_prices(s: Subject) -> Result | None:
    """Lines without a price are named; the total is a lower bound then."""
    bare = [line for line in s.lines if line.unit_net is None]
    return warned(part=_names(bare)) if bare else passed()


@rule("K6")
def service_lines(s: Subject) -> Result | None:
    """Integration, support and what else the order needs."""
    have = sum(line.group is BomGroup.SERVICE for line in s.lines)
    return passed() if have else warned(need=1, have=0, option="burn-in")

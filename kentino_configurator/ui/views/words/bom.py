"""The bill of materials in words: lines by group, how firm prices are, totals, checks by outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from kentino_configurator.answer.sentences import check_sentence
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials, BomCheck, BomLine, Outcome
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.money import Money, total
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts
from kentino_configurator.texts.numbers import EN_DASH
from kentino_configurator.texts.rounding import to_decimals
from kentino_configurator.ui.views.models.table import Cell, Column, Mark, MarkKind, Row, RowKind

OPEN_PRICES = (PriceStatus.PLACEHOLDER, PriceStatus.MISSING)
OUTCOME_MARKS = {
    Outcome.BLOCK: Mark(MarkKind.ICON, "octagon-alert", "block"),
    Outcome.WARN: Mark(MarkKind.ICON, "triangle-alert", "warn"),
    Outcome.PASS: Mark(MarkKind.ICON, "check", "ok"),
    Outcome.UNKNOWN: Mark(MarkKind.ICON, "circle-help", "ink2"),
}
CHECK_ORDER = (Outcome.BLOCK, Outcome.WARN, Outcome.UNKNOWN, Outcome.PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A mark, how many, and the word for what."""

    mark: Mark
    count: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalLine:
    """One line of the totals. ``main`` is the sum that is asked for."""

    name: str
    value: str
    strong: bool = False
    main: bool = False


# ---------------------------------------------------------------- lines


def line_columns(currency: str, texts: Texts) -> tuple[Column, ...]:
    """Columns of the list. The date folds first, then the maker, then the part number."""
    say = texts.say
    return (
        Column(title=say("view.bom.number"), right=True),
        Column(title=say("view.bom.item"), stretch=2, least_px=200),
        Column(title=say("view.bom.maker"), fold=2),
        Column(title=say("view.bom.part_number"), stretch=1, least_px=130, fold=1),
        Column(title=say("view.bom.quantity"), right=True),
        Column(title=say("view.bom.unit_net", currency=currency), right=True),
        Column(title=say("view.bom.line_net", currency=currency), right=True),
        Column(title=say("view.bom.price_is")),
        Column(title=say("view.bom.seen"), fold=3),
    )


def line_rows(bom: BillOfMaterials, wanted: str, texts: Texts) -> tuple[Row, ...]:
    """Lines under the heading of their group, those that contain every word of ``wanted``."""
    found = [line for line in bom.lines if _matches(line, wanted, texts)]
    return tuple(_grouped(found, texts))


def _grouped(lines: list[BomLine], texts: Texts) -> Iterator[Row]:
    """Groups in the order of their first line; spares at the end of the list join their group."""
    for group in dict.fromkeys(line.group for line in lines):
        name = texts.say(f"view.bom.group.{group.value}")
        yield Row(cells=(Cell(words=name),), kind=RowKind.GROUP)
        yield from (_line(line, texts) for line in lines if line.group is group)


def _matches(line: BomLine, wanted: str, texts: Texts) -> bool:
    status = texts.say(f"n.price.{line.price_status.value}")
    text = " ".join((line.description, line.maker, line.mpn, line.sku, status)).casefold()
    return all(word in text for word in wanted.casefold().split())


def _line(line: BomLine, texts: Texts) -> Row:
    open_price = line.price_status in OPEN_PRICES
    ink = "warn" if open_price else "ink2"
    return Row(
        key=line.sku,
        cells=(
            Cell(words=texts.numbers.plain(line.line), ink="ink2"),
            Cell(words=line.description, type_role="label"),
            Cell(words=line.maker or texts.say("view.bom.various"), ink="ink2"),
            _part_number(line, texts),
            Cell(words=texts.numbers.plain(line.quantity)),
            _price(line.unit_net, "body", texts),
            _price(line.net, "strong", texts),
            Cell(
                words=texts.say(f"n.price.{line.price_status.value}"),
                mark=Mark(MarkKind.PRICE, line.price_status.value, ink),
                ink=ink,
            ),
            Cell(words=_date(line.price_date, texts) or EN_DASH, ink="ink2"),
        ),
    )


def _part_number(line: BomLine, texts: Texts) -> Cell:
    if line.mpn:
        return Cell(words=line.mpn, ink="ink2")
    return Cell(words=texts.say("view.bom.to_confirm"), ink="warn")


def _price(money: Money | None, type_role: str, texts: Texts) -> Cell:
    """The amount alone: the currency stands in the head of the column."""
    if money is None:
        return Cell(words=texts.say("n.price.missing"), ink="warn")
    return Cell(words=amount_words(money, texts), type_role=type_role)


def amount_words(money: Money, texts: Texts) -> str:
    """An amount with two decimals, without its currency."""
    return texts.numbers.write(to_decimals(money.amount, 2))


def _date(iso_date: str, texts: Texts) -> str:
    try:
        return texts.short_date(date.fromisoformat(iso_date))
    except ValueError:
        return iso_date


def status_tallies(bom: BillOfMaterials, texts: Texts) -> tuple[Tally, ...]:
    """How many lines have which kind of price, firmest first; lines without a price count too."""
    return tuple(_status_tally(bom, status, texts) for status in PriceStatus)


def _status_tally(bom: BillOfMaterials, status: PriceStatus, texts: Texts) -> Tally:
    count = bom.lines_with_status(status)
    role = "warn" if count and status in OPEN_PRICES else "ink2"
    return Tally(
        mark=Mark(MarkKind.PRICE, status.value, role),
        count=count,
        words=texts.say(f"n.price.{status.value}"),
    )


def observed_words(bom: BillOfMaterials, texts: Texts) -> str:
    """Between which days the prices were seen; empty when no price has a date."""
    days = sorted(line.price_date for line in bom.lines if line.price_date and line.unit_net is not None)
    if not days:
        return ""
    first, last = _date(days[0], texts), _date(days[-1], texts)
    if first == last:
        return texts.say("view.bom.observed_on", day=first)
    return texts.say("view.bom.observed", first=first, last=last)


# ---------------------------------------------------------------- totals


def total_lines(bom: BillOfMaterials, answer: Answer, texts: Texts) -> tuple[TotalLine, ...]:
    """From the sum of the lines to what is to be paid."""
    return tuple(_totals(bom, answer, texts))


def _totals(bom: BillOfMaterials, answer: Answer, texts: Texts) -> Iterator[TotalLine]:
    say = texts.say
    yield TotalLine(name=say("view.bom.sum_lines"), value=amount_words(bom.list_net, texts))
    if bom.discount.cents:
        share = Quantity(answer.request.commercial.discount_percent / 100, Unit.SHARE)
        yield TotalLine(
            name=say("view.bom.discount", share=share), value=f"−{amount_words(bom.discount, texts)}"
        )
    yield TotalLine(name=say("view.bom.net"), value=amount_words(bom.net, texts), strong=True)
    if bom.vat is None or bom.vat_rate_percent is None:
        yield TotalLine(name=say("view.bom.vat_open"), value=say("n.not_known"))
    else:
        rate = Quantity(bom.vat_rate_percent / 100, Unit.SHARE)
        yield TotalLine(name=say("view.bom.vat", rate=rate), value=amount_words(bom.vat, texts))
    least = "_at_least" if bom.unpriced_lines else ""
    amount = bom.net if bom.gross is None else bom.gross
    name = "net_total" if bom.gross is None else "total"
    yield TotalLine(
        name=say(f"view.bom.{name}{least}", currency=bom.net.currency),
        value=amount_words(amount, texts),
        main=True,
    )


def sum_check(bom: BillOfMaterials, texts: Texts) -> tuple[str, str]:
    """Whether the lines add up to the total, with the colour role of the answer."""
    lines = total((line.net for line in bom.lines if line.net is not None), bom.net.currency)
    agree = lines == bom.list_net and bom.list_net - bom.discount == bom.net
    return (texts.say("view.bom.sum_agrees"), "ok") if agree else (texts.say("view.bom.sum_wrong"), "block")


def unpriced_words(bom: BillOfMaterials, texts: Texts) -> str:
    """That the total is a lower bound; empty when every line has a price."""
    return texts.say("view.bom.unpriced", count=bom.unpriced_lines) if bom.unpriced_lines else ""


# ---------------------------------------------------------------- checks


def check_tallies(bom: BillOfMaterials, texts: Texts) -> tuple[Tally, ...]:
    """How many rules had which outcome; unknown stands apart from passed."""
    return tuple(
        Tally(
            mark=OUTCOME_MARKS[outcome],
            count=len(checks_with(bom, outcome)),
            words=texts.say(f"view.bom.outcome.{outcome.value}"),
        )
        for outcome in CHECK_ORDER
    )


def checks_with(bom: BillOfMaterials, outcome: Outcome) -> tuple[BomCheck, ...]:
    """The checks of one outcome."""
    return tuple(check for check in bom.checks if check.outcome is outcome)


def check_columns(texts: Texts) -> tuple[Column, ...]:
    """Rule and sentence."""
    return (Column(title=texts.say("view.bom.rule")), Column(title=texts.say("view.bom.finding"), stretch=1))


def check_rows(checks: tuple[BomCheck, ...], texts: Texts) -> tuple[Row, ...]:
    """One row for each check, with its mark and its sentence."""
    return tuple(
        Row(
            key=check.rule,
            cells=(
                Cell(words=check.rule, mark=OUTCOME_MARKS[check.outcome], ink="ink2"),
                Cell(words=_check_words(check, texts)),
            ),
        )
        for check in checks
    )


def _check_words(check: BomCheck, texts: Texts) -> str:
    """The sentence without the rule, which has its own column. A fired rule without own words says it is not met."""
    sentence = check_sentence(check, texts)
    statement = sentence.removeprefix(f"{check.rule}:").lstrip()
    fired = check.outcome in (Outcome.BLOCK, Outcome.WARN)
    if fired and statement != sentence:
        return texts.say("view.bom.not_met", statement=statement)
    return statement

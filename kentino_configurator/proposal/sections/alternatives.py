"""What was compared, when the answer changes, and what comes next when the load doubles."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.answer.sentences import driver_of
from kentino_configurator.core.decision import Alternative, Configuration, TippingPoint, WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.money import Money
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Bullets,
    Cell,
    Column,
    Heading,
    Paragraph,
    Role,
    Row,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import expected_of, range_of
from kentino_configurator.proposal.performance import main_figure
from kentino_configurator.proposal.sections.decision import LEVER_UNITS, levers
from kentino_configurator.proposal.sentences import machines_message, price_message

LOAD_FIELDS = ("concurrent_requests", "requests_per_s", "dataset_tokens")


def alternatives_section(case: Case, configuration: Configuration) -> Section:
    """Alternatives, tipping points and path."""
    return Section(
        id="alternatives",
        title=message("p.title.alternatives"),
        lead=message("p.text.alternatives_intro"),
        blocks=tuple(_blocks(case, configuration)),
    )


def _blocks(case: Case, configuration: Configuration) -> Iterator[Block]:
    yield comparison(case, configuration)
    yield Paragraph(words=message("doc.compare.caption"), role=Role.CAPTION)
    yield Paragraph(words=message("p.text.not_largest"), role=Role.CAPTION)
    yield Heading(words=message("p.title.tipping"))
    if case.decision.tipping_points:
        yield levers(case.decision.tipping_points)
        yield Paragraph(words=message("doc.tipping.caption"), role=Role.CAPTION)
    else:
        yield Paragraph(
            words=message("doc.no_tipping" if configuration.fabric is None else "doc.tipping_open")
        )
    yield Heading(words=message("p.title.path"))
    yield Paragraph(words=message("p.text.path_text"))
    yield Bullets(items=tuple(_path(case, configuration)))


def comparison(case: Case, configuration: Configuration | None) -> Table:
    """The chosen machines first, then every alternative with its reason."""
    rows = [] if configuration is None else [_chosen(case, configuration)]
    rows += [_alternative(item) for item in case.decision.alternatives]
    return Table(
        columns=(
            Column(title=message("doc.column.compared")),
            Column(title=message("doc.column.net"), width_mm=36, align=Align.RIGHT),
            Column(title=message("doc.column.three_years"), width_mm=34, align=Align.RIGHT),
            Column(title=message("doc.column.does"), width_mm=30, align=Align.RIGHT),
        ),
        rows=tuple(rows),
    )


def _chosen(case: Case, configuration: Configuration) -> Row:
    cost = case.decision.three_year_cost
    bom = case.bom
    return Row(
        cells=(
            Cell(words=machines_message(configuration), note=message("doc.compare.chosen"), strong=True),
            _price(None if bom is None else bom.net, bom is not None and bom.unpriced_lines > 0),
            _estimate(None if cost is None else cost.total),
            _does(case.decision.results),
        ),
        chosen=True,
    )


def _alternative(item: Alternative) -> Row:
    configuration = item.configuration
    name: Arg = message(f"doc.alt.{item.kind}")
    if configuration is not None:
        name = message("doc.alt.named", kind=name, machines=machines_message(configuration))
    change = item.what_would_change
    note: Arg = item.why_not if change is None else message("doc.alt.note", why=item.why_not, change=change)
    return Row(
        cells=(
            Cell(words=name, strong=True),
            Cell(words=message("doc.not_offered"))
            if item.kind == "sxm"
            else _price(item.net, item.net_is_lower_bound),
            _estimate(item.three_year_eur),
            _does(item.results) if item.feasible else Cell(words=message("doc.not_feasible")),
        ),
        note=note,
    )


def _price(net: Money | None, is_lower_bound: bool) -> Cell:
    return Cell(words=price_message(net, is_lower_bound))


def _estimate(estimate: Estimate | None) -> Cell:
    if estimate is None:
        return Cell(words=message("doc.dash"))
    return Cell(words=expected_of(estimate), note=range_of(estimate))


def _does(results: tuple[WorkloadResult, ...]) -> Cell:
    figure = main_figure(results[0]) if results else None
    return _estimate(figure)


def _path(case: Case, configuration: Configuration) -> Iterator[Arg]:
    """The customer's own growth, and what the engine found for double the load."""
    growth = case.request.growth
    if growth.factor > 1:
        yield message("doc.path.growth", factor=growth.factor, months=growth.within_months)
    rising = [p for p in case.decision.tipping_points if driver_of(p) in LOAD_FIELDS and p.at > p.now]
    if any(p.at <= 2 * p.now for p in rising):
        yield from (_step(p) for p in rising if p.at <= 2 * p.now)
    elif configuration.fabric is None and (rising or _load_was_searched(case)):
        yield message("doc.path.holds")
    else:
        yield message("doc.path.open")


def _step(point: TippingPoint) -> Arg:
    unit = LEVER_UNITS[driver_of(point)]
    now, at = Quantity(point.now, unit), Quantity(point.at, unit)
    lever = message(f"doc.lever.{driver_of(point)}")
    return message("doc.path.step", lever=lever, at=at, now=now, becomes=point.becomes)


def _load_was_searched(case: Case) -> bool:
    """Whether the search for tipping values covers the load: it does for people, not for batch work."""
    return any(driver_of(point) == "max_context_tokens" for point in case.decision.tipping_points)

"""Operation in words: hours of people, interruptions, duties, and the cost over three years."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import OpsTax, ThreeYearCost
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts
from kentino_configurator.texts.rounding import as_decimal, to_decimals
from kentino_configurator.ui.views.models.table import Cell, Column, Row, RowKind

_COST_PARTS = ("hardware", "energy", "operations")


def _nodes(answer: Answer) -> int:
    configuration = answer.decision.configuration
    return 1 if configuration is None else configuration.nodes


# ---------------------------------------------------------------- hours


def hour_columns(texts: Texts) -> tuple[Column, ...]:
    """Low, middle, high, and the column of Kentino's own experience."""
    names = ("low", "middle", "high", "article")
    return (
        Column(title=texts.say("view.operations.hours_head"), stretch=1, least_px=180),
        *(Column(title=texts.say(f"view.operations.{name}"), right=True, least_px=110) for name in names),
    )


def hour_rows(tax: OpsTax, answer: Answer, texts: Texts) -> tuple[Row, ...]:
    """Hours a year, and the same in money at the stated rate. The middle column is what the plan counts with."""
    rate = answer.request.operations.hourly_cost_eur
    hours = (tax.hours_low, tax.hours_middle, tax.hours_high, tax.article_hours)
    name = texts.say("view.operations.eur_a_year", rate=Quantity(rate, Unit.EUR_PER_H))
    return (
        _hour_row("hours", texts.say("view.operations.hours_a_year"), [_hours(h, texts) for h in hours]),
        _hour_row("eur", name, [_euro(h * rate, texts) for h in hours]),
    )


def _hour_row(key: str, name: str, values: list[str]) -> Row:
    cells = [Cell(words=value, type_role="strong" if i == 1 else "body") for i, value in enumerate(values)]
    return Row(key=key, cells=(Cell(words=name, type_role="label"), *cells))


def two_digits(value: float) -> float:
    """Two significant digits: such figures are not known better."""
    return float(f"{value:.2g}")


def _hours(value: float, texts: Texts) -> str:
    return texts.words(Quantity(two_digits(value), Unit.HOURS))


def _euro(value: float, texts: Texts) -> str:
    return texts.words(Quantity(two_digits(value), Unit.EUR))


def summary(tax: OpsTax, answer: Answer, texts: Texts) -> tuple[str, ...]:
    """Where the columns come from, how often something stops, what kind of system it is, who operates it."""
    return tuple(_summary(tax, answer, texts))


def _summary(tax: OpsTax, answer: Answer, texts: Texts) -> Iterator[str]:
    yield texts.say("view.operations.sources")
    stops = tax.interruptions_per_year
    yield texts.say(
        "view.operations.interruptions",
        low=Quantity(two_digits(stops.low), Unit.COUNT),
        expected=Quantity(two_digits(stops.expected), Unit.COUNT),
        high=Quantity(two_digits(stops.high), Unit.COUNT),
    )
    if tax.cluster:
        yield texts.say("ops.sum.half_capacity")
    else:
        yield texts.say("ops.sum.replicas" if _nodes(answer) > 1 else "view.operations.one_node")


# ---------------------------------------------------------------- duties


def duty_columns(texts: Texts) -> tuple[Column, ...]:
    """Duty, one node, what more nodes add."""
    return (
        Column(title=texts.say("view.operations.duty"), stretch=2, least_px=150),
        Column(title=texts.say("view.operations.one"), stretch=3, least_px=180),
        Column(title=texts.say("view.operations.more"), stretch=4, least_px=220),
    )


def duty_rows(tax: OpsTax, answer: Answer, texts: Texts) -> tuple[Row, ...]:
    """One row for each duty; what further nodes add is set strong where there are any."""
    several = _nodes(answer) > 1
    return tuple(_duty(duty, several, texts) for duty in tax.duties)


def _duty(duty: str, several: bool, texts: Texts) -> Row:
    return Row(
        key=duty,
        cells=(
            Cell(words=texts.say(f"ops.{duty}.label"), type_role="label"),
            Cell(words=texts.say(f"ops.{duty}.one"), ink="ink2"),
            Cell(words=texts.say(f"ops.{duty}.more"), ink="ink" if several else "ink3"),
        ),
    )


# ---------------------------------------------------------------- three years


def cost_columns(texts: Texts) -> tuple[Column, ...]:
    """Part, low, expected, high in EUR."""
    heads = (texts.say(f"w.panel.{name}") for name in ("low", "expected", "high"))
    return (
        Column(title=texts.say("view.operations.three_years"), stretch=1, least_px=180),
        *(Column(title=title, right=True, least_px=120) for title in heads),
    )


def cost_rows(cost: ThreeYearCost, answer: Answer, texts: Texts) -> tuple[Row, ...]:
    """Purchase, electricity, operation and their sum, then every alternative that has one."""
    parts = [
        _cost_row(name, texts.say(f"view.operations.cost.{name}"), getattr(cost, name), texts)
        for name in _COST_PARTS
    ]
    total = _cost_row("total", texts.say("view.operations.cost.total"), cost.total, texts, RowKind.TOTAL)
    return (*parts, total, *_compared(answer, texts))


def _compared(answer: Answer, texts: Texts) -> Iterator[Row]:
    for index, item in enumerate(answer.decision.alternatives):
        if item.three_year_eur is not None and item.feasible:
            name = texts.fill("view.operations.cost.compared", name=texts.say(f"doc.alt.{item.kind}"))
            yield _cost_row(f"alternative.{index}", name, item.three_year_eur, texts)


def _cost_row(key: str, name: str, estimate: Estimate, texts: Texts, kind: RowKind = RowKind.LINE) -> Row:
    values = _amounts(estimate, texts)
    compared = key.startswith("alternative.")
    cells = (
        Cell(words=values[0], ink="ink2"),
        Cell(words=values[1], type_role="body" if compared else "strong"),
        Cell(words=values[2], ink="ink2"),
    )
    head = Cell(words=name, type_role="body" if compared else "label")
    return Row(key=key, kind=kind, cells=(head, *cells))


def _amounts(estimate: Estimate, texts: Texts) -> tuple[str, str, str]:
    """Low, expected, high in two digits; a sum of prices is known exactly and the same in all three."""
    if estimate.low == estimate.high:
        exact = texts.numbers.write(to_decimals(as_decimal(estimate.expected), 0))
        return exact, exact, exact
    values = texts.columns(estimate)
    return values.low, values.expected, values.high


def cost_notes(cost: ThreeYearCost, answer: Answer, texts: Texts) -> tuple[str, ...]:
    """What the sum is made from, and what it leaves out."""
    return tuple(_cost_notes(cost, answer, texts))


def _cost_notes(cost: ThreeYearCost, answer: Answer, texts: Texts) -> Iterator[str]:
    operations = answer.request.operations
    yield texts.say(
        "p.text.cost3_text",
        price=Quantity(operations.electricity_eur_per_kwh, Unit.EUR_PER_KWH),
        pue=operations.pue,
        rate=Quantity(operations.hourly_cost_eur, Unit.EUR_PER_H),
    )
    yield texts.say(
        "view.operations.energy",
        kwh=Quantity(two_digits(cost.kwh_per_year), Unit.KWH_PER_YEAR),
        duty=Quantity(operations.duty_percent / 100, Unit.SHARE),
    )
    if cost.eur_per_million_tokens is not None:
        yield texts.say("view.operations.per_million", cost=cost.eur_per_million_tokens)
    if answer.bom is not None and answer.bom.unpriced_lines:
        yield texts.say("view.operations.lower_bound", count=answer.bom.unpriced_lines)

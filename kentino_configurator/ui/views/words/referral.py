"""The tables of answers without a machine of ours: the SXM system, and the limits that were met."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import Decision, Referral
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts
from kentino_configurator.ui.views.models.table import Cell, Column, Row
from kentino_configurator.ui.views.words.decision import limit_words


def system_columns(texts: Texts) -> tuple[Column, ...]:
    """Figure with low, expected, high and unit."""
    heads = (texts.say(f"w.panel.{name}") for name in ("low", "expected", "high"))
    return (
        Column(title=texts.say("view.decision.figure"), stretch=1, least_px=180),
        *(Column(title=title, right=True, least_px=72) for title in heads),
        Column(least_px=72),
    )


def system_rows(referral: Referral, texts: Texts) -> tuple[Row, ...]:
    """Size, time and power of the SXM system, then our largest cluster and the two advantages."""
    return tuple(_system_rows(referral, texts))


def _system_rows(referral: Referral, texts: Texts) -> Iterator[Row]:
    size = texts.say("view.decision.sxm_size_value", count=referral.gpus, gpu=referral.gpu)
    yield _stated(texts.say("view.decision.sxm_size"), size)
    yield from _estimated("view.decision.sxm_days", referral.days, texts)
    yield from _estimated("view.decision.sxm_latency", referral.latency_s, texts)
    power = texts.words(Quantity(referral.power_w, Unit.WATTS))
    yield _stated(texts.say("view.decision.sxm_power"), power)
    yield from _estimated("view.decision.pcie_days", referral.pcie_days, texts)
    yield from _estimated("view.decision.pcie_efficiency", referral.pcie_efficiency, texts)
    yield from _estimated("view.decision.fabric_factor", referral.fabric_factor, texts)
    yield from _estimated("view.decision.silicon_factor", referral.silicon_factor, texts)


def _stated(name: str, value: str) -> Row:
    return Row(cells=(Cell(words=name, note=value), Cell(), Cell(), Cell(), Cell()))


def _estimated(name: str, estimate: Estimate | None, texts: Texts) -> Iterator[Row]:
    if estimate is None:
        return
    columns = texts.columns(estimate)
    yield Row(
        cells=(
            Cell(words=texts.say(name)),
            Cell(words=columns.low, ink="ink2"),
            Cell(words=columns.expected, type_role="strong"),
            Cell(words=columns.high, ink="ink2"),
            Cell(words=columns.unit, ink="ink3"),
        )
    )


def limit_columns(texts: Texts) -> tuple[Column, ...]:
    """Limit, asked, possible."""
    return (
        Column(title=texts.say("view.decision.limit"), stretch=2, least_px=170),
        Column(title=texts.say("view.decision.asked"), stretch=1, least_px=110),
        Column(title=texts.say("view.decision.possible"), stretch=2, least_px=170),
    )


def limit_rows(decision: Decision, texts: Texts) -> tuple[Row, ...]:
    """One row for each limit that was met."""
    return tuple(_limit_row(limit_words(limit, texts)) for limit in decision.limits_met)


def _limit_row(words: tuple[str, str, str]) -> Row:
    name, asked, best = words
    return Row(cells=(Cell(words=name, type_role="strong"), Cell(words=asked), Cell(words=best)))

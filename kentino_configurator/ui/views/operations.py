"""The operation: hours of people, duties of one node and of more, cost over three years."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import OpsTax, ThreeYearCost
from kentino_configurator.texts import Texts
from kentino_configurator.ui.views.base import ViewContext
from kentino_configurator.ui.views.models.table import Column, Row
from kentino_configurator.ui.views.page import ScrolledView
from kentino_configurator.ui.views.parts.empty_state import EmptyState
from kentino_configurator.ui.views.parts.headings import block_title, column, view_title
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.words import operations as words
from kentino_configurator.ui.widgets.label import label


class OperationsView(ScrolledView):
    """Three tables with what stands behind them."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()

    def body(self, answer: Answer, texts: Texts) -> QWidget:
        """Title and the tables, or why there is nothing to operate."""
        title = view_title(texts.say("w.view.operations"), texts.say("p.text.ops_intro"))
        tax, cost = answer.decision.ops_tax, answer.decision.three_year_cost
        if tax is None:
            empty = EmptyState(texts.say("view.none"), texts.say("view.none_why"))
            return column(title, empty, spacing_px=16)
        blocks = [*_hours(tax, answer, texts), *_cost(cost, answer, texts), *_duties(tax, answer, texts)]
        return column(title, *blocks, spacing_px=32)


def _hours(tax: OpsTax, answer: Answer, texts: Texts) -> Iterator[QWidget]:
    title = texts.say("view.operations.hours")
    table = _table(title, words.hour_columns(texts), words.hour_rows(tax, answer, texts))
    notes = words.summary(tax, answer, texts)
    yield column(block_title(title), table, *_notes(notes), spacing_px=8)


def _duties(tax: OpsTax, answer: Answer, texts: Texts) -> Iterator[QWidget]:
    title = texts.say("view.operations.duties")
    table = _table(title, words.duty_columns(texts), words.duty_rows(tax, answer, texts))
    yield column(block_title(title), table, spacing_px=8)


def _cost(cost: ThreeYearCost | None, answer: Answer, texts: Texts) -> Iterator[QWidget]:
    if cost is None:
        return
    title = texts.say("p.title.cost3")
    table = _table(title, words.cost_columns(texts), words.cost_rows(cost, answer, texts))
    notes = words.cost_notes(cost, answer, texts)
    yield column(
        block_title(title, texts.say("view.operations.currency")), table, *_notes(notes), spacing_px=8
    )


def _table(name: str, columns: Sequence[Column], rows: Sequence[Row]) -> HouseTable:
    table = HouseTable(name)
    table.set_table(columns, rows)
    return table


def _notes(sentences: Sequence[str]) -> list[QWidget]:
    return [label(sentence, "body", "ink2", wrap=True) for sentence in sentences]

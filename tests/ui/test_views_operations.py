"""The operations view: hours in columns, duties, cost over three years."""

from __future__ import annotations

import pytest

from kentino_configurator.answer.service import Service
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.views.models.table import RowKind
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.words import operations as words
from tests.ui.views import VERDICTS, Stage, answer_of, parts

WITH_MACHINE = {name: preset for name, preset in VERDICTS.items() if name not in ("refer_sxm", "no_answer")}


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_hours_cost_and_duties_each_have_a_table(stage: Stage, preset: str) -> None:
    view = stage.view("operations")
    answer = stage.fill(view, preset)
    tax = answer.decision.ops_tax
    assert tax is not None
    hours, cost, duties = parts(view, HouseTable)
    assert len(hours.table.rows) == 2
    assert len(duties.table.rows) == len(tax.duties)
    assert any(row.kind is RowKind.TOTAL for row in cost.table.rows)


def test_the_middle_column_is_the_one_that_counts(service: Service) -> None:
    answer = answer_of(service, VERDICTS["multi_node"])
    assert answer.decision.ops_tax is not None
    for row in words.hour_rows(answer.decision.ops_tax, answer, load_texts("en")):
        assert [cell.type_role for cell in row.cells[1:]] == ["body", "strong", "body", "body"]


def test_kentinos_experience_is_a_column_of_its_own(service: Service) -> None:
    answer = answer_of(service, VERDICTS["multi_node"])
    tax = answer.decision.ops_tax
    assert tax is not None
    last = words.hour_rows(tax, answer, load_texts("en"))[0].cells[-1].words
    assert last == f"{words.two_digits(tax.article_hours):,.0f}\u00a0hours"


def test_a_cluster_is_told_apart_from_copies_and_from_one_node(service: Service) -> None:
    texts = load_texts("en")
    told = {}
    for name in ("single_node", "replicas", "multi_node"):
        answer = answer_of(service, VERDICTS[name])
        assert answer.decision.ops_tax is not None
        told[name] = words.summary(answer.decision.ops_tax, answer, texts)[-1]
    assert told["single_node"] == texts.say("view.operations.one_node")
    assert told["replicas"] == texts.say("ops.sum.replicas")
    assert told["multi_node"] == texts.say("ops.sum.half_capacity")


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_the_cost_rows_are_never_empty_and_end_with_comparisons(service: Service, preset: str) -> None:
    answer, texts = answer_of(service, preset), load_texts("en")
    cost = answer.decision.three_year_cost
    assert cost is not None
    rows = words.cost_rows(cost, answer, texts)
    assert all(cell.words for row in rows for cell in row.cells)
    compared = [a for a in answer.decision.alternatives if a.three_year_eur is not None and a.feasible]
    assert len(rows) == 4 + len(compared)


def test_a_price_that_is_known_is_not_rounded(service: Service) -> None:
    answer = answer_of(service, VERDICTS["single_node"])
    cost = answer.decision.three_year_cost
    assert cost is not None
    purchase = words.cost_rows(cost, answer, load_texts("en"))[0]
    assert {cell.words for cell in purchase.cells[1:]} == {f"{cost.hardware.expected:,.0f}"}


def test_missing_prices_make_the_sum_a_lower_bound(service: Service) -> None:
    answer = answer_of(service, VERDICTS["single_node"])
    cost = answer.decision.three_year_cost
    assert cost is not None and answer.bom is not None and answer.bom.unpriced_lines
    assert "lower bounds" in words.cost_notes(cost, answer, load_texts("en"))[-1]

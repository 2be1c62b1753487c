"""The performance view: common axes, evidence, targets, capacity, scaling beside field figures."""

from __future__ import annotations

import pytest

from kentino_configurator.answer.service import Service
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.views.parts.curve_chart import CurveChart
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.words import performance as words
from kentino_configurator.ui.views.words.curve import curve_picture, round_step
from kentino_configurator.ui.views.words.jobs import served
from kentino_configurator.ui.widgets.estimate_bar import EstimateBar, TargetState
from tests.ui.views import VERDICTS, Stage, answer_of, parts

WITH_MACHINE = {name: preset for name, preset in VERDICTS.items() if name not in ("refer_sxm", "no_answer")}


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_every_figure_has_a_bar_and_a_row(stage: Stage, preset: str) -> None:
    view = stage.view("performance")
    answer = stage.fill(view, preset)
    figures = sum(len(words.figures(*job)) for job in served(answer))
    tables = parts(view, HouseTable)[: len(answer.decision.results)]
    assert sum(len(table.table.rows) for table in tables) == figures
    assert len(parts(view, EstimateBar)) >= figures


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_every_figure_says_where_it_comes_from(service: Service, preset: str) -> None:
    texts = load_texts("en")
    for job in served(answer_of(service, preset)):
        for row in words.rows(words.figures(*job), texts):
            assert row.cells[5].words in {"measured", "vendor", "calculated", "assumed"}


def test_the_three_waits_are_drawn_on_one_axis(service: Service) -> None:
    workload, result = next(served(answer_of(service, VERDICTS["single_node"])))
    figures = words.figures(workload, result)
    bars = words.bars(figures, load_texts("en"))
    waits = [
        (bar.span, figure.estimate)
        for bar, figure in zip(bars, figures, strict=True)
        if figure.axis == "wait"
    ]
    assert len(waits) == 3
    scales = {round(span[1] / estimate.expected, 9) for span, estimate in waits if span and estimate}
    assert len(scales) == 1


def test_a_target_keeps_its_place_on_the_common_axis(service: Service) -> None:
    workload, result = next(served(answer_of(service, VERDICTS["single_node"])))
    figure, *_ = words.figures(workload, result)
    bar = words.bars(words.figures(workload, result), load_texts("en"))[0]
    assert figure.asked is not None and figure.estimate is not None
    assert bar.target is not None and bar.span is not None
    assert bar.target.share / bar.span[1] == pytest.approx(figure.asked / figure.estimate.expected)
    assert bar.state is TargetState.MET


def test_a_training_job_has_days_rate_step_and_use_of_the_peak(service: Service) -> None:
    names = [f.name for f in words.figures(*next(served(answer_of(service, VERDICTS["training"]))))]
    assert names == ["w.bar.run", "w.bar.training_rate", "view.performance.step", "view.performance.mfu"]


def test_a_batch_job_is_judged_by_its_hours(service: Service) -> None:
    first, *_ = words.figures(*next(served(answer_of(service, VERDICTS["batch"]))))
    assert (first.name, first.at_most) == ("w.bar.finished", True)
    assert first.asked is not None


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_how_long_it_holds_is_always_said(service: Service, preset: str) -> None:
    answer = answer_of(service, preset)
    told = words.holds(answer, load_texts("en"))
    assert len(told) == max(1, len(answer.decision.tipping_points))


def test_the_curve_rises_inside_its_field_and_marks_the_present_load(
    service: Service, snapshot: CatalogSnapshot
) -> None:
    picture = curve_picture(answer_of(service, VERDICTS["single_node"]), snapshot, load_texts("en"))
    assert picture is not None
    assert all(0 <= value <= 1 for point in picture.points for value in point)
    assert all(low <= expected <= high for _, low, expected, high in picture.points)
    assert [mark.now for mark in picture.marks].count(True) == 1
    assert picture.x_ticks[0].words == "0"


def test_there_is_no_curve_where_the_model_has_nothing_to_draw(stage: Stage) -> None:
    assert parts(stage.show("performance", VERDICTS["single_node"]), CurveChart)
    assert not parts(stage.show("performance", VERDICTS["training"]), CurveChart)


@pytest.mark.parametrize(("least", "step"), [(0.2, 1), (1.1, 2), (3, 5), (6, 10), (11, 20), (260, 500)])
def test_axes_have_round_steps(least: float, step: float) -> None:
    assert round_step(least) == step


def test_scaling_is_shown_against_the_gate_beside_field_figures(
    stage: Stage, service: Service, snapshot: CatalogSnapshot
) -> None:
    figure = words.scaling_figure(answer_of(service, VERDICTS["training"]), snapshot)
    assert figure is not None
    assert figure.asked == snapshot.policy["efficiency.gate"]
    view = stage.show("performance", VERDICTS["multi_node"])
    field = parts(view, HouseTable)[-1].table
    assert [row.cells[1].words for row in field.rows] == ["73\u00a0%", "65\u00a0%"]


def test_scaling_is_no_question_for_serving_in_one_node(service: Service, snapshot: CatalogSnapshot) -> None:
    assert words.scaling_figure(answer_of(service, VERDICTS["single_node"]), snapshot) is None

"""Performance in words: the bars of each job on common axes, all figures with their evidence, what holds how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from kentino_configurator.answer.sentences import tipping_sentence
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.prediction import ServingPerformance, TrainingPerformance
from kentino_configurator.core.request import JobKind, Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts
from kentino_configurator.ui.result_words import estimate_picture, needed_tokens_per_s
from kentino_configurator.ui.views.models.table import Cell, Column, Row
from kentino_configurator.ui.widgets.estimate_bar import EstimatePicture, Target

_AXIS_ROOM = 1.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure of a job. Figures with one ``axis`` are drawn to one scale. ``asked`` is in the figure's unit."""

    name: str
    estimate: Estimate | None
    axis: str
    asked: float | None = None
    at_most: bool = False
    asked_id: str = ""


def figures(workload: Workload, result: WorkloadResult) -> tuple[Figure, ...]:
    """The figures of one job, the one a director asks for first."""
    if isinstance(result.unit, TrainingPerformance):
        return tuple(_training(workload, result, result.unit))
    if isinstance(result.unit, ServingPerformance):
        serve = _batch if workload.kind is JobKind.BATCH else _serving
        return tuple(serve(workload, result, result.unit))
    return (Figure(name="view.performance.speed", estimate=None, axis=""),)


def _serving(workload: Workload, result: WorkloadResult, unit: ServingPerformance) -> Iterator[Figure]:
    yield Figure(
        name="w.bar.first_word", estimate=unit.ttft_s, axis="wait", asked=workload.ttft_s, at_most=True
    )
    yield Figure(name="view.performance.p95", estimate=unit.ttft_p95_s, axis="wait")
    yield Figure(name="view.performance.burst", estimate=unit.ttft_burst_s, axis="wait")
    yield Figure(
        name="w.bar.each",
        estimate=unit.tokens_per_s_per_user,
        axis="each",
        asked=workload.tokens_per_s_per_user,
    )
    yield Figure(
        name="w.bar.together",
        estimate=result.output_tokens_per_s,
        axis="together",
        asked=needed_tokens_per_s(workload),
        asked_id="w.bar.needed",
    )
    yield Figure(name="view.performance.prefill", estimate=unit.prefill_tokens_per_s, axis="read")


def _batch(workload: Workload, result: WorkloadResult, unit: ServingPerformance) -> Iterator[Figure]:
    deadline = workload.deadline_hours
    yield Figure(name="w.bar.finished", estimate=result.hours, axis="time", asked=deadline, at_most=True)
    yield Figure(name="w.bar.together", estimate=result.output_tokens_per_s, axis="together")
    yield Figure(name="view.performance.prefill", estimate=unit.prefill_tokens_per_s, axis="read")


def _training(workload: Workload, result: WorkloadResult, unit: TrainingPerformance) -> Iterator[Figure]:
    days = result.days or unit.days
    yield Figure(name="w.bar.run", estimate=days, axis="time", asked=workload.deadline_days, at_most=True)
    yield Figure(name="w.bar.training_rate", estimate=unit.tokens_per_s, axis="together")
    yield Figure(name="view.performance.step", estimate=unit.step_s, axis="step")
    yield Figure(name="view.performance.mfu", estimate=unit.mfu, axis="share")


# ---------------------------------------------------------------- bars


def bars(shown: Sequence[Figure], texts: Texts) -> tuple[EstimatePicture, ...]:
    """The figures as bars; the same quantity has the same axis."""
    ends = {figure.axis: _axis_end(shown, figure.axis) for figure in shown}
    return tuple(_bar(figure, ends[figure.axis], texts) for figure in shown)


def _axis_end(shown: Sequence[Figure], axis: str) -> float:
    members = [figure for figure in shown if figure.axis == axis]
    values = [f.estimate.high for f in members if f.estimate is not None and _drawn(f.estimate)]
    values += [f.asked for f in members if f.asked is not None]
    return max(values, default=0.0) * _AXIS_ROOM or 1.0


def _drawn(estimate: Estimate) -> bool:
    return isfinite(estimate.high)


def _bar(figure: Figure, end: float, texts: Texts) -> EstimatePicture:
    picture = estimate_picture(
        figure.name, figure.estimate, figure.asked, figure.at_most, texts, figure.asked_id
    )
    return on_axis(picture, figure, end)


def on_axis(picture: EstimatePicture, figure: Figure, end: float) -> EstimatePicture:
    """The same picture drawn on an axis that ends at ``end``, in the figure's unit."""
    estimate = figure.estimate
    if picture.span is None or estimate is None:
        return picture
    target = None
    if figure.asked is not None:
        target = Target(share=figure.asked / end, at_most=figure.at_most)
    return replace(
        picture, span=(estimate.low / end, estimate.expected / end, estimate.high / end), target=target
    )


# ---------------------------------------------------------------- table


def columns(texts: Texts) -> tuple[Column, ...]:
    """Figure, three values, unit, evidence, what was asked."""
    heads = (texts.say(f"w.panel.{name}") for name in ("low", "expected", "high"))
    return (
        Column(title=texts.say("view.performance.figure"), stretch=1, least_px=180),
        *(Column(title=title, right=True, least_px=76) for title in heads),
        Column(least_px=76),
        Column(title=texts.say("view.performance.evidence"), least_px=96, fold=2),
        Column(title=texts.say("view.performance.asked"), least_px=96, fold=1),
    )


def rows(shown: Sequence[Figure], texts: Texts) -> tuple[Row, ...]:
    """One row for each figure, with where it comes from."""
    return tuple(_row(figure, texts) for figure in shown)


def _row(figure: Figure, texts: Texts) -> Row:
    estimate, name = figure.estimate, Cell(words=texts.say(figure.name), type_role="label")
    if estimate is None or not _drawn(estimate):
        cannot = Cell(words=texts.say("w.bar.cannot_say"), type_role="strong")
        return Row(key=figure.name, cells=(name, Cell(), cannot, Cell(), Cell(), Cell(), Cell()))
    values = texts.columns(estimate)
    return Row(
        key=figure.name,
        cells=(
            name,
            Cell(words=values.low, ink="ink2"),
            Cell(words=values.expected, type_role="strong"),
            Cell(words=values.high, ink="ink2"),
            Cell(words=values.unit, ink="ink3"),
            Cell(words=texts.say(f"ev.{estimate.evidence.value}.label"), ink="ink2"),
            Cell(words=_asked(figure, estimate, texts), ink="ink2"),
        ),
    )


def _asked(figure: Figure, estimate: Estimate, texts: Texts) -> str:
    if figure.asked is None:
        return texts.say("n.not_needed")
    value = Quantity(figure.asked, estimate.unit)
    return texts.say("n.at_most" if figure.at_most else "n.at_least", value=value)


# ---------------------------------------------------------------- what limits it, how long it holds


def job_lead(workload: Workload, result: WorkloadResult, texts: Texts) -> str:
    """Lengths and load the figures are for."""
    if workload.kind.is_training:
        return texts.say(
            "view.performance.lead.training",
            tokens=Quantity(workload.dataset_tokens, Unit.TOKENS),
            epochs=workload.epochs,
            sequence=Quantity(workload.sequence_tokens, Unit.TOKENS),
        )
    kind = "one_copy" if result.copies_loaded == 1 else "copies"
    return texts.say(
        f"view.performance.lead.{kind}",
        input=Quantity(workload.input_tokens, Unit.TOKENS),
        output=Quantity(workload.output_tokens, Unit.TOKENS),
        requests=Quantity(result.concurrency_per_copy, Unit.REQUESTS),
        copies=Quantity(result.copies_loaded, Unit.COPIES),
    )


def bound_words(result: WorkloadResult, texts: Texts) -> str:
    """What limits the speed; empty when the engine did not say."""
    bound = result.unit.bound_by if result.unit is not None else ""
    return texts.say(f"view.performance.bound.{bound}") if bound else ""


def holds(answer: Answer, texts: Texts) -> tuple[str, ...]:
    """How far the load may move before the answer changes."""
    points = answer.decision.tipping_points
    return tuple(tipping_sentence(point, texts) for point in points) or (
        texts.say("view.performance.no_tipping"),
    )


def capacity(workload: Workload, result: WorkloadResult, texts: Texts) -> str:
    """At how many requests the memory of all copies is full; empty for training."""
    full = int(result.memory.max_concurrency_at_context) * result.copies_loaded
    if workload.kind.is_training or full <= 0:
        return ""
    return texts.say(
        "view.performance.full",
        requests=Quantity(full, Unit.REQUESTS),
        now=Quantity(result.concurrency_per_copy * result.copies_loaded, Unit.REQUESTS),
    )


# ---------------------------------------------------------------- scaling and field figures


def scaling_figure(answer: Answer, snapshot: CatalogSnapshot) -> Figure | None:
    """Efficiency of the layout over one GPU, against the gate; ``None`` where it is not a question."""
    decision = answer.decision
    trained = [r.unit.scaling_efficiency for r in decision.results if isinstance(r.unit, TrainingPerformance)]
    is_cluster = decision.configuration is not None and decision.configuration.fabric is not None
    estimate = decision.scaling_efficiency or next(iter(trained), None)
    if estimate is None and not is_cluster:
        return None
    gate = snapshot.policy["efficiency.gate"]
    return Figure(
        name="w.bar.efficiency", estimate=estimate, axis="share", asked=gate, asked_id="view.performance.gate"
    )


def field_rows(answer: Answer, texts: Texts) -> tuple[Row, ...]:
    """Kentino's own efficiencies, beside the projection and never mixed into it."""
    return tuple(
        Row(
            key=name,
            cells=(
                Cell(words=texts.say(f"view.performance.field.{name}"), type_role="label"),
                Cell(words=texts.words(Quantity(float(value), Unit.SHARE)), type_role="strong"),
            ),
        )
        for name, value in answer.decision.field_figures.items()
    )


def field_columns(texts: Texts) -> tuple[Column, ...]:
    """What was measured, and the figure."""
    return (
        Column(title=texts.say("view.performance.field"), stretch=1, least_px=160),
        Column(title=texts.say("view.performance.efficiency"), right=True),
    )


def field_range(answer: Answer, snapshot: CatalogSnapshot, texts: Texts) -> str:
    """Kentino's field range where it speaks of this machine and a model of this size; else empty."""
    configuration, workload = answer.decision.configuration, answer.request.workloads[0]
    if configuration is None or not _is_field_machine(configuration, workload):
        return ""
    ends = (f"field.single_node_70b_{end}_tokens_per_s" for end in ("low", "high"))
    low, high = (snapshot.policy[name] for name in ends)
    return texts.fill("view.performance.field_range", range=texts.range(low, high, Unit.TOKENS_PER_S))


def _is_field_machine(configuration: Configuration, workload: Workload) -> bool:
    parameters = workload.model.text_params / 1e9
    same_machine = configuration.node.gpu.family == "rtx-pro-6000" and configuration.gpus == 8
    return same_machine and 60 <= parameters <= 80 and not workload.kind.is_training

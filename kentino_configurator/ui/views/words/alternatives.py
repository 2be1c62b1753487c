"""The proposal beside its alternatives: one column each, what differs first, what is equal in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kentino_configurator.answer.sentences import layout_words
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Configuration, Verdict
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.request import Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts
from kentino_configurator.texts.rounding import as_decimal, to_significant
from kentino_configurator.ui import result_words
from kentino_configurator.ui.views.words import performance
from kentino_configurator.ui.views.words.candidates import Candidate
from kentino_configurator.ui.views.words.jobs import served
from kentino_configurator.ui.widgets.estimate_bar import EstimatePicture, TargetState

_FIGURES_OF_FIRST = 3
_FIGURES_OF_OTHERS = 1
_AXIS_ROOM = 1.15


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadPicture:
    """Top of a column."""

    letter: str
    title: str
    machine: str
    tag: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPicture:
    """One cell: a value, a remark behind it, a note below, the change against the first column, optionally a bar."""

    value: str
    remark: str = ""
    note: str = ""
    change: str = ""
    state: str = ""
    bar: EstimatePicture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPicture:
    """One row: its name with unit or target below, one cell for each column."""

    name: str
    note: str
    cells: tuple[CellPicture, ...]

    @property
    def is_equal(self) -> bool:
        """Whether every column says the same."""
        return len({(cell.value, cell.remark, cell.note) for cell in self.cells}) == 1


# ---------------------------------------------------------------- heads and rows


def heads(shown: Sequence[Candidate], answer: Answer, texts: Texts) -> tuple[HeadPicture, ...]:
    """Letter, verdict, machine, and what kind of alternative it is."""
    return tuple(_head(number, candidate, answer, texts) for number, candidate in enumerate(shown))


def _head(number: int, candidate: Candidate, answer: Answer, texts: Texts) -> HeadPicture:
    kind = "chosen" if candidate.is_chosen else answer.decision.alternatives[candidate.index].kind
    return HeadPicture(
        letter=chr(ord("A") + number),
        title=result_words.verdict_words(candidate.answer, texts),
        machine=result_words.short_layout(candidate.answer, texts),
        tag=texts.say("view.alternatives.chosen" if candidate.is_chosen else f"doc.alt.{kind}"),
        chosen=candidate.is_chosen,
    )


def rows(shown: Sequence[Candidate], texts: Texts) -> tuple[tuple[RowPicture, ...], tuple[RowPicture, ...]]:
    """What differs, and what is the same in every column. The reasons are the last row of the first."""
    every = (*_figure_rows(shown, texts), *_cost_rows(shown, texts), *_build_rows(shown, texts))
    different = tuple(row for row in every if not row.is_equal or len(shown) == 1)
    equal = tuple(row for row in every if row.is_equal and len(shown) > 1)
    return (_holds(shown, texts), *different, _right_when(shown, texts)), equal


def _holds(shown: Sequence[Candidate], texts: Texts) -> RowPicture:
    return RowPicture(
        name=texts.say("view.alternatives.holds"),
        note="",
        cells=tuple(_holds_cell(candidate, texts) for candidate in shown),
    )


def _holds_cell(candidate: Candidate, texts: Texts) -> CellPicture:
    free = min((result.memory.free for result in candidate.answer.decision.results), default=0.0)
    if free < 0:
        missing = texts.say("view.alternatives.missing", bytes=Quantity(-free, Unit.BYTES))
        return CellPicture(value=missing, state="block")
    return CellPicture(
        value=texts.say("view.alternatives.free", bytes=Quantity(free, Unit.BYTES)), state="ok"
    )


def _figure_rows(shown: Sequence[Candidate], texts: Texts) -> Iterator[RowPicture]:
    """The main figures of each job, each row on one axis."""
    jobs = list(served(shown[0].answer))
    for number, (workload, result) in enumerate(jobs):
        most = _FIGURES_OF_FIRST if number == 0 else _FIGURES_OF_OTHERS
        for figure in _main(performance.figures(workload, result))[:most]:
            name = workload.name if len(jobs) > 1 else ""
            yield _figure_row(figure.name, name, workload, shown, texts)


def _main(figures: Sequence[performance.Figure]) -> list[performance.Figure]:
    """Those with a target first: they decide; of the rest the first of each axis."""
    asked = [figure for figure in figures if figure.asked is not None]
    return asked or list(figures[:1])


def _figure_row(
    name: str, job: str, workload: Workload, shown: Sequence[Candidate], texts: Texts
) -> RowPicture:
    found = [_figure(name, workload.name, candidate) for candidate in shown]
    values = [f.estimate.high for f in found if f is not None and f.estimate is not None]
    values += [f.asked for f in found if f is not None and f.asked is not None]
    end = max(values, default=0.0) * _AXIS_ROOM or 1.0
    first = found[0].estimate if found[0] is not None else None
    pictures = [None if f is None else _picture(f, end, texts) for f in found]
    cells = tuple(_figure_cell(p, f, first, texts) for p, f in zip(pictures, found, strict=True))
    unit = next((p.unit for p in pictures if p is not None and p.unit), "")
    asked = next((p.note for p in pictures if p is not None and p.target is not None), "")
    note = ", ".join(part for part in (job, unit, asked) if part)
    return RowPicture(name=texts.say(name), note=note, cells=cells)


def _figure(name: str, workload: str, candidate: Candidate) -> performance.Figure | None:
    pair = next(((w, r) for w, r in served(candidate.answer) if w.name == workload), None)
    if pair is None:
        return None
    return next((f for f in performance.figures(*pair) if f.name == name), None)


def _picture(figure: performance.Figure, end: float, texts: Texts) -> EstimatePicture:
    picture = result_words.estimate_picture(
        figure.name, figure.estimate, figure.asked, figure.at_most, texts, figure.asked_id
    )
    return performance.on_axis(picture, figure, end)


def _figure_cell(
    picture: EstimatePicture | None,
    figure: performance.Figure | None,
    first: Estimate | None,
    texts: Texts,
) -> CellPicture:
    if picture is None or figure is None or picture.span is None:
        return CellPicture(value=texts.say("w.bar.cannot_say"))
    estimate = figure.estimate
    assert estimate is not None
    return CellPicture(
        value=picture.expected,
        remark=f"{picture.low} – {picture.high}",
        note=texts.say("view.alternatives.misses") if picture.state is TargetState.MISSED else "",
        state=_STATES.get(picture.state, ""),
        change=_change(estimate.expected, first.expected, texts) if first is not None else "",
        bar=picture,
    )


_STATES = {TargetState.MET: "ok", TargetState.MISSED: "warn"}


def _change(value: float, first: float, texts: Texts) -> str:
    """The difference between the two figures as they are shown, with its sign; empty when there is none."""
    difference = as_decimal(to_significant(as_decimal(value)) - to_significant(as_decimal(first)))
    return texts.numbers.signed(to_significant(difference)) if difference else ""


# ---------------------------------------------------------------- cost


def _cost_rows(shown: Sequence[Candidate], texts: Texts) -> Iterator[RowPicture]:
    yield RowPicture(
        name=texts.say("w.price.net"),
        note="",
        cells=tuple(_price_cell(candidate, shown[0], texts) for candidate in shown),
    )
    yield RowPicture(
        name=texts.say("view.alternatives.three_years"),
        note=texts.say("view.alternatives.three_years_note"),
        cells=tuple(_three_years_cell(candidate, shown[0], texts) for candidate in shown),
    )
    yield RowPicture(
        name=texts.say("view.alternatives.power"),
        note=texts.say("view.alternatives.power_note"),
        cells=tuple(_power_cell(candidate.configuration, texts) for candidate in shown),
    )


def _price_cell(candidate: Candidate, first: Candidate, texts: Texts) -> CellPicture:
    if candidate.net is None:
        return CellPicture(value=texts.say("n.price.missing"))
    price = texts.price(candidate.net, decimals=0)
    value = texts.fill("n.at_least", value=price) if candidate.net_is_lower_bound else price
    change = ""
    if first.net is not None and candidate.net != first.net:
        change = texts.numbers.signed(round((candidate.net - first.net).amount))
    return CellPicture(value=value, change=change)


def _three_years_cell(candidate: Candidate, first: Candidate, texts: Texts) -> CellPicture:
    estimate = candidate.three_years
    if estimate is None:
        return CellPicture(value=texts.say("w.bar.cannot_say"))
    values = texts.columns(estimate)
    change = ""
    if first.three_years is not None:
        change = _change(estimate.expected, first.three_years.expected, texts)
    return CellPicture(
        value=f"{values.expected}\u00a0{values.unit}", note=f"{values.low} – {values.high}", change=change
    )


def _power_cell(configuration: Configuration, texts: Texts) -> CellPicture:
    power = configuration.node.ac_w.scaled(configuration.nodes)
    values = texts.columns(power)
    return CellPicture(value=f"{values.expected}\u00a0{values.unit}", note=f"{values.low} – {values.high}")


# ---------------------------------------------------------------- build


def _build_rows(shown: Sequence[Candidate], texts: Texts) -> Iterator[RowPicture]:
    """What is built, and what happens when a part of it fails."""
    for name in ("machines", "gpu", "weights", "kv_cache", "layout", "network", "failure"):
        yield RowPicture(
            name=texts.say(f"view.alternatives.{name}"),
            note="",
            cells=tuple(CellPicture(value=_built(name, candidate, texts)) for candidate in shown),
        )


def _built(name: str, candidate: Candidate, texts: Texts) -> str:
    configuration = candidate.configuration
    match name:
        case "machines":
            return texts.words(Quantity(configuration.nodes, Unit.NODES))
        case "gpu":
            return texts.say("w.strip.machine", count=configuration.gpus, gpu=configuration.node.gpu.name)
        case "weights":
            return _format(configuration.weights_precision)
        case "kv_cache":
            return _format(configuration.kv_precision)
        case "layout":
            return (
                f"{layout_words(configuration)}, {texts.words(Quantity(configuration.replicas, Unit.COPIES))}"
            )
        case "network":
            fabric = configuration.fabric
            return texts.say("e.fabric.none" if fabric is None else f"e.fabric.{fabric.value}")
        case _:
            return _failure(candidate, texts)


def _format(precision: str) -> str:
    return str(precision).upper().replace("_", " ")


def _failure(candidate: Candidate, texts: Texts) -> str:
    """What one failed machine costs."""
    configuration = candidate.configuration
    if configuration.nodes == 1 or candidate.answer.decision.verdict is Verdict.MULTI_NODE:
        return texts.say("view.alternatives.failure.all")
    if configuration.spare_nodes:
        return texts.say("view.alternatives.failure.spare")
    left = Quantity(1 - 1 / configuration.nodes, Unit.SHARE)
    return texts.say("view.alternatives.failure.part", share=left)


def _right_when(shown: Sequence[Candidate], texts: Texts) -> RowPicture:
    return RowPicture(
        name=texts.say("view.alternatives.right_when"),
        note="",
        cells=tuple(_right_when_cell(candidate, texts) for candidate in shown),
    )


def _right_when_cell(candidate: Candidate, texts: Texts) -> CellPicture:
    if candidate.is_chosen:
        return CellPicture(value=texts.say("view.alternatives.as_asked"))
    why = "" if candidate.why_not is None else texts.say(candidate.why_not)
    change = "" if candidate.change is None else texts.say(candidate.change)
    return CellPicture(value=change or why, note=why if change else "")


def equal_words(equal: Sequence[RowPicture]) -> str:
    """Equal rows in one line."""
    return " · ".join(f"{row.name}: {row.cells[0].value}" for row in equal)

"""An answer as finished words and pictures for the panel and the strip. The only place that formats them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.answer.sentences import (
    driver_of,
    layout_words,
    short_verdict,
    verdict_message,
)
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.decision import (
    Configuration,
    Severity,
    TippingPoint,
    Verdict,
    WorkloadResult,
)
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Quantity, message
from kentino_configurator.core.prediction import (
    MemoryPerGpu,
    ServingPerformance,
    TrainingPerformance,
)
from kentino_configurator.core.request import JobKind, Workload
from kentino_configurator.core.units import GB, Unit
from kentino_configurator.texts import Texts
from kentino_configurator.texts.rounding import as_decimal, to_decimals
from kentino_configurator.ui.question_words import split_label
from kentino_configurator.ui.widgets.estimate_bar import EstimatePicture, Target, TargetState
from kentino_configurator.ui.widgets.memory_bar import Filling, Limit, MemoryPicture, Part
from kentino_configurator.wizard.flow import question_at
from kentino_configurator.wizard.questions import Moves

MOST_LEVERS = 4
STRONG = (Moves.VERY_STRONG, Moves.STRONG)
_AXIS_ROOM = 1.15
# Units that the panel writes shorter than a sentence does.
_SHORT_UNITS = {Unit.TOKENS_PER_S: "w.unit.tok_s", Unit.TOKENS_PER_S_USER: "w.unit.tok_s"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFigure:
    """One figure of the strip: name, value with unit, range or state behind it."""

    name: str
    value: str
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """One row of "what would change this answer"."""

    name: str
    now: str
    at: str
    becomes: str


def verdict_words(answer: Answer, texts: Texts) -> str:
    """The answer in a few words: the largest thing on the page."""
    return texts.say(short_verdict(answer))


def machine_words(answer: Answer, texts: Texts) -> str:
    """The GPUs, "8 × RTX Pro 6000 Server", or what stands there without a machine."""
    configuration = answer.decision.configuration
    if configuration is None:
        return texts.say(f"w.panel.no_machine.{answer.decision.verdict.value}")
    return texts.say(
        "w.panel.machine",
        count=configuration.gpus,
        gpu=configuration.node.gpu.name,
    )


def layout_line(answer: Answer, texts: Texts) -> str:
    """Memory, formats, parallel degrees and fabric in one line; empty without a configuration."""
    configuration = answer.decision.configuration
    if configuration is None:
        return ""
    parts = [
        texts.say("w.panel.each", memory=configuration.node.gpu.marketed_gb),
        texts.say("w.panel.weights", format=_format_name(configuration.weights_precision)),
        texts.say("w.panel.kv_cache", format=_format_name(configuration.kv_precision)),
        layout_words(configuration),
        _fabric_words(configuration, texts),
    ]
    return " · ".join(parts)


def short_layout(answer: Answer, texts: Texts) -> str:
    """The same for the strip: GPUs, format, degrees."""
    configuration = answer.decision.configuration
    if configuration is None:
        return machine_words(answer, texts)
    machine = texts.say("w.strip.machine", count=configuration.gpus, gpu=configuration.node.gpu.name)
    return f"{machine} · {_format_name(configuration.weights_precision)} · {layout_words(configuration)}"


def _format_name(precision: str) -> str:
    return str(precision).upper().replace("_", " ")


def _fabric_words(configuration: Configuration, texts: Texts) -> str:
    if configuration.fabric is None:
        return texts.say("e.fabric.none")
    return texts.say(f"e.fabric.{configuration.fabric.value}")


# ---------------------------------------------------------------- memory


def memory_picture(memory: MemoryPerGpu, comfortable: float, ceiling: float, texts: Texts) -> MemoryPicture:
    """The memory of the fullest GPU. ``comfortable`` and ``ceiling`` are shares of what the driver reports."""
    parts = tuple(
        Part(
            name=texts.say(f"w.memory.{name}"),
            value=_gigabytes(value, texts),
            share=value / memory.usable,
            filling=filling,
        )
        for name, value, filling in _memory_parts(memory)
    )
    listed = "; ".join(f"{part.name} {part.value} GB" for part in parts)
    return MemoryPicture(
        parts=parts,
        comfortable=Limit(
            share=comfortable, words=texts.say("w.memory.comfortable", share=_share(comfortable))
        ),
        ceiling=Limit(share=ceiling, words=texts.say("w.memory.refused", share=_share(ceiling))),
        sentence=texts.say(
            "w.memory.sentence",
            used=Quantity(memory.used, Unit.BYTES),
            usable=Quantity(memory.usable, Unit.BYTES),
            share=Quantity(memory.weights_share, Unit.SHARE),
            parts=listed,
        ),
    )


def _memory_parts(memory: MemoryPerGpu) -> Iterator[tuple[str, float, Filling]]:
    yield "weights", memory.weights, Filling.STRONG
    if memory.gradients or memory.optimizer:
        yield "training_state", memory.gradients + memory.optimizer, Filling.MIDDLE
    else:
        yield "kv_cache", memory.kv_cache, Filling.MIDDLE
    yield "activations", memory.activations, Filling.GREY
    yield "runtime", memory.runtime, Filling.CLOSE_HATCH
    if memory.free >= 0:
        yield "free", memory.free, Filling.OPEN
    yield "kept_back", memory.kept_back, Filling.WIDE_HATCH


def memory_used_words(memory: MemoryPerGpu, texts: Texts) -> tuple[str, str]:
    """Used and total: ("59.6", "of 102.6 GB")."""
    total = texts.say("w.memory.of", total=Quantity(memory.usable, Unit.BYTES))
    return _gigabytes(memory.used, texts), total


def _gigabytes(value_bytes: float, texts: Texts) -> str:
    return texts.numbers.write(to_decimals(as_decimal(value_bytes / GB), 1))


def _share(value: float) -> Quantity:
    return Quantity(value, Unit.SHARE)


# ---------------------------------------------------------------- performance


def estimate_pictures(answer: Answer, texts: Texts) -> tuple[EstimatePicture, ...]:
    """The bars of the first workload, in the order in which a director asks."""
    if not answer.decision.results:
        return ()
    result = answer.decision.results[0]
    workload = _workload_of(result, answer)
    if workload is None:
        return ()
    if workload.kind is JobKind.INFERENCE:
        return tuple(_serving_pictures(result, workload, texts))
    if workload.kind is JobKind.BATCH:
        return tuple(_batch_pictures(result, workload, texts))
    return tuple(_training_pictures(result, workload, texts))


def performance_title(answer: Answer, texts: Texts) -> str:
    """The title over the bars; with several jobs it names the one they are about."""
    results = answer.decision.results
    if len(results) < 2:
        return texts.say("w.panel.performance")
    return texts.say("w.panel.performance_of", name=results[0].workload)


def _workload_of(result: WorkloadResult, answer: Answer) -> Workload | None:
    return next((job for job in answer.request.workloads if job.name == result.workload), None)


def _serving_pictures(result: WorkloadResult, workload: Workload, texts: Texts) -> Iterator[EstimatePicture]:
    unit = result.unit if isinstance(result.unit, ServingPerformance) else None
    yield estimate_picture("w.bar.first_word", unit.ttft_s if unit else None, workload.ttft_s, True, texts)
    yield estimate_picture(
        "w.bar.each",
        unit.tokens_per_s_per_user if unit else None,
        workload.tokens_per_s_per_user,
        False,
        texts,
    )
    yield estimate_picture(
        "w.bar.together",
        result.output_tokens_per_s,
        needed_tokens_per_s(workload),
        False,
        texts,
        "w.bar.needed",
    )


def needed_tokens_per_s(workload: Workload) -> float | None:
    """Written text at the peak, tokens/s: rate times answer length, or people times their speed."""
    if workload.requests_per_s is not None:
        return workload.requests_per_s * workload.output_tokens
    if workload.concurrent_requests is not None and workload.tokens_per_s_per_user is not None:
        return workload.concurrent_requests * workload.tokens_per_s_per_user
    return None


def _batch_pictures(result: WorkloadResult, workload: Workload, texts: Texts) -> Iterator[EstimatePicture]:
    yield estimate_picture("w.bar.finished", result.hours, workload.deadline_hours, True, texts)
    yield estimate_picture("w.bar.together", result.output_tokens_per_s, None, False, texts)


def _training_pictures(result: WorkloadResult, workload: Workload, texts: Texts) -> Iterator[EstimatePicture]:
    unit = result.unit if isinstance(result.unit, TrainingPerformance) else None
    days = result.days or (unit.days if unit else None)
    yield estimate_picture("w.bar.run", days, workload.deadline_days, True, texts)
    yield estimate_picture("w.bar.training_rate", unit.tokens_per_s if unit else None, None, False, texts)
    if unit and unit.scaling_efficiency.expected < 1:
        yield estimate_picture("w.bar.efficiency", unit.scaling_efficiency, None, False, texts)


def estimate_picture(
    name_id: str,
    estimate: Estimate | None,
    asked: float | None,
    at_most: bool,
    texts: Texts,
    asked_id: str = "",
) -> EstimatePicture:
    """One bar. ``asked`` is in the estimate's unit; the weak end of the range is what must meet it."""
    name = texts.say(name_id)
    if estimate is None or estimate.high == float("inf"):
        return _unknown_picture(name, texts)
    columns = texts.columns(estimate)
    end = max(estimate.high, asked or 0.0) * _AXIS_ROOM or 1.0
    state = _target_state(estimate, asked, at_most)
    note = _asked_words(estimate, asked, at_most, texts, asked_id)
    unit = texts.say(_SHORT_UNITS[estimate.unit]) if estimate.unit in _SHORT_UNITS else columns.unit
    return EstimatePicture(
        name=name,
        low=columns.low,
        expected=columns.expected,
        high=columns.high,
        unit=unit,
        span=(estimate.low / end, estimate.expected / end, estimate.high / end),
        target=None if asked is None else Target(share=asked / end, at_most=at_most),
        state=state,
        note=note,
        sentence=texts.say(
            f"w.bar.sentence.{state.value}",
            name=name,
            estimate=estimate,
            asked=note or message("n.not_needed"),
        ),
    )


def _unknown_picture(name: str, texts: Texts) -> EstimatePicture:
    return EstimatePicture(
        name=name,
        low="",
        expected=texts.say("w.bar.cannot_say"),
        high="",
        unit="",
        span=None,
        target=None,
        state=TargetState.NOT_ASKED,
        note=texts.say("w.bar.nothing_measured"),
        sentence=texts.say("w.bar.sentence.unknown", name=name),
    )


def _target_state(estimate: Estimate, asked: float | None, at_most: bool) -> TargetState:
    if asked is None:
        return TargetState.NOT_ASKED
    met = estimate.high <= asked if at_most else estimate.low >= asked
    return TargetState.MET if met else TargetState.MISSED


def _asked_words(estimate: Estimate, asked: float | None, at_most: bool, texts: Texts, asked_id: str) -> str:
    if asked is None:
        return texts.say(f"ev.{estimate.evidence.value}.label")
    value = texts.numbers.plain(asked)
    if asked_id:
        return texts.say(asked_id, value=value)
    return texts.say("w.bar.at_most" if at_most else "w.bar.at_least", value=value)


# ---------------------------------------------------------------- price, levers, counts


def price_words(bom: BillOfMaterials | None, texts: Texts) -> tuple[str, str]:
    """The net price for a headline and what it is worth in one line."""
    if bom is None:
        return "", ""
    price = texts.price(bom.net, decimals=0)
    if bom.unpriced_lines:
        return texts.say("n.at_least", value=price), _count_words(
            "w.price.unpriced", bom.unpriced_lines, bom, texts
        )
    placeholders = bom.lines_with_status(PriceStatus.PLACEHOLDER)
    if placeholders:
        return price, _count_words("w.price.placeholders", placeholders, bom, texts)
    return price, texts.say("w.price.budgetary" if bom.budgetary else "w.price.firm")


def _count_words(text_id: str, count: int, bom: BillOfMaterials, texts: Texts) -> str:
    return texts.say(text_id, count=count, total=len(bom.lines))


def levers(answer: Answer, texts: Texts) -> tuple[Lever, ...]:
    """The nearest values at which the answer changes."""
    nearest = sorted(answer.decision.tipping_points, key=_distance)[:MOST_LEVERS]
    return tuple(_lever(point, texts) for point in nearest)


def _distance(point: TippingPoint) -> float:
    return abs(point.at - point.now) / point.now if point.now else float("inf")


def _lever(point: TippingPoint, texts: Texts) -> Lever:
    return Lever(
        name=texts.say(f"w.lever.{driver_of(point)}"),
        now=texts.numbers.plain(point.now),
        at=texts.numbers.plain(point.at),
        becomes=texts.say(point.becomes),
    )


def open_words(answer: Answer, texts: Texts) -> tuple[str, str]:
    """What is open, and its severity as a colour role: blocks first, then decisions, else nothing."""
    findings = answer.decision.findings
    blocks = sum(finding.severity is Severity.BLOCK for finding in findings)
    if blocks:
        return texts.count("blocker", blocks), "block"
    decisions = sum(finding.severity is Severity.WARN for finding in findings)
    if decisions:
        return texts.count("open_decision", decisions), "warn"
    return texts.say("w.open.nothing"), "ok"


def assumption_words(answer: Answer, texts: Texts) -> str:
    """How many answers are defaults."""
    return texts.count("assumption", len(answer.request.assumptions))


@dataclass(frozen=True, slots=True)
class Unknown:
    """A question that nobody answered."""

    question_id: str
    workload: int


def strongest_unknown(answer: Answer) -> Unknown | None:
    """The first of the unanswered questions that move the answer most; ``None`` when only weak ones are left."""
    for strength in STRONG:
        for assumption in answer.request.assumptions:
            found = question_at(assumption.field) if assumption.moves == f"moves.{strength.value}" else None
            if found is not None:
                return Unknown(found[0].id, found[1])
    return None


def unknown_words(unknown: Unknown, count: int, texts: Texts) -> str:
    """How much is not known, and the most important of it."""
    first = split_label(texts.say(f"q.{unknown.question_id}.label"))[0]
    return texts.say("w.panel.unknown", count=count, first=first)


def key_figures(answer: Answer, texts: Texts) -> tuple[KeyFigure, ...]:
    """The figures of the strip: the first bars and the price."""
    figures = [
        KeyFigure(
            name=picture.name,
            value=f"{picture.expected}\u00a0{picture.unit}" if picture.span else picture.expected,
            remark=f"{picture.low} – {picture.high}" if picture.span else "",
        )
        for picture in estimate_pictures(answer, texts)[:3]
    ]
    price, _ = price_words(answer.bom, texts)
    if price and answer.bom is not None:
        remark = texts.say("w.strip.budgetary") if answer.bom.budgetary else ""
        figures.append(KeyFigure(name=texts.say("w.price.net"), value=price, remark=remark))
    return tuple(figures)


def reason_words(answer: Answer, texts: Texts) -> str:
    """Why there is no machine of ours, in the verdict's own sentence; empty when there is one."""
    if answer.decision.verdict in (Verdict.REFER_SXM, Verdict.NO_ANSWER):
        return texts.say(verdict_message(answer, "text"))
    return ""

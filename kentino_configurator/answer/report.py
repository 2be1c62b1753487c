"""Answers as lines of plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kentino_configurator.answer.sentences import (
    check_sentence,
    finding_sentence,
    layout_words,
    short_verdict,
    tipping_sentence,
    trace_sentence,
    verdict_message,
)
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials, Outcome
from kentino_configurator.core.decision import Decision, WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Quantity
from kentino_configurator.core.prediction import MemoryPerGpu, ServingPerformance, TrainingPerformance
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.level import Level
from kentino_configurator.texts.catalogue import Texts


def size_lines(answer: Answer, texts: Texts) -> list[str]:
    """The decision on one screen."""
    return list(_size(answer, texts))


def _size(answer: Answer, texts: Texts) -> Iterator[str]:
    decision = answer.decision
    yield texts.say(short_verdict(answer))
    yield texts.say(verdict_message(answer, "headline"))
    yield texts.say(verdict_message(answer, "text"))
    yield ""
    yield from _configuration(answer)
    if decision.memory is not None:
        yield _row("Memory of one GPU", _memory_words(decision.memory, texts))
    for result in decision.results:
        yield from _performance(result, texts)
    if answer.bom is not None:
        yield from _money(answer.bom, texts)
    yield from _list("Findings", [_finding_line(answer, texts, f) for f in decision.findings])
    yield from _list("What would change it", [tipping_sentence(p, texts) for p in decision.tipping_points])
    yield from _list("Not chosen", [texts.say(item.why_not) for item in decision.alternatives])
    yield _row("Assumptions", f"{len(answer.request.assumptions)} (see explain)")


def _row(name: str, value: str) -> str:
    return f"{name:<20} {value}"


def _list(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  - {line}" for line in lines)


def _finding_line(answer: Answer, texts: Texts, finding: Any) -> str:
    return f"[{finding.severity.value}] {finding_sentence(finding, 'text', texts)}"


def _configuration(answer: Answer) -> Iterator[str]:
    configuration = answer.decision.configuration
    if configuration is None:
        return
    node = configuration.node
    fabric = configuration.fabric.value if configuration.fabric else "no fabric"
    yield _row("Machine", f"{configuration.nodes} x {node.gpu_count} x {node.gpu.name}, {node.platform.name}")
    yield _row(
        "Layout",
        f"{layout_words(configuration)}, {configuration.weights_precision.value} weights, "
        f"{configuration.kv_precision.value} KV cache, {fabric}",
    )


def _memory_words(memory: MemoryPerGpu, texts: Texts) -> str:
    parts = ("weights", "kv_cache", "activations", "runtime", "gradients", "optimizer", "free", "kept_back")
    return ", ".join(
        f"{name} {texts.words(Quantity(getattr(memory, name), Unit.BYTES))}"
        for name in parts
        if getattr(memory, name)
    )


def _performance(result: WorkloadResult, texts: Texts) -> Iterator[str]:
    named: list[tuple[str, Arg | None]] = []
    if isinstance(result.unit, ServingPerformance):
        named += [
            ("First word", result.unit.ttft_s),
            ("Per person", result.unit.tokens_per_s_per_user),
            ("All together", result.output_tokens_per_s),
            ("Whole corpus", result.hours),
        ]
    elif isinstance(result.unit, TrainingPerformance):
        named += [("Training rate", result.unit.tokens_per_s), ("One run", result.unit.days)]
    yield _row("Workload", result.workload)
    for name, value in named:
        if isinstance(value, Estimate):
            yield _row(f"  {name}", texts.words(value))


def _money(bom: BillOfMaterials, texts: Texts) -> Iterator[str]:
    prefix = "at least " if bom.unpriced_lines else ""
    budget = ", budgetary - confirm with Kentino" if bom.budgetary else ""
    yield _row("Price, net", f"{prefix}{texts.words(bom.net)}{budget}")
    yield _row("Power at full load", texts.words(bom.power.ac_w))
    counts = {outcome: sum(c.outcome is outcome for c in bom.checks) for outcome in Outcome}
    yield _row("Checks", ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items()))


def level_lines(level: Level | None) -> Iterator[str]:
    """What a benchmark of the customer's machine changed; nothing without one."""
    if level is None:
        return
    named = {"time to first token": level.ttft, "time per token": level.tpot, "throughput": level.throughput}
    ratios = ", ".join(f"{name} x {ratio:.2f}" for name, ratio in named.items() if ratio is not None)
    yield _row("Measured level", f"{ratios} of the prediction, applied to the figures above")


def explain_lines(answer: Answer, texts: Texts) -> list[str]:
    """Trace, findings with their reasons, alternatives, tipping points, formulas and assumptions in words."""
    return list(_explain(answer, texts))


def _explain(answer: Answer, texts: Texts) -> Iterator[str]:
    decision = answer.decision
    yield texts.say(verdict_message(answer, "headline"))
    yield texts.say(verdict_message(answer, "text"))
    yield ""
    yield texts.say("tr.intro")
    yield from _trace(decision, texts)
    yield ""
    for finding in decision.findings:
        label = texts.say(f"sev.{finding.severity.value}.label")
        yield f"{label}: {finding_sentence(finding, 'text', texts)}"
        yield f"    {finding_sentence(finding, 'why', texts)} {finding_sentence(finding, 'change', texts)}"
    yield from _list(texts.say("p.title.alternatives"), [texts.say(a.why_not) for a in decision.alternatives])
    yield from _list(
        texts.say("p.title.tipping"), [tipping_sentence(p, texts) for p in decision.tipping_points]
    )
    formulas = [f"{f.id} = {f.expression} = {texts.words(f.value)}" for f in decision.formulas]
    yield from _list(texts.say("p.title.sizing"), formulas)
    assumed = [f"{a.field} = {a.value} ({a.source})" for a in answer.request.assumptions]
    yield from _list(texts.say("p.title.assumptions"), assumed)
    if answer.bom is not None:
        fired = [check_sentence(c, texts) for c in answer.bom.checks if c.outcome is not Outcome.PASS]
        yield from _list(texts.say("p.title.checks"), fired)


def _trace(decision: Decision, texts: Texts) -> Iterator[str]:
    for entry in decision.trace:
        mark = f" [{texts.say('tr.decided')}]" if entry.decided else ""
        yield f"{entry.number}. {texts.say(f'tr.{entry.number}.question')}{mark}"
        yield f"   {trace_sentence(entry, texts)}"


def _room(room: dict[str, Any] | None) -> Iterator[str]:
    """Shortage and changes, from the one that costs least."""
    if room is None:
        return
    yield _row("Users at the context", f"{room['users_at_context']:,}")
    yield _row("Longest context", f"{room['longest_context_tokens']:,} tokens for each of the users asked")
    if room["missing"]:
        yield _row("Memory", room["missing"])
        yield from (f"  - {change['text']}" for change in room["changes"])


def prediction_lines(result: dict[str, Any]) -> list[str]:
    """A prediction object as a table."""
    lines = [_row("Model", str(result["model"]["id"])), _row("Fits", "yes" if result["fits"] else "no")]
    lines += [f"  - {reason}" for reason in result["reasons"]]
    lines += _room(result["room"])
    memory = result["memory_per_gpu"].items()
    lines += [_row(f"  {name}", f"{value:,.0f}") for name, value in memory if value is not None]
    for name, value in (result["performance"] or {}).items():
        if isinstance(value, dict) and "expected" in value:
            spread = f"{value['low']:.3g} to {value['high']:.3g}"
            lines.append(_row(f"  {name}", f"{value['expected']:.3g} ({spread}) {value['unit']}"))
    return lines

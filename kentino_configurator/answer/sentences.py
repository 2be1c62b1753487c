"""The sentences of an answer in one language: findings, trace, checks, tipping points, verdict."""

from __future__ import annotations

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BomCheck, Outcome
from kentino_configurator.core.decision import (
    Configuration,
    Decision,
    Finding,
    TippingPoint,
    TraceAnswer,
    TraceEntry,
    Verdict,
)
from kentino_configurator.core.message import Arg, Message, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.texts.catalogue import Texts

_TIP_TEXT = {
    "concurrent_requests": ("n.tip_concurrency", Unit.REQUESTS),
    "requests_per_s": ("n.tip_rate", Unit.REQUESTS_PER_S),
    "max_context_tokens": ("n.tip_context", Unit.TOKENS),
    "deadline_days": ("n.tip_deadline", Unit.DAYS),
    "deadline_hours": ("n.tip_deadline", Unit.HOURS),
    "dataset_tokens": ("e.tip_dataset", Unit.TOKENS),
}


def finding_sentence(finding: Finding, part: str, texts: Texts) -> str:
    """``part`` is ``text``, ``why`` or ``change``."""
    return texts.say(message(f"f.{finding.rule}.{part}", **finding.args))


def trace_sentence(entry: TraceEntry, texts: Texts) -> str:
    """The answer to one of the five questions with its numbers."""
    common = {TraceAnswer.NOT_ASKED: "tr.not_asked", TraceAnswer.UNKNOWN: "tr.unknown"}
    text_id = common.get(entry.answer, f"tr.{entry.number}.{entry.answer.value}")
    return texts.say(message(text_id, **entry.args))


def check_sentence(check: BomCheck, texts: Texts) -> str:
    """One check of the bill of materials: its own text when it fired, else the rule's statement."""
    if check.outcome is Outcome.UNKNOWN:
        return texts.say(message("f.bom.unknown.text", rule=check.rule, missing=check.missing))
    own = f"f.bom.{check.rule}.text"
    if check.outcome is not Outcome.PASS and texts.has(own):
        return texts.say(message(own, **check.args))
    return texts.say(message("f.bom.generic.text", rule=check.rule, statement=check.statement))


def driver_of(point: TippingPoint) -> str:
    """The field of the request without its path: ``concurrent_requests``."""
    return point.field.rsplit(".", 1)[-1]


def tipping_condition(point: TippingPoint) -> Message:
    """The condition alone: "more than 71 requests at the same moment"."""
    text_id, unit = _TIP_TEXT[driver_of(point)]
    value: Arg = Quantity(point.at, unit)
    if point.direction < 0 and not driver_of(point).startswith("deadline"):
        return message("e.tip_or_fewer", value=value)
    return message(text_id, value=value)


def tipping_sentence(point: TippingPoint, texts: Texts) -> str:
    """What happens at the tipping point."""
    return texts.say(message("e.tipping", condition=tipping_condition(point), becomes=point.becomes))


def tipping_list(decision: Decision, direction: int | None = None) -> Message:
    """Up to two tipping conditions joined, or the word that nothing close changes the answer."""
    points = [p for p in decision.tipping_points if direction is None or p.direction == direction][:2]
    conditions = [tipping_condition(point) for point in points]
    if not conditions:
        return message("e.no_tipping")
    if len(conditions) == 1:
        return conditions[0]
    return message("n.list_pair", first=conditions[0], second=conditions[1])


def _tipping_value(decision: Decision, direction: int) -> Arg:
    """The bare value of the nearest tipping point in a direction, for sentences that say "above" themselves."""
    point = next((p for p in decision.tipping_points if p.direction == direction), None)
    return message("e.no_tipping") if point is None else Quantity(point.at, _TIP_TEXT[driver_of(point)][1])


def short_verdict(answer: Answer) -> Message:
    """The answer in a few words, the largest thing on a page: "One 8-GPU node"."""
    decision, configuration = answer.decision, answer.decision.configuration
    if configuration is None:
        return message(f"v.{decision.verdict.value}.title")
    if decision.verdict in (Verdict.SINGLE_NODE, Verdict.SINGLE_NODE_INT4):
        return _single_node_words(decision, configuration)
    return message(
        f"e.short.{decision.verdict.value}",
        nodes=Quantity(configuration.nodes, Unit.NODES),
        count=configuration.node.gpu_count,
    )


def _single_node_words(decision: Decision, configuration: Configuration) -> Message:
    name = "e.short.single_node_copies" if configuration.replicas > 1 else f"e.short.{decision.verdict.value}"
    return message(
        name,
        count=configuration.node.gpu_count,
        copies=Quantity(configuration.replicas, Unit.COPIES),
    )


def verdict_message(answer: Answer, part: str) -> Message:
    """``headline``, ``text`` or ``next`` of the verdict with every placeholder filled."""
    decision = answer.decision
    if part == "text" and decision.referral is not None and decision.referral.days is None:
        return message("e.refer_latency", gpu_sxm=decision.referral.gpus)
    if part == "text" and decision.verdict is Verdict.MULTI_NODE and decision.scaling_efficiency is None:
        return _served_by_cluster(answer)
    return message(f"v.{decision.verdict.value}.{part}", **verdict_args(answer))


def _served_by_cluster(answer: Answer) -> Message:
    """Why a served model is split over nodes: none holds a copy, or one holds it but carries part of the load."""
    copies = next((a for a in answer.decision.alternatives if a.kind == "replicas"), None)
    text_id = "e.cluster_served" if copies is None else "e.cluster_pooled"
    return message(text_id, **verdict_args(answer))


def verdict_args(answer: Answer) -> dict[str, Arg]:
    """All arguments that the verdict texts may name; those that do not apply read "not known"."""
    decision = answer.decision
    unknown = message("n.not_known")
    args: dict[str, Arg] = {
        "tipping": tipping_list(decision),
        "tipping_up": _tipping_value(decision, 1),
        "tipping_down": _tipping_value(decision, -1),
        "ops_page": 8,
    }
    if decision.configuration is not None:
        args |= _configuration_args(answer, decision.configuration)
    if decision.referral is not None:
        args |= _referral_args(decision)
    if decision.verdict is Verdict.NO_ANSWER:
        args |= _no_answer_args(decision, unknown)
    return args


def _configuration_args(answer: Answer, configuration: Configuration) -> dict[str, Arg]:
    decision, memory = answer.decision, answer.decision.memory
    assert memory is not None
    gpus = configuration.parallelism.gpus_per_copy
    efficiency = decision.scaling_efficiency
    return {
        "gpu_count": configuration.gpus,
        "gpu": configuration.node.gpu.name,
        "nodes": Quantity(configuration.nodes, Unit.NODES),
        "replica_count": configuration.replicas,
        "weights_share": Quantity(memory.weights_share, Unit.SHARE),
        "int4_share": Quantity(memory.weights_share, Unit.SHARE),
        "fp8_share": _fp8_share(decision),
        "free": Quantity(max(0.0, memory.free + memory.kv_cache) * gpus, Unit.BYTES),
        "demand": _demand(decision),
        "fabric": message("e.fabric.none")
        if configuration.fabric is None
        else message(f"e.fabric.{configuration.fabric.value}"),
        "need": Quantity(memory.used * gpus, Unit.BYTES),
        "offer": Quantity(memory.usable * configuration.node.gpu_count, Unit.BYTES),
        "layout": layout_words(configuration),
        "efficiency": message("n.not_known")
        if efficiency is None
        else Quantity(efficiency.expected, Unit.SHARE),
    }


def _fp8_share(decision: Decision) -> Arg:
    return decision.trace[0].args.get("share", message("n.not_known"))


def _demand(decision: Decision) -> Arg:
    return decision.trace[2].args.get("demand", message("n.not_known"))


def layout_words(configuration: Configuration) -> str:
    """Degrees above one in the field's notation: ``TP4 × PP2``; copies are named apart."""
    parallelism = configuration.parallelism
    degrees = (("TP", parallelism.tp), ("PP", parallelism.pp), ("DP", parallelism.dp))
    return " × ".join(f"{name}{degree}" for name, degree in degrees if degree > 1) or "TP1"


def _referral_args(decision: Decision) -> dict[str, Arg]:
    referral = decision.referral
    assert referral is not None
    days = referral.pcie_days
    return {
        "days_pcie": message("e.too_slow") if days is None else days,
        "gpu_pcie": message("e.our_largest"),
        "gpu_sxm": referral.gpus,
        "can_deliver": (referral.can_deliver and message(referral.can_deliver[0])) or message("n.not_known"),
    }


def _no_answer_args(decision: Decision, unknown: Message) -> dict[str, Arg]:
    limit = decision.limits_met[0] if decision.limits_met else None
    return {
        "limit": unknown if limit is None else message(f"e.condition.{limit.name.split('+')[0]}"),
        "reason": message("e.no_answer_reason"),
        "nearest": unknown if limit is None else limit.best,
        "difference": unknown if limit is None else message(f"e.condition.{limit.name.split('+')[0]}"),
        "needed": decision.needed[0] if decision.needed else unknown,
    }

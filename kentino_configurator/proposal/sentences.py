"""Messages that several sections print: findings, checks, formats, machines, shares."""

from __future__ import annotations

from kentino_configurator.core.bom import BomCheck, Outcome
from kentino_configurator.core.decision import Configuration, Finding, TraceAnswer, TraceEntry
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Arg, Listing, Message, Quantity, message
from kentino_configurator.core.money import Money
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import Sign
from kentino_configurator.texts import load_texts

TO_BE_COMPLETED = message("doc.to_be_completed")

PRICE_SIGNS = {status: Sign(f"price.{status.value}") for status in PriceStatus}
OUTCOME_SIGNS = {
    Outcome.PASS: Sign.TICK,
    Outcome.WARN: Sign.WARN,
    Outcome.BLOCK: Sign.BLOCK,
    Outcome.UNKNOWN: Sign.UNKNOWN,
}


def finding_message(finding: Finding, part: str) -> Message:
    """``part`` is ``text``, ``why`` or ``change``."""
    return message(f"f.{finding.rule}.{part}", **finding.args)


def trace_message(entry: TraceEntry) -> Message:
    """The answer to one of the five questions with its numbers."""
    common = {TraceAnswer.NOT_ASKED: "tr.not_asked", TraceAnswer.UNKNOWN: "tr.unknown"}
    return message(common.get(entry.answer, f"tr.{entry.number}.{entry.answer.value}"), **entry.args)


def check_message(check: BomCheck) -> Message:
    """A check in its own words where it fired and has some, else its rule."""
    if check.outcome is Outcome.UNKNOWN:
        return message("f.bom.unknown.text", rule=check.rule, missing=check.missing)
    own = f"f.bom.{check.rule}.text"
    if check.outcome is not Outcome.PASS and load_texts("en").has(own):
        return message(own, **check.args)
    return message("f.bom.generic.text", rule=check.rule, statement=check.statement)


def share(value: float) -> Quantity:
    """A share of one, printed in percent."""
    return Quantity(value, Unit.SHARE)


def bytes_(value: float) -> Quantity:
    """A size in bytes, printed in GB."""
    return Quantity(value, Unit.BYTES)


def tokens(value: float) -> Quantity:
    """A number of tokens."""
    return Quantity(value, Unit.TOKENS)


def format_name(precision: str) -> str:
    """Name of a number format as engineers write it: ``FP8``, ``INT4 AWQ``."""
    return str(precision).upper().replace("_", " ")


def fabric_message(configuration: Configuration) -> Message:
    """The network between nodes in words."""
    fabric = configuration.fabric
    return message("e.fabric.none" if fabric is None else f"e.fabric.{fabric.value}")


def machines_message(configuration: Configuration) -> Message:
    """The machines in words: "8 × RTX Pro 6000 Server in one node"."""
    node, count = configuration.node.gpu.name, configuration.node.gpu_count
    if configuration.nodes == 1:
        return message("e.machine", gpu_count=count, gpu=node)
    nodes = Quantity(configuration.nodes, Unit.NODES)
    machines = message("e.machines", nodes=nodes, gpu_count=count, gpu=node)
    if configuration.fabric is None:
        return machines
    return message("e.cluster", machines=machines, fabric=fabric_message(configuration))


def price_message(amount: Money | None, is_lower_bound: bool) -> Arg:
    """A price, "at least" a price, or the word that there is none."""
    if amount is None:
        return message("n.price.missing")
    return message("n.at_least", value=amount) if is_lower_bound else amount


def or_open(text: str) -> Arg:
    """Text of the seller's profile, or the visible mark that it is missing."""
    return text or TO_BE_COMPLETED


def listed(items: tuple[Arg, ...]) -> Listing:
    """Items joined by the language's "and"."""
    return Listing(items)

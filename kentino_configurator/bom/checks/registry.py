"""The list of rules, and how one answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType

from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.bom import BomCheck, Outcome
from kentino_configurator.core.message import Arg, Message, message

THE_SITE = Message("bom.the_site")
"""Stands for a part in answers about what the customer did not state."""


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of a rule with the figures its text prints; ``missing`` names what is not known of ``part``."""

    outcome: Outcome
    args: dict[str, Arg] = field(default_factory=dict)
    missing: str = ""
    part: Arg = ""


RuleFunction = Callable[[Subject], Result | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id and the function (``None`` from it: does not apply to this order).

    ``node_only`` rules read the node alone and are also asked for offers. What a rule demands is the text
    ``bom.rule.<id>``, what may be missing the texts ``bom.missing.<name>``.
    """

    id: str
    function: RuleFunction
    node_only: bool


RULES: dict[str, Rule] = {}


def rule(rule_id: str, *, node_only: bool = False) -> Callable[[RuleFunction], RuleFunction]:
    """Registers a function under its rule id."""

    def register(function: RuleFunction) -> RuleFunction:
        RULES[rule_id] = Rule(rule_id, function, node_only)
        return function

    return register


def passed(**args: Arg) -> Result:
    """The rule holds."""
    return Result(Outcome.PASS, args)


def warned(**args: Arg) -> Result:
    """The rule misses and the order can still be built."""
    return Result(Outcome.WARN, args)


def blocked(**args: Arg) -> Result:
    """The rule misses and the order must not go out."""
    return Result(Outcome.BLOCK, args)


def unknown(missing: str, part: Arg, **args: Arg) -> Result:
    """The rule cannot be judged: the text ``bom.missing.<missing>`` says what is not known of ``part``."""
    return Result(Outcome.UNKNOWN, args, missing, part)


def apply_rule(entry: Rule, subject: Subject) -> BomCheck | None:
    """The check as it is shown, ``None`` when the rule does not apply."""
    result = entry.function(subject)
    if result is None:
        return None
    statement = Message(f"bom.rule.{entry.id}")
    args: dict[str, Arg] = {"rule": entry.id, "statement": statement, **result.args}
    missing = _missing(result)
    if missing:
        args |= {"missing": missing, "part": result.part}
    return BomCheck(
        rule=entry.id,
        outcome=result.outcome,
        statement=statement,
        args=MappingProxyType(args),
        missing=missing or "",
    )


def _missing(result: Result) -> Message | None:
    """What is not known, as a phrase with the part's name."""
    if result.outcome is not Outcome.UNKNOWN:
        return None
    return message(f"bom.missing.{result.missing}", part=result.part, **result.args)

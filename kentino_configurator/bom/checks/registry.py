"""The list of rules, and how one answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType

from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.bom import BomCheck, Outcome
from kentino_configurator.core.message import Arg


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of a rule with the figures its text prints; ``missing`` is what is not known of ``part``."""

    outcome: Outcome
    args: dict[str, Arg] = field(default_factory=dict)
    missing: str = ""
    part: str = ""


RuleFunction = Callable[[Subject], Result | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, what it demands, and the function (``None`` from it: does not apply to this order).

    ``node_only`` rules read the node alone and are also asked for offers.
    """

    id: str
    statement: str
    function: RuleFunction
    node_only: bool
    blocks: bool


RULES: dict[str, Rule] = {}


def rule(
    rule_id: str, statement: str, *, node_only: bool = False, blocks: bool = True
) -> Callable[[RuleFunction], RuleFunction]:
    """Registers a function under its rule id. ``blocks``: the level of a miss is a block, else a warning."""

    def register(function: RuleFunction) -> RuleFunction:
        RULES[rule_id] = Rule(rule_id, statement, function, node_only, blocks)
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


def unknown(missing: str, part: str, **args: Arg) -> Result:
    """The rule cannot be judged: ``missing`` is not known of ``part``."""
    return Result(Outcome.UNKNOWN, args, missing, part)


def apply_rule(entry: Rule, subject: Subject) -> BomCheck | None:
    """The check as it is shown, ``None`` when the rule does not apply."""
    result = entry.function(subject)
    if result is None:
        return None
    args: dict[str, Arg] = {"rule": entry.id, "statement": entry.statement, **result.args}
    if result.outcome is Outcome.UNKNOWN:
        args |= {"missing": result.missing, "part": result.part}
    return BomCheck(
        rule=entry.id,
        outcome=result.outcome,
        statement=entry.statement,
        args=MappingProxyType(args),
        missing=result.missing,
    )

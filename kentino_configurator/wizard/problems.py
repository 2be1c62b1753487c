"""What is wrong with an answer, in one sentence: where, what, and what would be right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from kentino_configurator.core.decision import Severity
from kentino_configurator.core.message import Arg, Message, message
from kentino_configurator.texts import load_texts

_SHOWN_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A remark on the answer at ``path`` (empty: on the whole).

    ``block``: the value cannot be used. ``warn``: it can, but a decision or a correction is due before a
    final proposal. ``note``: it was read in a way that the person should know.
    """

    path: str
    message: Message
    severity: Severity = Severity.BLOCK

    @property
    def sentence(self) -> str:
        """The remark in English, without the place."""
        return load_texts("en").say(self.message)

    def line(self) -> str:
        """The remark in English with the place in front, for standard error."""
        return f"{self.path}: {self.sentence}" if self.path else self.sentence


def cannot_be_used(path: str, value: Any, rule: Message) -> Problem:
    """A value that breaks ``rule``, a message that says what would be right."""
    return Problem(path=path, message=message("wz.value_and_rule", value=shown(value), rule=rule))


def rule(rule_id: str, **args: Arg) -> Message:
    """The message of the text ``wz.rule_<rule_id>``."""
    return message(f"wz.rule_{rule_id}", **args)


def shown(value: Any) -> str:
    """A JSON value as it stood in the file, shortened; never raises."""
    if isinstance(value, dict):
        return "{...}" if value else "{}"
    if isinstance(value, list | tuple):
        return "[...]" if value else "[]"
    try:
        text = json.dumps(value, ensure_ascii=not _is_printable(value))
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 3]}..."


def _is_printable(value: Any) -> bool:
    return not isinstance(value, str) or value.isprintable()

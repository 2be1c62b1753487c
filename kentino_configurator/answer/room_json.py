"""The room on one given layout: tokens, users, longest context, and what would make it fit when it does not."""

from __future__ import annotations

import math
from typing import Any

from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.message import Arg, Message, Quantity, message
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.memory import serving_memory
from kentino_configurator.engine.room import Change, Remedy, longest_context, missing_bytes, remedies
from kentino_configurator.texts.catalogue import Texts

_UNITS = {Change.SHORTER_CONTEXT: Unit.TOKENS, Change.MORE_GPUS: Unit.GPUS}


def room_json(layout: Layout, load: ServingLoad, policy: Policy, texts: Texts) -> dict[str, Any]:
    """Room of one copy under the asked load; ``changes`` begins with the one that costs least."""
    memory = serving_memory(layout, load, policy)
    missing = missing_bytes(layout, load, policy)
    shortage = texts.say("e.room.missing", bytes=Quantity(missing, Unit.BYTES))
    return {
        "missing_bytes": missing,
        "missing": shortage if missing else None,
        "kv_capacity_tokens": memory.kv_capacity_tokens,
        "users_at_context": math.floor(memory.max_concurrency_at_context),
        "longest_context_tokens": longest_context(layout, load, policy),
        "changes": [_change(remedy, texts) for remedy in remedies(layout, load, policy)],
    }


def _change(remedy: Remedy, texts: Texts) -> dict[str, Any]:
    return {
        "change": remedy.change.value,
        "value": remedy.value,
        "text": texts.say(remedy_message(remedy)),
    }


def remedy_message(remedy: Remedy) -> Message:
    """The change as a sentence."""
    unit = _UNITS.get(remedy.change)
    value: Arg = round(remedy.value) if unit is None else Quantity(remedy.value, unit)
    return message(f"e.room.{remedy.change.value}", value=value)

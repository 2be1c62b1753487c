"""Sentences without language: a text id and typed arguments. ``texts`` turns them into words of a locale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.money import Money
from kentino_configurator.core.units import Unit


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, formatted late in the reader's language."""

    value: float
    unit: Unit


@dataclass(frozen=True, slots=True)
class Message:
    """Text id with arguments. A plain ``str`` argument is a proper name (GPU, model, SKU) and printed as it is."""

    id: str
    args: Mapping[str, "Arg"] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Listing:
    """Several arguments joined by the language's "and"."""

    items: tuple["Arg", ...]


Arg = str | int | float | Quantity | Estimate | Money | Message | Listing


def message(text_id: str, **args: Arg) -> Message:
    """Shorthand for ``Message(text_id, {...})``."""
    return Message(text_id, MappingProxyType(dict(args)))

"""Ready-made requests of typical customers, and demonstrations of every verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from kentino_configurator import paths
from kentino_configurator.core.answers import Answers
from kentino_configurator.core.decision import Verdict

_INDEX: Final = "_index.json"


class PresetGroup(StrEnum):
    """Where a preset is listed."""

    CUSTOMER = "customer"
    DEMONSTRATION = "demonstration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One entry of the list. Texts: ``preset.<name>.label`` and ``preset.<name>.help``.

    ``expected_verdicts``: the answers that count as right for it. ``basis``: where its figures come from.
    """

    name: str
    group: PresetGroup
    expected_verdicts: tuple[Verdict, ...]
    basis: str

    @property
    def label(self) -> str:
        """The text id of the title."""
        return f"preset.{self.name}.label"

    @property
    def help(self) -> str:
        """The text id of the line under the title."""
        return f"preset.{self.name}.help"


@cache
def presets() -> tuple[Preset, ...]:
    """All presets in the order of the start page."""
    return tuple(_preset(entry) for entry in _read(_INDEX)["presets"])


def load_preset(name: str) -> Answers:
    """The answers of a preset; an unknown name raises ``KeyError``."""
    if name not in {preset.name for preset in presets()}:
        raise KeyError(name)
    return Answers(_read(f"{name}.json"))


def _preset(entry: Mapping[str, Any]) -> Preset:
    return Preset(
        name=entry["name"],
        group=PresetGroup(entry["group"]),
        expected_verdicts=tuple(Verdict(verdict) for verdict in entry["expected_verdicts"]),
        basis=entry["basis"],
    )


def _read(file_name: str) -> dict[str, Any]:
    path = paths.resource_dir() / "presets" / file_name
    tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return tree

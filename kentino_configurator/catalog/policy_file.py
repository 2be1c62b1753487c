"""``policy.toml`` to ``Policy``: every threshold with unit, evidence and source."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.policy import Policy, PolicyValue
from kentino_configurator.core.units import Unit

_KEYS = frozenset({"value", "unit", "evidence", "source", "note"})
_UNITS = frozenset(unit.value for unit in Unit) | {""}


def read_policy(path: Path) -> Policy:
    """The policy of a TOML file; raises ``CatalogError`` naming the entry that is wrong."""
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CatalogError(f"{path.name}: cannot be read as TOML ({error}).") from error
    return Policy({entry.id: entry for entry in _entries(tree, "", path.name)})


def _entries(tree: Mapping[str, Any], prefix: str, where: str) -> Iterator[PolicyValue]:
    for key, value in tree.items():
        policy_id = f"{prefix}{key}"
        if not isinstance(value, dict):
            raise CatalogError(
                f"{where}, {policy_id}: a table with value, unit, evidence and source is expected."
            )
        if "value" in value:
            yield _entry(policy_id, value, where)
        else:
            yield from _entries(value, f"{policy_id}.", where)


def _entry(policy_id: str, table: Mapping[str, Any], where: str) -> PolicyValue:
    if unknown := sorted(table.keys() - _KEYS):
        raise CatalogError(
            f"{where}, {policy_id}: unknown key {unknown[0]}; known are {', '.join(sorted(_KEYS))}."
        )
    value = table["value"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CatalogError(f"{where}, {policy_id}: value must be a number.")
    if table.get("unit", "") not in _UNITS:
        raise CatalogError(f"{where}, {policy_id}: unknown unit {table['unit']!r}.")
    if not table.get("source"):
        raise CatalogError(f"{where}, {policy_id}: a source must be given.")
    try:
        evidence = Evidence(table.get("evidence", ""))
    except ValueError:
        choices = ", ".join(kind.value for kind in Evidence)
        raise CatalogError(f"{where}, {policy_id}: evidence must be one of {choices}.") from None
    return PolicyValue(
        id=policy_id,
        value=float(value),
        unit=table.get("unit", ""),
        evidence=evidence,
        source=table["source"],
        note=table.get("note", ""),
    )

"""Older project files brought to the current form, one version at a time.

A new version adds one function here and one sample file to ``tests/data/projects``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kentino_configurator.project.document import FIRST_VARIANT, SCHEMA_VERSION

Step = Callable[[Mapping[str, Any]], dict[str, Any]]


def version_of(tree: Mapping[str, Any]) -> int | None:
    """The schema version of a project file, ``None`` when it states none that is usable."""
    version = tree.get("schema_version")
    return version if isinstance(version, int) and not isinstance(version, bool) and version >= 0 else None


def migrate(tree: Mapping[str, Any], version: int) -> Mapping[str, Any]:
    """The same project in the current form; a newer version is returned as it is."""
    for older in range(version, SCHEMA_VERSION):
        tree = STEPS[older](tree)
    return tree


def _variants_instead_of_answers(tree: Mapping[str, Any]) -> dict[str, Any]:
    """0 to 1: the one set of answers became the first variant, ``name`` became ``title``."""
    kept = {key: value for key, value in tree.items() if key not in ("answers", "name")}
    return {
        **kept,
        "schema_version": 1,
        "title": tree.get("name", ""),
        "active": 0,
        "variants": [{"name": FIRST_VARIANT, "answers": tree.get("answers", {})}],
    }


STEPS: Final[Mapping[int, Step]] = {0: _variants_instead_of_answers}

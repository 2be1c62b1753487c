"""Which answers are usable: the tree without anything that cannot be read, and what was wrong with that."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from kentino_configurator.core.answers import Answers
from kentino_configurator.core.message import message
from kentino_configurator.wizard.problems import Problem, cannot_be_used, rule, shown
from kentino_configurator.wizard.readers import Noted
from kentino_configurator.wizard.schema import MAX_WORKLOADS, Branch, Leaf, known_paths, request_schema

_CLOSE_ENOUGH: Final = 0.6
_ELSEWHERE_CLOSE_ENOUGH: Final = 0.8
_SHOWN_KEY: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Usable:
    """The usable part of some answers, typed and in range, with the problems of the rest."""

    answers: Answers
    problems: tuple[Problem, ...]


def usable_answers(answers: Answers) -> Usable:
    """Drop unknown entries, wrong types and values out of range. Names are looked up later."""
    walk = _Walk()
    tree = walk.branch(answers.tree, request_schema(), "")
    return Usable(answers=Answers(tree), problems=tuple(walk.problems))


@dataclass(slots=True)
class _Walk:
    """One pass over a tree along the schema; what the schema does not know is never entered."""

    problems: list[Problem] = field(default_factory=list)

    def branch(self, value: Any, branch: Branch, path: str) -> dict[str, Any]:
        """The usable entries of an object."""
        if not isinstance(value, Mapping):
            self.problems.append(cannot_be_used(path, value, rule("object")))
            return {}
        found: dict[str, Any] = {}
        for key, entry in value.items():
            child = branch.children.get(key)
            place = f"{path}.{key}" if path else str(key)
            if child is None:
                self.problems.append(unknown_entry(str(key), path, tuple(branch.children)))
            elif isinstance(child, Leaf):
                self._leaf(child, entry, place, key, found)
            elif entry is not None:
                self._below(child, entry, place, key, found)
            elif key == "requested":
                found[key] = None
        return found

    def _leaf(self, leaf: Leaf, entry: Any, place: str, key: str, found: dict[str, Any]) -> None:
        value = leaf.read(entry, place)
        if isinstance(value, Problem):
            self.problems.append(value)
            return
        if isinstance(value, Noted):
            self.problems.append(value.note)
            value = value.value
        found[key] = value

    def _below(self, child: Branch, entry: Any, place: str, key: str, found: dict[str, Any]) -> None:
        if not child.repeated:
            found[key] = self.branch(entry, child, place)
        elif isinstance(entry, list | tuple) and 1 <= len(entry) <= MAX_WORKLOADS:
            found[key] = [self.branch(item, child, f"{place}[{index}]") for index, item in enumerate(entry)]
        else:
            self.problems.append(cannot_be_used(place, entry, rule("jobs", max=MAX_WORKLOADS)))


def unknown_entry(key: str, path: str, siblings: tuple[str, ...]) -> Problem:
    """A key that no request has, with the nearest one that exists."""
    return Problem(
        path=f"{path}.{key}"[:200] if path else key[:200],
        message=message(
            "err.unknown_key",
            key=shown(key)[1:-1][:_SHOWN_KEY],
            where=path or "{}",
            nearest=_nearest(key[:200], siblings),
        ),
    )


def _nearest(key: str, siblings: tuple[str, ...]) -> str:
    """The most similar key of the same object, else the place where a key of that name belongs."""
    if close := difflib.get_close_matches(key, siblings, n=1, cutoff=_CLOSE_ENOUGH):
        return close[0]
    if (elsewhere := _by_last_name()).get(key):
        return elsewhere[key]
    if close := difflib.get_close_matches(key, elsewhere, n=1, cutoff=_ELSEWHERE_CLOSE_ENOUGH):
        return elsewhere[close[0]]
    return difflib.get_close_matches(key, siblings, n=1, cutoff=0.0)[0]


@cache
def _by_last_name() -> Mapping[str, str]:
    return {path.rpartition(".")[2]: path for path in reversed(known_paths())}

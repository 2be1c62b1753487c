"""What was answered so far, as one immutable document.

A key that is absent was not answered (its default applies and is listed); a key that holds ``None`` was answered
"no such requirement". Undo is the previous value; the saved project holds exactly this tree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Path = tuple[str | int, ...]


class _Absent:
    """The answer that was not given."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = _Absent()
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def parse_path(text: str) -> Path:
    """``"workloads[0].ttft_s"`` -> ``("workloads", 0, "ttft_s")``."""
    return tuple(int(index) if index else name for name, index in _STEP.findall(text))


def format_path(path: Path) -> str:
    """The inverse of ``parse_path``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


@dataclass(frozen=True, slots=True)
class Answers:
    """An immutable JSON tree in the shape of a request. Treat ``tree`` as read-only."""

    tree: Mapping[str, Any]

    def get(self, path: str) -> Any:
        """The value at ``path``, or ``ABSENT``."""
        node: Any = self.tree
        for step in parse_path(path):
            try:
                node = node[step]
            except (KeyError, IndexError, TypeError):
                return ABSENT
        return node

    def with_value(self, path: str, value: Any) -> Answers:
        """A copy with ``value`` at ``path``; missing objects and list entries on the way are created."""
        return Answers(_set(self.tree, parse_path(path), value))

    def without(self, path: str) -> Answers:
        """A copy in which ``path`` is unanswered."""
        steps = parse_path(path)
        return self if self.get(path) is ABSENT else Answers(_drop(self.tree, steps))


def _set(node: Any, steps: Path, value: Any) -> Any:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items = list(node) if isinstance(node, (list, tuple)) else []
        items += [{}] * (step + 1 - len(items))
        items[step] = _set(items[step], rest, value)
        return items
    branch = dict(node) if isinstance(node, Mapping) else {}
    branch[step] = _set(branch.get(step), rest, value)
    return branch


def _drop(node: Any, steps: Path) -> Any:
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items = list(node)
        if rest:
            items[step] = _drop(items[step], rest)
        else:
            del items[step]
        return items
    branch = dict(node)
    if rest:
        branch[step] = _drop(branch[step], rest)
    else:
        branch.pop(step, None)
    return branch

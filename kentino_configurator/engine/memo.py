"""Remembering what was computed from immutable specs, compared by identity.

Hashing a model costs more than predicting it, and equal specs are nearly always the same object, so entries are found
by the identity of their specs. An entry holds its specs alive, hence an identity cannot be reused while it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class SpecMemo(Generic[T]):
    """Results by (identity of specs, hashable rest). Forgets everything once ``capacity`` entries are stored."""

    def __init__(self, capacity: int = 4096) -> None:
        self._capacity = capacity
        self._entries: dict[Hashable, tuple[tuple[object, ...], T]] = {}

    def get(self, specs: tuple[object, ...], rest: Hashable, compute: Callable[[], T]) -> T:
        """The stored result, or the one ``compute`` returns."""
        key = (*map(id, specs), rest)
        entry = self._entries.get(key)
        if entry is not None:
            return entry[1]
        if len(self._entries) >= self._capacity:
            self._entries.clear()
        result = compute()
        self._entries[key] = (specs, result)
        return result

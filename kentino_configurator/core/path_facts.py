"""Published rates of the path classes, read from the catalogue's path table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

SAME_SWITCH = "same switch / virtual switch"
SEVERAL_SWITCHES = "several switches, no CPU"
SAME_SOCKET = "same socket, different root ports"
SAME_CHIP = "inside one Broadcom chip, across virtual switches"
ACROSS_3_LINKS = "cross-socket, 3 xGMI links"
ACROSS_2_LINKS = "cross-socket, 2 xGMI links"
STAGED = "peer access refused (P2P off)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PathFact:
    """One row: where it was seen, one-way rate in bytes/s and latency in seconds as (low, high)."""

    name: str
    system: str
    rate_bytes_per_s: tuple[float, float] | None
    latency_s: tuple[float, float] | None


class PathFacts:
    """The rows by their name."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._facts = {fact.name: fact for fact in map(_fact, rows)}

    def get(self, name: str) -> PathFact | None:
        """The row of a path, ``None`` when the catalogue does not have it."""
        return self._facts.get(name)


def _fact(row: Mapping[str, Any]) -> PathFact:
    return PathFact(
        name=str(row["path_class"]),
        system=str(row["system"] or ""),
        rate_bytes_per_s=_span(row["one_way_low_bytes_per_s"], row["one_way_high_bytes_per_s"]),
        latency_s=_span(row["latency_low_s"], row["latency_high_s"]),
    )


def _span(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)

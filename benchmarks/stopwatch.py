"""The one way the benchmarks take time: the best of several runs, after one that warms up."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

RUNS = 9


def best_seconds(job: Callable[[], object], runs: int = RUNS) -> float:
    """Shortest time of ``job`` over several runs, s."""
    job()
    return min(_seconds(job) for _ in range(runs))


def show(name: str, seconds: float, against: str, other_seconds: float) -> None:
    """One line: the time, and its ratio to something measured in the same run."""
    print(f"{name:<44} {seconds * 1e3:9.2f} ms  {seconds / other_seconds:7.2f} x  {against}")


def _seconds(job: Callable[[], object]) -> float:
    start = perf_counter()
    job()
    return perf_counter() - start

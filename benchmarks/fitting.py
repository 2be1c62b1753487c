"""Fitting few parameters under an absolute loss, and honest errors by leaving whole groups out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.calibration_rows import Key

OUTLIER = 0.6
"""Log errors count up to this much: a run that is off by a factor of two says nothing about a parameter."""


REFIT_STEP = 0.03
"""First step of a fit without one group, as a share of the range: it begins at the parameters of all groups."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A parameter with the range physics allows and its unit."""

    key: Key
    low: float
    high: float
    unit: str


@dataclass(frozen=True, slots=True)
class Residual:
    """Log of predicted over measured of one row; ``is_time`` when the row is a time and not a rate."""

    row: str
    family: str
    group: tuple[str, str]
    klass: str
    log_ratio: float
    is_time: bool = False

    @property
    def error(self) -> float:
        """Relative error."""
        return abs(math.exp(self.log_ratio) - 1.0)


Predict = Callable[[Mapping[Key, float], frozenset[tuple[str, str]] | None], Sequence[Residual]]
"""Residuals under parameter values, of all rows or of the named groups only."""


def balanced_loss(residuals: Sequence[Residual], weights: Mapping[str, float]) -> float:
    """Mean absolute log error; a group counts with the root of its rows, so that one long series decides nothing."""
    sizes = Counter(residual.group for residual in residuals)
    total = norm = 0.0
    for residual in residuals:
        weight = weights.get(residual.family, 0.0) / math.sqrt(sizes[residual.group])
        total += weight * min(abs(residual.log_ratio), OUTLIER)
        norm += weight
    return total / norm


def coordinate_search(
    loss: Callable[[Mapping[Key, float]], float],
    start: Mapping[Key, float],
    bounds: Sequence[Bound],
    rounds: int,
    first_step: float = 0.25,
) -> dict[Key, float]:
    """Minimum by moving one parameter at a time with shrinking steps; robust where the loss has corners.

    ``first_step`` is a share of each parameter's range.
    """
    best, best_loss = dict(start), loss(start)
    steps = {bound.key: (bound.high - bound.low) * first_step for bound in bounds}
    for _ in range(rounds):
        for bound in bounds:
            best, best_loss = _move(loss, best, best_loss, bound, steps[bound.key])
            steps[bound.key] *= 0.6
    return best


def _move(
    loss: Callable[[Mapping[Key, float]], float],
    best: dict[Key, float],
    best_loss: float,
    bound: Bound,
    step: float,
) -> tuple[dict[Key, float], float]:
    for direction in (1.0, -1.0):
        start = best
        for _ in range(2):
            value = min(bound.high, max(bound.low, best[bound.key] + direction * step))
            trial = best | {bound.key: value}
            trial_loss = loss(trial)
            if trial_loss >= best_loss - 1e-6:
                break
            best, best_loss = trial, trial_loss
        if best is not start:
            break
    return best, best_loss


def leave_groups_out(
    predict: Predict,
    weights: Mapping[str, float],
    fitted: Mapping[Key, float],
    bounds: Sequence[Bound],
    rounds: int = 3,
) -> list[Residual]:
    """Residuals of every group under parameters fitted without it, in small steps from those of all groups."""
    groups = sorted({residual.group for residual in predict(fitted, None)})
    held_out: list[Residual] = []
    for group in groups:
        others = frozenset(groups) - {group}

        def loss(values: Mapping[Key, float], kept: frozenset[tuple[str, str]] = others) -> float:
            return balanced_loss(predict(values, kept), weights)

        values = coordinate_search(loss, fitted, bounds, rounds, REFIT_STEP)
        held_out.extend(predict(values, frozenset({group})))
    return held_out


def quantile(values: Sequence[float], share: float) -> float:
    """Order statistic at a share, interpolated."""
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])

"""Widths of intervals out of errors on groups that were left out, and how these errors are printed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence

from benchmarks.calibration_rows import Key
from benchmarks.fitting import Residual, quantile
from kentino_configurator.core.calibration import Parameter

ASSUMED_BAND = "wider by assumption: no or too few measurements of this class"
ENOUGH_ROWS = 12
LEAST_SYMMETRY = 0.5
"""Neither side of a band is narrower than this share of the other: a few groups do not prove a one-sided error."""


def arguments_of(description: str | None) -> argparse.Namespace:
    """What a refit is asked to do."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--write", action="store_true", help="rewrite the rows of resources/catalog/calibration.csv"
    )
    parser.add_argument(
        "--errors", action="store_true", help="keep the parameters and only record the leave-group-out errors"
    )
    parser.add_argument("--rounds", type=int, default=8)
    return parser.parse_args()


def print_errors(families: Iterable[str], held_out: Sequence[Residual]) -> None:
    """Median and 90th percentile of the relative error per family, groups left out."""
    print("leave-group-out       n  median %  p90 %")
    for family in families:
        errors = [residual.error for residual in held_out if residual.family == family]
        print(
            f"{family:18s} {len(errors):4d}  {100 * quantile(errors, 0.5):8.1f} {100 * quantile(errors, 0.9):6.1f}"
        )


def band_ends(logs: Sequence[float], wider: float, least_width: float) -> dict[str, float]:
    """Factors on a prediction that hold 80 % of the errors ``logs``, ``wider`` by a factor on their log width.

    ``least_width`` is the narrowest half width that is believed, as a log.
    """
    down = min(quantile(logs, 0.1) * wider, -least_width)
    up = max(quantile(logs, 0.9) * wider, least_width)
    ends = {"down": min(down, -LEAST_SYMMETRY * up), "up": max(up, -LEAST_SYMMETRY * down)}
    return {end: math.exp(log) for end, log in ends.items()}


def band_rows(
    subject: tuple[str, str], metric: str, ends: dict[str, float], *, source: str, is_assumed: bool
) -> list[tuple[Key, Parameter]]:
    """The two rows of a band in the calibration table; ``subject`` is its topic and class."""
    evidence, reason = ("assumed", ASSUMED_BAND) if is_assumed else ("derived", source)
    return [
        ((*subject, f"{metric}_{end}"), parameter(factor, "factor", evidence, reason))
        for end, factor in ends.items()
    ]


def parameter(
    value: float, unit: str, evidence: str, source: str, median: float | None = None, p90: float | None = None
) -> Parameter:
    """A row's value with where it comes from and the error it leaves."""
    return Parameter(
        value=value, unit=unit, evidence=evidence, source=source, error_median=median, error_p90=p90
    )

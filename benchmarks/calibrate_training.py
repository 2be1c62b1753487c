"""Refits the training parameters of the engine and the widths of its intervals; prints leave-group-out errors.

A group is one model on one card. Shares of cards without a run of their own are listed here with their reason.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence

from benchmarks import training_rows
from benchmarks.calibration_rows import Key, read_calibration, write_rows
from benchmarks.fitting import Residual, balanced_loss, coordinate_search, leave_groups_out, quantile
from benchmarks.held_out import write_held_out
from benchmarks.training_rows import BOUNDS, CARDS, WEIGHTS, residuals
from kentino_configurator.core.calibration import Parameter

TOPICS = frozenset({"training", "training_interval"})
FIT_SOURCE = (
    "fitted on resources/measurements/training.csv, absolute log loss (benchmarks/calibrate_training.py)"
)
BAND_SOURCE = (
    "10 and 90 % quantiles of measured over predicted, groups left out (benchmarks/calibrate_training.py)"
)
ASSUMED_BAND = "wider by assumption: no or too few measurements of this class"

STATED: tuple[tuple[str, str, float, str, str, str], ...] = (
    (
        "rtx-6000-ada",
        "product_share",
        0.54,
        "share",
        "derived",
        "L40S, less its power limit (300 against 350 W)",
    ),
    ("l40", "product_share", 0.85, "share", "assumed", "half the tensor rate of an L40S in nearly its power"),
    ("l4", "product_share", 0.45, "share", "assumed", "72 W limit: share of its GEMM table"),
    ("b200", "product_share", 0.68, "share", "assumed", "share of its GEMM table, as H100"),
    ("b300", "product_share", 0.68, "share", "assumed", "as B200"),
    ("gb200", "product_share", 0.68, "share", "assumed", "as B200"),
    ("attention", "share", 0.75, "share", "derived", "prefill attention against GEMM in the kernel tables"),
    (
        "tuned",
        "arithmetic_share",
        1.0,
        "share",
        "derived",
        "the tuned engine is the reference of the card shares",
    ),
    ("tuned", "layer_launch_s", 1e-4, "s", "assumed", "kernels launched as one graph"),
    (
        "ordinary",
        "tensor_overlap",
        0.0,
        "share",
        "assumed",
        "plain stacks do not overlap TP; fused kernels reach 0.97",
    ),
    (
        "tuned",
        "tensor_overlap",
        0.3,
        "share",
        "assumed",
        "plain stacks do not overlap TP; fused kernels reach 0.97",
    ),
    (
        "host",
        "updates_per_s",
        1e10,
        "1/s",
        "derived",
        "optimizer on the host: 405B on eight nodes in 4 s (distributed-training-guide), 70B on one in about 10 s",
    ),
)
"""Numbers that are read off or assumed, not fitted: (subject, name, value, unit, evidence, source)."""

RATE_CLASSES = tuple(
    f"{stack}/{known}" for stack in ("tuned", "ordinary") for known in ("measured", "assumed", "staged")
)
SCALING_CLASSES = ("one_node", "several_nodes", "tensor")
WIDER = {"measured": 1.0, "assumed": 1.5, "staged": 2.5}
"""Factor on the log width where a class has too few measurements of its own."""

ENOUGH_ROWS = 12
SMALLEST_LOG_WIDTH = math.log(1.05)
LEAST_SYMMETRY = 0.5
"""Neither side of a band is narrower than this share of the other: a few groups do not prove a one-sided error."""


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help="rewrite the rows of resources/catalog/calibration.csv"
    )
    parser.add_argument(
        "--errors", action="store_true", help="keep the parameters and only record the leave-group-out errors"
    )
    parser.add_argument("--rounds", type=int, default=8)
    arguments = parser.parse_args()
    fitted = fit(0 if arguments.errors else arguments.rounds)
    held_out = leave_groups_out(residuals, WEIGHTS, fitted, BOUNDS)
    print_errors(held_out)
    if arguments.write:
        write_rows(TOPICS, [*parameter_rows(fitted, held_out), *interval_rows(held_out)])
    if arguments.write or arguments.errors:
        write_held_out("training", residuals(fitted), held_out)


def fit(rounds: int) -> dict[Key, float]:
    """The best parameter values on all groups."""
    calibration = read_calibration()
    start = {
        bound.key: calibration.value(*bound.key)
        if calibration.has(*bound.key)
        else (bound.low + bound.high) / 2
        for bound in BOUNDS
    }

    def loss(values: Mapping[Key, float]) -> float:
        return balanced_loss(residuals(values), WEIGHTS)

    return coordinate_search(loss, start, BOUNDS, rounds)


def print_errors(held_out: Sequence[Residual]) -> None:
    """Median and 90th percentile of the relative error per family, groups left out."""
    print("leave-group-out    n  median %  p90 %")
    families = dict.fromkeys(residual.family for residual in held_out)
    for family in families:
        errors = [residual.error for residual in held_out if residual.family == family]
        print(
            f"{family:16s} {len(errors):4d}  {100 * quantile(errors, 0.5):8.1f} {100 * quantile(errors, 0.9):6.1f}"
        )


def parameter_rows(fitted: Mapping[Key, float], held_out: Sequence[Residual]) -> list[tuple[Key, Parameter]]:
    """The fitted parameters with the error rates show when groups are left out, those that follow, those stated."""
    errors = [residual.error for residual in held_out if residual.family == "rate"]
    median, p90 = quantile(errors, 0.5), quantile(errors, 0.9)
    rows = []
    for bound in BOUNDS:
        evidence = "measured" if bound.key[1] in CARDS else "derived"
        rows.append((bound.key, _parameter(fitted[bound.key], bound.unit, evidence, FIT_SOURCE, median, p90)))
    for card, followers in CARDS.items():
        value = fitted[("training", card, "product_share")]
        for other in followers:
            evidence = "derived" if "-" in other or other == "h200" else "assumed"
            rows.append(
                (("training", other, "product_share"), _parameter(value, "share", evidence, f"as {card}"))
            )
    for subject, name, value, unit, evidence, source in STATED:
        rows.append((("training", subject, name), _parameter(value, unit, evidence, source)))
    return rows


def interval_rows(held_out: Sequence[Residual]) -> list[tuple[Key, Parameter]]:
    """Relative interval ends per class and metric; of the figures of one run only the rate counts."""
    rows: list[tuple[Key, Parameter]] = []
    rates = [residual for residual in held_out if residual.family == "rate"]
    for klass in RATE_CLASSES:
        stack, known = klass.split("/")
        own = [-r.log_ratio for r in rates if r.klass == klass]
        enough = len(own) >= ENOUGH_ROWS
        logs = own if enough else [-r.log_ratio for r in rates if r.klass.startswith(stack)]
        rows.extend(_band_rows(klass, "rate", logs, 1.0 if enough else WIDER[known]))
    scaling = [residual for residual in held_out if residual.family == "scaling"]
    for klass in SCALING_CLASSES:
        own = [-r.log_ratio for r in scaling if training_rows.crosses(r.row) == klass]
        enough = len(own) >= ENOUGH_ROWS
        logs = own if enough else [-r.log_ratio for r in scaling]
        rows.extend(_band_rows(klass, "scaling", logs, 1.0 if enough else WIDER["measured"]))
    memory = [-r.log_ratio for r in held_out if r.family.startswith("memory")]
    rows.extend(_band_rows("all", "memory", memory, 1.0))
    return rows


def _parameter(
    value: float, unit: str, evidence: str, source: str, median: float | None = None, p90: float | None = None
) -> Parameter:
    return Parameter(
        value=value, unit=unit, evidence=evidence, source=source, error_median=median, error_p90=p90
    )


def _band_rows(klass: str, metric: str, logs: Sequence[float], wider: float) -> list[tuple[Key, Parameter]]:
    down = min(quantile(logs, 0.1) * wider, -SMALLEST_LOG_WIDTH)
    up = max(quantile(logs, 0.9) * wider, SMALLEST_LOG_WIDTH)
    ends = {"down": min(down, -LEAST_SYMMETRY * up), "up": max(up, -LEAST_SYMMETRY * down)}
    evidence, source = ("derived", BAND_SOURCE) if wider == 1.0 else ("assumed", ASSUMED_BAND)
    return [
        (
            ("training_interval", klass, f"{metric}_{end}"),
            _parameter(math.exp(log), "factor", evidence, source),
        )
        for end, log in ends.items()
    ]


if __name__ == "__main__":
    main()

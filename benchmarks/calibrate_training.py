"""Refits the training parameters of the engine and the widths of its intervals; prints leave-group-out errors.

A group is one model on one card. Shares of cards without a run of their own are listed here with their reason.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchmarks import training_rows
from benchmarks.bands import ENOUGH_ROWS, arguments_of, band_ends, band_rows, parameter, print_errors
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

SMALLEST_LOG_WIDTH = math.log(1.05)


def main() -> None:
    """Entry point."""
    arguments = arguments_of(__doc__)
    fitted = fit(0 if arguments.errors else arguments.rounds)
    held_out = leave_groups_out(residuals, WEIGHTS, fitted, BOUNDS)
    print_errors(dict.fromkeys(residual.family for residual in held_out), held_out)
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


def parameter_rows(fitted: Mapping[Key, float], held_out: Sequence[Residual]) -> list[tuple[Key, Parameter]]:
    """The fitted parameters with the error rates show when groups are left out, those that follow, those stated."""
    errors = [residual.error for residual in held_out if residual.family == "rate"]
    median, p90 = quantile(errors, 0.5), quantile(errors, 0.9)
    rows = []
    for bound in BOUNDS:
        evidence = "measured" if bound.key[1] in CARDS else "derived"
        rows.append((bound.key, parameter(fitted[bound.key], bound.unit, evidence, FIT_SOURCE, median, p90)))
    for card, followers in CARDS.items():
        value = fitted[("training", card, "product_share")]
        for other in followers:
            evidence = "derived" if "-" in other or other == "h200" else "assumed"
            rows.append(
                (("training", other, "product_share"), parameter(value, "share", evidence, f"as {card}"))
            )
    for subject, name, value, unit, evidence, source in STATED:
        rows.append((("training", subject, name), parameter(value, unit, evidence, source)))
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


def _band_rows(klass: str, metric: str, logs: Sequence[float], wider: float) -> list[tuple[Key, Parameter]]:
    ends = band_ends(logs, wider, SMALLEST_LOG_WIDTH)
    return band_rows(("training_interval", klass), metric, ends, source=BAND_SOURCE, is_assumed=wider != 1.0)


if __name__ == "__main__":
    main()

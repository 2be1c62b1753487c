"""Refits the end-to-end parameters of the engine and the widths of its intervals; prints leave-group-out errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchmarks import serving_rows
from benchmarks.bands import ENOUGH_ROWS, arguments_of, band_ends, band_rows, parameter, print_errors
from benchmarks.calibration_rows import Key, read_calibration, write_rows
from benchmarks.fitting import Residual, balanced_loss, coordinate_search, leave_groups_out, quantile
from benchmarks.held_out import write_held_out
from kentino_configurator.core.calibration import Parameter

FIT_SOURCE = "fitted on resources/measurements/inference.csv, absolute log loss (benchmarks/calibrate.py)"
BAND_SOURCE = "10 and 90 % quantiles of measured over predicted, groups left out (benchmarks/calibrate.py)"


MEASURED_ROWS: tuple[tuple[Key, Parameter], ...] = (
    (
        ("engine", "graph", "small_kernels_s"),
        parameter(
            8e-6,
            "s",
            "measured",
            "norms, rotary and activation kernels of a layer, vLLM 0.19 on RTX PRO 6000",
        ),
    ),
    (
        ("engine", "front_end", "late_s"),
        parameter(
            0.1, "s", "derived", "single short prompts: measured less predicted, about the 90 % quantile"
        ),
    ),
)
"""Rows that are read off measurements and not fitted."""

KINDS = ("dense", "moe")
KNOWLEDGE = ("measured", "scaled", "assumed", "staged")
METRICS = {
    "tpot": ("decode",),
    "throughput": ("throughput",),
    "prefill": ("prefill", "ttft_single"),
    "ttft": ("prefill", "ttft_single"),
}
"""Families whose residuals make the band of a metric; a prompt rate is the inverse of a time to first token."""

TIMES = frozenset({"tpot", "ttft"})

WIDER = {
    "measured": {"tpot": 1.0, "throughput": 1.0, "prefill": 1.0, "ttft": 1.0},
    "scaled": {"tpot": 1.1, "throughput": 1.2, "prefill": 2.0, "ttft": 2.0},
    "assumed": {"tpot": 1.3, "throughput": 1.6, "prefill": 2.5, "ttft": 2.5},
    "staged": {"tpot": 4.0, "throughput": 4.0, "prefill": 4.0, "ttft": 4.0},
}
"""Factor on the log width of the measured cards where a class has too few measurements of its own: arithmetic carries
worse from card to card than memory bandwidth, and ranks without peer access are known in direction only."""

SMALLEST_LOG_WIDTH = math.log(1.12)


def main() -> None:
    """Entry point."""
    arguments = arguments_of(__doc__)
    fitted = fit(0 if arguments.errors else arguments.rounds)
    held_out = leave_groups_out(serving_rows.residuals, serving_rows.WEIGHTS, fitted, serving_rows.BOUNDS)
    print_errors(serving_rows.WEIGHTS, held_out)
    if arguments.write:
        write_rows(frozenset({"engine", "routing"}), parameter_rows(fitted, held_out))
        write_rows(frozenset({"interval"}), interval_rows(held_out))
    if arguments.write or arguments.errors:
        write_held_out("inference", serving_rows.residuals(fitted), held_out)


def fit(rounds: int) -> dict[Key, float]:
    """The best parameter values on all groups."""
    calibration = read_calibration()
    start = {bound.key: calibration.value(*bound.key) for bound in serving_rows.BOUNDS}

    def loss(values: Mapping[Key, float]) -> float:
        return balanced_loss(serving_rows.residuals(values), serving_rows.WEIGHTS)

    return coordinate_search(loss, start, serving_rows.BOUNDS, rounds)


def parameter_rows(fitted: Mapping[Key, float], held_out: Sequence[Residual]) -> list[tuple[Key, Parameter]]:
    """The fitted parameters with the error that decode shows when groups are left out, and what was read off."""
    errors = [residual.error for residual in held_out if residual.family == "decode"]
    median, p90 = quantile(errors, 0.5), quantile(errors, 0.9)
    rows = [
        (bound.key, parameter(fitted[bound.key], bound.unit, "derived", FIT_SOURCE, median, p90))
        for bound in serving_rows.BOUNDS
    ]
    return [*rows, *MEASURED_ROWS]


def interval_rows(held_out: Sequence[Residual]) -> list[tuple[Key, Parameter]]:
    """Relative interval ends per class and metric."""
    rows: list[tuple[Key, Parameter]] = []
    for kind in KINDS:
        for metric, families in METRICS.items():
            of_kind = [r for r in held_out if r.family in families and r.klass.startswith(kind)]
            for knowledge in KNOWLEDGE:
                own = [r for r in of_kind if r.klass == f"{kind}/{knowledge}"]
                enough = len(own) >= ENOUGH_ROWS and knowledge != "staged"
                basis = own if enough else [r for r in of_kind if r.klass == f"{kind}/measured"]
                logs = [_deviation(residual, metric) for residual in basis]
                wider = 1.0 if enough else WIDER[knowledge][metric]
                rows.extend(_band_rows(f"{kind}/{knowledge}", metric, logs, wider))
    return rows


def _deviation(residual: Residual, metric: str) -> float:
    """Log of measured over predicted, as a time or as a rate, as the metric is."""
    same_sense = residual.is_time == (metric in TIMES)
    return -residual.log_ratio if same_sense else residual.log_ratio


def _band_rows(klass: str, metric: str, logs: Sequence[float], wider: float) -> list[tuple[Key, Parameter]]:
    ends = band_ends(logs, wider, SMALLEST_LOG_WIDTH)
    return band_rows(("interval", klass), metric, ends, source=BAND_SOURCE, is_assumed=wider != 1.0)


if __name__ == "__main__":
    main()

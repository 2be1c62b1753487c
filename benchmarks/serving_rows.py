"""The serving measurements as residuals of the engine."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache

from benchmarks.calibration_rows import MEASUREMENTS, Key, read_calibration, read_csv, with_values
from benchmarks.fitting import Bound, Residual
from kentino_configurator.catalog.measured import load_measured_names
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.engine.intervals import case_class
from kentino_configurator.engine.measured_row import SkippedRowError
from kentino_configurator.engine.measurement import ServingMeasurement, read_serving_row
from kentino_configurator.engine.validation import predict_measurement

WEIGHTS = {"decode": 1.0, "throughput": 1.0, "prefill": 1.0, "ttft_single": 1.0, "ttft_short": 0.5}
"""What the parameters are fitted to. TTFT under load is judged, not fitted."""

BOUNDS = (
    Bound(("engine", "ordinary", "step_floor_s"), 1e-4, 4e-3, "s"),
    Bound(("engine", "ordinary", "s_per_request"), 1e-6, 2e-4, "s"),
    Bound(("engine", "tuned", "step_floor_s"), 5e-5, 2e-3, "s"),
    Bound(("engine", "tuned", "s_per_request"), 1e-6, 1e-4, "s"),
    Bound(("engine", "launch", "plain_layer_s"), 0.0, 2e-3, "s"),
    Bound(("engine", "launch", "many_kernels_layer_s"), 0.0, 3e-3, "s"),
    Bound(("engine", "front_end", "seconds"), 0.0, 0.06, "s"),
    Bound(("engine", "graph", "moe_layer_gap_s"), 0.0, 1.5e-4, "s"),
    Bound(("routing", "experts", "spread"), 0.5, 1.0, ""),
)
"""The end-to-end parameters: engine time per step and per request, launches, MoE gaps, agreement of routing."""

TIMES = frozenset({"tpot_ms", "ttft_ms"})
WITHOUT_DRAFT = frozenset({"prefill_tok_s", "ttft_ms"})
"""Figures that a draft model does not change."""


@cache
def measurements() -> tuple[ServingMeasurement, ...]:
    """Rows of grade A and B that the engine can read, without those that speculative decoding changes."""
    resolver = load_measured_names(load_snapshot(), MEASUREMENTS)
    found = []
    for row in read_csv(MEASUREMENTS / "inference.csv"):
        try:
            measurement = read_serving_row(row, resolver)
        except SkippedRowError:
            continue
        if measurement.grade != "C" and not (
            measurement.speculative and measurement.metric not in WITHOUT_DRAFT
        ):
            found.append(measurement)
    return tuple(found)


@cache
def _base() -> tuple[object, object]:
    return read_calibration(), load_snapshot().policy


def residuals(
    values: Mapping[Key, float], groups: frozenset[tuple[str, str]] | None = None
) -> Sequence[Residual]:
    """Residuals of all rows, or of the named groups, under parameter values."""
    base, policy = _base()
    calibration = with_values(base, values)  # type: ignore[arg-type]
    found = []
    for measurement in measurements():
        group = (measurement.layout.model.id, measurement.layout.machines.gpu.id)
        if groups is not None and group not in groups:
            continue
        try:
            outcome = predict_measurement(measurement, calibration, policy)  # type: ignore[arg-type]
        except SkippedRowError:
            continue
        found.append(
            Residual(
                row=outcome.id,
                family=outcome.family,
                group=group,
                klass=case_class(measurement.layout, calibration),
                log_ratio=math.log(outcome.ratio),
                is_time=measurement.metric in TIMES,
            )
        )
    return found

"""The training measurements as residuals of the engine."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache

from benchmarks.calibration_rows import MEASUREMENTS, Key, read_calibration, read_csv, with_values
from benchmarks.fitting import Bound, Residual
from kentino_configurator.catalog.measured import load_measured_names
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.policy import Policy
from kentino_configurator.engine.measured_row import SkippedRowError
from kentino_configurator.engine.training_intervals import scaling_class, training_class
from kentino_configurator.engine.training_measurement import TrainingMeasurement, read_training_row
from kentino_configurator.engine.training_validation import FAMILIES, expected_value

WEIGHTS = {"rate": 1.0, "scaling": 0.5}
"""What the parameters are fitted to; step times and MFU are the same runs in other units, memory has no parameter."""

CARDS = {
    "rtx-pro-6000": ("blackwell",),
    "rtx-5090": ("rtx-5090-blower", "rtx-5060-ti"),
    "rtx-4090": ("rtx-3090",),
    "l40s": ("ada",),
    "h100": ("h200", "hopper"),
    "a100": ("ampere",),
}
"""Families with a measured share of their peak, and those that take the same value."""

BOUNDS = (
    *(Bound(("training", card, "product_share"), 0.3, 1.1, "share") for card in CARDS),
    Bound(("training", "fp8", "share"), 0.5, 1.0, "share"),
    Bound(("training", "width", "half_hidden"), 0.0, 200.0, ""),
    Bound(("training", "tuned", "activation_passes"), 1.0, 12.0, ""),
    Bound(("training", "ordinary", "activation_passes"), 1.0, 40.0, ""),
    Bound(("training", "ordinary", "arithmetic_share"), 0.4, 1.0, "share"),
    Bound(("training", "ordinary", "layer_launch_s"), 0.0, 2e-2, "s"),
    Bound(("training", "sharded", "gather_overlap"), 0.0, 1.0, "share"),
    Bound(("training", "replicated", "overlap"), 0.0, 1.0, "share"),
    Bound(("training", "tensor_parallel", "software_share"), 0.5, 1.0, "share"),
    Bound(("training", "qlora", "unpack_passes"), 0.0, 120.0, ""),
)
"""Shares of peaks by card, software efficiency by preset, overlap, and the price of 4-bit bases."""


@cache
def measurements() -> tuple[tuple[TrainingMeasurement, str], ...]:
    """Every row that can be read, with its source."""
    names = load_measured_names(load_snapshot(), MEASUREMENTS)
    found = []
    for row in read_csv(MEASUREMENTS / "training.csv"):
        try:
            found.append((read_training_row(row, names), row["source"]))
        except SkippedRowError:
            continue
    return tuple(found)


@cache
def _base() -> tuple[Calibration, Policy]:
    return read_calibration(), load_snapshot().policy


def tied(values: Mapping[Key, float]) -> dict[Key, float]:
    """The values with the families that follow another one."""
    full = dict(values)
    for card, followers in CARDS.items():
        value = values.get(("training", card, "product_share"))
        if value is not None:
            full.update({("training", other, "product_share"): value for other in followers})
    return full


def residuals(
    values: Mapping[Key, float], groups: frozenset[tuple[str, str]] | None = None
) -> Sequence[Residual]:
    """Residuals of all rows, or of the named groups, under parameter values; a group is one model on one card."""
    base, policy = _base()
    calibration = with_values(base, tied(values))
    found = []
    for measurement, _ in measurements():
        group = (measurement.layout.model.id, measurement.layout.machines.gpu.id)
        family = FAMILIES.get(measurement.metric, "")
        if (groups is not None and group not in groups) or not family:
            continue
        expected = expected_value(measurement, calibration, policy)
        found.append(
            Residual(
                row=measurement.id,
                family="memory_exact" if family == "memory" and measurement.exact else family,
                group=group,
                klass=training_class(measurement.layout, base),
                log_ratio=math.log(expected / measurement.value),
                is_time=family == "step",
            )
        )
    return found


def crosses(row: str) -> str:
    """Class of a scaling efficiency, by the id of its row."""
    return next(
        scaling_class(measurement.layout) for measurement, _ in measurements() if measurement.id == row
    )

"""Days, checkpoints, interruptions and energy of a training run.

Best checkpoint interval by Daly (2006) from the write time d and the mean time between failures M; the time lost is
``sqrt(2 d / M)`` (Young 1974). Failures grow with the number of GPUs.
"""

from __future__ import annotations

import math

from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.layout import Layout, TrainingJob
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import TrainingPerformance
from kentino_configurator.core.training_run import TrainingRun
from kentino_configurator.core.units import DAY_S, HOUR_S, YEAR_H, Unit
from kentino_configurator.engine.training_memory import host_bytes_per_node, is_adapter, trained_parameters

CHECKPOINT_S = 60.0
"""Time training stands still while a checkpoint is written."""

ADAPTER_CHECKPOINT_BYTES = 14.0
"""Bytes per trained parameter in a checkpoint of 16-byte recipes: everything but the gradient."""

_FAILURES = ("failures.per_gpu_year_low", "failures.per_gpu_year_high")


def failures_per_s(gpus: int, policy: Policy) -> float:
    """Rate of interruptions to plan with: the high end of what operators publish."""
    return gpus * policy["failures.per_gpu_year_high"] / (YEAR_H * HOUR_S)


def lost_share(gpus: int, policy: Policy) -> float:
    """Share of time lost to checkpoints and failures at the best interval."""
    return math.sqrt(2.0 * CHECKPOINT_S * failures_per_s(gpus, policy))


def checkpoint_interval_s(write_s: float, mean_time_between_failures_s: float) -> float:
    """The interval that loses least time; the mean time itself where writing takes longer than half of it."""
    if write_s >= 2.0 * mean_time_between_failures_s:
        return mean_time_between_failures_s
    share = write_s / (2.0 * mean_time_between_failures_s)
    series = 1.0 + math.sqrt(share) / 3.0 + share / 9.0
    return math.sqrt(2.0 * write_s * mean_time_between_failures_s) * series - write_s


def training_run(
    layout: Layout,
    job: TrainingJob,
    performance: TrainingPerformance,
    policy: Policy,
    ac_w: float | None = None,
    pue: float = 1.0,
) -> TrainingRun:
    """The run of a job. ``ac_w`` is the power of all machines under load, ``pue`` the building's overhead."""
    gpus = layout.parallelism.gpus
    days = performance.days
    per_parameter = ADAPTER_CHECKPOINT_BYTES if is_adapter(job) else job.bytes_per_parameter - 2.0
    return TrainingRun(
        days=days,
        lost_share=lost_share(gpus, policy),
        checkpoint_bytes=per_parameter * trained_parameters(layout.model, job),
        checkpoint_interval_s=checkpoint_interval_s(CHECKPOINT_S, 1.0 / failures_per_s(gpus, policy)),
        interruptions=interruptions(gpus, days.expected, policy),
        energy_kwh=None if ac_w is None else energy_kwh(days, ac_w, pue),
        host_bytes_per_node=host_bytes_per_node(layout, job),
    )


def interruptions(gpus: int, days: float, policy: Policy) -> Estimate:
    """Interruptions to expect while a job runs, between the published rates."""
    low, high = (gpus * policy[name] * days * DAY_S / (YEAR_H * HOUR_S) for name in _FAILURES)
    return Estimate(
        low=low, expected=math.sqrt(low * high), high=high, unit=Unit.COUNT, evidence=Evidence.ASSUMED
    )


def energy_kwh(days: Estimate, ac_w: float, pue: float) -> Estimate:
    """Energy of the machines over the run with the building's overhead."""
    return days.in_unit(Unit.KWH, ac_w / 1e3 * 24.0 * pue)

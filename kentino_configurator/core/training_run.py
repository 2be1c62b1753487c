"""A training run from start to end: days, checkpoints, interruptions, energy."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.evidence import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    """What a run takes. ``lost_share`` of the time goes to checkpoints and to work done again after a failure.

    ``checkpoint_interval_s`` is the best one for the mean time between failures; ``host_bytes_per_node`` is training
    state kept in host memory. ``energy_kwh`` counts the machine and the building's overhead, ``None`` where the power
    is not known.
    """

    days: Estimate
    lost_share: float
    checkpoint_bytes: float
    checkpoint_interval_s: float
    interruptions: Estimate
    energy_kwh: Estimate | None
    host_bytes_per_node: float

"""One measured point of the customer's own machine moves the level of its predictions.

Within one series the model follows to 4-7 %; the level of an engine and kernel path scatters by a third. So a single
point on the same model, format and card is worth more than any formula: its ratio to the prediction scales the figures
near it, and what is left is the scatter between two runs of the same machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Estimate, Evidence, within
from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.engine.performance import predict_serving

RUN_TO_RUN = 1.15
"""One careful author sees up to 15 % between restarts of the same machine with identical flags."""

PLAUSIBLE = (0.2, 5.0)
"""A ratio outside is a mistake in the setting (cached prompts, other units), not a level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """What a benchmark of one copy reported; ``None`` where it did not. TTFT is the median."""

    layout: Layout
    load: ServingLoad
    ttft_s: float | None = None
    tpot_s: float | None = None
    output_tokens_per_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Measured over predicted: time to first token, time per token, throughput; ``None`` where not measured."""

    ttft: float | None
    tpot: float | None
    throughput: float | None


def level_of(point: MeasuredPoint, calibration: Calibration, policy: Policy) -> Level:
    """The level a measured point shows. Raises ``ValueError`` when it cannot belong to the stated layout and load."""
    performance = predict_serving(point.layout, point.load, calibration, policy).performance
    if not isinstance(performance, ServingPerformance):
        raise ValueError("the measured layout does not fit its machine by the memory model")
    return Level(
        ttft=_ratio("time to first token", point.ttft_s, performance.ttft_s),
        tpot=_ratio("time per token", point.tpot_s, performance.tpot_s),
        throughput=_ratio(
            "output tokens per second", point.output_tokens_per_s, performance.output_tokens_per_s
        ),
    )


def at_level(performance: ServingPerformance, level: Level) -> ServingPerformance:
    """The same figures at a measured level, with the scatter between runs as their interval."""
    speed = None if level.tpot is None else 1.0 / level.tpot
    return ServingPerformance(
        ttft_s=moved(performance.ttft_s, level.ttft),
        ttft_p95_s=moved(performance.ttft_p95_s, level.ttft),
        ttft_burst_s=moved(performance.ttft_burst_s, level.ttft),
        tpot_s=moved(performance.tpot_s, level.tpot),
        tokens_per_s_per_user=moved(performance.tokens_per_s_per_user, speed),
        output_tokens_per_s=moved(performance.output_tokens_per_s, level.throughput),
        prefill_tokens_per_s=moved(
            performance.prefill_tokens_per_s, None if level.ttft is None else 1.0 / level.ttft
        ),
        bound_by=performance.bound_by,
    )


def _ratio(name: str, measured: float | None, predicted: Estimate) -> float | None:
    if measured is None:
        return None
    ratio = measured / predicted.expected
    if not PLAUSIBLE[0] <= ratio <= PLAUSIBLE[1]:
        raise ValueError(
            f"{name}: {measured:g} measured against {predicted.expected:.3g} {predicted.unit} predicted; "
            "check model, format, GPUs, lengths and users of the benchmark"
        )
    return ratio


def moved(estimate: Estimate, ratio: float | None) -> Estimate:
    """An estimate at a measured ratio, with the scatter between runs as its interval; as it is without a ratio."""
    if ratio is None:
        return estimate
    expected = estimate.expected * ratio
    return within(expected, 1.0 / RUN_TO_RUN, RUN_TO_RUN, estimate.unit, Evidence.CUSTOMER)

"""Predicting published measurements, row by row, with the same functions that size machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.layout import ServingLoad
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.core.units import GIB
from kentino_configurator.engine.measurement import (
    ServingMeasurement,
    SkippedRowError,
    SpecResolver,
    read_serving_row,
)
from kentino_configurator.engine.memory import layout_stages, serving_memory
from kentino_configurator.engine.performance import predict_serving

MEMORY_BAND = (0.9, 1.1)
SPECULATION_GAIN = {"mtp": 1.5, "eagle": 1.2}
"""Typical gain of speculative decoding (published pairs: +41 to +62 % MTP, +1 to +32 % EAGLE)."""

SPECULATION_BAND = (0.65, 1.35)
TTFT_LOAD, TTFT_TAIL = "ttft_load", "ttft_p99"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOutcome:
    """What became of a row: a prediction in the row's unit beside the measured number, or the reason it was skipped.

    ``family`` groups figures of one kind: ``decode``, ``throughput``, ``prefill``, ``ttft_single``, ``ttft_load``,
    ``ttft_p99``, ``kv_tokens``, ``kv_tokens_free_pool``, ``weights``, with ``speculative_`` before it where it applies.
    ``gpu`` is the catalogue id, or the row's own words where the row was skipped.
    """

    id: str
    family: str
    gpu: str
    grade: str
    measured: float
    low: float = 0.0
    expected: float = 0.0
    high: float = 0.0
    skipped: str = ""

    @property
    def ratio(self) -> float:
        """Predicted over measured."""
        return self.expected / self.measured

    @property
    def inside(self) -> bool:
        """Whether the interval holds the measured number."""
        return self.low <= self.measured <= self.high


def predict_serving_row(
    row: Mapping[str, str], resolver: SpecResolver, calibration: Calibration, policy: Policy
) -> RowOutcome:
    """The prediction of one row of an inference measurement table."""
    try:
        measurement = read_serving_row(row, resolver)
        return predict_measurement(measurement, calibration, policy)
    except SkippedRowError as reason:
        return RowOutcome(
            id=row["id"],
            family="",
            gpu=row["gpu"],
            grade=row["notes"].removeprefix("grade ")[:1],
            measured=float(row["value"]),
            skipped=str(reason),
        )


def predict_measurement(
    measurement: ServingMeasurement, calibration: Calibration, policy: Policy
) -> RowOutcome:
    """The prediction of a measurement that has been read. Raises :class:`SkippedRowError`."""
    if measurement.metric == "weights_gib_per_gpu":
        return _weights(measurement)
    if measurement.metric == "kv_cache_tokens":
        return _kv_tokens(measurement, policy)
    performance = predict_serving(measurement.layout, measurement.load, calibration, policy).performance
    if not isinstance(performance, ServingPerformance):
        raise SkippedRowError("does_not_fit")
    family, estimate, factor = _figure(measurement, performance)
    if measurement.speculative and family in ("decode", "throughput"):
        return _speculative(measurement, family, estimate, factor)
    return _outcome(
        measurement, family, estimate.low * factor, estimate.expected * factor, estimate.high * factor
    )


def _figure(measurement: ServingMeasurement, performance: ServingPerformance) -> tuple[str, Estimate, float]:
    """(family, estimate, factor to the row's unit) of a speed or time."""
    metric, copies = measurement.metric, float(measurement.copies)
    if metric == "tpot_ms":
        return "decode", performance.tpot_s, 1e3
    if metric == "decode_tok_s_per_user":
        return "decode", performance.tokens_per_s_per_user, 1.0
    if metric == "output_tok_s_total":
        users = measurement.load.concurrency
        if measurement.decode_only:
            return "throughput", performance.tokens_per_s_per_user, users * copies
        return "throughput", performance.output_tokens_per_s, copies
    if metric == "prefill_tok_s":
        return "prefill", performance.prefill_tokens_per_s, 1.0
    if metric == "ttft_ms" and measurement.load.concurrency == 1:
        return "ttft_single", performance.ttft_s, 1e3
    if metric == "ttft_ms":
        return TTFT_LOAD, replace(performance.ttft_s, high=_burst_high(performance)), 1e3
    if metric == "ttft_p99_ms":
        return TTFT_TAIL, replace(performance.ttft_p95_s, high=_burst_high(performance)), 1e3
    raise SkippedRowError("unsupported_metric")


def _burst_high(performance: ServingPerformance) -> float:
    return max(performance.ttft_burst_s.high, performance.ttft_p95_s.high)


def _speculative(
    measurement: ServingMeasurement, family: str, estimate: Estimate, factor: float
) -> RowOutcome:
    gain = SPECULATION_GAIN.get(measurement.speculative)
    if gain is None:
        raise SkippedRowError("unknown_speculation")
    if measurement.metric == "tpot_ms":
        gain = 1.0 / gain
    low, high = SPECULATION_BAND
    return _outcome(
        measurement,
        f"speculative_{family}",
        estimate.low * factor * gain * low,
        estimate.expected * factor * gain,
        estimate.high * factor * gain * high,
    )


def _weights(measurement: ServingMeasurement) -> RowOutcome:
    layout = measurement.layout
    heaviest = max(stage.weights_bytes for stage in layout_stages(layout))
    if measurement.speculative == "mtp":
        heaviest += _draft_share(measurement) * heaviest
    expected = heaviest / GIB
    return _outcome(measurement, "weights", expected * MEMORY_BAND[0], expected, expected * MEMORY_BAND[1])


def _draft_share(measurement: ServingMeasurement) -> float:
    """The built-in draft layers as a share of the model."""
    model = measurement.layout.model
    return model.mtp_layers / model.num_layers


def _kv_tokens(measurement: ServingMeasurement, policy: Policy) -> RowOutcome:
    """Tokens of the KV pool: of the stated pool, else of what memory leaves; hybrids at the stated maximum length."""
    layout = measurement.layout
    length = float(measurement.max_length or layout.model.max_context or 1)
    load = ServingLoad(input_tokens=1, output_tokens=1, concurrency=1, kv_tokens_per_request=length)
    if measurement.pool_bytes is None:
        tokens = serving_memory(layout, load, policy).kv_capacity_tokens
        family = "kv_tokens_free_pool"
    else:
        per_request = max(stage.cache.request_bytes(length) for stage in layout_stages(layout))
        if measurement.speculative == "mtp":
            per_request *= 1.0 + _draft_share(measurement)
        tokens = measurement.pool_bytes / per_request * length
        family = "kv_tokens"
    return _outcome(measurement, family, tokens * MEMORY_BAND[0], tokens, tokens * MEMORY_BAND[1])


def _outcome(
    measurement: ServingMeasurement, family: str, low: float, expected: float, high: float
) -> RowOutcome:
    return RowOutcome(
        id=measurement.id,
        family=family,
        gpu=measurement.layout.machines.gpu.id,
        grade=measurement.grade,
        measured=measurement.value,
        low=low,
        expected=expected,
        high=high,
    )

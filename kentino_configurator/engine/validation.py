"""Predicting published measurements, row by row, with the same functions that size machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.core.units import GIB
from kentino_configurator.engine.measured_row import SkippedRowError, SpecResolver
from kentino_configurator.engine.measurement import ServingMeasurement, read_serving_row
from kentino_configurator.engine.memory import layout_stages, serving_memory
from kentino_configurator.engine.performance import predict_serving
from kentino_configurator.engine.row_outcome import RowOutcome, skipped_row

MEMORY_BAND = (0.9, 1.1)
FREE_POOL_BAND_BYTES = (-1.0 * GIB, 6.1 * GIB)
"""What memory leaves for the cache is a small difference of large numbers: its error is a number of bytes and not a
share. The buffers assumed are those of a thousand sequences; engines told to serve fewer have up to so much more."""

SPECULATION_GAIN = {"mtp": 1.5, "eagle": 1.2}
"""Typical gain of speculative decoding (published pairs: +41 to +62 % MTP, +1 to +32 % EAGLE)."""

SPECULATION_BAND = (0.65, 1.35)
LONG_PROMPT_TOKENS = 2000
"""From this prompt on the first token takes its time from arithmetic, below it from the software around it."""

TTFT_LOAD, TTFT_TAIL = "ttft_load", "ttft_p99"


FAMILIES = {
    "tpot_ms": "decode",
    "decode_tok_s_per_user": "decode",
    "output_tok_s_total": "throughput",
    "prefill_tok_s": "prefill",
    "ttft_ms": TTFT_LOAD,
    "ttft_p99_ms": TTFT_TAIL,
    "kv_cache_tokens": "kv_tokens",
    "weights_gib_per_gpu": "weights",
}
"""Where a row counts that could not be read; a metric outside of these is its own family."""


def predict_serving_row(
    row: Mapping[str, str], resolver: SpecResolver, calibration: Calibration, policy: Policy
) -> RowOutcome:
    """The prediction of one row of an inference measurement table."""
    family = FAMILIES.get(row["metric"], row["metric"])
    try:
        return predict_measurement(read_serving_row(row, resolver), calibration, policy)
    except SkippedRowError as reason:
        return skipped_row(row, resolver, family, str(reason))


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
        short = measurement.load.input_tokens < LONG_PROMPT_TOKENS
        return "ttft_short" if short else "ttft_single", performance.ttft_s, 1e3
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
        return _free_pool(measurement, load, policy)
    per_request = _request_bytes(layout, length)
    if measurement.speculative == "mtp":
        per_request *= 1.0 + _draft_share(measurement)
    tokens = measurement.pool_bytes / per_request * length
    return _outcome(measurement, "kv_tokens", tokens * MEMORY_BAND[0], tokens, tokens * MEMORY_BAND[1])


def _free_pool(measurement: ServingMeasurement, load: ServingLoad, policy: Policy) -> RowOutcome:
    layout, length = measurement.layout, load.kv_tokens_per_request
    tokens = serving_memory(layout, load, policy).kv_capacity_tokens
    per_byte = length / _request_bytes(layout, length)
    less, more = (tokens + missed * per_byte for missed in FREE_POOL_BAND_BYTES)
    return _outcome(measurement, "kv_tokens_free_pool", max(0.0, less), tokens, more)


def _request_bytes(layout: Layout, length: float) -> float:
    return max(stage.cache.request_bytes(length) for stage in layout_stages(layout))


def _outcome(
    measurement: ServingMeasurement, family: str, low: float, expected: float, high: float
) -> RowOutcome:
    return RowOutcome(
        id=measurement.id,
        family=family,
        gpu_class=measurement.layout.machines.gpu.family,
        grade=measurement.grade,
        measured=measurement.value,
        low=low,
        expected=expected,
        high=high,
    )

"""Predicting published training measurements, row by row, with the functions that size machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout, Parallelism, TrainingJob
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.policy import Policy
from kentino_configurator.engine.measured_row import SkippedRowError, SpecResolver
from kentino_configurator.engine.row_outcome import RowOutcome, skipped_row
from kentino_configurator.engine.training import step_time, step_tokens
from kentino_configurator.engine.training_compute import token_flop
from kentino_configurator.engine.training_intervals import MEMORY, RATE, SCALING, training_width
from kentino_configurator.engine.training_measurement import TrainingMeasurement, read_training_row
from kentino_configurator.engine.training_memory import RUNTIME_BYTES, training_memory

FAMILIES = {
    "tok_s_total": "rate",
    "tok_s_per_gpu": "rate",
    "step_s": "step",
    "mfu": "mfu",
    "tflops_per_gpu": "rate",
    "scaling_efficiency": "scaling",
    "peak_mem_gib_per_gpu": "memory",
}

METRICS = {"rate": RATE, "step": RATE, "mfu": RATE, "scaling": SCALING, "memory": MEMORY}
"""Whose band a family takes."""


def predict_training_row(
    row: Mapping[str, str], resolver: SpecResolver, calibration: Calibration, policy: Policy
) -> RowOutcome:
    """The prediction of one row of a training measurement table."""
    family = FAMILIES.get(row["metric"], row["metric"])
    try:
        return predict_training_measurement(read_training_row(row, resolver), calibration, policy)
    except SkippedRowError as reason:
        return skipped_row(row, resolver, family, str(reason))


def predict_training_measurement(
    measurement: TrainingMeasurement, calibration: Calibration, policy: Policy
) -> RowOutcome:
    """The prediction of a measurement that has been read. Raises :class:`SkippedRowError`."""
    family = FAMILIES.get(measurement.metric)
    if family is None:
        raise SkippedRowError("unsupported_metric")
    expected = expected_value(measurement, calibration, policy)
    band = training_width(measurement.layout, METRICS[family], calibration)
    if family == "step":
        band = band.inverse()
    exact = family == "memory" and measurement.exact
    return RowOutcome(
        id=measurement.id,
        family="memory_exact" if exact else family,
        gpu_class=measurement.layout.machines.gpu.family,
        grade=measurement.grade,
        measured=measurement.value,
        low=expected * band.down,
        expected=expected,
        high=expected * band.up,
    )


def expected_value(measurement: TrainingMeasurement, calibration: Calibration, policy: Policy) -> float:
    """The predicted number in the base unit of the row's metric."""
    layout, job = measurement.layout, measurement.job
    if measurement.metric == "peak_mem_gib_per_gpu":
        memory = training_memory(layout, job, policy)
        return memory.used - (0.0 if measurement.with_context else RUNTIME_BYTES)
    if measurement.metric == "scaling_efficiency":
        return _scaling(measurement, calibration)
    step = step_time(layout, job, calibration).total_s
    rate = step_tokens(layout, job) / step
    per_gpu = rate / layout.parallelism.gpus
    if measurement.metric == "step_s":
        return step
    if measurement.metric == "tok_s_total":
        return rate
    if measurement.metric == "tok_s_per_gpu":
        return per_gpu
    if measurement.metric == "tflops_per_gpu":
        return per_gpu * _counted_flop(measurement)
    return per_gpu * counted_s(measurement)


def _counted_flop(measurement: TrainingMeasurement) -> float:
    """FLOP per token as the source counts: causal attention, or the full square and every parameter (PaLM)."""
    layout, job = measurement.layout, measurement.job
    flop = token_flop(layout.model, job.kind, job.sequence_tokens)
    if measurement.plain_count:
        return flop.total
    passes = flop.head / (layout.model.vocab_size * layout.model.hidden_size)
    return passes * layout.model.text_params + 2.0 * flop.attention


def counted_s(measurement: TrainingMeasurement) -> float:
    """Seconds per token at the dense peak as the source counts; FP8 products at the FP8 peak where it does so."""
    layout, job = measurement.layout, measurement.job
    gpu = layout.machines.gpu
    if job.arithmetic is Precision.FP8 and measurement.plain_count and gpu.fp8_flop_per_s:
        flop = token_flop(layout.model, job.kind, job.sequence_tokens)
        return flop.layers / gpu.fp8_flop_per_s + (flop.head + flop.attention) / gpu.bf16_flop_per_s
    return _counted_flop(measurement) / gpu.bf16_flop_per_s


def _scaling(measurement: TrainingMeasurement, calibration: Calibration) -> float:
    """Rate per GPU over that of the baseline: the same micro-batch on fewer GPUs."""
    base_layout, base_job = baseline(measurement)
    return _rate_per_gpu(measurement.layout, measurement.job, calibration) / _rate_per_gpu(
        base_layout, base_job, calibration
    )


def _rate_per_gpu(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    return step_tokens(layout, job) / step_time(layout, job, calibration).total_s / layout.parallelism.gpus


def baseline(measurement: TrainingMeasurement) -> tuple[Layout, TrainingJob]:
    """The run that the row compares with: the smaller machine, data parallel where it has several GPUs."""
    layout, job = measurement.layout, measurement.job
    gpus = measurement.baseline_gpus
    tp = layout.parallelism.tp if gpus >= layout.parallelism.tp > 1 and gpus > 1 else 1
    per_node = min(gpus, 8)
    machines = replace(layout.machines, nodes=max(1, gpus // per_node), gpus_per_node=per_node, fabric=None)
    return replace(layout, machines=machines, parallelism=Parallelism(tp=tp, dp=gpus // tp)), job

"""Time of one micro-batch on one rank without communication: arithmetic by kind, moved activations, launches.

Matrix products run at a share of the dense peak that belongs to the card (its power limit, its tensor cores), times a
share that belongs to the software. Everything between the products is bound by memory: the activations of a layer
pass ``activation_passes`` times through the card's memory. This is why narrow models and cards with much arithmetic
for their bandwidth reach a lower MFU. FP8 runs only the products of the layers; head and attention stay in BF16.
"""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout, Recompute, TrainingJob
from kentino_configurator.core.llm import ModelSpec, Precision
from kentino_configurator.engine.kernels import kernel_subject, power_factor
from kentino_configurator.engine.training_memory import base_bytes, is_adapter, live_bytes_per_token

MOVED_AGAIN = {Recompute.NONE: 1.0, Recompute.SELECTIVE: 7.0 / 6.0, Recompute.FULL: 4.0 / 3.0}
"""Traffic of activations with what is computed again: a third of it belongs to the forward pass, half of that to norms
and activation functions."""

REFERENCE_PEAK = 503.8e12
"""Dense BF16 peak of the card that the half width was read off; a faster card needs wider products."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFlop:
    """FLOP one token costs: products of the layers, output head, causal attention. Recomputation included or not."""

    layers: float
    head: float
    attention: float

    @property
    def total(self) -> float:
        """All of them."""
        return self.layers + self.head + self.attention


def token_flop(model: ModelSpec, kind: str, sequence_tokens: int, recompute: bool = False) -> TokenFlop:
    """FLOP per trained token. Six per parameter, four for adapters whose base has no weight gradient.

    ``recompute``: with the second forward pass of full recomputation, which spares the output head.
    """
    passes = 4.0 if kind in ("lora", "qlora") else 6.0
    again = 2.0 if recompute else 0.0
    head = float(model.vocab_size * model.hidden_size)
    forward = 2.0 * model.num_layers * model.hidden_size * sequence_tokens
    return TokenFlop(
        layers=(passes + again) * (model.active_params - head),
        head=passes * head,
        attention=forward * (3.0 + again / 2.0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MicroBatchTime:
    """Seconds of one micro-batch on one rank by cause."""

    products_s: float
    moving_s: float
    unpacking_s: float
    launch_s: float

    @property
    def total_s(self) -> float:
        """Launches overlap with what they launch: they count where they are the longer part."""
        return max(self.products_s + self.moving_s + self.unpacking_s, self.launch_s)


def micro_batch_time(layout: Layout, job: TrainingJob, calibration: Calibration) -> MicroBatchTime:
    """Time of one micro-batch on one rank of the layout."""
    degrees = layout.parallelism
    ranks = degrees.tp * degrees.pp
    tokens = job.micro_batch_tokens / ranks
    stack = layout.stack.value
    share = calibration.value("training", "tensor_parallel", "software_share") if degrees.tp > 1 else 1.0
    passes = 3.0 if is_adapter(job) and job.recompute is Recompute.FULL else 2.0
    launch = calibration.value("training", stack, "layer_launch_s") * layout.model.num_layers / degrees.pp
    bandwidth = layout.machines.gpu.memory_bandwidth_bytes_per_s
    return MicroBatchTime(
        products_s=tokens * product_s_per_token(layout, job, calibration) / share,
        moving_s=tokens * moved_bytes_per_token(layout, job, calibration) / bandwidth,
        unpacking_s=passes * _unpacked_bytes(layout, job, calibration) / ranks / bandwidth,
        launch_s=launch,
    )


def product_s_per_token(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Seconds of arithmetic of a token over the whole model, if one GPU did it."""
    gpu = layout.machines.gpu
    flop = token_flop(layout.model, job.kind, job.sequence_tokens, job.recompute is Recompute.FULL)
    software = calibration.value("training", layout.stack.value, "arithmetic_share")
    subject = kernel_subject(calibration, "training", gpu, "", "product_share")
    rate = calibration.value("training", subject, "product_share") * software * gpu.bf16_flop_per_s
    rate *= power_factor(gpu, layout.machines.gpu_cap_w)
    half = calibration.value("training", "width", "half_hidden") * gpu.bf16_flop_per_s / REFERENCE_PEAK
    rate *= layout.model.hidden_size / (layout.model.hidden_size + half)
    attention = rate * calibration.value("training", "attention", "share")
    return (
        flop.layers / (rate * _format_gain(layout, job, calibration))
        + flop.head / rate
        + flop.attention / attention
    )


def _format_gain(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """How much faster the products of the layers run in the job's format than in BF16."""
    peak = layout.machines.gpu.fp8_flop_per_s
    if job.arithmetic is not Precision.FP8 or peak is None:
        return 1.0
    return peak / layout.machines.gpu.bf16_flop_per_s * calibration.value("training", "fp8", "share")


def moved_bytes_per_token(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Bytes the activations of one token move through memory, over the whole model."""
    passes = calibration.value("training", layout.stack.value, "activation_passes")
    return passes * MOVED_AGAIN[job.recompute] * layout.model.num_layers * live_bytes_per_token(layout.model)


def _unpacked_bytes(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Memory traffic of expanding the frozen 4-bit base to BF16 once, over the whole model."""
    if job.kind != "qlora":
        return 0.0
    return base_bytes(layout.model, job) * calibration.value("training", "qlora", "unpack_passes")

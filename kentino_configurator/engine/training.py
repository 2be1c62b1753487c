"""Training time: arithmetic by method, communication by layout and fabric, pipeline bubble, days with failures.

FLOP per token: 6 N' + 6 L h s for full training (4 N' for LoRA, whose base has no weight gradient), N' without an
untied input table; full recomputation adds a forward pass. TP: four all-reduces of 2 h bytes per token and layer
(six with recomputation). Data parallelism: gradients once per step, or with ZeRO-3 three parameter-sized collectives
per micro-step (two for LoRA). Bubble (p-1)/(m+p-1) (arXiv:2104.04473). ``T = max(T_comp, o T_comm) + (1-o) T_comm``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout, Recompute, Sharding, TrainingJob
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.message import message
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import Prediction, TrainingPerformance
from kentino_configurator.core.units import DAY_S, HOUR_S, YEAR_H, Unit
from kentino_configurator.engine.comms import all_gather_law, all_reduce_law, point_to_point_s
from kentino_configurator.engine.intervals import training_band
from kentino_configurator.engine.kernels import kernel_subject, power_factor
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.training_memory import (
    adapter_parameters,
    base_bytes,
    is_adapter,
    micro_batches,
    training_memory,
)

CHECKPOINT_S = 60.0
"""Time training stands still while a checkpoint is written."""

EXPOSED_SHARE = 0.25
"""Share of the step spent on communication from which a layout counts as bound by the interconnect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """Seconds of one optimizer step by cause; ``bubble`` is the idle share of the pipeline."""

    compute_s: float
    tensor_s: float
    data_s: float
    bubble: float
    total_s: float


def predict_training(
    layout: Layout, job: TrainingJob, calibration: Calibration, policy: Policy
) -> Prediction:
    """Memory and time of a training layout. A layout that cannot run has reasons and no performance."""
    memory = training_memory(layout, job, policy)
    reasons = layout_reasons(layout)
    if layout.weights_precision.is_four_bit and job.kind != "qlora":
        reasons = (*reasons, message("f.int4_not_for_training.text", kind=message(f"o.job.{job.kind}")))
    if reasons:
        return Prediction(memory=memory, performance=None, reasons=reasons)
    step = step_time(layout, job, calibration)
    return Prediction(memory=memory, performance=_performance(layout, job, step, calibration, policy))


def training_flop(model: ModelSpec, kind: str, tokens: float, sequence_tokens: int = 0) -> float:
    """Model FLOP of a whole run, without recomputation."""
    return tokens * flop_per_token(model, kind, sequence_tokens)


def flop_per_token(model: ModelSpec, kind: str, sequence_tokens: int, recompute: bool = False) -> float:
    """FLOP per trained token; with ``recompute`` those that the GPU executes under full recomputation."""
    passes = 4.0 if kind in ("lora", "qlora") else 6.0
    attention = 6.0 * model.num_layers * model.hidden_size * sequence_tokens
    forward = 2.0 * model.active_params + attention / 3.0
    return passes * model.active_params + attention + (forward if recompute else 0.0)


def sustained_flop_per_s(layout: Layout, calibration: Calibration) -> float:
    """FLOP/s one GPU sustains without communication: MFU of card and stack x dense BF16 peak.

    Narrow models reach less: the share ``h / (h + h_half)`` follows runs from 0.5B to 14B.
    """
    gpu = layout.machines.gpu
    subject = kernel_subject(calibration, "training", gpu, f"/{layout.stack.value}", "mfu")
    half = calibration.value("training", "width", "half_hidden")
    width = layout.model.hidden_size / (layout.model.hidden_size + half)
    mfu = calibration.value("training", subject, "mfu") * width
    return mfu * gpu.bf16_flop_per_s * power_factor(gpu, layout.machines.gpu_cap_w)


def min_tokens_per_gpu(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Tokens per GPU and micro-step from which full sharding hides its traffic: ``2 g F (n-1) / (n c B)``.

    Independent of the size of the model; full overlap assumed.
    """
    ranks = layout.parallelism.gpus
    if ranks < 2:
        return 0.0
    law = all_gather_law(layout.machines, ranks, calibration, layout.stack)
    per_byte = law.s_per_byte + law.remote_s_per_byte
    collectives = 2.0 if is_adapter(job) else 3.0
    per_parameter = flop_per_token(layout.model, job.kind, 0, job.recompute is Recompute.FULL)
    passes = per_parameter / layout.model.active_params
    return 2.0 * collectives * sustained_flop_per_s(layout, calibration) * per_byte / passes


def step_time(layout: Layout, job: TrainingJob, calibration: Calibration) -> StepTime:
    """Time of one optimizer step."""
    degrees = layout.parallelism
    rounds = micro_batches(layout, job)
    compute = rounds * _micro_compute_s(layout, job, calibration)
    tensor = rounds * _tensor_s(layout, job, calibration)
    bubble = (degrees.pp - 1) / (rounds + degrees.pp - 1)
    hand_over = rounds * _hand_over_s(layout, job, calibration)
    data = _data_s(layout, job, rounds, calibration)
    overlap = calibration.value("training", layout.stack.value, "overlap")
    tensor_overlap = calibration.value("training", layout.stack.value, "tensor_overlap")
    busy = (compute + (1.0 - tensor_overlap) * tensor + hand_over) / (1.0 - bubble)
    total = max(busy, overlap * data) + (1.0 - overlap) * data
    return StepTime(compute_s=compute, tensor_s=tensor, data_s=data, bubble=bubble, total_s=total)


def _micro_compute_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Arithmetic of one micro-batch on one rank; tensor parallelism makes the products smaller and launches more."""
    degrees = layout.parallelism
    flop = job.micro_batch_tokens * flop_per_token(
        layout.model, job.kind, job.sequence_tokens, job.recompute is Recompute.FULL
    )
    rate = sustained_flop_per_s(layout, calibration)
    if degrees.tp > 1:
        rate *= calibration.value("training", "tensor_parallel", "software_share")
    return flop / (degrees.tp * degrees.pp * rate)


def _tensor_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """All-reduces of one micro-batch on one stage."""
    degrees, model = layout.parallelism, layout.model
    if degrees.tp == 1:
        return 0.0
    per_layer = 6.0 if job.recompute is Recompute.FULL else 4.0
    law = all_reduce_law(layout.machines, degrees.tp, calibration, layout.stack)
    size = job.micro_batch_tokens * model.hidden_size * 2.0
    return per_layer * model.num_layers / degrees.pp * law.time_s(size)


def _hand_over_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Passing activations and their gradients to the neighbouring stages, half hidden behind compute."""
    degrees = layout.parallelism
    if degrees.pp == 1:
        return 0.0
    across = degrees.gpus_per_copy > layout.machines.gpus_per_node
    size = 2.0 * layout.model.hidden_size * job.micro_batch_tokens / degrees.tp
    return point_to_point_s(layout.machines, across, size * (degrees.tp if across else 1), calibration)


def _data_s(layout: Layout, job: TrainingJob, rounds: int, calibration: Calibration) -> float:
    """Traffic between data-parallel ranks of one step. Rings of several TP ranks share the node's NIC."""
    degrees, model = layout.parallelism, layout.model
    if degrees.dp == 1:
        return 0.0
    shards = degrees.tp * degrees.pp
    ranks = min(degrees.dp * degrees.tp, layout.machines.gpus_per_node * layout.machines.nodes)
    if job.sharding is Sharding.ZERO3:
        law = all_gather_law(layout.machines, ranks, calibration, layout.stack)
        times = rounds * (2.0 if is_adapter(job) else 3.0)
        size = base_bytes(model, job) / shards
    else:
        law = all_reduce_law(layout.machines, ranks, calibration, layout.stack)
        times = 1.0
        trained = adapter_parameters(model, job.lora_rank) if is_adapter(job) else model.text_params
        size = 2.0 * trained / shards
    shared_nic = (degrees.tp - 1) * law.remote_s_per_byte * size
    return times * (law.time_s(size) + shared_nic)


def _performance(
    layout: Layout, job: TrainingJob, step: StepTime, calibration: Calibration, policy: Policy
) -> TrainingPerformance:
    gpus = layout.parallelism.gpus
    batch = micro_batches(layout, job) * layout.parallelism.dp * job.micro_batch_tokens
    rate = batch / step.total_s
    executed = flop_per_token(layout.model, job.kind, job.sequence_tokens, job.recompute is Recompute.FULL)
    alone = sustained_flop_per_s(layout, calibration) / executed
    efficiency = min(1.0, rate / gpus / alone)
    tokens = job.dataset_tokens * job.epochs
    flop = training_flop(layout.model, job.kind, tokens, job.sequence_tokens)
    model_flop = flop_per_token(layout.model, job.kind, job.sequence_tokens)
    mfu = rate * model_flop / (gpus * layout.machines.gpu.bf16_flop_per_s)
    days = tokens / rate / DAY_S * (1.0 + lost_share(gpus, policy))
    width = training_band(layout, "rate", calibration)
    scaling = training_band(layout, "scaling", calibration).around(efficiency, Unit.SHARE)
    return TrainingPerformance(
        tokens_per_s=width.around(rate, Unit.TOKENS_PER_S),
        step_s=width.inverse().around(step.total_s, Unit.SECONDS),
        days=width.inverse().around(days, Unit.DAYS),
        mfu=width.around(mfu, Unit.SHARE),
        scaling_efficiency=scaling,
        flop_total=flop,
        bound_by=_bound_by(step),
    )


def lost_share(gpus: int, policy: Policy) -> float:
    """Share of time lost to checkpoints and failures at the best interval, ``sqrt(2 d / M)`` (Young 1974)."""
    per_s = gpus * policy["failures.per_gpu_year_high"] / (YEAR_H * HOUR_S)
    return math.sqrt(2.0 * CHECKPOINT_S * per_s)


def _bound_by(step: StepTime) -> str:
    """What limits the step: ``bubble``, ``interconnect`` or ``compute``."""
    if step.bubble > EXPOSED_SHARE:
        return "bubble"
    exposed = 1.0 - step.compute_s / (step.total_s * (1.0 - step.bubble))
    return "interconnect" if exposed > EXPOSED_SHARE else "compute"

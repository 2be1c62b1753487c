"""Training time: arithmetic by method, communication by layout and fabric, pipeline bubble, days with failures.

TP: four all-reduces of 2 h bytes per token and layer (six with recomputation). Data parallelism: gradients once per
step, or with ZeRO-3 three parameter-sized collectives per micro-step (two for LoRA). Bubble (p-1)/(v m + p-1) with v
chunks on a stage (arXiv:2104.04473). ``T = max(T_comp, o T_comm) + (1-o) T_comm``, o the overlap of the stack.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import (
    Layout,
    Offload,
    Parallelism,
    Recompute,
    Sharding,
    Stack,
    TrainingJob,
)
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.message import message
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import Prediction, TrainingPerformance
from kentino_configurator.core.units import DAY_S, HOUR_S, YEAR_H, Unit
from kentino_configurator.engine.comms import (
    Operation,
    all_gather_law,
    all_reduce_law,
    collective_law,
    host_link_bytes_per_s,
    point_to_point_s,
)
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.training_compute import micro_batch_time, token_flop
from kentino_configurator.engine.training_intervals import RATE, SCALING, training_width
from kentino_configurator.engine.training_memory import (
    base_bytes,
    is_adapter,
    micro_batches,
    state_bytes_per_gpu,
    trained_parameters,
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
    update_s: float = 0.0


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
    return token_flop(model, kind, sequence_tokens, recompute).total


def sustained_flop_per_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """FLOP/s one GPU executes on this job without any communication, recomputation counted."""
    alone = replace(layout, parallelism=Parallelism())
    flop = flop_per_token(layout.model, job.kind, job.sequence_tokens, job.recompute is Recompute.FULL)
    return flop * job.micro_batch_tokens / micro_batch_time(alone, job, calibration).total_s


def min_tokens_per_gpu(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Tokens per GPU and micro-step from which full sharding hides its traffic: ``2 g F (n-1) / (n c B)``.

    Independent of the size of the model; full overlap assumed.
    """
    ranks = layout.parallelism.gpus
    if ranks < 2:
        return 0.0
    law = all_gather_law(layout.machines, ranks, calibration, layout.stack)
    per_byte = law.s_per_byte
    collectives = 2.0 if is_adapter(job) else 3.0
    per_parameter = flop_per_token(layout.model, job.kind, 0, job.recompute is Recompute.FULL)
    passes = per_parameter / layout.model.active_params
    return 2.0 * collectives * sustained_flop_per_s(layout, job, calibration) * per_byte / passes


def step_time(layout: Layout, job: TrainingJob, calibration: Calibration) -> StepTime:
    """Time of one optimizer step."""
    degrees, stack = layout.parallelism, layout.stack.value
    rounds = micro_batches(layout, job)
    compute = rounds * micro_batch_time(layout, job, calibration).total_s
    tensor = rounds * _tensor_s(layout, job, calibration)
    bubble = (degrees.pp - 1) / (job.interleave * rounds + degrees.pp - 1)
    hand_over = rounds * _hand_over_s(layout, job, calibration)
    data = _data_s(layout, job, rounds, calibration) + _staged_weights_s(layout, job, rounds, calibration)
    update = _update_s(layout, job, calibration)
    overlap = _overlap(job, calibration)
    tensor_overlap = calibration.value("training", stack, "tensor_overlap")
    busy = (compute + (1.0 - tensor_overlap) * tensor + hand_over) / (1.0 - bubble)
    total = max(busy, overlap * data) + (1.0 - overlap) * data + update
    return StepTime(
        compute_s=compute, tensor_s=tensor, data_s=data, bubble=bubble, total_s=total, update_s=update
    )


def _overlap(job: TrainingJob, calibration: Calibration) -> float:
    """Share of data-parallel traffic that runs beside arithmetic: gathers are fetched ahead, sums wait for the end."""
    if job.sharding is Sharding.ZERO3:
        return calibration.value("training", "sharded", "gather_overlap")
    return calibration.value("training", "replicated", "overlap")


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
    shared = degrees.tp / layout.machines.rails if across else 1.0
    return point_to_point_s(layout.machines, across, size * max(1.0, shared), calibration)


def _data_s(layout: Layout, job: TrainingJob, rounds: int, calibration: Calibration) -> float:
    """Traffic between data-parallel ranks of one step. Rings of several TP ranks share the node's NICs."""
    degrees, model = layout.parallelism, layout.model
    if degrees.dp == 1:
        return 0.0
    shards = degrees.tp * degrees.pp
    ranks = min(degrees.dp * degrees.tp, layout.machines.gpus_per_node * layout.machines.nodes)
    if job.sharding is Sharding.ZERO3:
        operation, times = Operation.ALL_GATHER, rounds * (2.0 if is_adapter(job) else 3.0)
        size = base_bytes(model, job) / shards
    else:
        operation, times = Operation.ALL_REDUCE, 1.0
        size = 2.0 * trained_parameters(model, job) / shards
    law = collective_law(layout.machines, ranks, operation, calibration, layout.stack, rings=degrees.tp)
    return times * law.time_s(size)


def _staged_weights_s(layout: Layout, job: TrainingJob, rounds: int, calibration: Calibration) -> float:
    """Reading weights that lie in host memory, once per pass and micro-batch."""
    if job.offload is not Offload.STATE:
        return 0.0
    passes = 3.0 if job.recompute is Recompute.FULL else 2.0
    share = base_bytes(layout.model, job) / layout.parallelism.gpus
    return rounds * passes * share / host_link_bytes_per_s(layout.machines.gpu)


def _update_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """The optimizer: its state passes through the card's memory, over the host link, or is updated by the host."""
    _, gradients, optimizer = state_bytes_per_gpu(layout, replace(job, offload=Offload.NONE))
    gpu = layout.machines.gpu
    if job.offload is Offload.NONE or is_adapter(job):
        return 2.0 * (gradients + optimizer) / gpu.memory_bandwidth_bytes_per_s
    if layout.stack is Stack.TUNED:
        return 2.0 * optimizer / host_link_bytes_per_s(gpu)
    per_node = trained_parameters(layout.model, job) / layout.machines.nodes
    return per_node / calibration.value("training", "host", "updates_per_s")


def _performance(
    layout: Layout, job: TrainingJob, step: StepTime, calibration: Calibration, policy: Policy
) -> TrainingPerformance:
    gpus = layout.parallelism.gpus
    rate = step_tokens(layout, job) / step.total_s
    executed = flop_per_token(layout.model, job.kind, job.sequence_tokens, job.recompute is Recompute.FULL)
    alone = sustained_flop_per_s(layout, job, calibration) / executed
    efficiency = min(1.0, rate / gpus / alone)
    tokens = job.dataset_tokens * job.epochs
    flop = training_flop(layout.model, job.kind, tokens, job.sequence_tokens)
    model_flop = flop_per_token(layout.model, job.kind, job.sequence_tokens)
    mfu = rate * model_flop / (gpus * layout.machines.gpu.bf16_flop_per_s)
    days = tokens / rate / DAY_S * (1.0 + lost_share(gpus, policy))
    width = training_width(layout, RATE, calibration)
    scaling = training_width(layout, SCALING, calibration).around(efficiency, Unit.SHARE)
    return TrainingPerformance(
        tokens_per_s=width.around(rate, Unit.TOKENS_PER_S),
        step_s=width.inverse().around(step.total_s, Unit.SECONDS),
        days=width.inverse().around(days, Unit.DAYS),
        mfu=width.around(mfu, Unit.SHARE),
        scaling_efficiency=scaling,
        flop_total=flop,
        bound_by=_bound_by(step),
    )


def step_tokens(layout: Layout, job: TrainingJob) -> float:
    """Tokens of one optimizer step after rounding to whole micro-batches."""
    return micro_batches(layout, job) * layout.parallelism.dp * job.micro_batch_tokens


def lost_share(gpus: int, policy: Policy) -> float:
    """Share of time lost to checkpoints and failures at the best interval, ``sqrt(2 d / M)`` (Young 1974)."""
    per_s = gpus * policy["failures.per_gpu_year_high"] / (YEAR_H * HOUR_S)
    return math.sqrt(2.0 * CHECKPOINT_S * per_s)


def _bound_by(step: StepTime) -> str:
    """What limits the step: ``bubble``, ``interconnect`` or ``compute``."""
    if step.bubble > EXPOSED_SHARE:
        return "bubble"
    exposed = 1.0 - (step.compute_s + step.update_s) / (step.total_s * (1.0 - step.bubble))
    return "interconnect" if exposed > EXPOSED_SHARE else "compute"

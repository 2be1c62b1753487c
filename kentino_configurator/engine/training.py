"""Training time: arithmetic by method, communication by layout and fabric, pipeline bubble, days with failures.

TP: four all-reduces of 2 h bytes per token and layer (six with recomputation). Data parallelism: gradients once per
step, or with ZeRO-3 three parameter-sized collectives per micro-step (two for LoRA). Bubble (p-1)/(v m + p-1) with v
chunks on a stage (arXiv:2104.04473). ``T = max(T_comp, o T_comm) + (1-o) T_comm``, o the overlap of the stack.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout, Parallelism, Recompute, TrainingJob
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.message import message
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import Prediction, TrainingPerformance
from kentino_configurator.core.units import DAY_S, Unit
from kentino_configurator.engine.comms import all_gather_law
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.training_compute import micro_batch_time, token_flop
from kentino_configurator.engine.training_intervals import RATE, SCALING, training_width
from kentino_configurator.engine.training_memory import micro_batches, training_memory
from kentino_configurator.engine.training_run import lost_share
from kentino_configurator.engine.training_traffic import (
    DataTraffic,
    collectives_per_micro_batch,
    data_traffic,
    hand_over_s,
    tensor_s,
    update_s,
)

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
    collectives = collectives_per_micro_batch(job)
    per_parameter = flop_per_token(layout.model, job.kind, 0, job.recompute is Recompute.FULL)
    passes = per_parameter / layout.model.active_params
    return 2.0 * collectives * sustained_flop_per_s(layout, job, calibration) * per_byte / passes


def step_time(layout: Layout, job: TrainingJob, calibration: Calibration) -> StepTime:
    """Time of one optimizer step."""
    degrees = layout.parallelism
    rounds = micro_batches(layout, job)
    compute = rounds * micro_batch_time(layout, job, calibration).total_s
    tensor = rounds * tensor_s(layout, job, calibration)
    bubble = (degrees.pp - 1) / (job.interleave * rounds + degrees.pp - 1)
    hand_over = rounds * hand_over_s(layout, job, calibration)
    data = data_traffic(layout, job, rounds, calibration)
    update = update_s(layout, job, calibration)
    tensor_overlap = calibration.value("training", layout.stack.value, "tensor_overlap")
    busy = (compute + (1.0 - tensor_overlap) * tensor + hand_over) / (1.0 - bubble)
    beside = _beside(data, calibration)
    return StepTime(
        compute_s=compute,
        tensor_s=tensor,
        data_s=data.total_s,
        bubble=bubble,
        total_s=max(busy, beside) + data.total_s - beside + update,
        update_s=update,
    )


def _beside(data: DataTraffic, calibration: Calibration) -> float:
    """Traffic that runs beside arithmetic: gathers are fetched ahead, sums mostly wait for the end of the step."""
    gathers = calibration.value("training", "sharded", "gather_overlap")
    sums = calibration.value("training", "replicated", "overlap")
    return gathers * data.gathers_s + sums * data.sums_s


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


def _bound_by(step: StepTime) -> str:
    """What limits the step: ``bubble``, ``interconnect`` or ``compute``."""
    if step.bubble > EXPOSED_SHARE:
        return "bubble"
    exposed = 1.0 - (step.compute_s + step.update_s) / (step.total_s * (1.0 - step.bubble))
    return "interconnect" if exposed > EXPOSED_SHARE else "compute"

"""Serving performance of one copy: TTFT, TPOT and throughput in a steady closed loop, each with its interval.

TTFT is the time from sending a prompt to the first token of the answer; TPOT the mean time between the following
tokens, stalls by other users' prompts included.
"""

from __future__ import annotations

import math

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import Prediction, ServingPerformance
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.intervals import band
from kentino_configurator.engine.legality import layout_reasons
from kentino_configurator.engine.memory import serving_memory
from kentino_configurator.engine.queueing import ClosedLoop, Service, closed_loop
from kentino_configurator.engine.step_terms import step_model
from kentino_configurator.engine.steps import Batch, StepModel

INTERCONNECT_SHARE = 0.4
PREFILL_SHARE = 0.5
SETTLED = 0.98
SMALLEST_EXTRA = 0.05
"""A prompt lengthens its step by at least this share: a step with prompts leaves the decode graph."""


def predict_serving(
    layout: Layout, load: ServingLoad, calibration: Calibration, policy: Policy
) -> Prediction:
    """Memory and performance of one copy under its load.

    A layout that cannot run has reasons and no performance. Requests beyond what memory holds wait for a place.
    """
    memory = serving_memory(layout, load, policy)
    reasons = layout_reasons(layout)
    if reasons or memory.max_concurrency_at_context <= 0:
        return Prediction(memory=memory, performance=None, reasons=reasons)
    places = min(memory.max_concurrency_at_context, policy["serving.max_concurrency_per_copy"])
    steps = step_model(layout, calibration)
    running = max(1.0, min(float(load.concurrency), places))
    loop, service = steady_state(steps, load, running, layout.max_batched_tokens)
    waiting = (load.concurrency - running) / loop.answers_per_s if load.concurrency > running else 0.0
    performance = _performance(layout, load, steps, loop, service, waiting, calibration)
    return Prediction(memory=memory, performance=performance)


def steady_state(
    steps: StepModel, load: ServingLoad, running: float, max_batched_tokens: int
) -> tuple[ClosedLoop, Service]:
    """The closed loop of ``running`` requests.

    Solved once more when a good part of them is not decoding, or when prompts arrive faster than steps pass, so that
    several share one step.
    """
    service = service_times(steps, load, running, 1.0, max_batched_tokens)
    loop = closed_loop(service, running, running)
    decoding = max(1.0, running - loop.answers_per_s * loop.ttft_median_s)
    room = max(1.0, max_batched_tokens / fresh_tokens(load))
    together = min(max(1.0, loop.answers_per_s * service.mixed_step_s), room, running)
    if decoding < SETTLED * running or together > 1.0 / SETTLED:
        decoding = 0.5 * (decoding + running)
        service = service_times(steps, load, decoding, together, max_batched_tokens)
        loop = closed_loop(service, running, decoding)
    return loop, service


def service_times(
    steps: StepModel, load: ServingLoad, decoding: float, together: float, max_batched_tokens: int
) -> Service:
    """Times of one request with ``decoding`` requests, ``together`` prompts sharing a step with their decodes.

    In a pipeline the decoding requests form one batch per stage, and chunks follow each other through the stages. The
    last chunk is as short as what is left, but its step still decodes.
    """
    context = load.input_tokens + 0.5 * load.output_tokens
    in_flight = decoding / min(steps.stages, decoding)
    decode = Batch(decodes=in_flight, context=context)
    stage = steps.stage_s(decode)
    decode_step = stage if steps.stages == 1 else max(steps.stages * stage, steps.pass_s(decode))
    others = min(1.0, max(0.0, decoding - 1.0)) if load.output_tokens > 1 else 0.0
    beside = others * (max(0.0, in_flight - 1.0) if steps.stages == 1 else in_flight)
    chunk, chunks, past = prompt_chunks(load, beside, max_batched_tokens)
    mixed = Batch(decodes=beside, context=context, prompts=together, prompt_tokens=chunk, past=past)
    mixed_stage = steps.stage_s(mixed)
    own = mixed_stage if steps.stages == 1 else steps.pass_s(mixed)
    extra = max(mixed_stage - others * stage, SMALLEST_EXTRA * mixed_stage)
    return Service(
        decode_step_s=decode_step,
        mixed_step_s=mixed_stage,
        prompt_extra_s=chunks * extra / together,
        prompt_slot_s=max(1.0, chunks) * mixed_stage / together,
        prompt_service_s=own + (chunks - 1.0) * mixed_stage + (math.ceil(chunks) - chunks) * stage,
        decode_steps=load.output_tokens - 1.0,
        front_end_s=steps.front_end_s,
    )


def fresh_tokens(load: ServingLoad) -> float:
    """Prompt tokens that are not found in the prefix cache."""
    return max(1.0, load.input_tokens * (1.0 - load.prefix_reuse))


def prompt_chunks(load: ServingLoad, decoding: float, max_batched_tokens: int) -> tuple[float, float, float]:
    """(tokens per chunk, number of chunks, mean tokens before a chunk) of one prompt after prefix reuse."""
    fresh = fresh_tokens(load)
    reused = load.input_tokens - fresh
    chunk = min(fresh, max(1.0, max_batched_tokens - decoding))
    return chunk, fresh / chunk, max(0.0, reused + 0.5 * (fresh - chunk))


def _burst_s(load: ServingLoad, service: Service) -> float:
    """First token of the last of all users when everybody asks at once."""
    return service.prompt_service_s + (load.concurrency - 1.0) * service.prompt_extra_s


def _bound_by(steps: StepModel, loop: ClosedLoop, service: Service) -> str:
    """What limits this load: ``prefill`` time, the ``interconnect``, or reading ``memory``."""
    if loop.prefill_share > PREFILL_SHARE:
        return "prefill"
    exchanged = steps.communication_s(loop.decoding / steps.stages)
    return "interconnect" if exchanged > INTERCONNECT_SHARE * service.decode_step_s else "memory"


def _performance(
    layout: Layout,
    load: ServingLoad,
    steps: StepModel,
    loop: ClosedLoop,
    service: Service,
    waiting_s: float,
    calibration: Calibration,
) -> ServingPerformance:
    ttft, tpot = band(layout, "ttft", calibration), band(layout, "tpot", calibration)
    median = loop.ttft_median_s + waiting_s
    burst = max(_burst_s(load, service), median)
    p95 = min(max(loop.ttft_p95_s + waiting_s, median), burst)
    throughput = loop.answers_per_s * load.output_tokens
    per_user = tpot.inverse()
    late = calibration.value(
        "engine", "front_end", "late_s"
    )  # what slow front ends add, however short the prompt
    return ServingPerformance(
        ttft_s=ttft.around(median, Unit.SECONDS, late),
        ttft_p95_s=ttft.around(p95, Unit.SECONDS, late),
        ttft_burst_s=ttft.around(burst, Unit.SECONDS, late),
        tpot_s=tpot.around(loop.tpot_s, Unit.SECONDS),
        tokens_per_s_per_user=per_user.around(1.0 / loop.tpot_s, Unit.TOKENS_PER_S_USER),
        output_tokens_per_s=band(layout, "throughput", calibration).around(throughput, Unit.TOKENS_PER_S),
        prefill_tokens_per_s=band(layout, "prefill", calibration).around(
            fresh_tokens(load) / service.prompt_extra_s, Unit.TOKENS_PER_S
        ),
        bound_by=_bound_by(steps, loop, service),
    )

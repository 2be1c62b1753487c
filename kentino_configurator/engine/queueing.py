"""Closed loop of users on one copy: each sends a prompt, waits, reads the answer and sends the next.

The engine alternates between decode steps and steps that carry a chunk of prompt beside the decodes. With ``d``
requests decoding, a decode step of ``T`` seconds, ``p`` extra seconds per prompt and ``n`` decode steps per answer,
one second of engine time is ``X p + X n T / d``, hence ``X = d / (n T + d p)`` answers per second. Little's law
closes the loop: ``users = d + X TTFT``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What one request costs.

    A decode step with all requests and one that also carries prompts; the extra time a prompt causes, the time it
    occupies the slowest stage, the time until its own first token; and what tokenizer and HTTP front end add.
    """

    decode_step_s: float
    mixed_step_s: float
    prompt_extra_s: float
    prompt_slot_s: float
    prompt_service_s: float
    decode_steps: float
    front_end_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedLoop:
    """Steady state: answers per second, requests decoding, time between tokens, waits before the first token."""

    answers_per_s: float
    decoding: float
    tpot_s: float
    ttft_median_s: float
    ttft_p95_s: float
    prefill_share: float


def answers_per_s(service: Service, decoding: float) -> float:
    """Answers per second with ``decoding`` requests in their decode phase."""
    work = service.decode_steps * service.decode_step_s + decoding * service.prompt_extra_s
    return decoding / work if work > 0 else math.inf


def closed_loop(service: Service, users: float, decoding: float) -> ClosedLoop:
    """Steady state of ``users``, of whom about ``decoding`` decode.

    A prompt waits for the step in progress and for prompts before it; the prompt server is a queue with constant
    service, so the mean wait is ``rho s / 2 (1 - rho)``, never more than the queue the other users can form.
    """
    rate = answers_per_s(service, decoding)
    step = service.decode_step_s if users > 1 else 0.0
    busy = min(rate * service.prompt_slot_s, 0.98)
    longest_queue = max(0.0, users - 1.0) * service.prompt_extra_s
    base = service.front_end_s + service.prompt_service_s + 0.5 * step
    mean_wait = min(busy * service.prompt_slot_s / (2.0 * (1.0 - busy)), 0.5 * longest_queue)
    tail = service.prompt_slot_s / (2.0 * (1.0 - busy)) * math.log(max(1.0, 20.0 * busy))
    return ClosedLoop(
        answers_per_s=rate,
        decoding=decoding,
        tpot_s=service.decode_step_s + decoding * service.prompt_extra_s / max(1.0, service.decode_steps),
        ttft_median_s=base + mean_wait,
        ttft_p95_s=base + 0.5 * step + max(mean_wait, min(tail, longest_queue)),
        prefill_share=min(1.0, rate * service.prompt_extra_s),
    )

"""What a workload asks of the machine: one request's lengths, how many at once, how fast, until when.

A demand in requests/s is never compared with tokens/s: it becomes a concurrency by Little's law with the answer
time the customer asked for, and a token rate by its output length (see the question catalogue, load conversion).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kentino_configurator.core.layout import ServingLoad
from kentino_configurator.core.request import Growth, JobKind, Workload

DEFAULT_CONCURRENCY = 8
_NORMAL_99 = 2.3263478740408408  # 99 % quantile of the standard normal distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingDemand:
    """Demand of one interactive or batch workload. ``None`` targets are not asked for.

    ``batch_tokens`` is (read, written) over the whole corpus with ``deadline_s``; interactive jobs have neither.
    """

    workload: Workload
    concurrency: int
    output_tokens_per_s: float
    ttft_s: float | None
    tokens_per_s_per_user: float | None
    kv_tokens_per_request: float
    batch_tokens: tuple[float, float] | None = None
    deadline_s: float | None = None
    mean_concurrency: float | None = None

    def load(self, concurrency: int) -> ServingLoad:
        """The load on one copy that answers ``concurrency`` requests at once."""
        return ServingLoad(
            input_tokens=max(1, self.workload.input_tokens),
            output_tokens=max(1, self.workload.output_tokens),
            concurrency=concurrency,
            kv_tokens_per_request=self.kv_tokens_per_request,
            prefix_reuse=self.workload.prefix_reuse,
        )


def serving_demand(workload: Workload, growth: Growth) -> ServingDemand:
    """Demand of a workload at delivery, or at the grown load when growth is bought now."""
    factor = growth.factor if growth.buy_now else 1.0
    if workload.kind is JobKind.BATCH:
        return _batch_demand(workload, factor)
    rate = None if workload.requests_per_s is None else workload.requests_per_s * factor
    mean = None if rate is None else rate * answer_time_s(workload)
    stated = workload.concurrent_requests
    concurrency = math.ceil(stated * factor) if stated is not None else 0
    if mean is not None:
        concurrency = max(concurrency, poisson_99(mean))
    return ServingDemand(
        workload=workload,
        concurrency=concurrency or DEFAULT_CONCURRENCY,
        output_tokens_per_s=0.0 if rate is None else rate * workload.output_tokens,
        ttft_s=workload.ttft_s,
        tokens_per_s_per_user=workload.tokens_per_s_per_user,
        kv_tokens_per_request=reserved_tokens(workload),
        mean_concurrency=mean,
    )


def _batch_demand(workload: Workload, factor: float) -> ServingDemand:
    deadline_h = workload.deadline_hours
    return ServingDemand(
        workload=workload,
        concurrency=1,
        output_tokens_per_s=0.0,
        ttft_s=None,
        tokens_per_s_per_user=None,
        kv_tokens_per_request=workload.input_tokens + workload.output_tokens,
        batch_tokens=(workload.corpus_input_tokens * factor, workload.corpus_output_tokens * factor),
        deadline_s=None if deadline_h is None else deadline_h * 3600.0,
    )


def answer_time_s(workload: Workload) -> float:
    """Time one answer may take, from the targets (not from the machine); untargeted parts use 2 s and 15 tokens/s."""
    first = workload.ttft_s if workload.ttft_s is not None else 2.0
    speed = workload.tokens_per_s_per_user if workload.tokens_per_s_per_user is not None else 15.0
    return first + workload.output_tokens / speed


def reserved_tokens(workload: Workload) -> float:
    """Tokens of KV cache reserved per request: full context for the long share, typical length for the rest."""
    typical = workload.input_tokens + workload.output_tokens
    full = max(workload.max_context_tokens, typical)
    return workload.long_request_share * full + (1 - workload.long_request_share) * typical


def poisson_99(mean: float) -> int:
    """Smallest c with P(Poisson(mean) <= c) >= 0.99; above 1,000 by the normal approximation with correction."""
    if mean <= 0:
        return 1
    if mean > 1000:
        return math.ceil(mean + _NORMAL_99 * math.sqrt(mean) + 0.5)
    term = cumulative = math.exp(-mean) if mean < 700 else 0.0
    if cumulative == 0.0:
        return math.ceil(mean + _NORMAL_99 * math.sqrt(mean) + 0.5)
    count = 0
    while cumulative < 0.99:
        count += 1
        term *= mean / count
        cumulative += term
    return max(1, count)

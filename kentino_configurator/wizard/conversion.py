"""From people or a request rate to the number of requests that are answered at the same moment.

A finite group whose members ask independently is binomial: of A active people each is being answered with
probability p = R / (R + think time). A rate without people is Poisson. The planned figure is enough in 99 %
of all moments.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kentino_configurator.wizard.questions import questionnaire

_SIGMAS_BELOW = 12
_ROUNDING_ERROR = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A load in all its forms; nothing here depends on the machine.

    ``response_s`` is the time one answer takes when the targets are just met. ``busy_share`` is the share of
    time in which a person is being answered, 0 for a bare rate.
    """

    active: int
    response_s: float
    busy_share: float
    mean_concurrency: float
    planned_concurrency: int
    requests_per_s: float


def response_s(output_tokens: float, ttft_s: float | None, tokens_per_s: float | None) -> float:
    """Wait for the first word plus writing time, s. A target of ``None`` counts like the word "fluent"."""
    fluent = questionnaire().latency_words["fluent"]
    first = fluent.ttft_s if ttft_s is None else ttft_s
    speed = fluent.tokens_per_s_per_user if tokens_per_s is None else tokens_per_s
    assert first is not None and speed is not None
    return first + output_tokens / speed


def from_people(named_users: int, active_share: float, think_time_s: float, response: float) -> Conversion:
    """Load of ``named_users`` people of whom ``active_share`` (0 to 1) work with it in the busiest hour."""
    active = max(1, math.ceil(named_users * active_share - _ROUNDING_ERROR))
    busy_share = response / (response + think_time_s)
    return Conversion(
        active=active,
        response_s=response,
        busy_share=busy_share,
        mean_concurrency=active * busy_share,
        planned_concurrency=max(1, binomial_quantile(active, busy_share, _quantile())),
        requests_per_s=active / (response + think_time_s),
    )


def from_rate(requests_per_s: float, response: float) -> Conversion:
    """Load of a request rate, requests/s, whose senders are not known."""
    mean = requests_per_s * response
    return Conversion(
        active=0,
        response_s=response,
        busy_share=0.0,
        mean_concurrency=mean,
        planned_concurrency=max(1, poisson_quantile(mean, _quantile())),
        requests_per_s=requests_per_s,
    )


def binomial_quantile(trials: int, probability: float, quantile: float) -> int:
    """Smallest c with P(Binomial(trials, probability) <= c) >= quantile."""
    if probability >= 1:
        return trials
    if trials == 0 or probability <= 0:
        return 0
    mean = trials * probability
    count = _start(mean, math.sqrt(mean * (1 - probability)))
    term = math.exp(
        math.lgamma(trials + 1)
        - math.lgamma(count + 1)
        - math.lgamma(trials - count + 1)
        + count * math.log(probability)
        + (trials - count) * math.log1p(-probability)
    )
    odds = probability / (1 - probability)
    cumulative = term
    while cumulative < quantile and count < trials:
        term *= (trials - count) / (count + 1) * odds
        count += 1
        cumulative += term
    return count


def poisson_quantile(mean: float, quantile: float) -> int:
    """Smallest c with P(Poisson(mean) <= c) >= quantile."""
    if mean <= 0:
        return 0
    count = _start(mean, math.sqrt(mean))
    term = math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
    cumulative = term
    limit = mean + _SIGMAS_BELOW * math.sqrt(mean) + _SIGMAS_BELOW
    while cumulative < quantile and count < limit:
        count += 1
        term *= mean / count
        cumulative += term
    return count


def _start(mean: float, deviation: float) -> int:
    """Where summing may start: the probability below is smaller than rounding errors."""
    return max(0, math.floor(mean - _SIGMAS_BELOW * deviation))


def _quantile() -> float:
    return questionnaire().figures["peak_quantile"]

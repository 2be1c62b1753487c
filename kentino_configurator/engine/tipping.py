"""Where the answer changes: the value of one input at which the chosen machine stops being enough, or a cheaper one is.

Found by bisection over the same search that decided; nothing here is typed by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from kentino_configurator.core.decision import TippingPoint, Verdict
from kentino_configurator.core.message import Message, message
from kentino_configurator.core.request import JobKind, Request, Workload
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.outcome import Outcome, find_outcome
from kentino_configurator.engine.plan import Plan, is_same_machine
from kentino_configurator.engine.search import plan_on_nodes
from kentino_configurator.engine.wording import plan_name

_LARGEST = {"concurrent_requests": 20_000.0, "requests_per_s": 200_000.0, "dataset_tokens": 1e14}
_STEPS = 24
_SMALLEST_DEADLINE_SHARE = 50.0
"""A deadline further below the present one than this factor is not a question anybody asks."""


def tipping_points(request: Request, outcome: Outcome, context: Context) -> tuple[TippingPoint, ...]:
    """Tipping points of the main workload, nearest first; none without a machine of ours."""
    plan = outcome.plan
    if plan is None or plan.fabric is not None:
        return ()
    index = next(i for i, w in enumerate(request.workloads) if w.name == plan.main.workload.name)
    found = [
        point
        for field, direction in _drivers(request.workloads[index])
        if (point := _point(request, index, field, direction, plan, context)) is not None
    ]
    return tuple(sorted(found, key=lambda p: abs(math.log(p.at / p.now)) if p.now > 0 and p.at > 0 else 99.0))


def _drivers(workload: Workload) -> Iterator[tuple[str, int]]:
    """Inputs that can move the answer, each with a direction of change (+1 more demanding by a larger value)."""
    if workload.kind.is_training:
        yield "dataset_tokens", 1
        if workload.deadline_days is not None:
            yield "deadline_days", -1
    elif workload.kind is JobKind.BATCH:
        if workload.deadline_hours is not None:
            yield "deadline_hours", -1
    else:
        load = "requests_per_s" if workload.requests_per_s is not None else "concurrent_requests"
        if getattr(workload, load) is not None:
            yield load, 1
            yield load, 0
        yield "max_context_tokens", 1


def _with(request: Request, index: int, field: str, value: float) -> Request:
    workloads = list(request.workloads)
    whole = field in ("concurrent_requests", "max_context_tokens")
    changed: dict[str, float | int] = {field: int(value) if whole else value}
    workloads[index] = replace(workloads[index], **changed)  # type: ignore[arg-type]
    return replace(request, workloads=tuple(workloads))


def _point(
    request: Request, index: int, field: str, direction: int, plan: Plan, context: Context
) -> TippingPoint | None:
    now = float(getattr(request.workloads[index], field))

    def held(value: float) -> bool:
        changed = plan_on_nodes(_with(request, index, field, value), plan.offer, plan.is_four_bit, context)
        return isinstance(changed, Plan) and changed.nodes <= plan.nodes

    def cheaper(value: float) -> bool:
        best = find_outcome(_with(request, index, field, value), context).plan
        return best is not None and best.ranking_eur < plan.ranking_eur

    if direction == 0:
        at = _last_below(now, cheaper)
    elif direction > 0:
        at = _first_above(now, held, _limit(request.workloads[index], field))
    else:
        at = _first_below(now, held)
    if at is None or at == now:
        return None
    outcome = find_outcome(_with(request, index, field, at), context)
    if outcome.plan is not None and is_same_machine(outcome.plan, plan):
        return None
    becomes, verdict = _becomes(outcome)
    return TippingPoint(
        field=f"workloads[{index}].{field}",
        now=now,
        at=at,
        direction=1 if at > now else -1,
        becomes=becomes,
        verdict=verdict,
    )


def _limit(workload: Workload, field: str) -> float:
    return float(workload.model.max_context) if field == "max_context_tokens" else _LARGEST[field]


def _whole(value: float, now: float) -> float:
    return float(round(value)) if now == int(now) and now >= 1 else value


def _first_above(now: float, holds: Callable[[float], bool], largest: float) -> float | None:
    """Smallest value above ``now`` at which ``holds`` fails, ``None`` when it holds up to ``largest``."""
    low, high = now, now * 2
    while high < largest and holds(high):
        low, high = high, high * 2
    high = min(high, largest)
    if high <= now or holds(high):
        return None
    return _bisect(low, high, holds, now)


def _bisect(holds_at: float, fails_at: float, holds: Callable[[float], bool], now: float) -> float:
    """The failing end after narrowing to 1 %, or to 1 for whole numbers."""
    for _ in range(_STEPS):
        middle = _whole((holds_at + fails_at) / 2, now)
        if middle in (holds_at, fails_at) or abs(fails_at - holds_at) <= 0.01 * abs(fails_at):
            break
        if holds(middle):
            holds_at = middle
        else:
            fails_at = middle
    return fails_at


def _first_below(now: float, holds: Callable[[float], bool]) -> float | None:
    """Largest value below ``now`` at which ``holds`` fails."""
    low = now / _SMALLEST_DEADLINE_SHARE
    return None if holds(low) else _bisect(now, low, holds, now)


def _last_below(now: float, cheaper: Callable[[float], bool]) -> float | None:
    """Largest value below ``now`` at which something cheaper is enough, ``None`` when nothing ever is."""
    smallest = 1.0 if now >= 1 else now / 100
    if now <= smallest or not cheaper(smallest):
        return None
    return _holding_end(smallest, now, cheaper)


def _holding_end(holds_at: float, fails_at: float, holds: Callable[[float], bool]) -> float:
    now = fails_at
    for _ in range(_STEPS):
        middle = _whole((holds_at + fails_at) / 2, now)
        if middle in (holds_at, fails_at):
            break
        if holds(middle):
            holds_at = middle
        else:
            fails_at = middle
    return holds_at


def _becomes(outcome: Outcome) -> tuple[Message, Verdict]:
    if outcome.plan is not None and outcome.verdict is not None:
        return plan_name(outcome.plan), outcome.verdict
    verdict = Verdict.REFER_SXM if outcome.frontier else Verdict.NO_ANSWER
    return message(f"v.{verdict.value}.title"), verdict

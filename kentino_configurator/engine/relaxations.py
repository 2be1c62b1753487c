"""When nothing fits: which limit binds, and the nearest thing that works when one condition is given up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from kentino_configurator.core.decision import Alternative, LimitMet
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.message import Arg, Message, message
from kentino_configurator.core.request import Request, Site
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.alternatives import of_plan
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.outcome import find_outcome
from kentino_configurator.engine.plan import Plan
from kentino_configurator.engine.site_limits import circuit_power_w
from kentino_configurator.engine.wording import plan_name, quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation:
    """One condition given up: its name, the changed request, and what was asked."""

    name: str
    request: Request
    asked: Arg


Give = Callable[[Request, Context], Iterator[Relaxation]]


def _site(request: Request, context: Context) -> Iterator[Relaxation]:
    site = request.site
    watts = circuit_power_w(site, context.policy)
    if watts is not None:
        freed = replace(request, site=replace(site, circuits=None))
        yield Relaxation(name="circuits", request=freed, asked=quantity(watts, Unit.WATTS))
    if site.office:
        freed = replace(request, site=replace(site, office=False, rack_units=None))
        yield Relaxation(name="office", request=freed, asked=message("e.limit.office"))
    if watts is not None or site.office or site.rack_units is not None or site.cooling_kw is not None:
        freed = replace(request, site=Site())
        yield Relaxation(name="site", request=freed, asked=message("e.limit.site"))


def _limits(request: Request, context: Context) -> Iterator[Relaxation]:
    limits = request.limits
    if limits.max_nodes is not None:
        freed = replace(request, limits=replace(limits, max_nodes=None))
        yield Relaxation(name="max_nodes", request=freed, asked=quantity(limits.max_nodes, Unit.NODES))
    if limits.gpu_ids is not None:
        freed = replace(request, limits=replace(limits, gpu_ids=None))
        names = ", ".join(context.snapshot.gpus[i].name for i in limits.gpu_ids)
        yield Relaxation(name="gpus", request=freed, asked=names)
    if not limits.allow_int4:
        freed = replace(request, limits=replace(limits, allow_int4=True))
        yield Relaxation(name="allow_int4", request=freed, asked=message("e.limit.no_int4"))


def _targets(request: Request, context: Context) -> Iterator[Relaxation]:
    workloads = request.workloads
    if any(w.ttft_s is not None or w.tokens_per_s_per_user is not None for w in workloads):
        eased = tuple(replace(w, ttft_s=None, tokens_per_s_per_user=None) for w in workloads)
        asked = _slowest_target(request)
        yield Relaxation(name="targets", request=replace(request, workloads=eased), asked=asked)
    if any(w.deadline_days is not None or w.deadline_hours is not None for w in workloads):
        eased = tuple(replace(w, deadline_days=None, deadline_hours=None) for w in workloads)
        yield Relaxation(
            name="deadline", request=replace(request, workloads=eased), asked=message("e.limit.deadline")
        )


def _slowest_target(request: Request) -> Arg:
    speeds = [w.tokens_per_s_per_user for w in request.workloads if w.tokens_per_s_per_user]
    if speeds:
        return quantity(max(speeds), Unit.TOKENS_PER_S_USER)
    waits = [w.ttft_s for w in request.workloads if w.ttft_s]
    return quantity(min(waits), Unit.SECONDS)


def _precision(request: Request, context: Context) -> Iterator[Relaxation]:
    if any(w.weights_precision is not Precision.AUTO for w in request.workloads):
        eased = tuple(replace(w, weights_precision=Precision.AUTO) for w in request.workloads)
        asked = ", ".join(w.weights_precision.value for w in request.workloads)
        yield Relaxation(name="precision", request=replace(request, workloads=eased), asked=asked)


GIVEN_UP: tuple[Give, ...] = (_site, _limits, _precision, _targets)


def relaxations(request: Request, context: Context) -> tuple[Relaxation, ...]:
    """Every single condition that can be given up."""
    return tuple(item for give in GIVEN_UP for item in give(request, context))


def nearest(
    request: Request, context: Context
) -> tuple[tuple[Alternative, ...], tuple[LimitMet, ...], tuple[Message, ...]]:
    """Configurations that work with one condition (else two) changed, the limits behind them, and what is needed."""
    found = list(_working(relaxations(request, context), context))
    if not found:
        found = list(_working(_pairs(request, context), context))
    if not found:
        return (), _all_conditions(request, context), _all_needed(request, context)
    found.sort(key=lambda pair: pair[1].ranking_eur)
    options = tuple(_alternative(item, plan) for item, plan in found[:3])
    limits = tuple(
        LimitMet(name=item.name, asked=item.asked, best=plan_name(plan)) for item, plan in found[:3]
    )
    needed = tuple(message("e.needed", condition=_condition(item.name)) for item, _ in found[:3])
    return options, limits, needed


def _all_conditions(request: Request, context: Context) -> tuple[LimitMet, ...]:
    """Every condition, where no two of them together are the obstacle."""
    nothing = message("e.nothing_found")
    conditions = relaxations(request, context)
    if not conditions:
        return (LimitMet(name="catalog", asked=message("e.limit.job"), best=nothing),)
    return tuple(LimitMet(name=item.name, asked=item.asked, best=nothing) for item in conditions)


def _all_needed(request: Request, context: Context) -> tuple[Message, ...]:
    names = [item.name for item in relaxations(request, context)] or ["catalog"]
    return tuple(message("e.needed", condition=_condition(name)) for name in names)


def _pairs(request: Request, context: Context) -> tuple[Relaxation, ...]:
    """Two conditions given up together, each pair once."""
    pairs: dict[frozenset[str], Relaxation] = {}
    for first in relaxations(request, context):
        for second in relaxations(first.request, context):
            name = f"{first.name}+{second.name}"
            pair = Relaxation(name=name, request=second.request, asked=first.asked)
            pairs.setdefault(frozenset((first.name, second.name)), pair)
    return tuple(pairs.values())


def _working(items: tuple[Relaxation, ...], context: Context) -> Iterator[tuple[Relaxation, Plan]]:
    for item in items:
        plan = find_outcome(item.request, Context(context.snapshot, context.offers)).plan
        if plan is not None:
            yield item, plan


def _condition(name: str) -> Arg:
    parts = [message(f"e.condition.{part}") for part in name.split("+")]
    return parts[0] if len(parts) == 1 else message("n.list_pair", first=parts[0], second=parts[1])


def _alternative(item: Relaxation, plan: Plan) -> Alternative:
    why = message("e.alt.relaxed", machine=plan_name(plan), condition=_condition(item.name))
    return replace(of_plan("nearest", plan, why), changed=item.name)

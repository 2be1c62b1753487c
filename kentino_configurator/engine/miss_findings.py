"""What stopped every machine of ours, as one finding with its numbers: the miss that came closest."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kentino_configurator.core.decision import Finding, Severity
from kentino_configurator.core.message import Arg, message
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.core.request import Request
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.demand import serving_demand
from kentino_configurator.engine.outcome import Outcome
from kentino_configurator.engine.performance import predict_serving
from kentino_configurator.engine.plan import Rejection
from kentino_configurator.engine.referral import is_referral
from kentino_configurator.engine.site_limits import circuit_power_w
from kentino_configurator.engine.training import training_flop
from kentino_configurator.engine.units import eight_bit_precisions
from kentino_configurator.engine.weights import weights_bytes
from kentino_configurator.engine.wording import quantity, share

Args = dict[str, Arg]
_Build = Callable[[Rejection, Request, Context], Args | None]


def nearest_miss(request: Request, outcome: Outcome, context: Context) -> Iterator[Finding]:
    """The finding of the rejection nearest to a yes; none when a plan was found or the job is frontier work."""
    if outcome.plan is not None or outcome.frontier is not None:
        return
    for rejection in sorted(outcome.rejections, key=_distance):
        build = _BUILDERS.get(rejection.rule)
        args = build(rejection, request, context) if build else None
        if args is not None:
            yield Finding(rule=rejection.rule, severity=Severity.BLOCK, args=args, weight=1.0)
            return


def _distance(rejection: Rejection) -> tuple[bool, bool, int]:
    site_only = rejection.workload is None
    return not is_referral(rejection), not site_only, -rejection.offer.gpu_count * rejection.nodes


def _bound(rejection: Rejection, request: Request, context: Context) -> Arg:
    """What limits the step of the layout that missed: memory, compute or the links."""
    assert rejection.workload is not None
    if rejection.layout is None:
        return message("e.bound.memory")
    demand = serving_demand(rejection.workload, request.growth)
    prediction = predict_serving(rejection.layout, demand.load(1), context.calibration, context.policy)
    performance = prediction.performance
    name = performance.bound_by if isinstance(performance, ServingPerformance) else ""
    return message(f"e.bound.{name or 'memory'}")


def _ttft(rejection: Rejection, request: Request, context: Context) -> Args | None:
    workload = rejection.workload
    if workload is None or rejection.reached is None:
        return None
    return {
        "ttft": rejection.reached,
        "target": quantity(workload.ttft_s or 0.0, Unit.SECONDS),
        "input": quantity(workload.input_tokens, Unit.TOKENS),
        "bound": message("e.bound.prefill"),
        "option": message("e.option.longer_wait"),
    }


def _speed(rejection: Rejection, request: Request, context: Context) -> Args | None:
    workload = rejection.workload
    if workload is None or rejection.reached is None:
        return None
    return {
        "speed": rejection.reached,
        "target": quantity(workload.tokens_per_s_per_user or 0.0, Unit.TOKENS_PER_S_USER),
        "bound": _bound(rejection, request, context),
        "option": message("e.option.nvlink"),
    }


def _deadline(rejection: Rejection, request: Request, context: Context) -> Args | None:
    workload, days = rejection.workload, rejection.reached
    if workload is None or days is None or isinstance(days, float) or not workload.deadline_days:
        return None
    tokens = workload.dataset_tokens * workload.epochs
    surplus = max(0.0, 1 - workload.deadline_days / days.high)
    return {
        "days": days,
        "deadline": quantity(workload.deadline_days, Unit.DAYS),
        "flops": quantity(training_flop(workload.model, workload.kind.value, tokens), Unit.FLOP),
        "needed": message("e.option.nvlink"),
        "tokens": quantity(tokens * surplus, Unit.TOKENS),
    }


def _circuit(rejection: Rejection, request: Request, context: Context) -> Args | None:
    have = circuit_power_w(request.site, context.policy)
    if have is None:
        return None
    offer, margin = rejection.offer, context.policy["circuit.continuous_share"]
    need = offer.ac_w.expected * rejection.nodes
    return {
        "circuit": quantity(have, Unit.WATTS),
        "power": quantity(need, Unit.WATTS),
        "needed": quantity(need / margin, Unit.WATTS),
        "margin": share(margin),
        "cap": message("n.not_known"),
        "alternative": message("e.option.smaller_node"),
    }


def _memory(rejection: Rejection, request: Request, context: Context) -> Args | None:
    workload, layout = rejection.workload, rejection.layout
    if workload is None or layout is None:
        return None
    demand = serving_demand(workload, request.growth)
    prediction = predict_serving(layout, demand.load(1), context.calibration, context.policy)
    memory, gpus = prediction.memory, layout.parallelism.gpus_per_copy
    left = max(0.0, memory.free + memory.kv_cache) * gpus
    return {
        "concurrency": quantity(demand.concurrency, Unit.REQUESTS),
        "need": quantity(memory.kv_cache * gpus * demand.concurrency, Unit.BYTES),
        "left": quantity(left, Unit.BYTES),
        "fits": quantity(int(memory.max_concurrency_at_context), Unit.REQUESTS),
        "tokens": quantity(int(memory.kv_capacity_tokens / demand.concurrency), Unit.TOKENS),
    }


def _weights(rejection: Rejection, request: Request, context: Context) -> Args | None:
    workload = rejection.workload
    precisions = () if workload is None else eight_bit_precisions(workload, rejection.offer.gpu)
    if workload is None or not precisions:
        return None
    vram = rejection.offer.gpu.vram_bytes * rejection.offer.gpu_count * rejection.nodes
    return {
        "share": share(weights_bytes(workload.model, precisions[0]) / vram),
        "ceiling": share(context.policy["weights.ceiling_share"]),
        "option": message("e.option.smaller_or_more"),
    }


_BUILDERS: dict[str, _Build] = {
    "ttft_missed": _ttft,
    "speed_missed": _speed,
    "deadline_missed": _deadline,
    "circuit_too_small": _circuit,
    "kv_does_not_fit": _memory,
    "weights_over_ceiling": _weights,
}

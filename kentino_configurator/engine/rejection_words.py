"""Why an offer was rejected and what would bring it back, as messages of the finding that says it."""

from __future__ import annotations

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Message, message
from kentino_configurator.core.request import Request, Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.demand import serving_demand
from kentino_configurator.engine.plan import Rejection
from kentino_configurator.engine.site_limits import circuit_power_w
from kentino_configurator.engine.units import eight_bit_precisions
from kentino_configurator.engine.weights import weights_bytes
from kentino_configurator.engine.wording import layout_name, quantity, share


def reason_of(rejection: Rejection, request: Request, context: Context) -> Message:
    """One sentence: the rule with its numbers."""
    build = {
        "weights_over_ceiling": _weights,
        "kv_does_not_fit": _memory,
        "ttft_missed": _ttft,
        "speed_missed": _speed,
        "deadline_missed": _deadline,
        "training_state_too_large": _state,
        "below_efficiency_gate": _gate,
        "circuit_too_small": _circuit,
    }.get(rejection.rule)
    return build(rejection, request, context) if build else message(f"e.reject.{rejection.rule or 'other'}")


def change_of(rejection: Rejection, request: Request, context: Context) -> Message | None:
    """What would bring the offer back, in general words of its rule."""
    known = {
        "weights_over_ceiling": "e.change.smaller_model",
        "kv_does_not_fit": "e.change.less_context",
        "ttft_missed": "e.change.longer_wait",
        "speed_missed": "e.change.slower_text",
        "deadline_missed": "e.change.later_date",
        "training_state_too_large": "e.change.fewer_bytes",
        "circuit_too_small": "e.change.circuit",
        "J12": "e.change.other_room",
        "J1": "e.change.rack",
        "max_nodes": "e.change.more_nodes",
    }.get(rejection.rule)
    return None if known is None else message(known)


def _workload(rejection: Rejection) -> Workload:
    assert rejection.workload is not None
    return rejection.workload


def _weights(rejection: Rejection, request: Request, context: Context) -> Message:
    workload = _workload(rejection)
    precisions = eight_bit_precisions(workload, rejection.offer.gpu)
    precision = precisions[0] if precisions else workload.weights_precision
    vram = rejection.offer.gpu.vram_bytes * rejection.offer.gpu_count * rejection.nodes
    return message(
        "f.weights_over_ceiling.text",
        share=share(weights_bytes(workload.model, precision) / vram),
        ceiling=share(context.policy["weights.ceiling_share"]),
    )


def _memory(rejection: Rejection, request: Request, context: Context) -> Message:
    demand = serving_demand(_workload(rejection), request.growth)
    fits = rejection.reached if isinstance(rejection.reached, float) else 0.0
    return message(
        "e.reject.memory",
        fits=quantity(int(fits), Unit.REQUESTS),
        tokens=quantity(demand.kv_tokens_per_request, Unit.TOKENS),
    )


def _reached(rejection: Rejection) -> Arg:
    return rejection.reached if rejection.reached is not None else message("n.not_known")


def _ttft(rejection: Rejection, request: Request, context: Context) -> Message:
    target = _workload(rejection).ttft_s or 0.0
    return message("f.ttft_missed.text", ttft=_reached(rejection), target=quantity(target, Unit.SECONDS))


def _speed(rejection: Rejection, request: Request, context: Context) -> Message:
    target = _workload(rejection).tokens_per_s_per_user or 0.0
    return message(
        "f.speed_missed.text", speed=_reached(rejection), target=quantity(target, Unit.TOKENS_PER_S_USER)
    )


def _deadline(rejection: Rejection, request: Request, context: Context) -> Message:
    deadline = _workload(rejection).deadline_days or 0.0
    return message("f.deadline_missed.text", days=_reached(rejection), deadline=quantity(deadline, Unit.DAYS))


def _state(rejection: Rejection, request: Request, context: Context) -> Message:
    vram = rejection.offer.gpu.vram_bytes * rejection.offer.gpu_count * rejection.nodes
    state = rejection.reached if isinstance(rejection.reached, float) else 0.0
    return message(
        "f.training_state_too_large.text",
        state=quantity(state, Unit.BYTES),
        vram=quantity(vram, Unit.BYTES),
    )


def _gate(rejection: Rejection, request: Request, context: Context) -> Message:
    layout = "" if rejection.layout is None else layout_name(rejection.layout.parallelism)
    efficiency = rejection.reached.expected if isinstance(rejection.reached, Estimate) else 0.0
    return message(
        "f.below_efficiency_gate.text",
        layout=layout,
        efficiency=share(efficiency),
        gate=share(context.policy["efficiency.gate"]),
    )


def _circuit(rejection: Rejection, request: Request, context: Context) -> Message:
    have = circuit_power_w(request.site, context.policy) or 0.0
    need = rejection.offer.ac_w.expected * rejection.nodes
    return message(
        "f.circuit_too_small.text", circuit=quantity(have, Unit.WATTS), power=quantity(need, Unit.WATTS)
    )

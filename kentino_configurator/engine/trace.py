"""The article's five questions in the article's order, each answered with numbers; one of them decided."""

from __future__ import annotations

from collections.abc import Mapping

from kentino_configurator.core.decision import Formula, TraceAnswer, TraceEntry, Verdict
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.message import Arg, message
from kentino_configurator.core.prediction import ServingPerformance, TrainingPerformance
from kentino_configurator.core.request import JobKind, Request, Workload
from kentino_configurator.core.units import GPU_MONTH_S, Unit
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.demand import ServingDemand, serving_demand
from kentino_configurator.engine.outcome import Outcome
from kentino_configurator.engine.plan import Placement
from kentino_configurator.engine.search import cheapest
from kentino_configurator.engine.training import training_flop
from kentino_configurator.engine.weights import weights_bytes
from kentino_configurator.engine.wording import layout_name, quantity, share

REFERENCE_GPU = "rtx-pro-6000-server"
REFERENCE_COUNT = 8


def trace(request: Request, outcome: Outcome, verdict: Verdict, context: Context) -> tuple[TraceEntry, ...]:
    """Five entries; the one that decided follows from the verdict."""
    decided = deciding_question(verdict, outcome)
    answers = (
        _fits_eight_bit(request, context),
        _fits_four_bit(request, context),
        _throughput(request, outcome, context),
        _training(request, outcome, context),
        _pretraining(outcome, context),
    )
    return tuple(
        TraceEntry(number=n, answer=answer, args=args, decided=n == decided, formulas=formulas)
        for n, (answer, args, formulas) in enumerate(answers, start=1)
    )


def deciding_question(verdict: Verdict, outcome: Outcome) -> int:
    """Which question settled the verdict: fit, 4-bit fit, amount of work, training state, frontier; 0 = none could."""
    if verdict is Verdict.REFER_SXM:
        return 5 if outcome.frontier is not None else 4 if _is_about_training(outcome) else 1
    if verdict is Verdict.MULTI_NODE:
        assert outcome.plan is not None
        return 4 if outcome.plan.main.workload.kind.is_training else 3 if outcome.eight_bit else 2
    return {Verdict.SINGLE_NODE: 1, Verdict.SINGLE_NODE_INT4: 2, Verdict.REPLICAS: 3}.get(verdict, 0)


def _is_about_training(outcome: Outcome) -> bool:
    return any(r.workload is not None and r.workload.kind.is_training for r in outcome.rejections)


_Answer = tuple[TraceAnswer, Mapping[str, Arg], tuple[Formula, ...]]


def largest_workload(request: Request) -> Workload:
    """The workload with the largest model."""
    return max(request.workloads, key=lambda workload: workload.model.text_params)


def _reference(context: Context) -> GpuSpec:
    return context.snapshot.gpus[REFERENCE_GPU]


def _weights_answer(workload: Workload, precision: Precision, context: Context) -> _Answer:
    weights = weights_bytes(workload.model, precision)
    vram = _reference(context).vram_bytes * REFERENCE_COUNT
    part = weights / vram
    ceiling, comfortable = (context.policy[f"weights.{name}_share"] for name in ("ceiling", "comfortable"))
    answer = (
        TraceAnswer.YES if part <= comfortable else TraceAnswer.TIGHT if part <= ceiling else TraceAnswer.NO
    )
    args: dict[str, Arg] = {
        "weights": quantity(weights, Unit.BYTES),
        "share": share(part),
        "vram": quantity(vram, Unit.BYTES),
        "ceiling": share(ceiling),
        "comfortable": share(comfortable),
    }
    formula = Formula(
        id="weights_share",
        expression=f"{weights / 1e9:,.1f} GB / ({REFERENCE_COUNT} x {_reference(context).vram_bytes / 1e9:,.1f} GB)",
        value=share(part),
    )
    return answer, args, (formula,)


def _fits_eight_bit(request: Request, context: Context) -> _Answer:
    workload = largest_workload(request)
    native = workload.model.native_precision
    return _weights_answer(workload, native if native.is_four_bit else Precision.FP8, context)


def _fits_four_bit(request: Request, context: Context) -> _Answer:
    workload = largest_workload(request)
    if workload.kind.is_training and workload.kind is not JobKind.QLORA:
        return TraceAnswer.TRAINING, {}, ()
    answer, args, formulas = _weights_answer(workload, Precision.NVFP4, context)
    return (TraceAnswer.YES if answer is TraceAnswer.TIGHT else answer), args, formulas


def _throughput(request: Request, outcome: Outcome, context: Context) -> _Answer:
    placement = _serving_placement(outcome, context)
    if placement is None:
        reason = message(
            "e.no_serving" if all(w.kind.is_training for w in request.workloads) else "e.no_unit"
        )
        return TraceAnswer.NOT_ASKED, {"reason": reason}, ()
    performance = placement.result.unit
    assert isinstance(performance, ServingPerformance)
    demand = serving_demand(placement.workload, request.growth)
    args: dict[str, Arg] = {
        "demand": quantity(demanded_tokens_per_s(demand, placement), Unit.TOKENS_PER_S),
        "unit_low": quantity(performance.output_tokens_per_s.low, Unit.TOKENS_PER_S),
        "unit_high": quantity(performance.output_tokens_per_s.high, Unit.TOKENS_PER_S),
        "replica_count": placement.copies,
    }
    return (TraceAnswer.YES if placement.copies_needed > 1 else TraceAnswer.NO), args, ()


def _serving_placement(outcome: Outcome, context: Context) -> Placement | None:
    """The served job that shapes the machine; where a pooled cluster won, its rival of copies answers the question."""
    plan = outcome.plan
    if plan is None:
        return None
    if plan.fabric is not None:
        plan = cheapest(outcome.eight_bit or outcome.four_bit, context.policy["decision.tie_share"]) or plan
    serving = [p for p in plan.placements if not p.workload.kind.is_training]
    return max(serving, key=lambda placement: placement.gpus, default=None)


def demanded_tokens_per_s(demand: ServingDemand, placement: Placement) -> float:
    """Output tokens/s asked for: the stated rate, else users x their speed, else the corpus by its deadline."""
    if demand.output_tokens_per_s:
        return demand.output_tokens_per_s
    if demand.batch_tokens is not None:
        written = demand.batch_tokens[1] or demand.batch_tokens[0]
        return written / demand.deadline_s if demand.deadline_s else 0.0
    if demand.tokens_per_s_per_user is not None:
        return demand.concurrency * demand.tokens_per_s_per_user
    total = placement.result.output_tokens_per_s
    return 0.0 if total is None else total.low


def _training(request: Request, outcome: Outcome, context: Context) -> _Answer:
    jobs = [w for w in request.workloads if w.kind.is_training]
    if not jobs:
        return TraceAnswer.NOT_ASKED, {"reason": message("e.no_training")}, ()
    node_vram = _reference(context).vram_bytes * REFERENCE_COUNT
    plan = outcome.plan
    main = next((p for p in plan.placements if p.workload.kind.is_training), None) if plan else None
    args: dict[str, Arg] = {"vram": quantity(node_vram, Unit.BYTES)}
    if plan is None or main is None:
        state = max(w.bytes_per_parameter * w.model.text_params for w in jobs)
        args |= {"state": quantity(state, Unit.BYTES), "missing": message("e.no_layout")}
        return (TraceAnswer.UNKNOWN if state > node_vram else TraceAnswer.NO), args, ()
    args["state"] = quantity(main.result.memory.used * main.layout.parallelism.gpus, Unit.BYTES)
    if plan.fabric is None:
        return TraceAnswer.NO, args, ()
    performance = main.result.unit
    assert isinstance(performance, TrainingPerformance)
    gate = context.policy["efficiency.gate"]
    args |= {
        "nodes": quantity(plan.nodes, Unit.NODES),
        "layout": layout_name(main.layout.parallelism),
        "efficiency": share(performance.scaling_efficiency.expected),
        "gate": share(gate),
    }
    below = performance.scaling_efficiency.expected < gate
    return (TraceAnswer.BELOW_GATE if below else TraceAnswer.YES), args, ()


def _pretraining(outcome: Outcome, context: Context) -> _Answer:
    workload = outcome.frontier
    if workload is None:
        return TraceAnswer.NO, {}, ()
    return TraceAnswer.YES, frontier_figures(workload, context), ()


def frontier_figures(workload: Workload, context: Context) -> dict[str, Arg]:
    """Tokens, parameters and GPU-months of H100-class work at the policy's utilisation."""
    flop = training_flop(workload.model, workload.kind.value, workload.dataset_tokens * workload.epochs)
    h100 = context.snapshot.gpus["h100-sxm"]
    rate = h100.bf16_flop_per_s * context.policy["frontier.h100_mfu"]
    return {
        "tokens": quantity(workload.dataset_tokens * workload.epochs, Unit.TOKENS),
        "parameters": quantity(workload.model.text_params, Unit.PARAMETERS),
        "gpu_months": quantity(flop / rate / GPU_MONTH_S, Unit.GPU_MONTHS),
    }

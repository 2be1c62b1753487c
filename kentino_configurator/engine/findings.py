"""What fired: one small function per rule, each yielding at most one finding with the numbers of its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from kentino_configurator.core.decision import Finding, Severity, Verdict
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.message import Arg, Message, message
from kentino_configurator.core.money import Money, money
from kentino_configurator.core.parameters import model_kv_bytes_per_sequence
from kentino_configurator.core.request import Availability, Request, Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.context import Context
from kentino_configurator.engine.demand import serving_demand
from kentino_configurator.engine.outcome import Outcome, find_outcome
from kentino_configurator.engine.plan import Placement, Plan, is_same_machine
from kentino_configurator.engine.referral import years_on_one_node
from kentino_configurator.engine.trace import (
    REFERENCE_COUNT,
    REFERENCE_GPU,
    frontier_figures,
    largest_workload,
)
from kentino_configurator.engine.weights import weights_bytes
from kentino_configurator.engine.wording import machine, machines, plan_name, quantity, share


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Everything a rule looks at."""

    request: Request
    outcome: Outcome
    verdict: Verdict
    context: Context

    @property
    def plan(self) -> Plan | None:
        """The chosen plan."""
        return self.outcome.plan

    @property
    def served(self) -> tuple[Placement, ...]:
        """Serving placements of the plan."""
        if self.plan is None:
            return ()
        return tuple(p for p in self.plan.placements if not p.workload.kind.is_training)


Rule = Callable[[Case], Iterator[Finding]]


def findings(case: Case) -> tuple[Finding, ...]:
    """All findings, blocking ones first, then by weight."""
    order = {Severity.BLOCK: 0, Severity.WARN: 1, Severity.NOTE: 2}
    found = [finding for rule in RULES for finding in rule(case)]
    return tuple(sorted(found, key=lambda f: (order[f.severity], -f.weight)))


def _finding(rule: str, severity: Severity, weight: float, **args: Arg) -> Finding:
    return Finding(rule=rule, severity=severity, args=args, weight=weight)


def int4_not_for_training(case: Case) -> Iterator[Finding]:
    """4-bit weights were asked for a job that needs gradients through the weights."""
    for workload in case.request.workloads:
        if (
            workload.kind.is_training
            and workload.kind.value != "qlora"
            and workload.weights_precision.is_four_bit
        ):
            yield _finding(
                "int4_not_for_training",
                Severity.BLOCK,
                0.9,
                kind=message(f"o.job.{workload.kind.value}"),
            )


def two_small_nodes_trap(case: Case) -> Iterator[Finding]:
    """Several small nodes were asked for where one larger node does the job."""
    asked, plan = case.request.limits.requested, case.plan
    if asked is None or plan is None or asked.nodes < 2 or plan.nodes > 1:
        return
    policy = case.context.policy
    yield _finding(
        "two_small_nodes_trap",
        Severity.WARN,
        1.0,
        asked=message(
            "e.machines",
            nodes=quantity(asked.nodes, Unit.NODES),
            gpu_count=asked.gpus_per_node,
            gpu=_gpu_name(asked.gpu, case),
        ),
        gpu_count=plan.offer.gpu_count,
        gpu=plan.offer.gpu.name,
        inside=quantity(policy["link.pcie_gen5_bytes_per_s"], Unit.BYTES_PER_S),
        between=quantity(policy["link.200g_bytes_per_s"], Unit.BYTES_PER_S),
    )


def _gpu_name(asked: str, case: Case) -> str:
    """The name of an edition, or the leading words that the editions of a family share."""
    names = [gpu.name.split() for gpu in case.context.gpus_named(asked)]
    shared = takewhile(lambda words: len(set(words)) == 1, zip(*names, strict=False))
    return " ".join(words[0] for words in shared) or asked


def throughput_not_size(case: Case) -> Iterator[Finding]:
    """Several machines were asked for although one copy fits a node: the limit is throughput."""
    asked = case.request.limits.requested
    if asked is None or asked.nodes < 2 or case.verdict is not Verdict.REPLICAS or not case.served:
        return
    placement = max(case.served, key=lambda p: p.gpus)
    performance = placement.result.output_tokens_per_s
    if performance is None:
        return
    vram = case.context.snapshot.gpus[REFERENCE_GPU].vram_bytes * REFERENCE_COUNT
    yield _finding(
        "throughput_not_size",
        Severity.WARN,
        0.8,
        demand=quantity(placement.result.load_conversion.get("output_tokens_per_s", 0.0), Unit.TOKENS_PER_S),
        unit=performance.scaled(1 / placement.result.copies_loaded),
        limit=quantity(vram * case.context.policy["weights.ceiling_share"], Unit.BYTES),
    )


def data_centre_scale(case: Case) -> Iterator[Finding]:
    """The demand needs so many machines that this is a data-centre project."""
    plan = case.plan
    if plan is None or plan.nodes < case.context.policy["data_centre.nodes"] or not case.served:
        return
    workload = plan.main.workload
    rate = workload.requests_per_s or 0.0
    yield _finding(
        "data_centre_scale",
        Severity.WARN,
        1.0,
        demand=quantity(rate * workload.output_tokens, Unit.TOKENS_PER_S),
        nodes=quantity(plan.nodes, Unit.NODES),
        rate=quantity(rate, Unit.REQUESTS_PER_S),
        output=quantity(workload.output_tokens, Unit.TOKENS),
    )


def peak_context_everywhere(case: Case) -> Iterator[Finding]:
    """Full context is reserved for everybody although the typical request is far shorter."""
    for placement in case.served:
        workload = placement.workload
        typical = workload.input_tokens + workload.output_tokens
        if workload.max_context_tokens < 4 * typical or workload.long_request_share < 1:
            continue
        demand = serving_demand(workload, case.request.growth)
        if demand.batch_tokens is not None:
            continue
        per_value = placement.layout.kv_precision.bytes_per_value
        peak, usual = (
            model_kv_bytes_per_sequence(workload.model, tokens, per_value) * demand.concurrency
            for tokens in (workload.max_context_tokens, typical)
        )
        eased = _plan_with_fewer_long_requests(workload, case)
        changes = eased is not None and case.plan is not None and not is_same_machine(eased, case.plan)
        yield _finding(
            "peak_context_everywhere",
            Severity.WARN if changes else Severity.NOTE,
            0.7 if changes else 0.2,
            kv_peak=quantity(peak, Unit.BYTES),
            kv_typical=quantity(usual, Unit.BYTES),
            per_token=quantity(workload.model.kv_bytes_per_token_bf16 * per_value / 2, Unit.BYTES),
            share=share(case.context.policy["demand.offered_long_share"]),
            verdict=plan_name(eased) if eased and changes else message("e.unchanged"),
        )


def _plan_with_fewer_long_requests(workload: Workload, case: Case) -> Plan | None:
    """The plan when only the offered share of requests is that long."""
    share_long = case.context.policy["demand.offered_long_share"]
    eased = tuple(
        replace(w, long_request_share=share_long) if w.name == workload.name else w
        for w in case.request.workloads
    )
    return find_outcome(replace(case.request, workloads=eased), case.context).plan


def no_p2p_on_geforce(case: Case) -> Iterator[Finding]:
    """A model is split over, or was limited to, cards without peer access."""
    plan = case.plan
    if plan is not None and plan.offer.gpu.p2p is False and plan.offer.gpu_count > 1:
        gpu = plan.offer.gpu
    else:
        wanted = case.request.limits.gpu_ids or ()
        named = [case.context.snapshot.gpus[i] for i in wanted if i in case.context.snapshot.gpus]
        gpus = [g for g in named if g.p2p is False]
        if not gpus or len(gpus) < len(named):
            return
        gpu = gpus[0]
    policy = case.context.policy
    yield _finding(
        "no_p2p_on_geforce",
        Severity.WARN,
        0.9,
        gpu=gpu.name,
        latency=quantity(policy["link.staged_latency_s"], Unit.SECONDS),
        latency_p2p=quantity(policy["link.p2p_latency_s"], Unit.SECONDS),
        alternative=case.context.snapshot.gpus[REFERENCE_GPU].name,
    )


def geforce_in_rack(case: Case) -> Iterator[Finding]:
    """The driver licence of GeForce cards needs the customer's decision outside an office."""
    plan = case.plan
    if plan is None or not plan.offer.gpu.is_geforce or case.request.site.office:
        return
    yield _finding(
        "geforce_in_rack",
        Severity.WARN,
        0.8,
        alternative=case.context.snapshot.gpus["rtx-pro-6000-maxq"].name,
    )


def weights_tight(case: Case) -> Iterator[Finding]:
    """Weights take between the comfortable share and the ceiling."""
    policy = case.context.policy
    comfortable, ceiling = policy["weights.comfortable_share"], policy["weights.ceiling_share"]
    for placement in case.served:
        part = placement.result.memory.weights_share
        if comfortable < part <= ceiling:
            yield _finding(
                "weights_tight",
                Severity.WARN,
                0.8,
                share=share(part),
                comfortable=share(comfortable),
                ceiling=share(ceiling),
                tokens=quantity(placement.result.memory.kv_capacity_tokens, Unit.TOKENS),
                option=message("e.option.smaller_or_more"),
            )


def mla_kv_not_divided(case: Case) -> Iterator[Finding]:
    """A latent cache is held whole by every tensor-parallel rank."""
    for placement in case.served:
        model = placement.workload.model
        if model.is_mla and placement.layout.parallelism.tp > 1:
            memory = placement.result.memory
            yield _finding(
                "mla_kv_not_divided",
                Severity.NOTE,
                0.4,
                model=model.name,
                per_gpu=quantity(memory.kv_cache, Unit.BYTES),
            )


def tp_above_kv_heads(case: Case) -> Iterator[Finding]:
    """More tensor-parallel ranks than KV heads: the cache is copied."""
    for placement in case.served:
        model, tp = placement.workload.model, placement.layout.parallelism.tp
        if not model.is_mla and model.num_kv_heads and model.num_kv_heads < tp:
            yield _finding("tp_above_kv_heads", Severity.NOTE, 0.3, tp=tp, kv_heads=model.num_kv_heads)


def licences(case: Case) -> Iterator[Finding]:
    """The licence of a model forbids the use, or sets conditions."""
    for workload in case.request.workloads:
        licence = workload.model.license
        args: dict[str, Arg] = {
            "model": workload.model.name,
            "licence": licence.name,
            "note": licence.note or message("e.no_note"),
        }
        if licence.commercial == "non_commercial" and workload.use == "commercial":
            yield _finding(
                "model_licence_forbids", Severity.BLOCK, 0.8, alternative=message("e.open_licence"), **args
            )
        elif licence.commercial in ("permitted_with_conditions", "restricted_territory"):
            yield _finding("model_licence_conditions", Severity.NOTE, 0.2, **args)


def frontier_latency_rule(case: Case) -> Iterator[Finding]:
    """Weights of a frontier model fit one node, and only the waiting time asks for more: a computed miss, named."""
    if case.verdict not in (Verdict.MULTI_NODE, Verdict.REPLICAS, Verdict.REFER_SXM) or case.outcome.frontier:
        return
    workload = largest_workload(case.request)
    if workload.kind.is_training or (workload.ttft_s is None and workload.tokens_per_s_per_user is None):
        return
    policy = case.context.policy
    vram = case.context.snapshot.gpus[REFERENCE_GPU].vram_bytes * REFERENCE_COUNT
    part = weights_bytes(workload.model, Precision.FP8) / vram
    large = workload.model.text_params >= policy["frontier.latency_parameters"]
    if large and part <= policy["weights.ceiling_share"]:
        yield _finding(
            "frontier_latency_rule",
            Severity.NOTE,
            0.6,
            parameters=quantity(workload.model.text_params, Unit.PARAMETERS),
            share=share(part),
            precision="FP8",
        )


def spare_added(case: Case) -> Iterator[Finding]:
    """One node more than the load needs."""
    plan = case.plan
    asked = any(w.availability is Availability.N_PLUS_1 for w in case.request.workloads)
    if plan is None or not plan.spare_nodes or not asked:
        return
    yield _finding(
        "spare_added",
        Severity.NOTE,
        0.6,
        share=share(1 / plan.nodes if plan.nodes > 1 else 1.0),
        saving=plan.offer.net,
    )


def growth_later(case: Case) -> Iterator[Finding]:
    """Growth is not bought today: the machine that the grown load asks for, when it is another one."""
    growth, plan = case.request.growth, case.plan
    if plan is None or growth.factor <= 1 or growth.buy_now:
        return
    grown = find_outcome(replace(case.request, growth=replace(growth, buy_now=True)), case.context).plan
    if grown is None or is_same_machine(grown, plan):
        return
    yield _finding(
        "growth_later",
        Severity.NOTE,
        0.5,
        addition=_growth_step(grown, plan),
        idle=share(1 - 1 / growth.factor),
    )


def _growth_step(grown: Plan, plan: Plan) -> Message:
    """Further nodes of the same kind, or the machine that would take the place of today's."""
    more = grown.nodes - plan.nodes
    if grown.offer.id == plan.offer.id and grown.fabric == plan.fabric and more > 0:
        return message("e.growth_nodes", machine=machines(plan.offer, more), price=plan.offer.net.times(more))
    return message("e.growth_machine", machine=plan_name(grown), price=grown.net)


def over_budget(case: Case) -> Iterator[Finding]:
    """The price exceeds the stated budget."""
    budget, plan = case.request.limits.budget_eur, case.plan
    if budget is None or plan is None or plan.net.cents <= budget * 100:
        return
    cheaper = [p for p in case.outcome.plans if p.net.cents <= budget * 100]
    nearest = max(cheaper, key=lambda p: p.net.cents, default=None)
    yield _finding(
        "over_budget",
        Severity.WARN,
        1.0,
        price=plan.net,
        budget=_euro(budget),
        lines=plan.offer.gpu.name,
        alternative=plan_name(nearest) if nearest else message("e.nothing_within_budget"),
        loss=message("e.loss.longer_life_cost" if nearest else "e.loss.targets"),
    )


def _euro(amount: float) -> Money:
    return money(str(amount))


def nobody_operates(case: Case) -> Iterator[Finding]:
    """A cluster without a person to run it."""
    plan = case.plan
    if plan is None or plan.fabric is None or case.request.operations.operators != "nobody":
        return
    hours = plan.cost.operations.expected / case.request.operations.hourly_cost_eur
    hours /= case.context.policy["cost.years"]
    yield _finding(
        "nobody_operates",
        Severity.WARN,
        0.9,
        hours=quantity(hours, Unit.HOURS_PER_YEAR),
        alternative=message("e.single_larger"),
    )


def tenants_share_node(case: Case) -> Iterator[Finding]:
    """Separate customers on one node, while direct GPU exchange weakens their separation."""
    if any(p.workload.tenancy == "customers" and p.layout.parallelism.gpus_per_copy > 1 for p in case.served):
        yield _finding("tenants_share_node", Severity.WARN, 0.6)


def prefix_not_counted(case: Case) -> Iterator[Finding]:
    """Shared prefixes would shorten the wait but were not stated."""
    if any(p.workload.prefix_reuse == 0 and p.workload.input_tokens >= 8000 for p in case.served):
        yield _finding("prefix_not_counted", Severity.NOTE, 0.3)


def pretrain_frontier(case: Case) -> Iterator[Finding]:
    """Pre-training at the frontier: what it takes on our machines and on H100-class ones."""
    workload = case.outcome.frontier
    if workload is None:
        return
    figures = frontier_figures(workload, case.context)
    offer = case.context.offer_for(REFERENCE_GPU, REFERENCE_COUNT)
    yield _finding(
        "pretrain_frontier",
        Severity.NOTE,
        1.0,
        **figures,
        years=quantity(years_on_one_node(workload, case.context), Unit.YEARS),
        alternative=machine(offer) if offer else message("e.single_larger"),
    )


def estimate_weak(case: Case) -> Iterator[Finding]:
    """The figures rest on scaling from another card."""
    plan = case.plan
    if plan is None:
        return
    for placement in plan.placements:
        total = placement.result.output_tokens_per_s or placement.result.days
        if isinstance(total, Estimate) and total.evidence == "assumed":
            yield _finding(
                "estimate_weak",
                Severity.NOTE,
                0.3,
                metric=message("e.metric.performance"),
                evidence=message("ev.assumed.label"),
                gpu=plan.offer.gpu.name,
            )
            return


def two_nodes_too_tight(case: Case) -> Iterator[Finding]:
    """Two nodes hold the training state with little room left; a third is the recommendation."""
    plan = case.plan
    if plan is None or plan.fabric is None or plan.nodes != 2 or not plan.main.workload.kind.is_training:
        return
    memory = plan.main.result.memory
    part = memory.used / memory.usable
    if part > case.context.policy["training.comfortable_fill_share"]:
        yield _finding(
            "two_nodes_too_tight",
            Severity.WARN,
            0.7,
            share=share(part),
            bytes=int(plan.main.workload.bytes_per_parameter),
        )


def training_state_too_large(case: Case) -> Iterator[Finding]:
    """The training state exceeds one node."""
    plan = case.plan
    if plan is None or plan.fabric is None or not plan.main.workload.kind.is_training:
        return
    workload, memory, gpus = plan.main.workload, plan.main.result.memory, plan.main.layout.parallelism.gpus
    state = (memory.weights + memory.gradients + memory.optimizer) * gpus
    yield _finding(
        "training_state_too_large",
        Severity.NOTE,
        0.8,
        state=quantity(state, Unit.BYTES),
        vram=quantity(plan.offer.gpu.vram_bytes * plan.offer.gpu_count, Unit.BYTES),
        bytes=int(workload.bytes_per_parameter),
        parameters=quantity(workload.model.text_params, Unit.PARAMETERS),
        activations=quantity(memory.activations * gpus, Unit.BYTES),
        nodes=quantity(plan.nodes, Unit.NODES),
    )


def currency_stays_eur(case: Case) -> Iterator[Finding]:
    """Another currency was chosen, for which the catalogue holds no dated rate."""
    asked = case.request.commercial.currency
    if asked != "EUR":
        yield _finding("currency_stays_eur", Severity.WARN, 0.6, currency=asked)


RULES: tuple[Rule, ...] = (
    currency_stays_eur,
    int4_not_for_training,
    two_small_nodes_trap,
    throughput_not_size,
    data_centre_scale,
    peak_context_everywhere,
    no_p2p_on_geforce,
    geforce_in_rack,
    weights_tight,
    mla_kv_not_divided,
    tp_above_kv_heads,
    licences,
    frontier_latency_rule,
    spare_added,
    growth_later,
    over_budget,
    nobody_operates,
    tenants_share_node,
    prefix_not_counted,
    pretrain_frontier,
    estimate_weak,
    two_nodes_too_tight,
    training_state_too_large,
)

"""Answers made by hand, one for each verdict, so that documents are tested without the engine's numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache

from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import (
    BillOfMaterials,
    BomCheck,
    BomGroup,
    BomLine,
    Outcome,
    Power,
    SiteNeeds,
)
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import (
    Alternative,
    Configuration,
    Decision,
    Finding,
    Formula,
    LimitMet,
    OpsTax,
    Referral,
    Severity,
    ThreeYearCost,
    TippingPoint,
    TraceAnswer,
    TraceEntry,
    Verdict,
    WorkloadResult,
)
from kentino_configurator.core.evidence import Estimate, Evidence, exact
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.layout import Fabric, Parallelism
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.message import Message, Quantity, message
from kentino_configurator.core.money import Money, total
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.prediction import MemoryPerGpu, ServingPerformance, TrainingPerformance
from kentino_configurator.core.request import (
    Assumption,
    Availability,
    Circuit,
    Commercial,
    Customer,
    JobKind,
    Limits,
    Request,
    RequestedPlan,
    Site,
    Workload,
)
from kentino_configurator.core.units import GB, Unit
from kentino_configurator.proposal.terms import DocumentTerms
from kentino_configurator.topology.graph import build_graph

ISSUED = date(2026, 12, 1)
TERMS = DocumentTerms(issued=ISSUED)
NODES = {Verdict.REPLICAS: 3, Verdict.MULTI_NODE: 2}


@cache
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


def estimate(low: float, expected: float, high: float, unit: Unit) -> Estimate:
    return Estimate(low=low, expected=expected, high=high, unit=unit, evidence=Evidence.DERIVED)


def quantity(value: float, unit: Unit) -> Quantity:
    return Quantity(value, unit)


def request(verdict: Verdict) -> Request:
    model = snapshot().models["llama-3.3-70b"]
    people = Workload(
        name="assistant",
        kind=JobKind.INFERENCE,
        model=model,
        input_tokens=3000,
        output_tokens=500,
        max_context_tokens=32768,
        concurrent_requests=64,
        ttft_s=2.0,
        tokens_per_s_per_user=12,
        availability=Availability.N_PLUS_1 if verdict is Verdict.REPLICAS else Availability.NONE,
    )
    training = Workload(
        name="training",
        kind=JobKind.PRETRAIN if verdict is Verdict.REFER_SXM else JobKind.FULL_FINETUNE,
        model=model,
        dataset_tokens=1.5e12,
        sequence_tokens=8192,
        deadline_days=180,
    )
    trains = verdict in (Verdict.REFER_SXM, Verdict.MULTI_NODE)
    return Request(
        workloads=(training,) if trains else (people,),
        customer=Customer(name="Example Lab", country="PT", language="pt"),
        site=Site(circuits=(Circuit(volts=400, amps=16, phases=3, count=2),), rack_units=12, max_inlet_c=27),
        commercial=Commercial(vat_mode="domestic"),
        limits=Limits(requested=RequestedPlan(nodes=2, gpus_per_node=4, gpu="rtx-pro-6000")),
        assumptions=(
            Assumption(
                field="workloads[0].long_request_share",
                value=1.0,
                source="own rule",
                effect="strong",
                origin="origin.own_rule",
                moves="moves.strong",
            ),
            Assumption(
                field="operations.pue",
                value=1.54,
                source="a survey",
                effect="weak",
                origin="origin.pue",
                moves="moves.weak",
            ),
        ),
    )


def offer() -> NodeOffer:
    catalog = snapshot()
    build = next(build for build in catalog.builds if build.gpu_count == 8)
    gpu = catalog.gpus["rtx-pro-6000-server"]
    return NodeOffer(
        id="sample",
        name=build.name,
        gpu=gpu,
        gpu_count=8,
        platform=catalog.platforms[build.platform_id],
        build=build,
        net=Money(17_141_700),
        unpriced_lines=1,
        dc_w=estimate(6000, 6485, 6800, Unit.WATTS),
        ac_w=estimate(6400, 6900, 7200, Unit.WATTS),
        rack_units=4,
        form="rack",
        max_inlet_c=30,
    )


def configuration(verdict: Verdict) -> Configuration:
    nodes = NODES.get(verdict, 1)
    cluster = verdict is Verdict.MULTI_NODE
    return Configuration(
        node=offer(),
        nodes=nodes,
        replicas=1 if cluster else nodes,
        parallelism=Parallelism(tp=4, pp=2 * nodes if cluster else 2, dp=1 if cluster else nodes),
        weights_precision=Precision.NVFP4 if verdict is Verdict.SINGLE_NODE_INT4 else Precision.FP8,
        kv_precision=KvPrecision.FP8,
        fabric=Fabric.ROCE_200G if cluster else None,
        spare_copies=1 if verdict is Verdict.REPLICAS else 0,
        spare_nodes=1 if verdict is Verdict.REPLICAS else 0,
    )


def memory() -> MemoryPerGpu:
    return MemoryPerGpu(
        usable=102.6 * GB,
        weights=9.1 * GB,
        kv_cache=43.0 * GB,
        activations=2.6 * GB,
        runtime=4.9 * GB,
        kept_back=8.2 * GB,
        kv_capacity_tokens=3_801_234,
        max_concurrency_at_context=115,
    )


def result(verdict: Verdict) -> WorkloadResult:
    if verdict is Verdict.MULTI_NODE:
        unit = TrainingPerformance(
            tokens_per_s=estimate(8000, 10000, 13000, Unit.TOKENS_PER_S),
            step_s=estimate(20, 25, 33, Unit.SECONDS),
            days=estimate(120, 150, 190, Unit.DAYS),
            mfu=estimate(0.2, 0.25, 0.3, Unit.SHARE),
            scaling_efficiency=estimate(0.62, 0.7, 0.8, Unit.SHARE),
            flop_total=6e23,
        )
        return WorkloadResult(workload="training", unit=unit, memory=memory(), days=unit.days)
    serving = ServingPerformance(
        ttft_s=estimate(0.7, 1.1, 1.8, Unit.SECONDS),
        ttft_p95_s=estimate(1.0, 1.9, 3.1, Unit.SECONDS),
        ttft_burst_s=estimate(6, 11, 17, Unit.SECONDS),
        tpot_s=estimate(0.033, 0.05, 0.077, Unit.SECONDS),
        tokens_per_s_per_user=estimate(13, 20, 30, Unit.TOKENS_PER_S_USER),
        output_tokens_per_s=estimate(830, 1300, 1900, Unit.TOKENS_PER_S),
        prefill_tokens_per_s=estimate(8000, 12000, 16000, Unit.TOKENS_PER_S),
    )
    return WorkloadResult(
        workload="assistant",
        unit=serving,
        memory=memory(),
        concurrency_per_copy=64,
        output_tokens_per_s=serving.output_tokens_per_s,
    )


def trace(decided: int) -> tuple[TraceEntry, ...]:
    weights = {
        "weights": quantity(72.7 * GB, Unit.BYTES),
        "share": quantity(0.09, Unit.SHARE),
        "vram": quantity(821 * GB, Unit.BYTES),
        "ceiling": quantity(0.7, Unit.SHARE),
        "comfortable": quantity(0.6, Unit.SHARE),
    }
    demand = {
        "demand": quantity(768, Unit.TOKENS_PER_S),
        "unit_low": quantity(830, Unit.TOKENS_PER_S),
        "unit_high": quantity(1900, Unit.TOKENS_PER_S),
        "replica_count": 3,
    }
    formula = Formula(id="weights_share", expression="72.7 GB / 821 GB", value=quantity(0.09, Unit.SHARE))
    answers = (
        (TraceAnswer.YES, weights, (formula,)),
        (TraceAnswer.YES, weights, ()),
        (TraceAnswer.NO, demand, ()),
        (TraceAnswer.NOT_ASKED, {"reason": message("e.no_training")}, ()),
        (TraceAnswer.NO, {}, ()),
    )
    return tuple(
        TraceEntry(number=n, answer=answer, args=args, decided=n == decided, formulas=formulas)
        for n, (answer, args, formulas) in enumerate(answers, start=1)
    )


def findings() -> tuple[Finding, ...]:
    return (
        Finding(
            rule="peak_context_everywhere",
            severity=Severity.WARN,
            weight=0.9,
            args={
                "kv_peak": quantity(344 * GB, Unit.BYTES),
                "kv_typical": quantity(37 * GB, Unit.BYTES),
                "per_token": quantity(164e3, Unit.BYTES),
                "share": quantity(0.1, Unit.SHARE),
                "verdict": message("v.single_node.title"),
            },
        ),
        Finding(rule="prefix_not_counted", severity=Severity.NOTE, weight=0.3),
    )


def alternatives(verdict: Verdict) -> tuple[Alternative, ...]:
    three = estimate(200_000, 260_000, 420_000, Unit.EUR)
    larger = Alternative(
        kind="nearest" if verdict is Verdict.NO_ANSWER else "larger",
        verdict=Verdict.REPLICAS,
        configuration=configuration(Verdict.REPLICAS),
        results=(result(Verdict.REPLICAS),),
        net=Money(34_283_400),
        net_is_lower_bound=True,
        three_year_eur=three,
        why_not=message("e.alt.larger", machine="3 × 8 GPUs", more=Money(17_141_700)),
        what_would_change=message("e.alt.larger.change"),
    )
    sxm = Alternative(
        kind="sxm",
        verdict=Verdict.REFER_SXM,
        configuration=None,
        results=(),
        net=None,
        net_is_lower_bound=False,
        three_year_eur=None,
        why_not=message("e.alt.sxm_training"),
        what_would_change=message("e.alt.sxm.change"),
    )
    return (larger, sxm)


def tipping_point() -> TippingPoint:
    return TippingPoint(
        field="workloads[0].concurrent_requests",
        now=64,
        at=88,
        direction=1,
        becomes=message("v.replicas.title"),
        verdict=Verdict.REPLICAS,
    )


def referral() -> Referral:
    return Referral(
        gpu="H100 SXM5 80 GB",
        gpus=256,
        days=estimate(86, 120, 160, Unit.DAYS),
        latency_s=None,
        power_w=326_000,
        fabric="infiniband_400g",
        fabric_factor=estimate(1.4, 1.8, 2.2, Unit.FACTOR),
        silicon_factor=estimate(1.3, 1.6, 2.0, Unit.FACTOR),
        can_deliver=("e.deliver.inference_node", "e.deliver.storage"),
        pcie_days=estimate(1500, 2100, 2800, Unit.DAYS),
        pcie_nodes=4,
        pcie_efficiency=estimate(0.6, 0.7, 0.8, Unit.SHARE),
    )


def lines() -> tuple[BomLine, ...]:
    def line(
        number: int, group: BomGroup, name: str, count: int, cents: int | None, status: PriceStatus
    ) -> BomLine:
        return BomLine(
            line=number,
            group=group,
            category="part",
            sku=f"sku-{number}",
            mpn=f"00{number}" if number % 2 else "",
            maker="Maker",
            description=name,
            quantity=count,
            unit_net=None if cents is None else Money(cents),
            price_status=status,
            price_date="2026-11-28" if cents is not None else "",
            source="a shop",
        )

    return (
        line(1, BomGroup.NODE, "Server platform, 4U", 1, 1_190_000, PriceStatus.PLACEHOLDER),
        line(2, BomGroup.NODE, "Processor, 32 cores", 2, 389_333, PriceStatus.OBSERVED),
        line(3, BomGroup.NODE, "GPU, 96 GB", 8, 1_473_300, PriceStatus.ESTIMATED),
        line(4, BomGroup.SITE, "Power cord", 4, None, PriceStatus.MISSING),
        line(5, BomGroup.SERVICE, "Burn-in", 1, 180_001, PriceStatus.KENTINO_LIST),
    )


def bill(parts: tuple[BomLine, ...] | None = None) -> BillOfMaterials:
    parts = lines() if parts is None else parts
    net = total(part.net for part in parts if part.net is not None)
    vat = Money(round(net.cents * 0.21))
    return BillOfMaterials(
        lines=parts,
        checks=(
            BomCheck(rule="B3", outcome=Outcome.PASS, statement="supplies carry the node", args={}),
            BomCheck(
                rule="J9",
                outcome=Outcome.UNKNOWN,
                statement="cooling",
                args={},
                missing="cooling of the room",
            ),
            BomCheck(rule="K9", outcome=Outcome.WARN, statement="a rule without words of its own", args={}),
        ),
        list_net=net,
        discount=Money(0),
        net=net,
        vat_rate_percent=21.0,
        vat=vat,
        gross=net + vat,
        unpriced_lines=sum(part.unit_net is None for part in parts),
        budgetary=True,
        power=Power(
            dc_w=estimate(6000, 6485, 6800, Unit.WATTS),
            ac_w=estimate(6400, 6900, 7200, Unit.WATTS),
            btu_h=estimate(21800, 23500, 24600, Unit.BTU_PER_H),
            airflow_m3_h=estimate(1600, 1750, 1900, Unit.M3_PER_H),
            circuits_needed=("1 x 400 V 16 A 3~",),
        ),
        site=SiteNeeds(rack_units=4, depth_mm=800, mass_kg=None, max_inlet_c=30, outlets=("4 x C19",)),
    )


def decision(verdict: Verdict) -> Decision:
    deciding = {Verdict.SINGLE_NODE_INT4: 2, Verdict.REPLICAS: 3, Verdict.MULTI_NODE: 4, Verdict.REFER_SXM: 5}
    ours = verdict not in (Verdict.REFER_SXM, Verdict.NO_ANSWER)
    cluster = verdict is Verdict.MULTI_NODE
    return Decision(
        verdict=verdict,
        configuration=configuration(verdict) if ours else None,
        trace=trace(deciding.get(verdict, 1)),
        findings=findings(),
        results=(result(verdict),) if ours else (),
        scaling_efficiency=estimate(0.62, 0.7, 0.8, Unit.SHARE) if cluster else None,
        alternatives=alternatives(verdict),
        tipping_points=(tipping_point(),) if ours and not cluster else (),
        ops_tax=ops_tax(cluster) if ours else None,
        three_year_cost=three_year_cost() if ours else None,
        referral=referral() if verdict is Verdict.REFER_SXM else None,
        limits_met=limits_met() if verdict is Verdict.NO_ANSWER else (),
        needed=needed() if verdict is Verdict.NO_ANSWER else (),
    )


def ops_tax(cluster: bool) -> OpsTax:
    return OpsTax(
        hours_low=18,
        hours_middle=170,
        hours_high=860,
        article_hours=170,
        interruptions_per_year=estimate(0.17, 0.25, 0.38, Unit.PER_YEAR),
        duties=("drivers", "nccl", "fabric", "storage", "checkpoints", "scheduler", "failures"),
        cluster=cluster,
    )


def three_year_cost() -> ThreeYearCost:
    return ThreeYearCost(
        hardware=exact(171_417, Unit.EUR, Evidence.DERIVED),
        energy=estimate(48_000, 52_000, 55_000, Unit.EUR),
        operations=estimate(3_200, 31_000, 150_000, Unit.EUR),
        total=estimate(222_617, 254_417, 376_417, Unit.EUR),
        kwh_per_year=91_000,
    )


def limits_met() -> tuple[LimitMet, ...]:
    return (LimitMet(name="circuits", asked=quantity(2900, Unit.WATTS), best="8 × RTX Pro 6000"),)


def needed() -> tuple[Message, ...]:
    return (message("e.needed", condition=message("e.condition.circuits")),)


def answer(verdict: Verdict = Verdict.SINGLE_NODE) -> Answer:
    decided = decision(verdict)
    ours = decided.configuration is not None
    return Answer(
        request=request(verdict),
        decision=decided,
        bom=bill() if ours else None,
        topology=build_graph(decided.configuration, snapshot()) if decided.configuration else None,
        catalog_version="2026.11.3",
        catalog_date="2026-11-28",
        catalog_sha256="0123456789abcdef" * 4,
    )


def answer_named(name: str) -> Answer:
    """The single node for a customer, a job and a part of this name."""
    plain = answer()
    job = replace(plain.request.workloads[0], name=name)
    customer = replace(plain.request.customer, name=name)
    part = replace(lines()[0], description=name, maker=name, mpn=name, source=name)
    result_of_job = replace(plain.decision.results[0], workload=name)
    return replace(
        plain,
        request=replace(plain.request, workloads=(job,), customer=customer),
        decision=replace(plain.decision, results=(result_of_job,)),
        bom=bill((part, *lines()[1:])),
    )

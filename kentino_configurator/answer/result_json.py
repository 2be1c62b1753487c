"""The result object that other tools read (``size --json``). Keys may be added; existing ones keep their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kentino_configurator.answer.sentences import (
    check_sentence,
    finding_sentence,
    tipping_sentence,
    trace_sentence,
)
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials, BomCheck, BomLine
from kentino_configurator.core.decision import (
    Alternative,
    Configuration,
    Decision,
    Finding,
    OpsTax,
    Referral,
    ThreeYearCost,
    TippingPoint,
    TraceEntry,
    WorkloadResult,
)
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Listing, Message, Quantity
from kentino_configurator.core.money import Money
from kentino_configurator.core.prediction import (
    MemoryPerGpu,
    ServingPerformance,
    TrainingPerformance,
)
from kentino_configurator.texts.catalogue import Texts

SCHEMA_VERSION = 1
Json = dict[str, Any]


def result_object(answer: Answer, texts: Texts) -> Json:
    """The whole answer as plain JSON values; sentences in the language of ``texts``."""
    decision = answer.decision
    return {
        "schema_version": SCHEMA_VERSION,
        "catalog": {
            "version": answer.catalog_version,
            "date": answer.catalog_date,
            "sha256": answer.catalog_sha256,
        },
        "verdict": decision.verdict.value,
        "configuration": configuration_json(decision.configuration),
        "trace": [_trace(entry, texts) for entry in decision.trace],
        "findings": [_finding(finding, texts) for finding in decision.findings],
        "memory_per_gpu": None if decision.memory is None else memory_json(decision.memory),
        "performance": [performance_json(result) for result in decision.results],
        "scaling_efficiency": estimate_json(decision.scaling_efficiency),
        "field_figures": dict(decision.field_figures),
        "alternatives": [_alternative(item, texts) for item in decision.alternatives],
        "tipping_points": [_tipping(point, texts) for point in decision.tipping_points],
        "ops_tax": _ops_tax(decision.ops_tax),
        "power": _power(answer.bom),
        "site_needs": _site(answer.bom),
        "bom": _bom(answer.bom, texts),
        "three_year_cost": _cost(decision.three_year_cost),
        "assumptions": [
            {"field": a.field, "value": a.value, "source": a.source, "effect": a.effect}
            for a in answer.request.assumptions
        ],
        **_elsewhere(decision, texts),
    }


def estimate_json(estimate: Estimate | None) -> Json | None:
    """``{low, expected, high, unit, evidence}``."""
    if estimate is None:
        return None
    return {
        "low": estimate.low,
        "expected": estimate.expected,
        "high": estimate.high,
        "unit": estimate.unit.value,
        "evidence": estimate.evidence.value,
    }


def configuration_json(configuration: Configuration | None) -> Json | None:
    """The machine with its layout."""
    if configuration is None:
        return None
    node, parallelism = configuration.node, configuration.parallelism
    return {
        "nodes": configuration.nodes,
        "gpus_per_node": node.gpu_count,
        "gpu": node.gpu.id,
        "platform": node.platform.id,
        "build": node.build.id,
        "replicas": configuration.replicas,
        "tp": parallelism.tp,
        "pp": parallelism.pp,
        "dp": parallelism.dp,
        "ep": parallelism.ep,
        "weights_precision": configuration.weights_precision.value,
        "kv_precision": configuration.kv_precision.value,
        "fabric": None if configuration.fabric is None else configuration.fabric.value,
        "spare_copies": configuration.spare_copies,
        "spare_nodes": configuration.spare_nodes,
    }


def memory_json(memory: MemoryPerGpu) -> Json:
    """Bytes on the fullest rank; the parts add up to ``usable``."""
    names = ("usable", "weights", "kv_cache", "activations", "runtime", "gradients", "optimizer", "kept_back")
    return {
        **{name: getattr(memory, name) for name in names},
        "free": memory.free,
        "kv_capacity_tokens": memory.kv_capacity_tokens,
        "max_concurrency_at_context": memory.max_concurrency_at_context,
        "longest_context_tokens": memory.longest_context_tokens,
    }


def performance_json(result: WorkloadResult) -> Json:
    """Performance of one workload over the whole configuration."""
    figures: Json = {"workload": result.workload}
    if isinstance(result.unit, ServingPerformance):
        figures |= serving_json(result.unit)
    elif isinstance(result.unit, TrainingPerformance):
        figures |= training_json(result.unit)
    if result.output_tokens_per_s is not None:
        figures["output_tokens_per_s"] = estimate_json(result.output_tokens_per_s)
    figures["hours"] = estimate_json(result.hours)
    figures["days"] = estimate_json(result.days)
    figures["concurrency_per_copy"] = result.concurrency_per_copy
    figures["copies_loaded"] = result.copies_loaded
    figures["load_conversion"] = dict(result.load_conversion)
    return figures


def serving_json(performance: ServingPerformance) -> Json:
    """Figures of one copy."""
    names = (
        "ttft_s",
        "ttft_p95_s",
        "ttft_burst_s",
        "tpot_s",
        "tokens_per_s_per_user",
        "output_tokens_per_s",
        "prefill_tokens_per_s",
    )
    return {
        **{name: estimate_json(getattr(performance, name)) for name in names},
        "bound_by": performance.bound_by,
    }


def training_json(performance: TrainingPerformance) -> Json:
    """Figures of a training run."""
    names = ("tokens_per_s", "step_s", "days", "mfu", "scaling_efficiency")
    return {
        **{name: estimate_json(getattr(performance, name)) for name in names},
        "flop_total": performance.flop_total,
        "bound_by": performance.bound_by,
    }


def arg_json(arg: Arg, texts: Texts) -> Any:
    """An argument of a sentence as a plain value."""
    if isinstance(arg, Quantity):
        return {"value": arg.value, "unit": arg.unit.value}
    if isinstance(arg, Estimate):
        return estimate_json(arg)
    if isinstance(arg, Money):
        return {"cents": arg.cents, "currency": arg.currency}
    if isinstance(arg, Message):
        return texts.say(arg)
    if isinstance(arg, Listing):
        return [arg_json(item, texts) for item in arg.items]
    return arg


def _numbers(args: Mapping[str, Arg], texts: Texts) -> Json:
    return {name: arg_json(arg, texts) for name, arg in args.items()}


def _trace(entry: TraceEntry, texts: Texts) -> Json:
    return {
        "question": texts.say(f"tr.{entry.number}.question"),
        "answer": entry.answer.value,
        "text": trace_sentence(entry, texts),
        "numbers": _numbers(entry.args, texts),
        "decided": entry.decided,
    }


def _finding(finding: Finding, texts: Texts) -> Json:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "numbers": _numbers(finding.args, texts),
        "text": finding_sentence(finding, "text", texts),
        "why": finding_sentence(finding, "why", texts),
        "change": finding_sentence(finding, "change", texts),
        "weight": finding.weight,
    }


def _alternative(item: Alternative, texts: Texts) -> Json:
    return {
        "kind": item.kind,
        "verdict": item.verdict.value,
        "feasible": item.feasible,
        "configuration": configuration_json(item.configuration),
        "performance": [performance_json(result) for result in item.results],
        "net_cents": None if item.net is None else item.net.cents,
        "net_is_lower_bound": item.net_is_lower_bound,
        "three_year_eur": estimate_json(item.three_year_eur),
        "why_not": texts.say(item.why_not),
        "what_would_change": None if item.what_would_change is None else texts.say(item.what_would_change),
        "changed": item.changed or None,
    }


def _tipping(point: TippingPoint, texts: Texts) -> Json:
    return {
        "field": point.field,
        "now": point.now,
        "at": point.at,
        "becomes": texts.say(point.becomes),
        "verdict": point.verdict.value,
        "text": tipping_sentence(point, texts),
    }


def _ops_tax(tax: OpsTax | None) -> Json | None:
    if tax is None:
        return None
    return {
        "hours_per_year": {"low": tax.hours_low, "middle": tax.hours_middle, "high": tax.hours_high},
        "article_hours_per_year": tax.article_hours,
        "interruptions_per_year": estimate_json(tax.interruptions_per_year),
        "duties": list(tax.duties),
        "cluster": tax.cluster,
        "half_capacity_risk_eur": estimate_json(tax.half_capacity_risk_eur),
    }


def _power(bom: BillOfMaterials | None) -> Json | None:
    if bom is None:
        return None
    power = bom.power
    return {
        "dc_w": estimate_json(power.dc_w),
        "ac_w": estimate_json(power.ac_w),
        "btu_h": estimate_json(power.btu_h),
        "airflow_m3_h": estimate_json(power.airflow_m3_h),
        "circuits_needed": list(power.circuits_needed),
    }


def _site(bom: BillOfMaterials | None) -> Json | None:
    if bom is None:
        return None
    names = ("rack_units", "depth_mm", "mass_kg", "max_inlet_c")
    return {**{name: getattr(bom.site, name) for name in names}, "outlets": list(bom.site.outlets)}


def _bom(bom: BillOfMaterials | None, texts: Texts) -> Json | None:
    if bom is None:
        return None
    return {
        "lines": [_line(line) for line in bom.lines],
        "list_net_cents": bom.list_net.cents,
        "discount_cents": bom.discount.cents,
        "net_cents": bom.net.cents,
        "net_is_lower_bound": bom.unpriced_lines > 0,
        "unpriced_lines": bom.unpriced_lines,
        "currency": bom.net.currency,
        "vat_rate_percent": bom.vat_rate_percent,
        "vat_cents": None if bom.vat is None else bom.vat.cents,
        "gross_cents": None if bom.gross is None else bom.gross.cents,
        "budgetary": bom.budgetary,
        "checks": [_check(check, texts) for check in bom.checks],
    }


def _line(line: BomLine) -> Json:
    return {
        "line": line.line,
        "group": line.group.value,
        "category": line.category,
        "sku": line.sku,
        "mpn": line.mpn,
        "maker": line.maker,
        "description": line.description,
        "quantity": line.quantity,
        "unit_cents": None if line.unit_net is None else line.unit_net.cents,
        "net_cents": None if line.net is None else line.net.cents,
        "price_status": line.price_status.value,
        "price_date": line.price_date or None,
        "source": line.source,
    }


def _check(check: BomCheck, texts: Texts) -> Json:
    return {
        "rule": check.rule,
        "outcome": check.outcome.value,
        "numbers": _numbers(check.args, texts),
        "text": check_sentence(check, texts),
    }


def _cost(cost: ThreeYearCost | None) -> Json | None:
    if cost is None:
        return None
    names = ("hardware", "energy", "operations", "total")
    return {
        **{name: estimate_json(getattr(cost, name)) for name in names},
        "kwh_per_year": cost.kwh_per_year,
        "eur_per_million_tokens": estimate_json(cost.eur_per_million_tokens),
    }


def _elsewhere(decision: Decision, texts: Texts) -> Json:
    """What only a referral or a missing answer carries."""
    extra: Json = {}
    if decision.referral is not None:
        extra["referral"] = _referral(decision.referral, texts)
    if decision.limits_met or decision.needed:
        extra["limits_met"] = [
            {"name": limit.name, "asked": arg_json(limit.asked, texts), "best": arg_json(limit.best, texts)}
            for limit in decision.limits_met
        ]
        extra["needed"] = [texts.say(item) for item in decision.needed]
    return extra


def _referral(referral: Referral, texts: Texts) -> Json:
    return {
        "gpu": referral.gpu,
        "gpus": referral.gpus,
        "days": estimate_json(referral.days),
        "latency_s": estimate_json(referral.latency_s),
        "power_w": referral.power_w,
        "fabric": referral.fabric,
        "fabric_factor": estimate_json(referral.fabric_factor),
        "silicon_factor": estimate_json(referral.silicon_factor),
        "can_deliver": [texts.say(item) for item in referral.can_deliver],
        "pcie": {
            "nodes": referral.pcie_nodes,
            "days": estimate_json(referral.pcie_days),
            "efficiency": estimate_json(referral.pcie_efficiency),
        },
    }

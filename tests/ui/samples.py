"""A hand-made answer for tests of the window. Its figures are examples and agree with each other."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials, BomGroup, BomLine, Power, SiteNeeds
from kentino_configurator.core.decision import (
    Configuration,
    Decision,
    Finding,
    Severity,
    TippingPoint,
    Verdict,
    WorkloadResult,
)
from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.hardware import GpuSpec, PriceStatus
from kentino_configurator.core.layout import Parallelism
from kentino_configurator.core.llm import KvPrecision, ModelSpec, Precision
from kentino_configurator.core.message import message
from kentino_configurator.core.money import money
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.prediction import MemoryPerGpu, ServingPerformance
from kentino_configurator.core.request import Assumption, JobKind, Request, Workload
from kentino_configurator.core.units import GB, Unit

T = TypeVar("T")


def blank(kind: type[T], **given: Any) -> T:
    """A value of a dataclass with nothing in the fields that the test does not care about."""
    hints = typing.get_type_hints(kind)
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        has_default = (
            field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        )
        if field.name not in given and not has_default:
            given[field.name] = _nothing(hints[field.name])
    return kind(**given)


def _nothing(hint: Any) -> Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return None if type(None) in typing.get_args(hint) else _nothing(typing.get_args(hint)[0])
    if origin is tuple:
        return ()
    if origin is not None and issubclass(origin, Mapping):
        return {}
    if dataclasses.is_dataclass(hint):
        return blank(hint)  # type: ignore[arg-type]
    if hasattr(hint, "__members__"):
        return next(iter(hint))
    return hint()


def estimate(low: float, expected: float, high: float, unit: Unit) -> Estimate:
    return Estimate(low=low, expected=expected, high=high, unit=unit, evidence=Evidence.DERIVED)


def sample_answer(**workload: Any) -> Answer:
    """64 people at once on one 8-GPU node."""
    return Answer(
        request=sample_request(**workload),
        decision=sample_decision(),
        bom=sample_bom(),
        topology=None,
        catalog_version="2026.12",
        catalog_date="2026-12-01",
        catalog_sha256="0" * 64,
    )


def sample_request(**workload: Any) -> Request:
    asked = {
        "name": "assistant",
        "kind": JobKind.INFERENCE,
        "model": blank(ModelSpec, id="llama-3.3-70b", name="Llama 3.3 70B"),
        "input_tokens": 3000,
        "output_tokens": 500,
        "max_context_tokens": 32_768,
        "concurrent_requests": 64,
        "ttft_s": 2.0,
        "tokens_per_s_per_user": 12.0,
    }
    assumptions = tuple(
        Assumption(field=f"site.{name}", value=None, source="own rule", effect="weak")
        for name in "abcdefghijk"
    )
    return Request(workloads=(Workload(**(asked | workload)),), assumptions=assumptions)


def sample_decision() -> Decision:
    return Decision(
        verdict=Verdict.SINGLE_NODE,
        configuration=sample_configuration(),
        trace=(),
        findings=(
            Finding(rule="tenants_share_node", severity=Severity.WARN),
            Finding(
                rule="slow_shared_storage", severity=Severity.WARN, args={"have": "1 Gb/s", "need": "10 Gb/s"}
            ),
            Finding(rule="prefix_not_counted", severity=Severity.NOTE),
        ),
        results=(sample_result(),),
        scaling_efficiency=None,
        alternatives=(),
        tipping_points=(
            tipping("concurrent_requests", 64, 88, 1, "e.single_larger"),
            tipping("max_context_tokens", 32_768, 59_400, 1, "e.condition.circuits"),
            tipping("concurrent_requests", 64, 51, -1, "e.single_larger"),
        ),
        ops_tax=None,
        three_year_cost=None,
    )


def tipping(name: str, now: float, at: float, direction: int, becomes: str) -> TippingPoint:
    return TippingPoint(
        field=f"workloads[0].{name}",
        now=now,
        at=at,
        direction=direction,
        becomes=message(becomes),
        verdict=Verdict.REPLICAS,
    )


def sample_configuration() -> Configuration:
    gpu = blank(GpuSpec, id="rtx-pro-6000-server", name="RTX Pro 6000 Server", marketed_gb=96)
    watts = estimate(6000, 6485, 6900, Unit.WATTS)
    return Configuration(
        node=blank(NodeOffer, name="8-GPU node", gpu=gpu, gpu_count=8, dc_w=watts, ac_w=watts),
        nodes=1,
        replicas=1,
        parallelism=Parallelism(tp=4, pp=2),
        weights_precision=Precision.FP8,
        kv_precision=KvPrecision.FP8,
        fabric=None,
    )


def sample_result() -> WorkloadResult:
    together = estimate(830, 1300, 1900, Unit.TOKENS_PER_S)
    return WorkloadResult(
        workload="assistant",
        unit=ServingPerformance(
            ttft_s=estimate(0.7, 1.1, 1.8, Unit.SECONDS),
            ttft_p95_s=estimate(0.9, 1.6, 2.6, Unit.SECONDS),
            ttft_burst_s=estimate(5, 8, 13, Unit.SECONDS),
            tpot_s=estimate(0.033, 0.05, 0.077, Unit.SECONDS),
            tokens_per_s_per_user=estimate(13, 20, 30, Unit.TOKENS_PER_S_USER),
            output_tokens_per_s=together,
            prefill_tokens_per_s=estimate(4000, 6000, 9000, Unit.TOKENS_PER_S),
        ),
        memory=MemoryPerGpu(
            usable=102.6 * GB,
            weights=9.1 * GB,
            kv_cache=43.0 * GB,
            activations=2.6 * GB,
            runtime=4.9 * GB,
            kept_back=8.2 * GB,
        ),
        output_tokens_per_s=together,
    )


def sample_bom() -> BillOfMaterials:
    return BillOfMaterials(
        lines=tuple(_line(number) for number in range(1, 13)),
        checks=(),
        list_net=money(171_417),
        discount=money(0),
        net=money(171_417),
        vat_rate_percent=None,
        vat=None,
        gross=None,
        unpriced_lines=0,
        budgetary=True,
        power=blank(
            Power,
            dc_w=estimate(5500, 6000, 6400, Unit.WATTS),
            ac_w=estimate(6000, 6485, 6900, Unit.WATTS),
            btu_h=estimate(20_000, 22_000, 24_000, Unit.BTU_PER_H),
            airflow_m3_h=estimate(900, 1000, 1100, Unit.M3_PER_H),
        ),
        site=blank(SiteNeeds),
    )


def _line(number: int) -> BomLine:
    return blank(
        BomLine,
        line=number,
        group=BomGroup.NODE,
        quantity=1,
        unit_net=money(100),
        price_status=PriceStatus.PLACEHOLDER if number <= 4 else PriceStatus.OBSERVED,
    )

"""Group H: peer access and memory as the driver reports it."""

from __future__ import annotations

from kentino_configurator.bom.checks.registry import Result, blocked, passed, rule, unknown, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import Unit


@rule("H1")
def peer_access(s: Subject) -> Result | None:
    """Cards without peer access block a plan that assumes it; a plan for staged transfers is warned."""
    tp = s.configuration.parallelism.tp if s.configuration else 1
    if tp <= 1:
        return None
    if s.plan.card.p2p is None:
        return unknown("peer_access", s.plan.card.name)
    if s.plan.card.p2p:
        return passed()
    answer = blocked if s.assumes_peer_access else warned
    return answer(need=tp, have=1, option="RTX PRO 6000 Blackwell")


@rule("H3")
def isolation(s: Subject) -> Result | None:
    """Direct exchange between cards asks for ACS and IOMMU off, which weakens the separation of several customers."""
    if not (s.plan.card.p2p and s.plan.gpu_count > 1 and s.request):
        return None
    shared = [workload.name for workload in s.request.workloads if workload.tenancy == "customers"]
    if not shared:
        return passed()
    return warned(need=1, have=len(s.request.workloads), option=shared[0])


@rule("H8", node_only=True)
def driver_memory(s: Subject) -> Result | None:
    """Error correction takes its share of GDDR6 cards; the plan uses what is left."""
    usable = s.plan.card.vram_bytes * s.plan.gpu_count
    if not usable:
        return unknown("driver_memory", s.plan.card.name)
    return passed(have=Quantity(usable, Unit.BYTES))

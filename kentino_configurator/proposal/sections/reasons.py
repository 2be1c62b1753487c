"""Three reasons and three risks of page 1, from the numbers, the alternatives and the findings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kentino_configurator.core.bom import BillOfMaterials, Outcome
from kentino_configurator.core.decision import Alternative, Configuration, Severity, Verdict
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Message, Quantity, message
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import EstimateRow, Point
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.performance import estimate_rows
from kentino_configurator.proposal.sentences import bytes_, finding_message, share

MOST_POINTS = 3
_TELLING_ALTERNATIVES = (
    "requested",
    "cluster",
    "replicas",
    "cheaper",
    "four_bit",
    "larger",
    "other_gpu",
    "sxm",
)
_TOLD_FIGURES = ("doc.est.all", "doc.est.hours", "doc.est.days")
_COMFORTABLE_FREE_SHARE = 0.2


def reasons(case: Case, configuration: Configuration) -> tuple[Point, ...]:
    """Memory, speed, and the strongest rejected alternatives."""
    points = [*_memory(case, configuration), *_speed(case), *_alternatives(case)]
    return tuple(points[:MOST_POINTS])


def _memory(case: Case, configuration: Configuration) -> Iterator[Point]:
    memory = case.decision.memory
    if memory is None:
        return
    if case.decision.verdict is Verdict.MULTI_NODE and exceeds_one_node(case):
        yield Point(
            title=message("doc.reason.too_large"),
            text=message(
                "doc.reason.too_large.text",
                need=bytes_(_held_bytes(memory, configuration)),
                offer=bytes_(memory.usable * configuration.node.gpu_count),
            ),
        )
        return
    yield Point(title=message(_fit_title(memory, case)), text=_fit_text(memory, case))


def exceeds_one_node(case: Case) -> bool:
    """Whether one copy of the job, or its whole training state, needs more memory than one node has."""
    memory, configuration = case.decision.memory, case.configuration
    if memory is None or configuration is None:
        return False
    return _held_bytes(memory, configuration) > memory.usable * configuration.node.gpu_count


def _held_bytes(memory: MemoryPerGpu, configuration: Configuration) -> float:
    """Memory of one copy over its GPUs; a training job is one copy over all of them."""
    trains = bool(memory.gradients or memory.optimizer)
    parallelism = configuration.parallelism
    return memory.used * (parallelism.gpus if trains else parallelism.gpus_per_copy)


def _fit_title(memory: MemoryPerGpu, case: Case) -> str:
    roomy = memory.weights_share <= case.share("weights.comfortable_share")
    return (
        "doc.reason.room"
        if roomy and memory.free > _COMFORTABLE_FREE_SHARE * memory.usable
        else "doc.reason.fits"
    )


def _fit_text(memory: MemoryPerGpu, case: Case) -> Message:
    return message(
        "doc.reason.fits.text",
        weights=share(memory.weights_share),
        limit=share(case.share("weights.comfortable_share")),
        load=share((memory.used - memory.weights) / memory.usable),
    )


def _speed(case: Case) -> Iterator[Point]:
    """The first job whose demand or deadline has a figure."""
    rows = (row for job in case.served() for row in estimate_rows(*job))
    told = (row for row in rows if getattr(row.name, "id", "") in _TOLD_FIGURES and row.met is not None)
    for row in islice(told, 1):
        yield Point(
            title=message("doc.reason.enough" if row.met else "doc.reason.close"), text=_weak_end(row)
        )


def _weak_end(row: EstimateRow) -> Message:
    assert row.estimate is not None and row.target is not None
    weak = row.estimate.high if row.at_most else row.estimate.low
    return message(
        "doc.reason.time.text" if row.at_most else "doc.reason.rate.text",
        asked=Quantity(row.target, row.estimate.unit),
        weak=Quantity(weak, row.estimate.unit),
    )


def strongest_rejected(case: Case) -> Point | None:
    """The alternative that most needs a reason why it was not chosen."""
    return next(_alternatives(case), None)


def _alternatives(case: Case) -> Iterator[Point]:
    by_kind = {item.kind: item for item in case.decision.alternatives}
    for kind in _TELLING_ALTERNATIVES:
        if kind in by_kind:
            yield _rejected(by_kind[kind])


def _rejected(item: Alternative) -> Point:
    return Point(title=message(f"doc.reason.{item.kind}"), text=item.why_not)


def risks(case: Case, configuration: Configuration) -> tuple[Point, ...]:
    """What needs a decision first, then prices, then what a failure would stop, then what nobody could check."""
    prices = list(_prices(case.bom))
    room = MOST_POINTS - len(prices)
    others = [*_blocked_checks(case.bom), *_findings(case), *_no_spare(case, configuration)]
    points = [*others[:room], *prices, *others[room:], *_unknown_checks(case.bom)]
    return tuple(points[:MOST_POINTS])


def _findings(case: Case) -> Iterator[Point]:
    for finding in case.decision.findings:
        if finding.severity in (Severity.BLOCK, Severity.WARN):
            yield Point(title=finding_message(finding, "text"), text=finding_message(finding, "change"))


def _prices(bom: BillOfMaterials | None) -> Iterator[Point]:
    if bom is None or not bom.budgetary:
        return
    open_lines = len(bom.lines) - bom.lines_with_status(PriceStatus.KENTINO_LIST)
    yield Point(
        title=message("doc.risk.prices"),
        text=message(
            "doc.risk.prices.text", open=open_lines, total=len(bom.lines), unpriced=bom.unpriced_lines
        ),
    )


def _no_spare(case: Case, configuration: Configuration) -> Iterator[Point]:
    serves = any(not workload.kind.is_training for workload in case.request.workloads)
    if serves and not configuration.spare_copies and not configuration.spare_nodes:
        one = configuration.nodes == 1
        yield Point(
            title=message("doc.risk.no_spare" if one else "doc.risk.no_spare_copies"),
            text=message("doc.risk.no_spare.text" if one else "doc.risk.no_spare_copies.text"),
        )


def _blocked_checks(bom: BillOfMaterials | None) -> Iterator[Point]:
    count = _count(bom, Outcome.BLOCK)
    if count:
        yield Point(
            title=message("doc.risk.blocked"),
            text=message("doc.risk.blocked.text", count=Quantity(count, Unit.COUNT)),
        )


def _unknown_checks(bom: BillOfMaterials | None) -> Iterator[Point]:
    count = _count(bom, Outcome.UNKNOWN)
    if count:
        yield Point(
            title=message("doc.risk.unknown"),
            text=message("doc.risk.unknown.text", count=Quantity(count, Unit.COUNT)),
        )


def _count(bom: BillOfMaterials | None, outcome: Outcome) -> int:
    return 0 if bom is None else sum(check.outcome is outcome for check in bom.checks)

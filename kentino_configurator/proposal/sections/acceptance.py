"""Acceptance tests: what is measured, how, and with which limit. Limits are weak ends of this document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.prediction import ServingPerformance, TrainingPerformance
from kentino_configurator.core.request import Availability, JobKind, Workload
from kentino_configurator.core.topology import PathClass
from kentino_configurator.core.units import MICRO, Unit
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Paragraph,
    Role,
    Row,
    Sign,
    Signatures,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import page_of
from kentino_configurator.proposal.sentences import share, tokens

# Recommendations for Kentino to confirm; the document says so.
BURN_IN_FACTORY_H: Final = 24
BURN_IN_SITE_H: Final = 2
HOTTEST_GPU_C: Final = 85
CLOCK_SHARE: Final = 0.05
STORAGE_SHARE: Final = 0.8
SOAK_H: Final = 72
SOAK_LOAD_SHARE: Final = 0.7
FABRIC_SHARE: Final = 0.8
TRAINING_STEPS: Final = 100
# With peer access 0.36-0.45 us were measured, without it about 14 us: 1 us tells them apart.
P2P_LATENCY_S: Final = 1e-6
# Bus bandwidth of an all-reduce inside one node: lower ends for tuned nodes (rtx6kpro guide; NVIDIA/nccl issue 1639).
COLLECTIVE_BYTES_PER_S: Final = {
    ("rtx-pro-6000", 8): 35e9,
    ("rtx-5090", 8): 25e9,
    ("rtx-5090", 4): 30e9,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One line of the sheet. ``id`` names ``doc.run.<id>``, the shape of the command, and ``a.<id>.label``."""

    id: str
    expect: Arg
    label: str = ""
    factory: bool = True
    site: bool = True


def acceptance_section(case: Case, configuration: Configuration) -> Section:
    """The sheet and the signatures."""
    return Section(
        id="acceptance",
        title=message("p.title.acceptance"),
        lead=message("a.intro"),
        blocks=tuple(_blocks(case, configuration)),
        keep_together=True,
    )


def _blocks(case: Case, configuration: Configuration) -> Iterator[Block]:
    yield Table(
        columns=(
            Column(width_mm=7, align=Align.RIGHT, quiet=True),
            Column(title=message("doc.column.test"), width_mm=56),
            Column(title=message("doc.column.limit"), quiet=True),
            Column(title=message("doc.column.factory"), width_mm=9, align=Align.CENTER),
            Column(title=message("doc.column.on_site"), width_mm=9, align=Align.CENTER),
            Column(title=message("doc.column.measured"), width_mm=24),
        ),
        rows=tuple(_row(number, test) for number, test in enumerate(tests(case, configuration), start=1)),
        compact=True,
    )
    yield Paragraph(words=message("doc.acceptance.limits", page=page_of("sizing")), role=Role.CAPTION)
    if configuration.nodes > 1:
        yield Paragraph(words=message("a.order"), role=Role.CAPTION)
    yield Paragraph(words=message("a.deemed", days=message("doc.days_open")), role=Role.CAPTION)
    customer: Arg = case.customer or message("doc.the_customer")
    yield Signatures(
        parties=(message("doc.sign.for", party=customer), message("doc.sign.for", party="Kentino"))
    )


def _row(number: int, test: Test) -> Row:
    return Row(
        cells=(
            Cell(words=number),
            Cell(
                words=message(test.label or f"a.{test.id}.label"),
                note=message(f"doc.run.{test.id}"),
                strong=True,
            ),
            Cell(words=test.expect),
            Cell(words="", sign=Sign.BOX if test.factory else Sign.DASH),
            Cell(words="", sign=Sign.BOX if test.site else Sign.DASH),
            Cell(words=""),
        )
    )


def tests(case: Case, configuration: Configuration) -> Iterator[Test]:
    """The tests of this order, in the order in which they are run."""
    yield from _machine_tests(case, configuration)
    for workload, result in case.served():
        yield from _job_tests(workload, result)
    yield from _order_tests(case, configuration)


def _machine_tests(case: Case, configuration: Configuration) -> Iterator[Test]:
    gpu = configuration.node.card
    link = f"PCIe {gpu.pcie_gen}.0 x{gpu.pcie_lanes}"
    yield Test(id="inventory", expect=message("a.inventory.expect", gpu_count=configuration.gpus, link=link))
    yield Test(id="firmware", expect=message("a.firmware.expect"))
    yield from _exchange(case, configuration)
    yield Test(id="health", expect=message("a.health.expect", level=1 if gpu.is_geforce else 3))
    yield Test(id="burn_in", expect=_burn_in())
    if case.bom is not None:
        yield Test(id="power", expect=_power(case.bom.power.ac_w.high), factory=False)
    yield Test(id="storage", expect=message("a.storage.expect", share=share(STORAGE_SHARE)), site=False)


def _burn_in() -> Arg:
    return message(
        "a.burn_in.expect",
        hours_factory=Quantity(BURN_IN_FACTORY_H, Unit.HOURS),
        hours_site=Quantity(BURN_IN_SITE_H, Unit.HOURS),
        temperature=Quantity(HOTTEST_GPU_C, Unit.CELSIUS),
        share=share(CLOCK_SHARE),
    )


def _power(watts: float) -> Arg:
    return message("a.power.expect", limit=Quantity(watts, Unit.WATTS))


def _exchange(case: Case, configuration: Configuration) -> Iterator[Test]:
    """Direct exchange between GPUs and joint exchange of one node, where there is more than one."""
    gpu, count = configuration.node.card, configuration.node.gpu_count
    if count < 2:
        return
    if not gpu.p2p:
        yield Test(id="p2p_none", expect=message("a.p2p_none.expect"))
    else:
        latency = message("u.unit.microseconds", value=round(P2P_LATENCY_S / MICRO))
        yield Test(id="p2p", expect=message("a.p2p.expect", rate=_p2p_rate(case), latency=latency))
    rate = COLLECTIVE_BYTES_PER_S.get((gpu.family, count))
    if configuration.parallelism.tp > 1:
        limit: Arg = message("doc.rate_open") if rate is None else Quantity(rate, Unit.BYTES_PER_S)
        yield Test(id="collectives", expect=message("a.collectives.expect", rate=limit))


def _p2p_rate(case: Case) -> Arg:
    """Weak end of the slowest path shown; unknown wiring on one socket takes the planning figure."""
    graph = case.answer.topology
    paths = () if graph is None else graph.paths
    rates = [
        p.bandwidth_bytes_per_s.low
        for p in paths
        if p.bandwidth_bytes_per_s is not None and p.p2p and p.path_class is not PathClass.NET
    ]
    if rates:
        return Quantity(min(rates), Unit.BYTES_PER_S)
    one_socket = (case.configuration and case.configuration.node.platform.sockets) == 1
    gen5 = case.configuration is not None and case.configuration.node.card.pcie_gen >= 5
    if one_socket and gen5:
        return Quantity(case.snapshot.policy["link.pcie_gen5_bytes_per_s"], Unit.BYTES_PER_S)
    return message("doc.rate_open")


def _job_tests(workload: Workload, result: WorkloadResult) -> Iterator[Test]:
    if isinstance(result.unit, TrainingPerformance):
        yield Test(id="training", expect=_training(result.unit), factory=False)
    elif isinstance(result.unit, ServingPerformance) and workload.kind is JobKind.INFERENCE:
        yield Test(id="serving", expect=_serving(workload, result, result.unit))
    elif result.output_tokens_per_s is not None:
        rate = Quantity(result.output_tokens_per_s.low, Unit.TOKENS_PER_S)
        expect = message("doc.expect.batch", model=workload.model.name, rate=rate)
        yield Test(id="batch", label="doc.test.batch", expect=expect)


def _serving(workload: Workload, result: WorkloadResult, unit: ServingPerformance) -> Arg:
    assert result.output_tokens_per_s is not None
    first_word = unit.ttft_p95_s.high if workload.ttft_s is None else max(workload.ttft_s, unit.ttft_s.high)
    return message(
        "a.serving.expect",
        model=workload.model.name,
        input=tokens(workload.input_tokens),
        output=tokens(workload.output_tokens),
        concurrency=Quantity(result.concurrency_per_copy * result.copies_loaded, Unit.REQUESTS),
        rate=Quantity(result.output_tokens_per_s.low, Unit.TOKENS_PER_S),
        ttft=Quantity(first_word, Unit.SECONDS),
    )


def _training(unit: TrainingPerformance) -> Arg:
    return message(
        "a.training.expect",
        steps=message("doc.steps", count=TRAINING_STEPS),
        rate=Quantity(unit.tokens_per_s.low, Unit.TOKENS_PER_S),
        efficiency=share(unit.scaling_efficiency.low),
    )


def _order_tests(case: Case, configuration: Configuration) -> Iterator[Test]:
    if configuration.weights_precision.is_four_bit:
        yield Test(
            id="quality", expect=message("a.quality.expect", share=message("doc.share_open")), factory=False
        )
    soak = Quantity(SOAK_H, Unit.HOURS)
    yield Test(
        id="soak", expect=message("a.soak.expect", hours=soak, load=share(SOAK_LOAD_SHARE)), site=False
    )
    if configuration.fabric is not None:
        line_rate = float(configuration.fabric.value.rsplit("_", 1)[1].removesuffix("g")) / 8 * 1e9
        rate = Quantity(line_rate * FABRIC_SHARE, Unit.BYTES_PER_S)
        yield Test(id="fabric", expect=message("a.fabric.expect", rate=rate), factory=False)
    if _must_survive(case):
        yield Test(id="failover", expect=_failover(case), factory=False)
    several = (configuration.node.supplies or 1) > 1
    expect = message("a.recovery.expect" if several else "doc.recovery_one_supply")
    yield Test(id="recovery", expect=expect, factory=False)
    yield Test(id="handover", expect=message("a.handover.expect"), factory=False)


def _must_survive(case: Case) -> bool:
    return any(w.availability is Availability.N_PLUS_1 for w in case.request.workloads)


def _failover(case: Case) -> Arg:
    """The demand that must go on with one unit less."""
    rates = [r.output_tokens_per_s.low for _, r in case.served() if r.output_tokens_per_s is not None]
    rate: Arg = Quantity(rates[0], Unit.TOKENS_PER_S) if rates else message("doc.rate_open")
    return message("a.failover.expect", rate=rate)

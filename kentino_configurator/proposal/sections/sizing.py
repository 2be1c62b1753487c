"""Memory of one GPU with the computation of each part, and performance beside what was asked."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.answer.sentences import layout_words
from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.message import Arg, Listing, Quantity, message
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.request import Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Cell,
    Column,
    EstimateRows,
    Heading,
    MemoryBar,
    Paragraph,
    Role,
    Row,
    Sign,
    Table,
)
from kentino_configurator.proposal.capacity_curve import capacity_curve
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import both_units, gigabytes, page_of
from kentino_configurator.proposal.performance import estimate_rows
from kentino_configurator.proposal.sentences import bytes_, format_name, share, tokens


def sizing_section(case: Case, configuration: Configuration) -> Section:
    """Memory and speed."""
    return Section(
        id="sizing",
        title=message("doc.title.sizing"),
        lead=_lead(case, configuration),
        blocks=tuple(_blocks(case, configuration)),
    )


def _lead(case: Case, configuration: Configuration) -> Arg:
    return message(
        "doc.sizing.lead",
        models=", ".join(dict.fromkeys(workload.model.name for workload in case.request.workloads)),
        weights=format_name(configuration.weights_precision),
        kv=format_name(configuration.kv_precision),
        gpus=configuration.gpus,
        gpu=configuration.node.gpu.name,
        layout=layout_words(configuration),
    )


def _blocks(case: Case, configuration: Configuration) -> Iterator[Block]:
    for index, (workload, result) in enumerate(case.served()):
        yield from _memory(case, configuration, workload, result, in_full=index == 0)
    for workload, result in case.served():
        yield from _speed(workload, result, several=len(case.decision.results) > 1)
    yield Paragraph(words=message("p.text.performance_reading"), role=Role.CAPTION)
    yield from _field_figures(case, configuration)
    curve = capacity_curve(case, configuration)
    if curve is not None:
        yield Heading(words=message("doc.curve.title"), remark=message("doc.curve.remark"))
        yield curve
        yield Paragraph(words=message("doc.curve.caption", page=page_of("method")), role=Role.CAPTION)


def _memory(
    case: Case, configuration: Configuration, workload: Workload, result: WorkloadResult, *, in_full: bool
) -> Iterator[Block]:
    """The bar with its table; further jobs on the same GPU give the table's values in one sentence."""
    memory = result.memory
    name: Arg = message("p.title.memory")
    if len(case.decision.results) > 1:
        name = message("doc.of_job", what=name, job=workload.name)
    yield Heading(words=name, remark=message("doc.memory.remark", usable=both_units(memory.usable)))
    yield MemoryBar(
        memory=memory,
        comfortable_share=case.share("weights.comfortable_share"),
        ceiling_share=case.share("weights.ceiling_share"),
    )
    rows = tuple(_memory_rows(case, configuration, workload, result))
    if in_full:
        yield _memory_table(rows)
    else:
        yield Paragraph(words=_memory_words(rows), role=Role.CAPTION)
    if memory.kv_capacity_tokens and not workload.kind.is_training:
        yield Paragraph(words=_capacity(memory), role=Role.CAPTION)


def _memory_table(rows: tuple[Row, ...]) -> Table:
    return Table(
        columns=(
            Column(title=message("doc.column.part"), width_mm=52),
            Column(title="GB", width_mm=16, align=Align.RIGHT),
            Column(title=message("doc.column.share"), width_mm=19, align=Align.RIGHT, quiet=True),
            Column(title=message("doc.column.how"), quiet=True),
        ),
        rows=rows,
    )


def _memory_words(rows: tuple[Row, ...]) -> Arg:
    """The values of the table in one line, in GB."""
    parts = (message("doc.memory.part", name=row.cells[0].words, value=row.cells[1].words) for row in rows)
    return message("doc.memory.parts", parts=Listing(tuple(parts)))


def _capacity(memory: MemoryPerGpu) -> Arg:
    return message(
        "doc.memory.capacity",
        tokens=tokens(_two_digits(memory.kv_capacity_tokens)),
        requests=Quantity(int(memory.max_concurrency_at_context), Unit.REQUESTS),
    )


def _two_digits(value: float) -> float:
    """Rounded down to three significant digits: a capacity is not known to the token."""
    digits = max(0, len(str(int(value))) - 3)
    return float(int(value) // 10**digits * 10**digits)


def _memory_rows(
    case: Case, configuration: Configuration, workload: Workload, result: WorkloadResult
) -> Iterator[Row]:
    memory = result.memory
    gpus = configuration.parallelism.gpus_per_copy
    weights = bytes_(memory.weights * gpus)
    yield _part(
        memory,
        "weights",
        memory.weights,
        Sign.FILL_STRONG,
        message("doc.how.weights", weights=weights, gpus=Quantity(gpus, Unit.GPUS)),
    )
    if workload.kind.is_training:
        state = memory.gradients + memory.optimizer
        how = message("doc.how.state", bytes=workload.bytes_per_parameter)
        yield _part(memory, "training_state", state, Sign.FILL_MIDDLE, how)
    else:
        yield _part(memory, "kv_cache", memory.kv_cache, Sign.FILL_MIDDLE, _kv(case, result))
    yield _part(memory, "activations", memory.activations, Sign.FILL_GREY, message("doc.how.activations"))
    yield _part(memory, "runtime", memory.runtime, Sign.FILL_CLOSE, message("doc.how.runtime"))
    yield _part(memory, "free", memory.free, Sign.FILL_OPEN, _free(memory, workload, result))
    engine_share = share(1 - memory.kept_back / memory.usable)
    yield _part(
        memory,
        "kept_back",
        memory.kept_back,
        Sign.FILL_WIDE,
        message("doc.how.kept_back", share=engine_share),
    )


def _share_words(part: float) -> Arg:
    """A share in whole percent; a little is "below 1 %", never more digits."""
    return message("n.below", value=share(0.01)) if 0 < part < 0.005 else share(part)


def _part(memory: MemoryPerGpu, name: str, value: float, sign: Sign, how: Arg) -> Row:
    return Row(
        cells=(
            Cell(words=message(f"doc.memory.{name}"), strong=True, sign=sign),
            Cell(words=gigabytes(value), strong=True),
            Cell(words=_share_words(value / memory.usable)),
            Cell(words=how),
        )
    )


def _kv(case: Case, result: WorkloadResult) -> Arg:
    """The engine's own formula where there is one job; with several jobs it cannot tell them apart."""
    formulas = [f for f in case.decision.formulas if f.id == "kv_cache"]
    if len(formulas) == 1:
        return message("doc.how.kv", expression=formulas[0].expression, value=formulas[0].value)
    requests = Quantity(result.concurrency_per_copy, Unit.REQUESTS)
    return message("doc.how.kv_short", requests=requests)


def _free(memory: MemoryPerGpu, workload: Workload, result: WorkloadResult) -> Arg:
    more = int(memory.max_concurrency_at_context) - result.concurrency_per_copy
    if workload.kind.is_training or more <= 0:
        return message("doc.how.free")
    return message("doc.how.free_requests", requests=Quantity(more, Unit.REQUESTS))


def _speed(workload: Workload, result: WorkloadResult, *, several: bool) -> Iterator[Block]:
    name: Arg = message("doc.speed")
    if several:
        name = message("doc.of_job", what=name, job=workload.name)
    yield Heading(words=name)
    yield EstimateRows(rows=estimate_rows(workload, result))


def _field_figures(case: Case, configuration: Configuration) -> Iterator[Block]:
    """Kentino's field range beside the estimate where it speaks of this machine; never blended."""
    policy = case.snapshot.policy
    low, high = (f"field.single_node_70b_{end}_tokens_per_s" for end in ("low", "high"))
    parameters = case.request.workloads[0].model.text_params / 1e9
    same_machine = configuration.node.gpu.family == "rtx-pro-6000" and configuration.gpus == 8
    if same_machine and 60 <= parameters <= 80 and not case.request.workloads[0].kind.is_training:
        yield Paragraph(
            words=message(
                "doc.field_range",
                low=Quantity(policy[low], Unit.TOKENS_PER_S),
                high=Quantity(policy[high], Unit.TOKENS_PER_S),
            ),
            role=Role.CAPTION,
        )

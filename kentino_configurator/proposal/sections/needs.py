"""What the customer told us, and what we assumed where nothing was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kentino_configurator.core.message import Arg, message
from kentino_configurator.core.request import Assumption
from kentino_configurator.proposal.asked import Asked, asked_of_job, asked_of_rest, question_at, value_arg
from kentino_configurator.proposal.blocks import (
    Block,
    Cell,
    Column,
    Heading,
    Paragraph,
    Role,
    Row,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section

_EFFECTS = ("very_strong", "strong", "medium", "weak", "document", "nothing")
_DOCUMENT_ONLY = _EFFECTS.index("document")


def needs_section(case: Case) -> Section:
    """Needs and assumptions."""
    return Section(
        id="needs",
        title=message("doc.title.needs"),
        lead=message("p.text.needs_signoff"),
        blocks=tuple(_blocks(case)),
    )


def _blocks(case: Case) -> Iterator[Block]:
    request, assumed = case.request, {item.field for item in case.request.assumptions}
    for index, workload in enumerate(request.workloads):
        kind = message(f"doc.kind.{workload.kind.value}")
        yield Heading(words=message("doc.job", name=workload.name), remark=kind)
        yield from _told(asked_of_job(request, index, case.snapshot), assumed)
        yield from _conversion(case, workload.name)
    rest = tuple(_told(asked_of_rest(request, case.snapshot), assumed))
    if rest:
        yield Heading(words=message("doc.site_and_limits"))
        yield from rest
    yield from _assumptions(case)


def _told(asked: Iterable[Asked], assumed: set[str]) -> Iterator[Block]:
    rows = tuple(_row(item) for item in asked if item.path not in assumed)
    if rows:
        yield Table(columns=(Column(), Column(width_mm=66)), rows=rows, compact=True)


def _row(item: Asked) -> Row:
    return Row(cells=(Cell(words=item.label), Cell(words=item.value, strong=True)))


def _conversion(case: Case, workload: str) -> Iterator[Block]:
    """How a concurrency follows from people or from a rate."""
    result = next((r for r in case.decision.results if r.workload == workload), None)
    if result is None or "mean_concurrency" not in result.load_conversion:
        return
    figures = result.load_conversion
    yield Paragraph(
        words=message("doc.conversion", mean=figures["mean_concurrency"], peak=int(figures["concurrency"])),
        role=Role.CAPTION,
    )


def _assumptions(case: Case) -> Iterator[Block]:
    ranked = sorted(case.request.assumptions, key=_effect_rank)
    assumptions = [item for item in ranked if _effect_rank(item) < _DOCUMENT_ONLY]
    yield Heading(words=message("p.title.assumptions"))
    if not assumptions:
        yield Paragraph(words=message("doc.nothing_assumed"))
        return
    yield Table(
        columns=(
            Column(title=message("doc.column.question")),
            Column(title=message("doc.column.assumed"), width_mm=33),
            Column(title=message("doc.column.source"), width_mm=47, quiet=True),
            Column(title=message("doc.column.effect"), width_mm=18, quiet=True),
        ),
        rows=tuple(_assumption(item, case) for item in assumptions),
        compact=True,
    )
    if len(ranked) > len(assumptions):
        others = len(ranked) - len(assumptions)
        yield Paragraph(words=message("doc.other_defaults", count=others), role=Role.CAPTION)


def strongest_assumptions(case: Case, most: int) -> tuple[Arg, ...]:
    """The assumptions that move the verdict most, each with its value in one line."""
    ranked = sorted(case.request.assumptions, key=_effect_rank)
    moving = [item for item in ranked if _effect_rank(item) < _DOCUMENT_ONLY]
    return tuple(
        message("doc.two", first=_label(item, case), second=_value(item, case)) for item in moving[:most]
    )


def _effect_rank(item: Assumption) -> int:
    effect = item.moves.rpartition(".")[2]
    return _EFFECTS.index(effect) if effect in _EFFECTS else len(_EFFECTS)


def _assumption(item: Assumption, case: Case) -> Row:
    source: Arg = message(item.origin) if item.origin else item.source
    effect: Arg = message(item.moves) if item.moves else item.effect
    label, value = _label(item, case), _value(item, case)
    return Row(
        cells=(Cell(words=label), Cell(words=value, strong=True), Cell(words=source), Cell(words=effect))
    )


def _label(item: Assumption, case: Case) -> Arg:
    """The question, with the job's name where there are several."""
    question, job = question_at(item.field), _job_name(item, case)
    label: Arg = item.field if question is None else message(question.text("label"))
    return message("doc.label_of_job", label=label, job=job) if job else label


def _value(item: Assumption, case: Case) -> Arg:
    question = question_at(item.field)
    return str(item.value) if question is None else value_arg(question, item.value, case.snapshot)


def _job_name(item: Assumption, case: Case) -> str:
    """The job's name where there are several."""
    workloads = case.request.workloads
    if len(workloads) < 2 or not item.field.startswith("workloads["):
        return ""
    index = int(item.field.partition("[")[2].partition("]")[0])
    return workloads[index].name if index < len(workloads) else ""

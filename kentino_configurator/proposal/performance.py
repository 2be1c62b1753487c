"""The figures of each job beside what was asked: rows for tables and charts, and the demand behind them."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.prediction import ServingPerformance, TrainingPerformance
from kentino_configurator.core.request import JobKind, Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import EstimateRow
from kentino_configurator.proposal.sentences import tokens


def estimate_rows(workload: Workload, result: WorkloadResult) -> tuple[EstimateRow, ...]:
    """The rows of one job, the figure a director asks for first."""
    if isinstance(result.unit, TrainingPerformance):
        return tuple(_training_rows(workload, result, result.unit))
    if isinstance(result.unit, ServingPerformance):
        rows = _batch_rows if workload.kind is JobKind.BATCH else _serving_rows
        return tuple(rows(workload, result, result.unit))
    return (
        EstimateRow(name=message("doc.est.unknown"), note=message("doc.est.unknown.note"), estimate=None),
    )


def needed_tokens_per_s(workload: Workload) -> float | None:
    """Written text wanted at the peak, tokens/s; ``None`` when nothing of the kind was asked."""
    if workload.requests_per_s is not None:
        return workload.requests_per_s * workload.output_tokens
    if workload.concurrent_requests is not None and workload.tokens_per_s_per_user is not None:
        return workload.concurrent_requests * workload.tokens_per_s_per_user
    return None


def asked(estimate: Estimate | None, target: float | None, at_most: bool) -> Arg:
    """The asked limit in words, with the unit of the estimate; empty when nothing was asked."""
    if target is None or estimate is None:
        return ""
    value = Quantity(target, estimate.unit)
    return message("doc.asked_at_most" if at_most else "doc.asked_at_least", value=value)


def _row(
    name: str,
    note: Arg,
    estimate: Estimate | None,
    target: float | None = None,
    *,
    at_most: bool = False,
    words: Arg = "",
) -> EstimateRow:
    return EstimateRow(
        name=message(name),
        note=note,
        estimate=estimate,
        target=target,
        target_words=words or asked(estimate, target, at_most),
        at_most=at_most,
    )


def _serving_rows(
    workload: Workload, result: WorkloadResult, unit: ServingPerformance
) -> Iterator[EstimateRow]:
    lengths = message("doc.est.ttft.note", input=tokens(workload.input_tokens))
    yield _row("doc.est.ttft", lengths, unit.ttft_s, workload.ttft_s, at_most=True)
    yield _row(
        "doc.est.each",
        message("doc.est.each.note"),
        unit.tokens_per_s_per_user.in_unit(Unit.TOKENS_PER_S, 1),
        workload.tokens_per_s_per_user,
    )
    needed = needed_tokens_per_s(workload)
    running = Quantity(result.concurrency_per_copy * result.copies_loaded, Unit.REQUESTS)
    words = "" if needed is None else message("doc.needed", value=Quantity(needed, Unit.TOKENS_PER_S))
    note = message("doc.est.all.note", requests=running)
    yield _row("doc.est.all", note, result.output_tokens_per_s, needed, words=words)
    yield _row("doc.est.burst", message("doc.est.burst.note"), unit.ttft_burst_s)


def _batch_rows(
    workload: Workload, result: WorkloadResult, unit: ServingPerformance
) -> Iterator[EstimateRow]:
    corpus = message(
        "doc.est.hours.note",
        read=tokens(workload.corpus_input_tokens),
        written=tokens(workload.corpus_output_tokens),
    )
    yield _row("doc.est.hours", corpus, result.hours, workload.deadline_hours, at_most=True)
    running = Quantity(result.concurrency_per_copy * result.copies_loaded, Unit.REQUESTS)
    note = message("doc.est.all.note", requests=running)
    yield _row("doc.est.all", note, result.output_tokens_per_s)


def _training_rows(
    workload: Workload, result: WorkloadResult, unit: TrainingPerformance
) -> Iterator[EstimateRow]:
    amount = message("doc.est.days.note", tokens=tokens(workload.dataset_tokens), epochs=workload.epochs)
    yield _row("doc.est.days", amount, result.days or unit.days, workload.deadline_days, at_most=True)
    yield _row("doc.est.train", message("doc.est.train.note"), unit.tokens_per_s)
    yield _row("doc.est.efficiency", message("doc.est.efficiency.note"), unit.scaling_efficiency)
    yield _row("doc.est.mfu", message("doc.est.mfu.note"), unit.mfu)


def main_figure(result: WorkloadResult) -> Estimate | None:
    """The one figure that stands for a job in a comparison."""
    if isinstance(result.unit, TrainingPerformance):
        return result.days or result.unit.days
    return result.hours or result.output_tokens_per_s

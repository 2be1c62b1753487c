"""The four large figures of page 1."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import WorkloadResult
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, message
from kentino_configurator.core.request import JobKind, Workload
from kentino_configurator.proposal.blocks import EstimateRow, KeyFigure
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.late import date_arg, range_of
from kentino_configurator.proposal.performance import estimate_rows
from kentino_configurator.proposal.sentences import listed, price_message

SPEED_FIGURES = 2
_FIGURES = {
    JobKind.BATCH: ("doc.est.hours", "doc.est.all"),
    JobKind.INFERENCE: ("doc.est.ttft", "doc.est.each"),
}
_TRAINING = ("doc.est.days", "doc.est.train")


def key_figures(case: Case) -> tuple[KeyFigure, ...]:
    """Two figures of the first job, power and price."""
    return (*_speed(case), *_power(case), *_price(case))


def _speed(case: Case) -> Iterator[KeyFigure]:
    first = next(case.served(), None)
    if first is not None:
        yield from (_figure(row) for row in _chosen_rows(*first))


def _chosen_rows(workload: Workload, result: WorkloadResult) -> Iterator[EstimateRow]:
    wanted = _FIGURES.get(workload.kind, _TRAINING)
    for row in estimate_rows(workload, result):
        if getattr(row.name, "id", "") in wanted:
            yield row


def _figure(row: EstimateRow) -> KeyFigure:
    return KeyFigure(
        label=row.name,
        value=message("n.not_known") if row.estimate is None else row.estimate,
        lines=tuple(line for line in (_range(row.estimate), row.target_words) if line),
    )


def _range(estimate: Estimate | None) -> Arg:
    return "" if estimate is None else range_of(estimate)


def _power(case: Case) -> Iterator[KeyFigure]:
    if case.bom is None:
        return
    power = case.bom.power
    circuits = listed(power.circuits_needed) if power.circuits_needed else message("n.not_known")
    yield KeyFigure(
        label=message("doc.figure.power"),
        value=power.ac_w,
        lines=(range_of(power.ac_w), circuits),
    )


def _price(case: Case) -> Iterator[KeyFigure]:
    bom = case.bom
    if bom is None:
        return
    until = date_arg(case.terms.valid_until(case.request.commercial.validity_days))
    status = message("doc.budgetary" if bom.budgetary else "doc.firm")
    yield KeyFigure(
        label=message("doc.figure.price_at_least" if bom.unpriced_lines else "doc.figure.price"),
        value=price_message(bom.net, is_lower_bound=False),
        lines=(status, message("doc.valid_until", date=until)),
    )

"""How far one machine goes: written text over the number of requests at once, from the engine's own model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.layout import Layout
from kentino_configurator.core.message import Quantity, message
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.core.request import JobKind, Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.demand import ServingDemand, serving_demand
from kentino_configurator.engine.performance import predict_serving
from kentino_configurator.engine.units import machines_of, memory_utilization
from kentino_configurator.proposal.blocks import Curve, CurveMark, CurvePoint
from kentino_configurator.proposal.case import Case

POINTS = 9
_SAME = 0.02
_LEAST_RANGE = 4


def capacity_curve(case: Case, configuration: Configuration) -> Curve | None:
    """The curve of the first interactive job over all its loaded copies.

    ``None`` where the document could not recompute the decision's own figure: then there is nothing to draw.
    """
    if configuration.fabric is not None:
        return None
    job = next(((w, r) for w, r in case.served() if w.kind is JobKind.INFERENCE), None)
    if job is None:
        return None
    workload, result = job
    layout = _layout(configuration, workload, case.snapshot)
    demand = serving_demand(workload, case.request.growth)
    if not _recomputes(layout, demand, result, case.snapshot):
        return None
    full = int(result.memory.max_concurrency_at_context)
    now = result.concurrency_per_copy
    most = min(full, max(4 * now, _LEAST_RANGE))
    if most <= now or most < _LEAST_RANGE:
        return None
    points = tuple(_points(layout, demand, most, result.copies_loaded, case.snapshot))
    return _curve(workload, result, points, case)


def _layout(configuration: Configuration, workload: Workload, snapshot: CatalogSnapshot) -> Layout:
    """One copy as the engine laid it out."""
    return Layout(
        model=workload.model,
        machines=machines_of(configuration.node),
        parallelism=replace(configuration.parallelism, dp=1),
        weights_precision=configuration.weights_precision,
        kv_precision=configuration.kv_precision,
        gpu_memory_utilization=memory_utilization(configuration.node.gpu, snapshot.policy),
    )


def _rate(
    layout: Layout, demand: ServingDemand, concurrency: int, snapshot: CatalogSnapshot
) -> ServingPerformance | None:
    load = demand.load(concurrency)
    prediction = predict_serving(layout, load, snapshot.calibration, snapshot.policy)
    return prediction.performance if isinstance(prediction.performance, ServingPerformance) else None


def _recomputes(
    layout: Layout, demand: ServingDemand, result: WorkloadResult, snapshot: CatalogSnapshot
) -> bool:
    if not isinstance(result.unit, ServingPerformance):
        return False
    performance = _rate(layout, demand, result.concurrency_per_copy, snapshot)
    if performance is None:
        return False
    theirs = result.unit.output_tokens_per_s.expected
    return abs(performance.output_tokens_per_s.expected - theirs) <= _SAME * theirs


def _points(
    layout: Layout, demand: ServingDemand, most: int, copies: int, snapshot: CatalogSnapshot
) -> Iterator[CurvePoint]:
    steps = sorted({max(1, round(most * i / (POINTS - 1))) for i in range(POINTS)})
    for concurrency in steps:
        performance = _rate(layout, demand, concurrency, snapshot)
        if performance is not None:
            yield CurvePoint(x=concurrency * copies, y=performance.output_tokens_per_s.scaled(copies))


def _curve(workload: Workload, result: WorkloadResult, points: tuple[CurvePoint, ...], case: Case) -> Curve:
    speed = workload.tokens_per_s_per_user
    return Curve(
        points=points,
        x_name=message("doc.curve.x"),
        y_unit=Unit.TOKENS_PER_S,
        demand_per_x=speed,
        demand_name="" if speed is None else message("doc.curve.demand", speed=speed),
        marks=tuple(_marks(result, points[-1].x, case)),
    )


def _marks(result: WorkloadResult, most: float, case: Case) -> Iterator[CurveMark]:
    now = result.concurrency_per_copy * result.copies_loaded
    yield CurveMark(x=now, name=message("doc.curve.now", count=now), now=True)
    full = int(result.memory.max_concurrency_at_context) * result.copies_loaded
    if full <= most:
        yield CurveMark(x=full, name=message("doc.curve.full", count=full))
    for point in case.decision.tipping_points:
        if point.field.endswith(".concurrent_requests") and now < point.at < most:
            yield CurveMark(
                x=point.at, name=message("doc.curve.tipping", count=Quantity(point.at, Unit.COUNT))
            )

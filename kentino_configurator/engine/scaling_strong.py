"""Strong scaling: one job of fixed batch over more and more nodes, and where the next node stops paying."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.scaling import Spread, StrongScaling, StrongScalingPoint
from kentino_configurator.engine.scaling_recipes import (
    Case,
    ScalingContext,
    best_recipe,
    machines_of_row,
    rate_of,
    spread_degrees,
)


def strong_scaling(context: ScalingContext, fabric: Fabric, gpus_per_node: int = 8) -> StrongScaling:
    """Amdahl's curve of one job of fixed batch over nodes, with the faster spread on the largest cluster.

    Speed-up counts from the smallest number of nodes that holds the job. The serial share is that of Karp and Flatt
    (1990), ``(1/S - 1/n) / (1 - 1/n)``, as a mean over the curve. The node after ``last_paying_nodes`` adds less than
    the efficiency gate's share of a node.
    """
    largest = int(context.policy["cluster.max_nodes"])
    spread = max(
        (Spread.DATA, Spread.TENSOR_AND_PIPELINE),
        key=lambda each: rate_of(_cluster_case(context, fabric, each, largest, gpus_per_node)),
    )
    cases = {n: _cluster_case(context, fabric, spread, n, gpus_per_node) for n in range(1, largest + 1)}
    first = next((n for n, case in cases.items() if case.prediction.fits), 1)
    speedups = {n: first * rate_of(cases[n]) / rate_of(cases[first]) for n in range(first, largest + 1)}
    serial = _serial_share({n / first: speedup / first for n, speedup in speedups.items()})
    points = []
    for n, speedup in speedups.items():
        figures = cases[n].performance
        assert figures is not None
        points.append(
            StrongScalingPoint(
                nodes=n,
                tokens_per_s=figures.tokens_per_s,
                speedup=speedup,
                amdahl=first / (serial + (1.0 - serial) * first / n),
                efficiency=speedup / n,
                gain=speedup - speedups.get(n - 1, 0.0) if n > first else float(first),
            )
        )
    return StrongScaling(
        fabric=fabric,
        spread=spread,
        serial_share=serial,
        points=tuple(points),
        last_paying_nodes=_last_paying(points, context.policy["efficiency.gate"]),
    )


def _serial_share(speedups: Mapping[float, float]) -> float:
    """Mean serial share of (machines, speed-up) pairs; a curve above the straight line has none."""
    shares = [(1.0 / s - 1.0 / n) / (1.0 - 1.0 / n) for n, s in speedups.items() if n > 1.0]
    return max(0.0, fmean(shares)) if shares else 0.0


def _last_paying(points: Sequence[StrongScalingPoint], gate: float) -> int:
    paying = points[0].nodes
    for point in points[1:]:
        if point.gain < gate:
            break
        paying = point.nodes
    return paying


def _cluster_case(
    context: ScalingContext, fabric: Fabric, spread: Spread, nodes: int, gpus_per_node: int
) -> Case:
    on = machines_of_row(context, nodes, gpus_per_node, fabric if nodes > 1 else None)
    return best_recipe(context, on, spread_degrees(spread, nodes, gpus_per_node))

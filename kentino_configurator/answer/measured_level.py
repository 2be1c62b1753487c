"""One benchmark of the customer's own machine: read, compared with its prediction, and applied to an answer.

The file holds what ``vllm bench serve --save-result`` writes, or the same figures typed, and under ``layout`` what was
measured, in the form that ``predict`` reads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.prediction import ServingPerformance
from kentino_configurator.engine.level import Level, MeasuredPoint, at_level, moved
from kentino_configurator.wizard.layout_reading import read_layout

FIGURES = ("median_ttft_ms", "median_tpot_ms", "output_throughput")


class MeasuredPointError(ValueError):
    """The benchmark cannot be used; the message says where, what, and what would be right."""


def read_measured_point(data: Any, snapshot: CatalogSnapshot, base_dir: Path | None = None) -> MeasuredPoint:
    """The benchmark of a parsed file. Raises :class:`MeasuredPointError`."""
    if not isinstance(data, Mapping):
        raise MeasuredPointError("must be an object with layout and the figures of a benchmark")
    layout, reuse = _layout(data, snapshot, base_dir)
    copies = layout.parallelism.dp
    ttft_ms, tpot_ms, throughput = (_figure(data, name) for name in FIGURES)
    if ttft_ms is None and tpot_ms is None and throughput is None:
        raise MeasuredPointError(f"states none of {', '.join(FIGURES)}")
    prompt = _length(data, "input_tokens", "total_input_tokens")
    answer = _length(data, "output_tokens", "total_output_tokens")
    return MeasuredPoint(
        layout=layout,
        load=ServingLoad(
            input_tokens=prompt,
            output_tokens=answer,
            concurrency=math.ceil(_users(data) / copies),
            kv_tokens_per_request=float(prompt + answer),
            prefix_reuse=reuse,
        ),
        ttft_s=None if ttft_ms is None else ttft_ms / 1e3,
        tpot_s=None if tpot_ms is None else tpot_ms / 1e3,
        output_tokens_per_s=None if throughput is None else throughput / copies,
    )


def _layout(
    data: Mapping[str, Any], snapshot: CatalogSnapshot, base_dir: Path | None
) -> tuple[Layout, float]:
    """The layout that was measured and the share of prompts found in the cache."""
    if "layout" not in data:
        raise MeasuredPointError(
            "layout: is missing; it says what was measured, in the form that predict reads"
        )
    reading = read_layout(data["layout"], snapshot, base_dir)
    if reading.layout is None:
        raise MeasuredPointError("; ".join(f"layout.{problem.line()}" for problem in reading.problems))
    if reading.load is None:
        raise MeasuredPointError("layout.kind: a benchmark of requests is needed, not a training run")
    return reading.layout, reading.load.prefix_reuse


def _figure(data: Mapping[str, Any], name: str) -> float | None:
    """A positive number; ``None`` where it is not stated."""
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise MeasuredPointError(f"{name}: {value!r} cannot be used; a number above zero is needed")
    return float(value)


def _length(data: Mapping[str, Any], typed: str, total: str) -> int:
    """Mean tokens per request: typed, or the total over the completed requests."""
    stated = _figure(data, typed)
    if stated is None:
        tokens, requests = _figure(data, total), _figure(data, "completed")
        if tokens is None or requests is None:
            raise MeasuredPointError(f"{typed}: is missing (or {total} with completed)")
        stated = tokens / requests
    return max(1, round(stated))


def _users(data: Mapping[str, Any]) -> float:
    """Requests at once: typed, the limit of the benchmark, or all of them when they came without a limit."""
    for name in ("concurrency", "max_concurrency"):
        stated = _figure(data, name)
        if stated is not None:
            return stated
    requests = _figure(data, "num_prompts")
    if requests is None or data.get("request_rate", "inf") not in ("inf", math.inf):
        raise MeasuredPointError("concurrency: is missing; an arrival rate does not say how many run at once")
    return requests


def with_level(answer: Answer, point: MeasuredPoint, level: Level) -> Answer:
    """The answer with the figures of jobs on the measured model, format and card at the measured level.

    What is proposed does not change. Raises :class:`MeasuredPointError` when no job is near the measured one.
    """
    models = {workload.name: workload.model for workload in answer.request.workloads}
    near = {
        name for name, model in models.items() if _is_near(point.layout, model, answer.decision.configuration)
    }
    results = tuple(
        _at_level(result, level) if result.workload in near else result for result in answer.decision.results
    )
    if results == answer.decision.results:
        measured = point.layout
        raise MeasuredPointError(
            f"layout: {measured.model.id} in {measured.weights_precision.value} on {measured.machines.gpu.id} is not "
            "what the answer proposes for any job; model, format and card must be the same"
        )
    return replace(answer, decision=replace(answer.decision, results=results))


def _is_near(measured: Layout, model: ModelSpec, configuration: Configuration | None) -> bool:
    return (
        configuration is not None
        and model.id == measured.model.id
        and configuration.weights_precision is measured.weights_precision
        and configuration.node.gpu.family == measured.machines.gpu.family
    )


def _at_level(result: WorkloadResult, level: Level) -> WorkloadResult:
    if not isinstance(result.unit, ServingPerformance):
        return result
    slower = None if level.throughput is None else 1.0 / level.throughput
    total, hours = result.output_tokens_per_s, result.hours
    return replace(
        result,
        unit=at_level(result.unit, level),
        output_tokens_per_s=None if total is None else moved(total, level.throughput),
        hours=None if hours is None else moved(hours, slower),
    )

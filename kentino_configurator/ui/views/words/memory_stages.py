"""What each pipeline stage holds, from the engine's own split of the layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.layout import Layout
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.request import Workload
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.demand import serving_demand
from kentino_configurator.engine.memory import layout_stages
from kentino_configurator.engine.units import machines_of, memory_utilization
from kentino_configurator.texts import Texts

_SAME = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class StageMemory:
    """Memory of every GPU of one stage of a copy; ``first`` and ``last`` count GPUs inside the copy from 0."""

    stage: int
    layers: int
    first: int
    last: int
    memory: MemoryPerGpu


def stage_memories(
    answer: Answer, workload: Workload, result: WorkloadResult, snapshot: CatalogSnapshot
) -> tuple[StageMemory, ...]:
    """One entry for each stage; empty without stages, and where the decision's own figure is not met again."""
    configuration = answer.decision.configuration
    if configuration is None or configuration.parallelism.pp == 1 or workload.kind.is_training:
        return ()
    found = tuple(_stages(answer, configuration, workload, result, snapshot))
    fullest = max(stage.memory.used for stage in found)
    return found if abs(fullest - result.memory.used) <= _SAME * fullest else ()


def _stages(
    answer: Answer,
    configuration: Configuration,
    workload: Workload,
    result: WorkloadResult,
    snapshot: CatalogSnapshot,
) -> Iterator[StageMemory]:
    tokens = serving_demand(workload, answer.request.growth).kv_tokens_per_request
    tp = configuration.parallelism.tp
    for index, stage in enumerate(layout_stages(_layout(configuration, workload, snapshot))):
        cache = result.concurrency_per_copy * stage.cache.request_bytes(tokens)
        yield StageMemory(
            stage=index,
            layers=stage.layers,
            first=index * tp,
            last=index * tp + tp - 1,
            memory=replace(result.memory, weights=stage.weights_bytes, kv_cache=cache),
        )


def _layout(configuration: Configuration, workload: Workload, snapshot: CatalogSnapshot) -> Layout:
    return Layout(
        model=workload.model,
        machines=machines_of(configuration.node),
        parallelism=replace(configuration.parallelism, dp=1),
        weights_precision=configuration.weights_precision,
        kv_precision=configuration.kv_precision,
        gpu_memory_utilization=memory_utilization(configuration.node.gpu, snapshot.policy),
    )


def stage_title(stage: StageMemory, texts: Texts) -> str:
    """ "GPU 0 to 3: stage 0, 32 layers, 45.2 GB used"."""
    return texts.say(
        "view.memory.stage" if stage.last > stage.first else "view.memory.stage_of_one",
        first=stage.first,
        last=stage.last,
        stage=stage.stage,
        layers=stage.layers,
        used=Quantity(stage.memory.used, Unit.BYTES),
    )

"""Short ways to the catalogue and to layouts for the tests of the engine."""

from __future__ import annotations

from functools import cache

from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.layout import (
    Fabric,
    Layout,
    Machines,
    Parallelism,
    Recompute,
    ServingLoad,
    Sharding,
    Stack,
    TrainingJob,
)
from kentino_configurator.core.llm import KvPrecision, ModelSpec, Precision

PRO_6000 = "rtx-pro-6000-server"
GIB = 2.0**30


@cache
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


def model(model_id: str) -> ModelSpec:
    return snapshot().models[model_id]


def machines(
    gpu: str = PRO_6000, gpus: int = 8, nodes: int = 1, fabric: Fabric | None = None, **more
) -> Machines:
    return Machines(gpu=snapshot().gpus[gpu], gpus_per_node=gpus, nodes=nodes, fabric=fabric, **more)


def layout(
    model_id: str = "llama-3.3-70b",
    on: Machines | None = None,
    precision: Precision = Precision.FP8,
    kv: KvPrecision = KvPrecision.BF16,
    utilization: float = 0.92,
    stack: Stack = Stack.ORDINARY,
    **degrees: int,
) -> Layout:
    return Layout(
        model=model(model_id),
        machines=on or machines(),
        parallelism=Parallelism(**degrees),
        weights_precision=precision,
        kv_precision=kv,
        gpu_memory_utilization=utilization,
        stack=stack,
    )


def load(
    users: int = 16, prompt: int = 3000, answer: int = 500, context: float = 8192, reuse: float = 0.0
) -> ServingLoad:
    return ServingLoad(
        input_tokens=prompt,
        output_tokens=answer,
        concurrency=users,
        kv_tokens_per_request=context,
        prefix_reuse=reuse,
    )


def job(kind: str = "full_finetune", **changes) -> TrainingJob:
    fields = {
        "kind": kind,
        "dataset_tokens": 1e8,
        "epochs": 1.0,
        "sequence_tokens": 4096,
        "global_batch_tokens": 262144.0,
        "micro_batch_tokens": 4096.0,
        "sharding": Sharding.ZERO3,
        "recompute": Recompute.FULL,
    }
    return TrainingJob(**(fields | changes))

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.layout import Fabric, Parallelism, Sharding, Stack
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.wizard.layout_reading import read_layout

MINIMUM = {"model": "llama-3.1-70b", "gpu": "rtx-pro-6000", "gpus_per_node": 8}
FULL = {
    "model": "llama-3.1-70b", "gpu": "RTX 5090", "gpus_per_node": 8, "nodes": 2, "platform": "gigabyte-g493-zb0",
    "tp": 4, "pp": 2, "dp": 2, "ep": 1, "weights_precision": "int4_awq", "kv_precision": "fp8", "input_tokens": 2000,
    "output_tokens": 200, "concurrency": 65, "gpu_memory_utilization": 0.85, "stack": "tuned", "fabric": "roce_200g",
}  # fmt: skip


def test_three_entries_are_enough(snapshot: CatalogSnapshot) -> None:
    reading = read_layout(MINIMUM, snapshot)
    assert reading.problems == ()
    assert reading.layout is not None
    assert reading.load is not None
    assert reading.layout.parallelism == Parallelism(tp=8)
    assert reading.layout.weights_precision is Precision.FP8
    assert reading.layout.machines.gpu.id == "rtx-pro-6000-server"
    assumed = {assumption.field for assumption in reading.assumptions}
    assert {"gpu", "tp", "weights_precision", "concurrency"} <= assumed


def test_every_entry_reaches_the_layout(snapshot: CatalogSnapshot) -> None:
    reading = read_layout(FULL, snapshot)
    assert reading.problems == ()
    assert reading.assumptions == ()
    layout, load = reading.layout, reading.load
    assert layout is not None
    assert load is not None
    assert layout.parallelism == Parallelism(tp=4, pp=2, dp=2)
    assert (layout.weights_precision, layout.kv_precision) == (Precision.INT4_AWQ, KvPrecision.FP8)
    assert (layout.machines.nodes, layout.machines.fabric) == (2, Fabric.ROCE_200G)
    assert layout.machines.slot_map is not None
    assert (layout.stack, layout.gpu_memory_utilization) == (Stack.TUNED, 0.85)
    assert (load.input_tokens, load.output_tokens, load.kv_tokens_per_request) == (2000, 200, 2200)


def test_the_load_is_one_copys_share(snapshot: CatalogSnapshot) -> None:
    load = read_layout(FULL, snapshot).load
    assert load is not None
    assert load.concurrency == 33


def test_training_spreads_data_parallel_over_what_is_left(snapshot: CatalogSnapshot) -> None:
    reading = read_layout({**MINIMUM, "kind": "full_finetune", "nodes": 2, "tp": 4}, snapshot)
    assert reading.layout is not None
    assert reading.job is not None
    assert reading.load is None
    assert reading.layout.parallelism == Parallelism(tp=4, dp=4)
    assert reading.job.sharding is Sharding.ZERO3
    assert reading.job.bytes_per_parameter == 16


def test_qlora_trains_on_four_bit(snapshot: CatalogSnapshot) -> None:
    layout = read_layout({**MINIMUM, "kind": "qlora"}, snapshot).layout
    assert layout is not None
    assert layout.weights_precision is Precision.INT4


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        ({"model": None}, "model", "required"),
        ({"gpu": None}, "gpu", "for example rtx-pro-6000"),
        ({"gpus_per_node": None}, "gpus_per_node", "Use 1 to 16"),
        ({"gpus_per_node": "8"}, "gpus_per_node", "without quotation marks"),
        ({"model": "lama-3.1-70b"}, "model", "llama-3.1-70b"),
        ({"gpu": "rtx 5099"}, "gpu", "rtx-5090"),
        ({"platform": "g493-zb1"}, "platform", "g493"),
        ({"fabric": "ethernet"}, "fabric", "roce_200g"),
        ({"tp": 2.5}, "tp", "whole number"),
        ({"concurency": 8}, "concurency", '"concurrency"'),
        ({"gpu_memory_utilization": 1.5}, "gpu_memory_utilization", "0.05 to 1"),
        ({"model": {"architecture": {}}}, "model.architecture", "cannot be used"),
    ],
)
def test_what_cannot_be_used_is_named(
    change: dict[str, Any], path: str, words: str, snapshot: CatalogSnapshot
) -> None:
    reading = read_layout({**MINIMUM, **change}, snapshot)
    assert (reading.layout, reading.load, reading.job) == (None, None, None)
    assert [problem.path for problem in reading.problems] == [path]
    assert words in reading.problems[0].sentence


@given(
    tree=st.dictionaries(
        st.sampled_from([*FULL, "kind", "sharding", "dataset_tokens"]) | st.text(max_size=8),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.just({"config": "x"}),
        max_size=8,
    )
)
def test_any_object_is_read_without_an_exception(tree: dict[str, Any], snapshot: CatalogSnapshot) -> None:
    reading = read_layout(tree, snapshot)
    assert (reading.layout is None) == bool(reading.problems)

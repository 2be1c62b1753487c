"""Reading training rows: what is stated, what an engine does by default, what cannot be used."""

from __future__ import annotations

import pytest

from kentino_configurator.catalog.measured import load_measured_names
from kentino_configurator.core.layout import Fabric, Offload, Recompute, Sharding, Stack
from kentino_configurator.core.llm import Precision
from kentino_configurator.engine.measured_row import SkippedRowError
from kentino_configurator.engine.training_measurement import TrainingMeasurement, read_training_row
from kentino_configurator.paths import resource_dir
from tests.unit.engine.helpers import snapshot

NAMES = load_measured_names(snapshot(), resource_dir() / "measurements")
PLAIN = {
    "id": "X1",
    "model": "Qwen2.5-7B",
    "params_b": "7.616",
    "method": "full (pre-train/full FT)",
    "precision": "bf16 matmul",
    "optimizer": "Adam, bf16 states (8 B/param total)",
    "gpu": "RTX PRO 6000 Blackwell 96GB",
    "gpu_count": "8",
    "nodes": "1",
    "interconnect": "PCIe (no NVLink), one host",
    "tp": "1",
    "pp": "1",
    "dp": "8",
    "sharding": "ZeRO-1 style optimizer shard",
    "seq_len": "1024",
    "global_batch_tokens": "524288",
    "metric": "tok_s_total",
    "value": "62519",
    "unit": "tokens/s",
    "source": "GitHub IST-DASLab/llmq benchmarks/Pro6000x8.md",
    "source_date": "2026-05-25",
    "notes": "LLMQ engine; micro-batch 8, accumulation 8",
}


def read(**changes: str) -> TrainingMeasurement:
    return read_training_row(PLAIN | changes, NAMES)


def test_a_complete_row_is_read_as_it_stands() -> None:
    row = read()
    assert row.layout.parallelism.dp == 8
    assert row.layout.stack is Stack.TUNED
    assert row.job.micro_batch_tokens == 8 * 1024
    assert row.job.bytes_per_parameter == 8.0
    assert (row.job.sharding, row.job.recompute, row.job.offload) == (
        Sharding.ZERO1,
        Recompute.NONE,
        Offload.NONE,
    )
    assert row.exact and row.plain_count


def test_flags_of_the_engine_are_understood() -> None:
    row = read(
        notes="LLMQ engine; micro-batch 16, accumulation 4, flags: offload-opt-m recompute-block "
        "shard-weights shard-gradients",
        precision="fp8 matmul",
    )
    assert row.job.recompute is Recompute.FULL
    assert row.job.offload is Offload.OPTIMIZER
    assert row.job.sharding is Sharding.ZERO3
    assert row.job.arithmetic is Precision.FP8


@pytest.mark.parametrize(
    ("sharding", "expected"),
    [
        ("FSDP2 (ZeRO-3)", Sharding.ZERO3),
        ("FULL_SHARD", Sharding.ZERO3),
        ("DDP", Sharding.NONE),
        ("ZeRO-2/none", Sharding.ZERO2),
        ("Megatron distributed optimizer", Sharding.ZERO1),
    ],
)
def test_peoples_words_for_sharding(sharding: str, expected: Sharding) -> None:
    assert read(sharding=sharding).job.sharding is expected


@pytest.mark.parametrize(
    ("text", "fabric", "rails"),
    [
        ("NVLink + 8x400G NDR IB per node", Fabric.INFINIBAND_400G, 8),
        ("NVLink + 1600 Gbps RoCE node-node", Fabric.ROCE_200G, 8),
        ("NVLink in node; 2x100GbE TCP per node", Fabric.ETHERNET_100G, 1),
        ("NVLink + network (not stated)", Fabric.ETHERNET_100G, 8),
    ],
)
def test_peoples_words_for_a_fabric(text: str, fabric: Fabric, rails: int) -> None:
    row = read(gpu="H100 SXM 80GB", gpu_count="16", nodes="2", dp="16", interconnect=text)
    assert (row.layout.machines.fabric, row.layout.machines.rails) == (fabric, rails)


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("full activation checkpointing", Recompute.FULL),
        ("activation ckpt True", Recompute.FULL),
        ("activation ckpt False", Recompute.NONE),
        ("selective activation checkpointing", Recompute.SELECTIVE),
        ("", Recompute.FULL),
    ],
)
def test_recomputation_is_what_the_row_says_and_full_for_fine_tuning_stacks(
    notes: str, expected: Recompute
) -> None:
    assert read(notes=notes, source="somewhere").job.recompute is expected


def test_an_unstated_tensor_degree_is_the_smallest_that_holds_the_model() -> None:
    row = read(
        model="Llama-2-70B", method="LoRA", gpu="H100 SXM 80GB", tp="", pp="", dp="", sharding="", notes=""
    )
    assert row.layout.parallelism.tp == 2
    assert row.layout.parallelism.gpus == 8


def test_an_unknown_model_of_stated_size_gets_an_assumed_shape() -> None:
    row = read(model="house model", params_b="13")
    assert row.layout.model.assumed == ("architecture",)
    assert row.layout.model.text_params / 1e9 == pytest.approx(13, rel=0.05)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"model": "secret model", "params_b": ""}, "unknown_model"),
        ({"gpu": "Quadro 4000"}, "unknown_gpu"),
        ({"unit": "samples/s (not tokens)"}, "unsupported_unit"),
        ({"unit": "GB total (estimate)"}, "estimate_not_measurement"),
        ({"unit": "GB (upper bound)"}, "bound_not_measurement"),
        ({"model": "BERT-large"}, "unsupported_model"),
        ({"metric": "step_s", "global_batch_tokens": ""}, "missing_batch"),
    ],
)
def test_what_cannot_be_used_says_why(changes: dict[str, str], reason: str) -> None:
    with pytest.raises(SkippedRowError, match=reason):
        read(**changes)


@pytest.mark.parametrize(
    ("notes", "source", "gpus", "nodes", "expected"),
    [
        ("baseline is 4 GPUs of the same source", "x", "8", "1", 4),
        ("derived vs 1 node", "MLCommons training_results_v4.1", "16", "2", 8),
        ("derived: best per-GPU rate over best 8-GPU rate", "x", "128", "16", 8),
        ("vs single GPU", "x", "4", "1", 1),
    ],
)
def test_the_baseline_of_a_scaling_efficiency(
    notes: str, source: str, gpus: str, nodes: str, expected: int
) -> None:
    row = read(metric="scaling_efficiency", notes=notes, source=source, gpu_count=gpus, nodes=nodes)
    assert row.baseline_gpus == expected


def test_memory_is_read_in_the_unit_of_the_row() -> None:
    memory = {"metric": "peak_mem_gib_per_gpu", "value": "10"}
    assert read(**memory, unit="GiB").value == 10 * 2**30
    assert read(**memory, unit="GB").value == 10e9

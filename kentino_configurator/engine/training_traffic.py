"""Traffic of one optimizer step: tensor-parallel sums, pipeline hand-over, data-parallel gathers and sums, offload.

Ranks of one tensor-parallel group are neighbours; data-parallel rings of several such ranks share the ports of a node.
Hybrid sharding gathers inside a node for every micro-batch and sums the shards over nodes once a step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.layout import Layout, Offload, Recompute, Sharding, Stack, TrainingJob
from kentino_configurator.engine.comms import (
    Operation,
    all_reduce_law,
    collective_law,
    host_link_bytes_per_s,
    point_to_point_s,
)
from kentino_configurator.engine.training_memory import (
    base_bytes,
    is_adapter,
    shard_ranks,
    state_bytes_per_gpu,
    trained_parameters,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTraffic:
    """Seconds of data-parallel traffic in one step: gathers of every micro-batch, sums at the end of the step."""

    gathers_s: float
    sums_s: float

    @property
    def total_s(self) -> float:
        """Both."""
        return self.gathers_s + self.sums_s


def tensor_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """All-reduces of one micro-batch on one stage; sequence parallelism moves the same bytes."""
    degrees, model = layout.parallelism, layout.model
    if degrees.tp == 1:
        return 0.0
    per_layer = 6.0 if job.recompute is Recompute.FULL else 4.0
    law = all_reduce_law(layout.machines, degrees.tp, calibration, layout.stack)
    size = job.micro_batch_tokens * model.hidden_size * 2.0
    return per_layer * model.num_layers / degrees.pp * law.time_s(size)


def hand_over_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """Passing activations and their gradients to the neighbouring stages, half hidden behind compute."""
    degrees = layout.parallelism
    if degrees.pp == 1:
        return 0.0
    across = degrees.gpus_per_copy > layout.machines.gpus_per_node
    size = 2.0 * layout.model.hidden_size * job.micro_batch_tokens / degrees.tp
    shared = degrees.tp / layout.machines.rails if across else 1.0
    return job.interleave * point_to_point_s(layout.machines, across, size * max(1.0, shared), calibration)


def data_traffic(layout: Layout, job: TrainingJob, rounds: int, calibration: Calibration) -> DataTraffic:
    """Traffic between data-parallel ranks, and of weights that lie in host memory."""
    gathers = _staged_weights_s(layout, job, rounds)
    if layout.parallelism.dp == 1:
        return DataTraffic(gathers_s=gathers, sums_s=0.0)
    if job.sharding is Sharding.ZERO3:
        gathers += _gathers_s(layout, job, rounds, layout.parallelism.dp, calibration)
        return DataTraffic(gathers_s=gathers, sums_s=0.0)
    if job.sharding is Sharding.HYBRID:
        local = shard_ranks(layout, job.sharding)
        gathers += _gathers_s(layout, job, rounds, local, calibration)
        return DataTraffic(gathers_s=gathers, sums_s=_shard_sums_s(layout, job, local, calibration))
    return DataTraffic(gathers_s=gathers, sums_s=_sums_s(layout, job, calibration))


def update_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    """The optimizer: its state passes through the card's memory, over the host link, or is updated by the host."""
    _, gradients, optimizer = state_bytes_per_gpu(layout, replace(job, offload=Offload.NONE))
    gpu = layout.machines.gpu
    if job.offload is Offload.NONE or is_adapter(job):
        return 2.0 * (gradients + optimizer) / gpu.memory_bandwidth_bytes_per_s
    if layout.stack is Stack.TUNED:
        return 2.0 * optimizer / host_link_bytes_per_s(gpu)
    per_node = trained_parameters(layout.model, job) / layout.machines.nodes
    return per_node / calibration.value("training", "host", "updates_per_s")


def collectives_per_micro_batch(job: TrainingJob) -> float:
    """Parameter-sized collectives of full sharding: two gathers and, unless adapters train, a scatter of gradients."""
    return 2.0 if is_adapter(job) else 3.0


def _gathers_s(layout: Layout, job: TrainingJob, rounds: int, ranks: int, calibration: Calibration) -> float:
    degrees = layout.parallelism
    gpus = min(ranks * degrees.tp, layout.machines.gpus_per_node * layout.machines.nodes)
    law = collective_law(
        layout.machines, gpus, Operation.ALL_GATHER, calibration, layout.stack, rings=degrees.tp
    )
    size = base_bytes(layout.model, job) / (degrees.tp * degrees.pp)
    return rounds * collectives_per_micro_batch(job) * law.time_s(size) if ranks > 1 else 0.0


def _sums_s(layout: Layout, job: TrainingJob, calibration: Calibration) -> float:
    degrees = layout.parallelism
    gpus = min(degrees.dp * degrees.tp, layout.machines.gpus_per_node * layout.machines.nodes)
    law = collective_law(
        layout.machines, gpus, Operation.ALL_REDUCE, calibration, layout.stack, rings=degrees.tp
    )
    return law.time_s(2.0 * trained_parameters(layout.model, job) / (degrees.tp * degrees.pp))


def _shard_sums_s(layout: Layout, job: TrainingJob, local: int, calibration: Calibration) -> float:
    """Every GPU sums its shard with its peers in the other nodes; all of a node at once."""
    degrees, on = layout.parallelism, layout.machines
    peers = degrees.dp // local
    if peers < 2:
        return 0.0
    ends = replace(on, gpus_per_node=1, nodes=peers)
    law = collective_law(
        ends,
        peers,
        Operation.ALL_REDUCE,
        calibration,
        layout.stack,
        rings=min(on.gpus_per_node, degrees.gpus),
    )
    return law.time_s(2.0 * trained_parameters(layout.model, job) / (degrees.tp * degrees.pp * local))


def _staged_weights_s(layout: Layout, job: TrainingJob, rounds: int) -> float:
    """Reading weights that lie in host memory, once per pass and micro-batch."""
    if job.offload is not Offload.STATE:
        return 0.0
    passes = 3.0 if job.recompute is Recompute.FULL else 2.0
    share = base_bytes(layout.model, job) / layout.parallelism.gpus
    return rounds * passes * share / host_link_bytes_per_s(layout.machines.gpu)

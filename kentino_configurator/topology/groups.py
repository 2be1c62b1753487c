"""What runs on which GPUs: copies, pipeline stages and tensor-parallel groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.layout import Parallelism
from kentino_configurator.core.message import Message, message
from kentino_configurator.core.topology import GpuGroup, Words


def tp_sets(sockets: Sequence[str], tp: int) -> tuple[tuple[int, ...], ...]:
    """GPU indices in sets of ``tp``, each inside one socket while that is possible.

    The sets are in the order of their first GPU. ``sockets`` names the socket of every GPU. GPUs that fill no
    set are left out.
    """
    sets: list[tuple[int, ...]] = []
    rest: list[int] = []
    for socket in dict.fromkeys(sockets):
        members = [index for index, name in enumerate(sockets) if name == socket]
        whole = len(members) // tp * tp
        sets += [tuple(members[start : start + tp]) for start in range(0, whole, tp)]
        rest += members[whole:]
    rest.sort()
    sets += [tuple(rest[start : start + tp]) for start in range(0, len(rest) // tp * tp, tp)]
    return tuple(sorted(sets))


def stages_per_node(configuration: Configuration) -> int:
    """How many tensor-parallel groups one node runs; copies are spread evenly over the nodes."""
    split, gpus = configuration.parallelism, configuration.node.gpu_count
    if split.tp > gpus:
        return 1
    if split.gpus_per_copy > gpus:
        return gpus // split.tp
    copies = min(gpus // split.gpus_per_copy, math.ceil(split.dp / configuration.nodes))
    return copies * split.pp


def node_groups(configuration: Configuration, sockets: Sequence[str], node: int) -> tuple[GpuGroup, ...]:
    """The groups on one node, whose GPUs are ``n<node>.gpu<index>``."""
    split, gpus = configuration.parallelism, configuration.node.gpu_count
    if split.gpus_per_copy == 1:
        return _single_gpu_copies(split, min(gpus, stages_per_node(configuration)), node)
    per_node = stages_per_node(configuration)
    first = node * per_node
    groups = zip(
        range(first, split.dp * split.pp), tp_sets(sockets, min(split.tp, gpus))[:per_node], strict=False
    )
    return tuple(
        GpuGroup(
            label=_label(split, number), short_label=_short_label(split, number), gpus=_ids(node, indices)
        )
        for number, indices in groups
    )


def _single_gpu_copies(split: Parallelism, count: int, node: int) -> tuple[GpuGroup, ...]:
    if split.dp == 1:
        return (GpuGroup(label=message("topo.group.one_gpu"), gpus=_ids(node, (0,))),)
    first = node * count
    copies = range(min(count, split.dp - first))
    return tuple(
        GpuGroup(label=message("topo.group.short_copy", copy=first + index + 1), gpus=_ids(node, (index,)))
        for index in copies
    )


def drawn_groups(groups: Sequence[GpuGroup]) -> tuple[GpuGroup, ...]:
    """The groups as they are shown: copies on one GPU each are one group for each node."""
    if len(groups) < 2 or any(len(group.gpus) > 1 for group in groups):
        return tuple(groups)
    by_node: dict[str, list[str]] = {}
    for group in groups:
        by_node.setdefault(group.gpus[0].split(".")[0], []).append(group.gpus[0])
    label = message("topo.group.copy_each")
    return tuple(GpuGroup(label=label, gpus=tuple(gpus)) for gpus in by_node.values())


def _ids(node: int, indices: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"n{node}.gpu{index}" for index in indices)


def _label(split: Parallelism, number: int) -> Message:
    copy, stage = number // split.pp + 1, number % split.pp
    shape = (
        ("copy_" if split.dp > 1 else "")
        + ("stage_" if split.pp > 1 else "")
        + ("tp" if split.tp > 1 else "")
    )
    return message(f"topo.group.{shape.rstrip('_')}", copy=copy, stage=stage, tp=split.tp)


def _short_label(split: Parallelism, number: int) -> Message:
    copy, stage = number // split.pp + 1, number % split.pp
    if split.pp > 1:
        return message("topo.group.short_stage", stage=stage)
    return (
        message("topo.group.short_copy", copy=copy)
        if split.dp > 1
        else message("topo.group.short_tp", tp=split.tp)
    )


def node_summary(configuration: Configuration, groups: Sequence[GpuGroup], node: int) -> Words:
    """What a whole node runs, in one line: its only group, or the range of its copies or stages."""
    split = configuration.parallelism
    if len(groups) < 2:
        return groups[0].label if groups else message("topo.group.spare")
    first = node * stages_per_node(configuration)
    last = first + len(groups) - 1
    if first // split.pp == last // split.pp:
        return message("topo.group.stages", first=first % split.pp, last=last % split.pp, tp=split.tp)
    return message("topo.group.copies", first=first // split.pp + 1, last=last // split.pp + 1)

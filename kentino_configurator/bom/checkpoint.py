"""How large the largest saved state of a request's workloads is."""

from __future__ import annotations

from kentino_configurator.core.llm import ModelSpec, Precision
from kentino_configurator.core.request import JobKind, Request, Workload

_BYTES_PER_PARAMETER = {Precision.BF16: 2.0, Precision.FP8: 1.0, Precision.INT8: 1.0}
_FOUR_BIT_BYTES = 0.56
"""4.5 bit per weight: 4-bit groups of 16 to 128 with their scales."""


def largest_checkpoint_bytes(request: Request, weights: Precision) -> float:
    """The largest checkpoint of all workloads, bytes."""
    return max((checkpoint_bytes(workload, weights) for workload in request.workloads), default=0.0)


def checkpoint_bytes(workload: Workload, weights: Precision) -> float:
    """Full training saves weights and optimizer state; every other job reads or writes one set of weights."""
    if workload.kind in (JobKind.FULL_FINETUNE, JobKind.PRETRAIN):
        return workload.model.text_params * workload.bytes_per_parameter
    wanted = workload.weights_precision
    return weights_bytes(workload.model, weights if wanted is Precision.AUTO else wanted)


def weights_bytes(model: ModelSpec, precision: Precision) -> float:
    """Size of one set of weights: the documented build when there is one, else parameters times bytes."""
    documented = [size.bytes for size in model.checkpoint_sizes if size.format == precision.value]
    if documented:
        return float(max(documented))
    per_parameter = _FOUR_BIT_BYTES if precision.is_four_bit else _BYTES_PER_PARAMETER.get(precision, 2.0)
    return (model.text_params + model.vision_params) * per_parameter

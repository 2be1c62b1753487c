"""Memory of a training layout on one GPU, by part.

State by recipe (ZeRO, arXiv:1910.02054): weight, gradient and optimizer bytes per parameter, divided by tensor and
pipeline parallelism and, by stage, by the data-parallel ranks. Activations in the Llama form with flash attention:
12 h + 4 kv + 8 f bytes per token and layer in BF16 (4 f without a gate), 8 h + 4 kv + 4 f without norms and
activation products; full recomputation keeps 2 h per layer and one live layer (Korthikanti et al., arXiv:2205.05198).
Tensor parallelism comes with sequence parallelism and divides all of them.
"""

from __future__ import annotations

from kentino_configurator.core.layout import Layout, Offload, Recompute, Sharding, TrainingJob
from kentino_configurator.core.llm import FfnKind, LayerGroup, ModelSpec
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.units import GB
from kentino_configurator.engine.memo import SpecMemo
from kentino_configurator.engine.shapes import Part, model_linears

RUNTIME_BYTES = 2.0 * GB
"""CUDA context, communication buffers and allocator slack; between 1.5 and 2 GB in published runs."""

QLORA_BYTES_PER_WEIGHT = 0.53  # NF4 with doubly quantised block scales
ADAPTER_BYTES_PER_PARAMETER = 16.0
LOGIT_BYTES = 8.0  # 16-bit logits, FP32 copy and gradient: 6 to 10

SHARDED = (Sharding.ZERO3, Sharding.HYBRID)
"""Stages that divide the weights too."""

_PARAMETERS: SpecMemo[float] = SpecMemo()


def training_memory(layout: Layout, job: TrainingJob, policy: Policy) -> MemoryPerGpu:
    """Memory of the fullest rank while training; ``kept_back`` is the allocator slack above the utilisation."""
    usable = float(layout.machines.gpu.vram_bytes)
    weights, gradients, optimizer = state_bytes_per_gpu(layout, job)
    return MemoryPerGpu(
        usable=usable,
        weights=weights,
        kv_cache=0.0,
        activations=activation_bytes_per_gpu(layout, job) + gathered_bytes(layout, job),
        runtime=RUNTIME_BYTES,
        kept_back=(1.0 - layout.gpu_memory_utilization) * usable,
        gradients=gradients,
        optimizer=optimizer,
    )


def is_adapter(job: TrainingJob) -> bool:
    """Whether only low-rank adapters are trained."""
    return job.kind in ("lora", "qlora")


def adapter_parameters(model: ModelSpec, rank: int) -> float:
    """Parameters of adapters on every linear layer outside the router: ``rank (inputs + outputs)`` each."""
    per_rank = _PARAMETERS.get(
        (model,),
        "adapter",
        lambda: sum(
            group.count * linear.copies * (linear.outputs + linear.merged * linear.inputs)
            for group, linear in model_linears(model)
            if linear.part is not Part.ROUTER
        ),
    )
    return rank * per_rank


def trained_parameters(model: ModelSpec, job: TrainingJob) -> float:
    """Parameters that get a gradient."""
    return adapter_parameters(model, job.lora_rank) if is_adapter(job) else float(model.text_params)


def base_bytes(model: ModelSpec, job: TrainingJob) -> float:
    """Bytes of the weights held in training: BF16, or the frozen 4-bit base of QLoRA with BF16 tables and norms."""
    if job.kind != "qlora":
        return 2.0 * model.text_params
    matrices = _PARAMETERS.get(
        (model,), "matrices", lambda: float(sum(g.count * lin.weights for g, lin in model_linears(model)))
    )
    return QLORA_BYTES_PER_WEIGHT * matrices + 2.0 * (model.text_params - matrices)


def recipe_bytes(bytes_per_parameter: float) -> tuple[float, float, float]:
    """(weight, gradient, optimizer) bytes per trained parameter.

    18 accumulates gradients in FP32; below 4, gradients are freed inside the backward pass.
    """
    gradient = 4.0 if bytes_per_parameter >= 18 else min(2.0, max(0.0, bytes_per_parameter - 2.0))
    return 2.0, gradient, max(0.0, bytes_per_parameter - 2.0 - gradient)


def state_bytes_per_gpu(layout: Layout, job: TrainingJob) -> tuple[float, float, float]:
    """(weights, gradients, optimizer) bytes on one rank; what is offloaded takes none."""
    weights, gradients, optimizer = _state_bytes(layout, job)
    if job.offload is Offload.NONE:
        return weights, gradients, optimizer
    return (0.0, 0.0, 0.0) if job.offload is Offload.STATE else (weights, gradients, 0.0)


def host_bytes_per_node(layout: Layout, job: TrainingJob) -> float:
    """Training state that one node keeps in host memory; 0 without offload."""
    if job.offload is Offload.NONE:
        return 0.0
    weights, gradients, optimizer = _state_bytes(layout, job)
    on_host = optimizer + (weights + gradients if job.offload is Offload.STATE else 0.0)
    return on_host * min(layout.machines.gpus_per_node, layout.parallelism.gpus)


def _state_bytes(layout: Layout, job: TrainingJob) -> tuple[float, float, float]:
    degrees = layout.parallelism
    cut = degrees.tp * degrees.pp
    stage = job.sharding
    ranks = shard_ranks(layout, stage)
    weight_ranks = ranks if stage in SHARDED else 1
    gradient_ranks = ranks if stage in (Sharding.ZERO2, *SHARDED) else 1
    optimizer_ranks = ranks if stage is not Sharding.NONE else 1
    weights = base_bytes(layout.model, job) / cut / weight_ranks
    trained = trained_parameters(layout.model, job) / cut
    if is_adapter(job):
        weights += 2.0 * trained / weight_ranks
        recipe = recipe_bytes(ADAPTER_BYTES_PER_PARAMETER)
    else:
        recipe = recipe_bytes(job.bytes_per_parameter)
    return weights, recipe[1] * trained / gradient_ranks, recipe[2] * trained / optimizer_ranks


def shard_ranks(layout: Layout, stage: Sharding) -> int:
    """Data-parallel ranks that hold one copy of the state together: all of them, or those of one node."""
    degrees = layout.parallelism
    if stage is not Sharding.HYBRID:
        return degrees.dp
    local = max(1, min(degrees.dp, layout.machines.gpus_per_node // degrees.gpus_per_copy))
    return local if degrees.dp % local == 0 else 1


def gathered_bytes(layout: Layout, job: TrainingJob) -> float:
    """Whole layers held for a moment: two gathered from the ranks or the host, one whole gradient before it is cut."""
    sharded = job.sharding in SHARDED and shard_ranks(layout, job.sharding) > 1
    if not sharded and job.offload is not Offload.STATE:
        return 0.0
    per_layer = base_bytes(layout.model, job) / layout.model.num_layers
    return (2.0 if is_adapter(job) else 3.0) * per_layer / layout.parallelism.tp


def activation_bytes_per_gpu(layout: Layout, job: TrainingJob) -> float:
    """Activations of the micro-batches in flight, or the logits where those are larger, on one rank."""
    model, degrees = layout.model, layout.parallelism
    tokens = job.micro_batch_tokens / degrees.tp
    layers = -(-model.num_layers // degrees.pp)
    in_flight = min(degrees.pp, micro_batches(layout, job))
    kept = in_flight * layers * tokens * kept_bytes_per_token(model, job.recompute)
    live = tokens * live_bytes_per_token(model)
    if job.recompute is Recompute.FULL:
        return kept + max(live, logit_bytes(layout, job))
    return kept + logit_bytes(layout, job)


def kept_bytes_per_token(model: ModelSpec, recompute: Recompute) -> float:
    """Bytes per token that a mean layer keeps from the forward to the backward pass."""
    if recompute is Recompute.FULL:
        return 2.0 * model.hidden_size
    if recompute is Recompute.NONE:
        return live_bytes_per_token(model)
    return _PARAMETERS.get((model,), "selective", lambda: _mean_layer(model, 8.0, 4.0))


def live_bytes_per_token(model: ModelSpec) -> float:
    """Activation bytes per token of a mean layer: 12 h + 4 kv + 8 f."""
    return _PARAMETERS.get((model,), "live", lambda: _mean_layer(model, 12.0, 8.0))


def _mean_layer(model: ModelSpec, per_hidden: float, per_width: float) -> float:
    total = sum(group.count * _layer_bytes(model, group, per_hidden, per_width) for group in model.layers)
    return total / model.num_layers


def _layer_bytes(model: ModelSpec, group: LayerGroup, per_hidden: float, per_width: float) -> float:
    ffn = group.ffn
    width = ffn.inter
    if ffn.kind is FfnKind.MOE:
        width = ffn.top_k * ffn.inter + ffn.shared_inter + ffn.parallel_dense_inter
    if not ffn.gated:
        per_width /= 2.0
    kv_width = group.mixer.kv_heads * group.mixer.head_dim
    return per_hidden * model.hidden_size + 4.0 * kv_width + per_width * width


def logit_bytes(layout: Layout, job: TrainingJob) -> float:
    """Logits and their gradient of one loss chunk."""
    tokens = min(job.micro_batch_tokens, job.loss_chunk_tokens)
    return LOGIT_BYTES * layout.model.vocab_size * tokens / layout.parallelism.tp


def micro_batches(layout: Layout, job: TrainingJob) -> int:
    """Micro-batches of one optimizer step on each data-parallel rank."""
    per_round = layout.parallelism.dp * job.micro_batch_tokens
    return max(1, round(job.global_batch_tokens / per_round))

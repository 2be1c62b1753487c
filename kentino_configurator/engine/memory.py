"""Memory of a serving layout on its fullest GPU, by part.

Engine overhead follows start-up logs of vLLM and SGLang: the sampler's buffers over the vocabulary are the largest part
of what is called "activations" (33 bytes per vocabulary entry and sequence reproduce 70B, 32B and 20B logs within 5 %),
then the buffers of one batch of tokens; context, CUDA graphs and communication buffers follow.
"""

from __future__ import annotations

from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.llm import FfnKind, LayerGroup, MixerKind, ModelSpec
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.units import GIB
from kentino_configurator.engine.memo import SpecMemo
from kentino_configurator.engine.stages import Stage, model_stages

LARGE_GPU_BYTES = 70 * GIB
"""From this size on serving engines reserve for more sequences and tokens at once."""

SMALL_GPU_SHARE = 0.25  # 256 sequences instead of 1,024
SAMPLER_BYTES_PER_ENTRY = 33.0
CONTEXT_BYTES = 0.5 * GIB
GRAPH_BYTES = 0.6 * GIB
PEER_BYTES = 0.5 * GIB
PEER_BYTES_PER_RANK = 0.1 * GIB

_STAGES: SpecMemo[tuple[Stage, ...]] = SpecMemo()
_BUFFERS: SpecMemo[float] = SpecMemo()


def serving_memory(layout: Layout, load: ServingLoad, policy: Policy) -> MemoryPerGpu:
    """Memory of the fullest rank under ``load``; ``kv_cache`` is the demand of all concurrent requests.

    ``kv_capacity_tokens`` and ``max_concurrency_at_context`` are those of one copy: the stage with the smallest room
    decides. For models whose cache is not proportional to length the tokens are counted at the asked context.
    """
    gpu = layout.machines.gpu
    usable = float(gpu.vram_bytes)
    kept_back = (1.0 - layout.gpu_memory_utilization) * usable
    activations = activation_bytes(layout, policy)
    runtime = runtime_bytes(layout)
    tokens = max(1.0, load.kv_tokens_per_request)
    fullest = None
    fullest_bytes = request_bytes = -1.0
    room = float("inf")
    for stage in layout_stages(layout):
        per_request = stage.cache.request_bytes(tokens)
        held = stage.weights_bytes + load.concurrency * per_request
        if held > fullest_bytes:
            fullest, fullest_bytes, request_bytes = stage, held, per_request
        free = usable - kept_back - activations - runtime - stage.weights_bytes
        if per_request > 0:
            room = min(room, max(0.0, free) / per_request)
    assert fullest is not None
    concurrency = 0.0 if room == float("inf") else room
    return MemoryPerGpu(
        usable=usable,
        weights=fullest.weights_bytes,
        kv_cache=load.concurrency * request_bytes,
        activations=activations,
        runtime=runtime,
        kept_back=kept_back,
        kv_capacity_tokens=concurrency * tokens,
        max_concurrency_at_context=concurrency,
    )


def layout_stages(layout: Layout) -> tuple[Stage, ...]:
    """The pipeline stages of one copy, remembered per model."""
    degrees = layout.parallelism
    key = (layout.weights_precision, layout.kv_precision, degrees)
    return _STAGES.get(
        (layout.model,),
        key,
        lambda: model_stages(
            layout.model,
            layout.weights_precision,
            layout.kv_precision,
            degrees.tp,
            degrees.pp,
            degrees.ep,
            degrees.dcp,
        ),
    )


def activation_bytes(layout: Layout, policy: Policy) -> float:
    """Peak of one step: sampler buffers over the vocabulary plus the buffers of a full batch of tokens."""
    per_token = _BUFFERS.get(
        (layout.model,),
        layout.parallelism.tp,
        lambda: token_buffer_bytes(layout.model, layout.parallelism.tp),
    )
    large = layout.machines.gpu.vram_bytes >= LARGE_GPU_BYTES
    sequences = policy["serving.max_concurrency_per_copy"] * (1.0 if large else SMALL_GPU_SHARE)
    return (
        layout.model.vocab_size * sequences * SAMPLER_BYTES_PER_ENTRY + per_token * layout.max_batched_tokens
    )


def token_buffer_bytes(model: ModelSpec, tp: int) -> float:
    """Live BF16 buffers per token of the widest layer on one rank: residual stream, attention and feed-forward."""
    return 2.0 * max(_layer_width(group, model.hidden_size, tp) for group in model.layers)


def _layer_width(group: LayerGroup, hidden: int, tp: int) -> float:
    return 4.0 * hidden + max(_mixer_width(group, tp), _ffn_width(group, hidden, tp))


def _mixer_width(group: LayerGroup, tp: int) -> float:
    mixer = group.mixer
    if mixer.kind in (MixerKind.GDN,):
        return 3.0 * mixer.value_heads * mixer.value_dim / tp
    head = mixer.head_dim or mixer.qk_nope_head_dim + mixer.qk_rope_head_dim
    return 3.0 * mixer.heads * head / tp


def _ffn_width(group: LayerGroup, hidden: int, tp: int) -> float:
    ffn = group.ffn
    if ffn.kind is FfnKind.MOE:
        return ffn.top_k * (3.0 * ffn.inter / tp + (ffn.latent or hidden))
    return 3.0 * ffn.inter / tp


def runtime_bytes(layout: Layout) -> float:
    """CUDA context, graphs, and communication buffers when ranks exchange data."""
    ranks = layout.parallelism.tp
    peers = PEER_BYTES + PEER_BYTES_PER_RANK * ranks if ranks > 1 or layout.parallelism.pp > 1 else 0.0
    return CONTEXT_BYTES + GRAPH_BYTES + peers

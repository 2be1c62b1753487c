"""Memory of a serving layout on its fullest GPU, by part.

Engine overhead follows start-up logs of vLLM and SGLang. What they call activations is the peak of one step: the larger
of the sampler's buffers over the vocabulary (39 bytes per entry and sequence reproduce 70B, 32B and 20B logs within
3 %) and of the buffers of a full batch of tokens (110 kB per token of an 8B model); the trial run of a vision tower
comes on top. CUDA graphs are captured after the pool is laid out, into what the utilisation keeps back; only what does
not fit there costs pool.
"""

from __future__ import annotations

from kentino_configurator.core.layout import Layout, ServingLoad
from kentino_configurator.core.llm import FfnKind, LayerGroup, MixerKind, ModelSpec
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.units import GB, GIB
from kentino_configurator.engine.memo import SpecMemo
from kentino_configurator.engine.stages import Stage, model_stages

LARGE_GPU_BYTES = 70 * GIB
"""From this size on serving engines reserve for more sequences and tokens at once."""

SMALL_GPU_SHARE = 0.25  # 256 sequences instead of 1,024
SAMPLER_BYTES_PER_ENTRY = 39.0
VISION_BYTES = 1.5 * GB  # freed by the text-only switch on a 27B model
CONTEXT_BYTES = 0.5 * GIB
GRAPH_BYTES = 1.0 * GIB  # 1.2 to 2.4 GiB logged for 744B over eight cards, less for small models
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
    """Peak of one step: sampler buffers over the vocabulary or the buffers of a full batch of tokens."""
    per_token = _BUFFERS.get(
        (layout.model,),
        layout.parallelism.tp,
        lambda: token_buffer_bytes(layout.model, layout.parallelism.tp),
    )
    large = layout.machines.gpu.vram_bytes >= LARGE_GPU_BYTES
    sequences = policy["serving.max_concurrency_per_copy"] * (1.0 if large else SMALL_GPU_SHARE)
    sampler = layout.model.vocab_size * sequences * SAMPLER_BYTES_PER_ENTRY
    vision = VISION_BYTES if layout.model.vision_params else 0.0
    return max(sampler, per_token * layout.max_batched_tokens) + vision


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
    """CUDA context, communication buffers when ranks exchange data, and graphs beyond what is kept back."""
    ranks = layout.parallelism.tp
    kept_back = (1.0 - layout.gpu_memory_utilization) * layout.machines.gpu.vram_bytes
    peers = PEER_BYTES + PEER_BYTES_PER_RANK * ranks if ranks > 1 or layout.parallelism.pp > 1 else 0.0
    return CONTEXT_BYTES + peers + max(0.0, GRAPH_BYTES - kept_back)

"""Counting: parameters of mixers, feed-forward networks and whole models; bytes of KV cache and recurrent state.

Every function is exact arithmetic over the shapes in ``core.llm``. ``hidden`` is the model width. The formulas
follow the published modelling classes and reproduce the element counts of the released checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kentino_configurator.core.llm import Ffn, FfnKind, LayerGroup, Mixer, MixerKind, ModelSpec

STATE_BYTES_PER_VALUE = 4
CONV_TAIL_BYTES_PER_VALUE = 2


def mixer_params(mixer: Mixer, hidden: int) -> int:
    """Parameters of one token mixer, without the layer's norm vectors."""
    return _MIXER_PARAMS[mixer.kind](mixer, hidden) + mixer.extra_params


def ffn_params(ffn: Ffn, hidden: int) -> int:
    """Parameters of one feed-forward network, all experts counted."""
    return _ffn_params(ffn, hidden, experts=ffn.experts)


def ffn_active_params(ffn: Ffn, hidden: int) -> int:
    """Parameters one token passes: the chosen experts, the shared ones and the router."""
    return _ffn_params(ffn, hidden, experts=ffn.top_k)


def layer_params(group: LayerGroup, hidden: int) -> int:
    """Parameters of ONE layer of the group, norm vectors included."""
    return mixer_params(group.mixer, hidden) + ffn_params(group.ffn, hidden) + group.norms * hidden


def layer_active_params(group: LayerGroup, hidden: int) -> int:
    """Parameters of one layer of the group that one token passes."""
    return mixer_params(group.mixer, hidden) + ffn_active_params(group.ffn, hidden) + group.norms * hidden


def embedding_params(model: ModelSpec) -> int:
    """Parameters of the input embedding table."""
    return model.vocab_size * model.hidden_size


def head_params(model: ModelSpec) -> int:
    """Parameters of a separate output head; 0 where the head is the embedding table."""
    return 0 if model.tie_embeddings else embedding_params(model)


def model_text_params(model: ModelSpec) -> int:
    """Parameters of the language part: layers, final norm, embedding and head; no vision part, no MTP."""
    layers = sum(group.count * layer_params(group, model.hidden_size) for group in model.layers)
    odd = model.hidden_size + model.extra_params + model.lookup_params
    return layers + odd + embedding_params(model) + head_params(model)


def model_active_params(model: ModelSpec) -> int:
    """Parameters a token passes, without the input embedding table (a look-up, not a product)."""
    layers = sum(group.count * layer_active_params(group, model.hidden_size) for group in model.layers)
    return layers + model.hidden_size + model.extra_params + embedding_params(model)


def kv_bytes_per_sequence(mixer: Mixer, context_tokens: int, bytes_per_value: float) -> float:
    """KV cache of one layer for one sequence of ``context_tokens``; window layers stop growing at the window."""
    kept = min(context_tokens, mixer.window) if mixer.window else context_tokens
    values = kept * _values_per_token(mixer) + context_tokens * _index_values_per_token(mixer)
    if mixer.compress_ratio:
        entries = context_tokens // mixer.compress_ratio
        values += entries * (mixer.head_dim + mixer.indexer_head_dim)
    return values * bytes_per_value


def kv_bytes_per_token(mixer: Mixer, context_tokens: int, bytes_per_value: float) -> float:
    """Mean KV bytes of one layer per token of a sequence of ``context_tokens``; 0 for an empty sequence."""
    if context_tokens <= 0:
        return 0.0
    return kv_bytes_per_sequence(mixer, context_tokens, bytes_per_value) / context_tokens


def kv_growth_bytes_per_token(mixer: Mixer, bytes_per_value: float) -> float:
    """KV bytes one layer adds per further token once every window is full; compressed memory as its mean."""
    values: float = _index_values_per_token(mixer)
    if not mixer.window:
        values += _values_per_token(mixer)
    if mixer.compress_ratio:
        values += (mixer.head_dim + mixer.indexer_head_dim) / mixer.compress_ratio
    return values * bytes_per_value


def counted(model: ModelSpec) -> ModelSpec:
    """The model with its parameter counts and its KV bytes per token (BF16, beyond every window) filled in."""
    return replace(
        model,
        text_params=model_text_params(model),
        active_params=model_active_params(model),
        kv_bytes_per_token_bf16=round(model_kv_bytes_per_token(model, 2)),
    )


def model_kv_bytes_per_token(model: ModelSpec, bytes_per_value: float) -> float:
    """KV bytes of the whole model per further token, beyond every window."""
    return sum(g.count * kv_growth_bytes_per_token(g.mixer, bytes_per_value) for g in model.layers)


def model_kv_bytes_per_sequence(model: ModelSpec, context_tokens: int, bytes_per_value: float) -> float:
    """Cache and recurrent state of the whole model for one sequence of ``context_tokens``."""
    return sum(
        g.count * (kv_bytes_per_sequence(g.mixer, context_tokens, bytes_per_value) + state_bytes(g.mixer))
        for g in model.layers
    )


def state_bytes(mixer: Mixer) -> int:
    """Recurrent state of one layer for one sequence: FP32 state plus a 16-bit convolution tail; 0 for attention."""
    if mixer.kind is MixerKind.GDN:
        state = mixer.value_heads * mixer.key_dim * mixer.value_dim
        channels = 2 * mixer.key_heads * mixer.key_dim + mixer.value_heads * mixer.value_dim
    elif mixer.kind is MixerKind.KDA:
        state = mixer.heads * mixer.head_dim**2
        channels = 3 * mixer.heads * mixer.head_dim
    elif mixer.kind is MixerKind.MAMBA2:
        state = mixer.heads * mixer.head_dim * mixer.state
        channels = _mamba_conv_channels(mixer)
    else:
        return 0
    return state * STATE_BYTES_PER_VALUE + channels * (mixer.conv_kernel - 1) * CONV_TAIL_BYTES_PER_VALUE


def _values_per_token(mixer: Mixer) -> int:
    """Cached numbers per token of the attention itself."""
    if mixer.shared_kv:
        return 0
    if mixer.kind is MixerKind.GQA:
        return mixer.kv_heads * (mixer.head_dim + (mixer.v_head_dim or mixer.head_dim))
    if mixer.kind is MixerKind.MLA:
        return mixer.kv_lora_rank + mixer.qk_rope_head_dim
    if mixer.kind is MixerKind.DSV4:
        return mixer.head_dim
    return 0


def _index_values_per_token(mixer: Mixer) -> int:
    """Cached index keys per token (sparse attention); a DSV4 layer compresses its index keys instead."""
    return 0 if mixer.kind is MixerKind.DSV4 else mixer.indexer_head_dim


def _no_params(mixer: Mixer, hidden: int) -> int:
    return 0


def _gqa_params(mixer: Mixer, hidden: int) -> int:
    query = mixer.heads * mixer.head_dim
    value_dim = mixer.v_head_dim or mixer.head_dim
    key = 0 if mixer.shared_kv else mixer.kv_heads * mixer.head_dim
    value = 0 if mixer.shared_kv or mixer.k_eq_v else mixer.kv_heads * value_dim
    count = hidden * (query + key + value) + mixer.heads * value_dim * hidden
    count += (query + key + value) * mixer.bias_qkv + hidden * mixer.bias_o + mixer.heads * mixer.sinks
    count += hidden * query * mixer.gate
    per_head = mixer.head_dim * (1 if mixer.shared_kv else 2)
    count += (query + key if mixer.qk_norm_full else per_head) * mixer.qk_norm
    return count + _block_indexer_params(mixer, hidden)


def _block_indexer_params(mixer: Mixer, hidden: int) -> int:
    """Index heads of block-sparse GQA: query and one shared key projection with their norms."""
    return (mixer.indexer_heads + 1) * hidden * mixer.indexer_head_dim + 2 * mixer.indexer_head_dim


def _mla_params(mixer: Mixer, hidden: int) -> int:
    rank, rope = mixer.kv_lora_rank, mixer.qk_rope_head_dim
    query = mixer.heads * (mixer.qk_nope_head_dim + rope)
    expanded = mixer.heads * (mixer.qk_nope_head_dim + mixer.v_head_dim)
    count = hidden * (rank + rope) + rank + rank * expanded + mixer.heads * mixer.v_head_dim * hidden
    if mixer.q_lora_rank:
        count += hidden * mixer.q_lora_rank + mixer.q_lora_rank + mixer.q_lora_rank * query
    else:
        count += hidden * query
    return count + _token_indexer_params(mixer, hidden)


def _token_indexer_params(mixer: Mixer, hidden: int) -> int:
    """Index heads of token-sparse MLA: query from its low-rank form, one key with layer norm, head weights."""
    if not mixer.indexer_heads:
        return 0
    query = (mixer.q_lora_rank or hidden) * mixer.indexer_heads * mixer.indexer_head_dim
    key = hidden * mixer.indexer_head_dim + 2 * mixer.indexer_head_dim
    return query + key + hidden * mixer.indexer_heads


def _gdn_params(mixer: Mixer, hidden: int) -> int:
    key = mixer.key_heads * mixer.key_dim
    value = mixer.value_heads * mixer.value_dim
    projections = hidden * (2 * key + 2 * value + 2 * mixer.value_heads) + value * hidden
    convolution = (2 * key + value) * mixer.conv_kernel
    return projections + convolution + 2 * mixer.value_heads + mixer.value_dim


def _kda_params(mixer: Mixer, hidden: int) -> int:
    width = mixer.heads * mixer.head_dim
    low_rank = hidden * mixer.head_dim + mixer.head_dim * width
    gate = hidden * width if mixer.full_rank_gate else low_rank
    projections = 4 * hidden * width + hidden * mixer.heads + low_rank + gate
    return projections + 3 * mixer.conv_kernel * width + width + mixer.heads + mixer.head_dim


def _mamba_conv_channels(mixer: Mixer) -> int:
    return mixer.heads * mixer.head_dim + 2 * mixer.groups * mixer.state


def _mamba2_params(mixer: Mixer, hidden: int) -> int:
    inner = mixer.heads * mixer.head_dim
    channels = _mamba_conv_channels(mixer)
    projections = hidden * (inner + channels + mixer.heads) + inner * hidden
    convolution = channels * (mixer.conv_kernel + mixer.conv_bias)
    return projections + convolution + 3 * mixer.heads + inner


def _dsv4_params(mixer: Mixer, hidden: int) -> int:
    query = hidden * mixer.q_lora_rank + mixer.q_lora_rank
    query += mixer.q_lora_rank * mixer.heads * mixer.head_dim
    key_value = hidden * mixer.head_dim + mixer.head_dim
    output = mixer.heads * mixer.head_dim * mixer.o_lora_rank + mixer.o_groups * mixer.o_lora_rank * hidden
    return (
        query
        + key_value
        + output
        + mixer.heads * mixer.sinks
        + _hyper_connection_params(mixer, hidden)
        + _compressor_params(mixer, hidden)
    )


def _hyper_connection_params(mixer: Mixer, hidden: int) -> int:
    """Two hyper-connections per layer (around mixer and feed-forward), ``hc_mult`` residual streams each."""
    if not mixer.hc_mult:
        return 0
    mixes = (2 + mixer.hc_mult) * mixer.hc_mult
    return 2 * (mixes * mixer.hc_mult * hidden + mixes + 3)


def _compressor_params(mixer: Mixer, hidden: int) -> int:
    """Compressed memory of a DSV4 layer and, at ratio 4, the index heads over it."""
    if not mixer.compress_ratio:
        return 0
    overlap = 2 if mixer.compress_ratio == 4 else 1
    per_width = 2 * hidden * overlap + mixer.compress_ratio * overlap + 1
    count = per_width * (mixer.head_dim + mixer.indexer_head_dim)
    index_query = mixer.q_lora_rank * mixer.indexer_heads * mixer.indexer_head_dim
    return count + index_query + hidden * mixer.indexer_heads


_MIXER_PARAMS: dict[MixerKind, Callable[[Mixer, int], int]] = {
    MixerKind.GQA: _gqa_params,
    MixerKind.MLA: _mla_params,
    MixerKind.GDN: _gdn_params,
    MixerKind.KDA: _kda_params,
    MixerKind.MAMBA2: _mamba2_params,
    MixerKind.DSV4: _dsv4_params,
    MixerKind.NONE: _no_params,
}


def _ffn_params(ffn: Ffn, hidden: int, experts: int) -> int:
    if ffn.kind is FfnKind.NONE:
        return 0
    if ffn.kind is FfnKind.DENSE:
        return _matrices(ffn) * hidden * ffn.inter + ffn.extra_params
    return _moe_params(ffn, hidden, experts)


def _moe_params(ffn: Ffn, hidden: int, experts: int) -> int:
    """Experts (in the latent width where there is one), router, shared expert and a dense branch beside it."""
    width = ffn.latent or hidden
    expert = _matrices(ffn) * width * ffn.inter + (2 * ffn.inter + width) * ffn.bias
    router = hidden * ffn.experts + ffn.experts * ffn.router_bias
    latent = 2 * hidden * ffn.latent
    shared = _matrices(ffn) * hidden * ffn.shared_inter + hidden * ffn.shared_gate
    parallel = 3 * hidden * ffn.parallel_dense_inter
    return experts * expert + router + latent + shared + parallel + ffn.extra_params


def _matrices(ffn: Ffn) -> int:
    """Weight matrices of one expert or dense block: three when gated, else two."""
    return 3 if ffn.gated else 2

"""Bytes of KV cache and recurrent state on one tensor-parallel rank.

Grouped-query heads are divided by TP up to their number and replicated beyond; the MLA latent is held whole by every
rank; windows stop growing; linear layers keep a state of fixed size per request. Context parallelism (DCP) divides the
token-wise cache over the ranks of a TP group.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kentino_configurator.core.llm import KvPrecision, LayerGroup, Mixer, MixerKind
from kentino_configurator.core.parameters import state_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLaw:
    """Cache of some layers on one rank as a function of a request's tokens.

    ``growth_bytes`` per token without end, ``windows`` as (bytes per token, last token that counts), ``state_bytes``
    per request whatever its length.
    """

    growth_bytes: float
    windows: tuple[tuple[float, int], ...]
    state_bytes: float

    def request_bytes(self, tokens: float) -> float:
        """Bytes one request of ``tokens`` occupies."""
        total = self.state_bytes + self.growth_bytes * tokens
        for per_token, window in self.windows:
            total += per_token * min(tokens, window)
        return total


def cache_law(groups: Iterable[LayerGroup], kv: KvPrecision, tp: int, dcp: int = 1) -> CacheLaw:
    """The law of the given layers on one of ``tp`` ranks."""
    growth = state = 0.0
    windows: dict[int, float] = {}
    for group in groups:
        mixer = group.mixer
        per_token = group.count * rank_bytes_per_token(mixer, kv, tp) / dcp
        compressed, index = _side_bytes_per_token(mixer, kv)
        growth += group.count * (compressed + index) / dcp
        if mixer.window:
            windows[mixer.window] = windows.get(mixer.window, 0.0) + per_token
        else:
            growth += per_token
        state += group.count * state_bytes(mixer) / tp
    return CacheLaw(
        growth_bytes=growth, windows=tuple(sorted((b, w) for w, b in windows.items())), state_bytes=state
    )


def rank_bytes_per_token(mixer: Mixer, kv: KvPrecision, tp: int) -> float:
    """Bytes one token adds to one layer on one rank, without index keys and compressed memory."""
    if mixer.kind is MixerKind.GQA:
        heads = max(1.0, mixer.kv_heads / tp)
        return heads * (mixer.head_dim + (mixer.v_head_dim or mixer.head_dim)) * kv.bytes_per_value
    if mixer.kind is MixerKind.MLA:
        return _latent_bytes(mixer, kv)
    if mixer.kind is MixerKind.DSV4:
        return float(mixer.head_dim * kv.bytes_per_value)
    return 0.0


def _latent_bytes(mixer: Mixer, kv: KvPrecision) -> float:
    """Latent plus rotary key. The FP8 layout of sparse attention keeps the rotary key in BF16 and scales per 128."""
    if kv is KvPrecision.FP8 and mixer.indexer_heads:
        return mixer.kv_lora_rank * (1 + 4 / 128) + 2.0 * mixer.qk_rope_head_dim
    return float((mixer.kv_lora_rank + mixer.qk_rope_head_dim) * kv.bytes_per_value)


def _side_bytes_per_token(mixer: Mixer, kv: KvPrecision) -> tuple[float, float]:
    """(compressed memory, index keys) per token of a layer; an FP8 index key carries one FP32 scale."""
    if mixer.compress_ratio:
        values = mixer.head_dim + mixer.indexer_head_dim
        return values * kv.bytes_per_value / mixer.compress_ratio, 0.0
    if not mixer.indexer_heads or mixer.kind is MixerKind.DSV4:
        return 0.0, 0.0
    scale = 4.0 if kv is KvPrecision.FP8 else 0.0
    return 0.0, mixer.indexer_head_dim * kv.bytes_per_value + scale

"""Time of one engine step: the sum of its kernels, collectives and launch gaps on one rank.

A step reads the weights once for all tokens in flight: one per decoding request plus a chunk of prompts. What depends
on the layout alone stands in a :class:`StepModel`; a step is then a short sum.
"""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.engine.comms import CollectiveLaw
from kentino_configurator.engine.kernels import soft_max

LAUNCH_SOFTNESS = 2.0
SPLIT_ROWS = 64.0
NEGLIGIBLE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductTerm:
    """``count`` equal matrix products: ``floor + soft(memory0 + memory1 m, compute0 min(1, m/64) + compute1 m)``."""

    count: int
    floor_s: float
    memory0: float
    memory1: float
    compute0: float
    compute1: float
    softness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertTerm:
    """``count`` layers of routed experts on one rank; ``miss`` is the chance that a token passes an expert by.

    ``spread`` < 1: tokens in flight agree on experts more than chance, ``tokens ** spread`` of them choose freely.
    """

    count: int
    floor_s: float
    rank_experts: float
    miss: float
    spread: float
    pairs_per_token: float
    s_per_expert: float
    compute_s_per_row: float
    pad_rows: float
    activation_s_per_token: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionTerm:
    """``count`` layers that look back over at most ``reach`` tokens.

    Decode: floor, seconds per (request x token seen), per (request x token of index) and per request. Prefill: floor,
    seconds per (token x token seen), per (token x token of index) and per token.
    """

    count: int
    reach: float
    decode_floor_s: float
    decode_s_per_pair: float
    decode_s_per_index_pair: float
    decode_s_per_request: float
    prefill_floor_s: float
    prefill_s_per_pair: float
    prefill_s_per_index_pair: float
    prefill_s_per_token: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one step processes: decoding requests with their mean context, and prompts with tokens and past of each."""

    decodes: float = 0.0
    context: float = 0.0
    prompts: float = 0.0
    prompt_tokens: float = 0.0
    past: float = 0.0

    @property
    def tokens(self) -> float:
        """Tokens in flight."""
        return self.decodes + self.prompts * self.prompt_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class StepModel:
    """Everything about a layout that a step needs."""

    products: tuple[ProductTerm, ...]
    experts: tuple[ExpertTerm, ...]
    attentions: tuple[AttentionTerm, ...]
    head: ProductTerm
    reduces: int
    reduce_law: CollectiveLaw
    exchanges: int
    exchange_law: CollectiveLaw
    context_exchanges: int
    context_law: CollectiveLaw
    context_bytes: float
    copies_sharing_experts: float
    hidden_bytes: float
    small_floor_s: float
    small_s_per_token: float
    gaps_s: float
    prompt_launch_s: float
    step_floor_s: float
    s_per_request: float
    front_end_s: float
    stages: int
    widest_stage_share: float
    hand_over_latency_s: float
    hand_over_s_per_token: float

    def layers_s(self, batch: Batch) -> float:
        """All layers once, without the output head.

        A step with prompts runs outside the CUDA graph of decode: launching its kernels takes a time of its own, which
        the work on the GPU hides only when it is longer.
        """
        tokens = batch.tokens
        total = self.gaps_s + self.small_floor_s + self.small_s_per_token * tokens
        for term in self.products:
            total += term.count * product_s(term, tokens)
        for expert in self.experts:
            total += expert.count * experts_s(expert, tokens, self.copies_sharing_experts)
        for attention in self.attentions:
            total += attention.count * attention_s(attention, batch)
        total += self.communication_s(tokens)
        return soft_max(total, self.prompt_launch_s, LAUNCH_SOFTNESS) if batch.prompts else total

    def communication_s(self, tokens: float) -> float:
        """All-reduces of TP, exchanges of EP, queries and partial results of DCP, of all layers."""
        size = tokens * self.hidden_bytes
        total = self.reduces * self.reduce_law.time_s(size) if self.reduces else 0.0
        if self.exchanges:
            total += self.exchanges * 2.0 * self.exchange_law.time_s(size * self.copies_sharing_experts)
        if self.context_exchanges:
            total += self.context_exchanges * 2.0 * self.context_law.time_s(tokens * self.context_bytes)
        return total

    def pass_s(self, batch: Batch) -> float:
        """One batch through every stage, with head, hand-overs and the engine's own time."""
        heads = batch.decodes + batch.prompts
        hand_overs = (self.stages - 1) * (
            self.hand_over_latency_s + self.hand_over_s_per_token * batch.tokens
        )
        return self.layers_s(batch) + product_s(self.head, heads) + hand_overs + self.engine_s(batch)

    def stage_s(self, batch: Batch) -> float:
        """The slowest stage for one batch: the time between two batches of a full pipeline."""
        if self.stages == 1:
            return self.pass_s(batch)
        heads = batch.decodes + batch.prompts
        hand_over = self.hand_over_latency_s + self.hand_over_s_per_token * batch.tokens
        work = self.layers_s(batch) * self.widest_stage_share + product_s(self.head, heads) / self.stages
        return work + hand_over + self.engine_s(batch)

    def engine_s(self, batch: Batch) -> float:
        """Scheduling, sampling and output handling of one step."""
        return self.step_floor_s + self.s_per_request * (batch.decodes + batch.prompts)


def product_s(term: ProductTerm, tokens: float) -> float:
    """One matrix product for ``tokens`` rows. With few rows the kernel splits the inner dimension to fill the card."""
    memory = term.memory0 + term.memory1 * tokens
    filled = tokens / SPLIT_ROWS if tokens < SPLIT_ROWS else 1.0
    compute = term.compute0 * filled + term.compute1 * tokens
    high, low = (memory, compute) if memory > compute else (compute, memory)
    ratio, p = low / high, term.softness
    if ratio < NEGLIGIBLE:
        return term.floor_s + high
    return float(term.floor_s + high * (1.0 + ratio**p) ** (1.0 / p))


def experts_s(term: ExpertTerm, tokens: float, copies: float) -> float:
    """Routed experts of one layer. Distinct experts touched: ``E (1 - (1 - k/E)^tokens)``, tokens of every copy."""
    everyone = tokens * copies
    distinct = term.rank_experts * (1.0 - term.miss ** (everyone**term.spread))
    memory = distinct * term.s_per_expert
    compute = (everyone * term.pairs_per_token + distinct * term.pad_rows) * term.compute_s_per_row
    high, low = (memory, compute) if memory > compute else (compute, memory)
    joined = high * (1.0 + (low / high) ** 4.0) ** 0.25 if high > 0 else 0.0
    return term.floor_s + joined + everyone * term.activation_s_per_token


def attention_s(term: AttentionTerm, batch: Batch) -> float:
    """Attention or recurrence of one layer for the decoding requests and the prompts of a step."""
    total = 0.0
    if batch.decodes:
        seen = min(batch.context, term.reach)
        total = term.decode_floor_s + batch.decodes * (
            seen * term.decode_s_per_pair
            + batch.context * term.decode_s_per_index_pair
            + term.decode_s_per_request
        )
    if batch.prompts:
        tokens = batch.prompts * batch.prompt_tokens
        mean_past = batch.past + 0.5 * batch.prompt_tokens
        total += term.prefill_floor_s + tokens * (
            min(mean_past, term.reach) * term.prefill_s_per_pair
            + mean_past * term.prefill_s_per_index_pair
            + term.prefill_s_per_token
        )
    return total

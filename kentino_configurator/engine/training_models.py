"""A stand-in architecture for a model of which only the parameter count is known."""

from __future__ import annotations

from kentino_configurator.core.llm import (
    Ffn,
    FfnKind,
    LayerGroup,
    Mixer,
    MixerKind,
    ModelSpec,
)
from kentino_configurator.core.parameters import counted

PARAMETERS_PER_WIDTH_SQUARED = 12.8
"""Parameters of one layer over h^2, Llama shape with grouped keys and a feed-forward part 3.5 h wide."""

PARAMETERS_PER_WIDTH_CUBED = 0.1
"""The same over h^3 for the whole model, at the usual 128 units of width per layer."""

WIDTH_STEP = 1024
"""Widths are multiples of this, so that heads divide over eight ranks."""

HEAD_DIM = 128
KV_HEADS = 8
VOCABULARY = 128_256
SMALL_VOCABULARY = 32_000
SMALL_MODEL_PARAMETERS = 5e9


def model_of_size(parameters: float, name: str) -> ModelSpec:
    """A dense decoder of Llama shape with about ``parameters`` weights, marked as assumed.

    Raises ``ValueError`` below 50 million parameters, where no such shape is usual.
    """
    if parameters < 5e7:
        raise ValueError(f"{name}: {parameters:.3g} parameters are too few for a language model")
    width = (parameters / PARAMETERS_PER_WIDTH_CUBED) ** (1 / 3)
    hidden = WIDTH_STEP * max(1, round(width / WIDTH_STEP))
    layers = max(8, round(parameters / (PARAMETERS_PER_WIDTH_SQUARED * hidden**2)))
    heads = hidden // HEAD_DIM
    kv_heads = min(KV_HEADS, heads)
    vocabulary = SMALL_VOCABULARY if parameters < SMALL_MODEL_PARAMETERS else VOCABULARY
    attention = 2 * hidden * (hidden + kv_heads * HEAD_DIM)
    in_layers = parameters - 2 * vocabulary * hidden
    feed_forward = max(hidden, round((in_layers / layers - attention) / (3 * hidden)))
    model = ModelSpec(
        id=name.lower(),
        name=name,
        hidden_size=hidden,
        vocab_size=vocabulary,
        num_layers=layers,
        num_attention_heads=heads,
        num_kv_heads=kv_heads,
        head_dim=HEAD_DIM,
        max_context=8192,
        tie_embeddings=False,
        layers=(
            LayerGroup(
                mixer=Mixer(kind=MixerKind.GQA, heads=heads, kv_heads=kv_heads, head_dim=HEAD_DIM),
                ffn=Ffn(kind=FfnKind.DENSE, inter=feed_forward),
                count=layers,
            ),
        ),
        assumed=("architecture",),
    )
    return counted(model)

"""Bytes of a served checkpoint by storage format.

A documented size of the same format wins over arithmetic. Arithmetic counts block scales and leaves embedding, output
head, norms and routers in BF16; what else a format leaves unquantised follows the public builds (see ``KEPT``).
"""

from __future__ import annotations

from kentino_configurator.core.llm import CheckpointSize, MixerKind, ModelSpec, Precision
from kentino_configurator.engine.shapes import Part, model_linears

BF16_BYTES = 2.0
ROUND_STATEMENT = 10**7  # a size that is a whole multiple was stated rounded, not counted

BYTES_PER_WEIGHT = {
    Precision.BF16: BF16_BYTES,
    Precision.FP8: 1.0 + 4.0 / 128**2,  # one FP32 scale per 128 x 128 block
    Precision.INT8: 1.0 + 4.0 / 4096,  # one FP32 scale per output row
    Precision.INT4: 0.5 + 2.0 / 32,  # group 32, BF16 scale: the native INT4 releases
    Precision.INT4_AWQ: 0.5 + 2.5 / 128,  # group 128, FP16 scale and packed zero point
    Precision.INT4_GPTQ: 0.5 + 2.5 / 128,
    Precision.NVFP4: 0.5 + 1.0 / 16,  # one FP8 scale per 16
    Precision.MXFP4: 0.5 + 1.0 / 32,  # one E8M0 scale per 32
}
"""Bytes of one quantised weight with its share of the scales."""

_ALL = frozenset(Part)
_BESIDE_FFN = frozenset({Part.ATTENTION, Part.LATENT, Part.RECURRENT, Part.SHARED, Part.ROUTER})

KEPT: dict[Precision, frozenset[Part]] = {
    Precision.BF16: _ALL,
    Precision.FP8: frozenset({Part.ROUTER}),
    Precision.INT8: frozenset({Part.ROUTER}),
    Precision.INT4: _BESIDE_FFN,
    Precision.INT4_AWQ: frozenset({Part.ROUTER, Part.RECURRENT}),
    Precision.INT4_GPTQ: frozenset({Part.ROUTER, Part.RECURRENT}),
    Precision.NVFP4: frozenset({Part.ROUTER, Part.LATENT}),
    Precision.MXFP4: _BESIDE_FFN,
}
"""Parts that the public builds of a format leave in BF16. Feed-forward layers and experts are always quantised."""


def weights_bytes(model: ModelSpec, precision: Precision) -> float:
    """Total bytes of the checkpoint that is served in ``precision``.

    The documented size of that format when one is known, else :func:`computed_bytes`. A size documented in round
    gigabytes ("about 220 GB") counts for 4-bit builds only, which differ in what they leave in BF16; for BF16 and
    FP8 the arithmetic is exact to 0.1 % and better than the rounded statement. A model released in a smaller format is
    still answered for a larger one: its weights are then expanded on loading.
    """
    for build in documented_builds(model, precision):
        if precision.is_four_bit or build.bytes % ROUND_STATEMENT:
            return float(build.bytes)
    return computed_bytes(model, precision)


def documented_builds(model: ModelSpec, precision: Precision) -> tuple[CheckpointSize, ...]:
    """Documented builds in a format, the one that counts first. Generic ``INT4`` accepts any integer 4-bit build."""
    names = _format_names(model, precision)
    matches = [size for name in names for size in model.checkpoint_sizes if _normalised(size.format) == name]
    return tuple(matches)


def computed_bytes(model: ModelSpec, precision: Precision) -> float:
    """Checkpoint size by arithmetic: quantised matrices at their format, everything else at BF16, vision at BF16."""
    matrices = stored = 0.0
    for group, linear in model_linears(model):
        matrices += group.count * linear.weights
        stored += group.count * linear.weights * stored_bytes_per_weight(precision, linear.part)
    return stored + (model.text_params + model.vision_params - matrices) * BF16_BYTES


def stored_as(precision: Precision, part: Part) -> Precision:
    """Format in which a build stores a part; NVFP4 builds of hybrid models keep linear attention in FP8."""
    if part in KEPT[precision]:
        return Precision.BF16
    if precision is Precision.NVFP4 and part is Part.RECURRENT:
        return Precision.FP8
    return precision


def stored_bytes_per_weight(precision: Precision, part: Part) -> float:
    """Bytes of one weight of a part, scales included."""
    return BYTES_PER_WEIGHT[stored_as(precision, part)]


def _format_names(model: ModelSpec, precision: Precision) -> tuple[str, ...]:
    if precision is Precision.INT4:
        return ("int4", "int4awq", "int4gptq")
    mixed = any(group.mixer.kind is MixerKind.DSV4 for group in model.layers)
    if mixed and precision is model.native_precision:
        return (_normalised(precision.value), "fp8+fp4")
    return (_normalised(precision.value),)


def _normalised(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")

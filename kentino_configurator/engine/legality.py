"""Whether a layout can run at all; every reason against it as a message."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.layout import Layout
from kentino_configurator.core.llm import MixerKind, ModelSpec, Precision
from kentino_configurator.core.message import Listing, Message, message
from kentino_configurator.engine.memo import SpecMemo

DEGREES = (1, 2, 4, 8)
_HEADS: SpecMemo[frozenset[int]] = SpecMemo()


def layout_reasons(layout: Layout) -> tuple[Message, ...]:
    """Reasons why the layout cannot run, empty when it can.

    TP above the number of KV heads is legal: the surplus ranks hold copies.
    """
    return tuple(_reasons(layout))


def tp_divides(model: ModelSpec, tp: int) -> bool:
    """Whether every rank gets a whole number of query heads (value heads in linear attention)."""
    return all(heads % tp == 0 for heads in _divided_heads(model))


def allowed_tp(model: ModelSpec) -> tuple[int, ...]:
    """The usual TP degrees the model can be split over."""
    return tuple(degree for degree in DEGREES if tp_divides(model, degree))


def _divided_heads(model: ModelSpec) -> frozenset[int]:
    return _HEADS.get((model,), None, lambda: _heads(model))


def _heads(model: ModelSpec) -> frozenset[int]:
    mixers = (group.mixer for group in model.layers if group.mixer.kind is not MixerKind.NONE)
    return frozenset(mixer.value_heads if mixer.kind is MixerKind.GDN else mixer.heads for mixer in mixers)


def _reasons(layout: Layout) -> Iterator[Message]:
    model, degrees, gpu = layout.model, layout.parallelism, layout.machines.gpu
    if not tp_divides(model, degrees.tp):
        yield message(
            "f.tp_not_dividing.text",
            model=model.name,
            tp=degrees.tp,
            heads=model.num_attention_heads,
            allowed=Listing(tuple(allowed_tp(model))),
        )
    if degrees.pp > model.num_layers:
        yield message("engine.pp_above_layers", model=model.name, pp=degrees.pp, layers=model.num_layers)
    available = layout.machines.gpus_per_node * layout.machines.nodes
    if degrees.gpus > available:
        yield message("engine.needs_more_gpus", needed=degrees.gpus, available=available)
    if layout.weights_precision is Precision.FP8 and gpu.fp8_flop_per_s is None:
        yield message("engine.fp8_without_arithmetic", gpu=gpu.name)

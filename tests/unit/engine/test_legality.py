"""What a layout must not be."""

from __future__ import annotations

import pytest

from kentino_configurator.core.llm import Precision
from kentino_configurator.engine.legality import allowed_tp, layout_reasons
from tests.unit.engine.helpers import layout, machines, model


def reasons(*args, **degrees) -> list[str]:
    return [reason.id for reason in layout_reasons(layout(*args, **degrees))]


def test_heads_must_divide() -> None:
    assert reasons("qwen2.5-7b", tp=8) == ["f.tp_not_dividing.text"]
    assert reasons("qwen2.5-7b", tp=4) == []
    assert allowed_tp(model("qwen2.5-7b")) == (1, 2, 4)


def test_more_ranks_than_kv_heads_is_legal() -> None:
    assert reasons("qwen3-235b-a22b", tp=8) == []


def test_a_pipeline_needs_a_layer_per_stage() -> None:
    on = machines(nodes=8)
    assert reasons("llama-3.2-1b", on, tp=1, pp=32) == ["engine.pp_above_layers"]


def test_a_layout_needs_its_gpus() -> None:
    assert reasons(tp=8, pp=2) == ["engine.needs_more_gpus"]


def test_fp8_needs_fp8_arithmetic() -> None:
    assert reasons("llama-3.1-8b", machines("a100-sxm-80gb")) == ["engine.fp8_without_arithmetic"]
    assert reasons("llama-3.1-8b", machines("a100-sxm-80gb"), Precision.BF16) == []


@pytest.mark.parametrize("precision", [Precision.NVFP4, Precision.INT4_AWQ])
def test_four_bit_weights_run_on_cards_without_four_bit_arithmetic(precision: Precision) -> None:
    assert reasons("llama-3.1-8b", machines("l40s"), precision) == []

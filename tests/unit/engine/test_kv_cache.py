"""KV bytes per token and per request against published figures and engine logs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.parameters import model_kv_bytes_per_sequence
from kentino_configurator.engine.kv_cache import cache_law
from kentino_configurator.engine.stages import model_stages
from tests.unit.engine.helpers import GIB, model, snapshot

# (model, KV format, TP, bytes per token and GPU, pool GiB, tokens logged)
LOGGED_POOLS = [
    ("minimax-m2.5-230b-a10b", KvPrecision.BF16, 4, 63_488, 23.62, 399_424),
    ("llama-3.1-8b", KvPrecision.BF16, 1, 131_072, 3.81, 31_232),
    ("qwen3-235b-a22b", KvPrecision.BF16, 4, 48_128, 8.11, 178_880),
    ("glm-5.1", KvPrecision.FP8, 8, 61_464, 19.55, 341_504),
]


@pytest.mark.parametrize(("model_id", "kv", "tp", "per_token", "pool", "tokens"), LOGGED_POOLS)
def test_a_logged_pool_holds_the_logged_tokens(
    model_id: str, kv: KvPrecision, tp: int, per_token: int, pool: float, tokens: int
) -> None:
    law = cache_law(model(model_id).layers, kv, tp)
    assert law.growth_bytes == per_token
    assert pool * GIB / law.growth_bytes == pytest.approx(tokens, rel=0.012)


@pytest.mark.parametrize("dcp", [1, 2, 4, 8])
def test_context_parallelism_divides_the_latent(dcp: int) -> None:
    law = cache_law(model("glm-5.1").layers, KvPrecision.FP8, 8, dcp)
    assert law.growth_bytes == pytest.approx(61_464 / dcp)


def test_kimi_holds_576_bytes_per_layer_and_token_in_fp8_on_every_rank() -> None:
    assert cache_law(model("kimi-k2.6").layers, KvPrecision.FP8, 8).growth_bytes == 61 * 576


@pytest.mark.parametrize("context", [8192, 32_768, 131_072])
@pytest.mark.parametrize("model_id", sorted(snapshot().models))
def test_one_rank_holds_what_the_model_needs(model_id: str, context: int) -> None:
    spec = model(model_id)
    law = cache_law(spec.layers, KvPrecision.BF16, 1)
    assert law.request_bytes(context) == pytest.approx(
        model_kv_bytes_per_sequence(spec, context, 2), rel=0.002
    )


def test_heads_are_divided_up_to_their_number_and_copied_beyond() -> None:
    layers = model("llama-3.3-70b").layers
    assert [cache_law(layers, KvPrecision.BF16, tp).growth_bytes for tp in (1, 4, 8, 16)] == [
        327_680,
        81_920,
        40_960,
        40_960,
    ]


def test_a_window_stops_growing_and_a_state_does_not_depend_on_length() -> None:
    gemma = cache_law(model("gemma-3-27b").layers, KvPrecision.BF16, 1)
    windowed = sum(per_token for per_token, _ in gemma.windows)
    assert gemma.request_bytes(40_000) - gemma.request_bytes(20_000) == pytest.approx(
        20_000 * gemma.growth_bytes
    )
    assert windowed > gemma.growth_bytes
    assert cache_law(model("qwen3.5-27b").layers, KvPrecision.BF16, 1).request_bytes(0) > 100e6


@given(
    st.sampled_from(sorted(snapshot().models)),
    st.sampled_from(list(KvPrecision)),
    st.sampled_from([1, 2, 4, 8]),
    st.integers(1, 200_000),
)
def test_more_tokens_never_need_less_and_fp8_never_more(
    model_id: str, kv: KvPrecision, tp: int, tokens: int
) -> None:
    layers = model(model_id).layers
    law = cache_law(layers, kv, tp)
    assert law.request_bytes(tokens) <= law.request_bytes(tokens + 1000)
    assert cache_law(layers, KvPrecision.FP8, tp).request_bytes(tokens) <= law.request_bytes(tokens) * 1.0001


@given(
    st.sampled_from(["llama-3.3-70b", "deepseek-v3", "qwen3.5-27b", "gpt-oss-120b"]),
    st.sampled_from([1, 2, 3, 4, 6]),
)
def test_the_stages_of_a_pipeline_hold_the_whole_cache(model_id: str, pp: int) -> None:
    stages = model_stages(model(model_id), Precision.FP8, KvPrecision.BF16, 1, pp)
    whole = cache_law(model(model_id).layers, KvPrecision.BF16, 1)
    assert sum(s.cache.request_bytes(9000) for s in stages) == pytest.approx(whole.request_bytes(9000))
    assert sum(s.layers for s in stages) == model(model_id).num_layers

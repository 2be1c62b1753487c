"""The matrices of every catalogued model add up to its exact parameter count."""

from __future__ import annotations

import pytest

from kentino_configurator.engine.shapes import Split, layer_linears, model_linears
from tests.unit.engine.helpers import model, snapshot


@pytest.mark.parametrize("model_id", sorted(snapshot().models))
def test_matrices_and_tables_leave_only_norms_biases_and_convolutions(model_id: str) -> None:
    spec = model(model_id)
    matrices = sum(group.count * linear.weights for group, linear in model_linears(spec))
    tables = spec.vocab_size * spec.hidden_size * (1 if spec.tie_embeddings else 2)
    rest = spec.text_params - matrices - tables
    assert 0 <= rest <= 0.002 * spec.text_params


def test_a_gated_query_projection_is_twice_as_wide() -> None:
    gated = next(g for g in model("qwen3.5-27b").layers if g.mixer.gate)
    query = layer_linears(gated, 5120)[0]
    assert query.outputs == 2 * gated.mixer.heads * gated.mixer.head_dim


def test_key_and_value_projections_are_replicated_beyond_their_heads() -> None:
    group = model("llama-3.3-70b").layers[0]
    keys_values = next(lin for lin in layer_linears(group, 8192) if lin.split is Split.KV_HEADS)
    assert [keys_values.share(tp) for tp in (1, 4, 8, 16)] == [1.0, 0.25, 0.125, 0.125]


def test_the_latent_projection_is_held_whole_by_every_rank() -> None:
    group = model("deepseek-v3").layers[0]
    latent = next(lin for lin in layer_linears(group, 7168) if lin.outputs == 512 + 64)
    assert latent.share(8) == 1.0

"""Interval classes: the less is known, the wider."""

from __future__ import annotations

import pytest

from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.llm import Precision
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.intervals import Band, band, case_class
from tests.unit.engine.helpers import layout, machines, snapshot

CALIBRATION = snapshot().calibration


@pytest.mark.parametrize(
    ("model_id", "gpu", "tp", "klass"),
    [
        ("llama-3.3-70b", "rtx-pro-6000-server", 4, "dense/measured"),
        ("llama-3.3-70b", "rtx-pro-6000-maxq", 4, "dense/measured"),
        ("llama-3.1-8b", "rtx-5090", 1, "dense/scaled"),
        ("llama-3.1-8b", "rtx-5090", 2, "dense/staged"),
        ("llama-3.1-8b", "l40", 1, "dense/assumed"),
        ("qwen3-30b-a3b", "l4", 1, "moe/assumed"),
        ("deepseek-v3", "h200-sxm", 8, "moe/measured"),
    ],
)
def test_the_class_follows_model_card_and_peer_access(model_id: str, gpu: str, tp: int, klass: str) -> None:
    assert case_class(layout(model_id, machines(gpu), Precision.FP8, tp=tp), CALIBRATION) == klass


@pytest.mark.parametrize("metric", ["tpot", "ttft", "throughput", "prefill"])
@pytest.mark.parametrize("model_id", ["llama-3.1-8b", "qwen3-30b-a3b"])
def test_ranks_without_peer_access_have_the_widest_band(metric: str, model_id: str) -> None:
    widths = []
    for gpu, tp in (("rtx-pro-6000-server", 1), ("rtx-5090", 2)):
        each = band(layout(model_id, machines(gpu), tp=tp), metric, CALIBRATION)
        widths.append(each.up / each.down)
    assert widths[1] > 1.3 * widths[0]


def test_extrapolated_cards_say_that_they_are_assumed() -> None:
    assert band(layout("llama-3.1-8b", machines("l40")), "tpot", CALIBRATION).evidence is Evidence.ASSUMED
    assert band(layout("llama-3.1-8b"), "tpot", CALIBRATION).evidence is Evidence.DERIVED


def test_the_band_of_a_rate_is_the_inverse_of_that_of_the_time() -> None:
    time = Band(down=0.8, up=1.25, evidence=Evidence.DERIVED)
    assert time.inverse().around(10, Unit.TOKENS_PER_S).low == pytest.approx(8.0)


@pytest.mark.parametrize("gpu", sorted(snapshot().gpus))
def test_every_card_has_bands_for_serving(gpu: str) -> None:
    placed = layout("llama-3.1-8b", machines(gpu), Precision.BF16)
    for metric in ("tpot", "ttft", "throughput", "prefill"):
        each = band(placed, metric, CALIBRATION)
        assert each.down < 1 < each.up

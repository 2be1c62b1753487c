"""The object that ``predict`` prints: model facts, memory and performance of one layout."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kentino_configurator.answer.result_json import (
    estimate_json,
    memory_json,
    serving_json,
    training_json,
)
from kentino_configurator.answer.room_json import room_json
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.prediction import Prediction, ServingPerformance, TrainingPerformance
from kentino_configurator.engine.performance import predict_serving
from kentino_configurator.engine.room import longest_context
from kentino_configurator.engine.training import predict_training
from kentino_configurator.texts.catalogue import Texts
from kentino_configurator.wizard.layout_reading import LayoutReading


def prediction_object(reading: LayoutReading, snapshot: CatalogSnapshot, texts: Texts) -> dict[str, Any]:
    """Predicts a layout that was read without problems."""
    layout = reading.layout
    assert layout is not None
    prediction = predict_layout(reading, snapshot)
    performance = prediction.performance
    efficiency = None
    figures: dict[str, Any] | None = None
    if isinstance(performance, ServingPerformance):
        figures = serving_json(performance)
    elif isinstance(performance, TrainingPerformance):
        figures = training_json(performance)
        efficiency = estimate_json(performance.scaling_efficiency)
    return {
        "model": model_json(layout.model),
        "memory_per_gpu": memory_json(prediction.memory),
        "room": _room(reading, snapshot, texts),
        "performance": figures,
        "scaling_efficiency": efficiency,
        "fits": prediction.fits,
        "reasons": [texts.say(reason) for reason in prediction.reasons],
        "assumptions": [
            {"field": a.field, "value": a.value, "source": a.source, "effect": a.effect}
            for a in reading.assumptions
        ],
    }


def _room(reading: LayoutReading, snapshot: CatalogSnapshot, texts: Texts) -> dict[str, Any] | None:
    """Room for requests; a training run has none."""
    if reading.layout is None or reading.load is None:
        return None
    return room_json(reading.layout, reading.load, snapshot.policy, texts)


def predict_layout(reading: LayoutReading, snapshot: CatalogSnapshot) -> Prediction:
    """Prediction of the serving load or of the training job that was read."""
    layout = reading.layout
    assert layout is not None
    if reading.job is not None:
        return predict_training(layout, reading.job, snapshot.calibration, snapshot.policy)
    assert reading.load is not None
    prediction = predict_serving(layout, reading.load, snapshot.calibration, snapshot.policy)
    longest = longest_context(layout, reading.load, snapshot.policy)
    return replace(prediction, memory=replace(prediction.memory, longest_context_tokens=longest))


def model_json(model: ModelSpec) -> dict[str, Any]:
    """What was understood of the model."""
    return {
        "id": model.id,
        "name": model.name,
        "parameters": model.text_params,
        "active_parameters": model.active_params,
        "kv_bytes_per_token": model.kv_bytes_per_token_bf16,
        "license": {"name": model.license.name, "commercial": model.license.commercial},
        "warnings": list(model.warnings),
    }

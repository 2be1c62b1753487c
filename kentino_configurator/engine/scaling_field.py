"""Kentino's field figures beside a projection, with the overlap that would explain them."""

from __future__ import annotations

from dataclasses import replace

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Evidence, exact
from kentino_configurator.core.layout import Layout, Parallelism, TrainingJob
from kentino_configurator.core.scaling import FieldFigure, Spread
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.scaling_recipes import Case, ScalingContext
from kentino_configurator.engine.training import step_time

FIELD_FIGURES = {(1, 8): "field.tp8_one_node", (2, 4): "field.tp_2x4"}
"""Policy ids of Kentino's figures for tensor parallelism over a shape (70B-class training step)."""

FIELD_PARAMETERS = (60e9, 80e9)
"""The models those figures were taken on: beside other sizes they would mislead."""


def field_figure(context: ScalingContext, case: Case, spread: Spread) -> FieldFigure | None:
    """The figure of the row's shape, ``None`` for other shapes, spreads and sizes of models."""
    on = case.layout.machines
    policy_id = FIELD_FIGURES.get((on.nodes, on.gpus_per_node))
    low, high = FIELD_PARAMETERS
    if spread is not Spread.TENSOR or policy_id is None or case.performance is None:
        return None
    if not low <= context.model.text_params <= high:
        return None
    value = context.policy[policy_id]
    return FieldFigure(
        efficiency=exact(value, Unit.SHARE, Evidence.FIELD),
        policy_id=policy_id,
        explaining_overlap=explaining_overlap(case.layout, case.job, value, context.calibration),
    )


def explaining_overlap(
    layout: Layout, job: TrainingJob, efficiency: float, calibration: Calibration
) -> float | None:
    """Share of tensor-parallel traffic beside arithmetic that gives an efficiency; ``None`` when none is enough.

    The step then takes ``T_alone / efficiency``, where ``T_alone`` is one GPU's time for a GPU's share of the work.
    """
    step = step_time(layout, job, calibration)
    alone = step_time(replace(layout, parallelism=Parallelism()), job, calibration)
    gpus = layout.parallelism.gpus
    allowed = alone.compute_s / gpus / efficiency * (1.0 - step.bubble)
    hidden = 1.0 - (allowed - step.compute_s - step.update_s) / step.tensor_s
    return None if hidden > 1.0 else max(0.0, hidden)

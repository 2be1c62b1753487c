"""Width of a training prediction: 80 % intervals by class of case, from residuals against measurements.

A rate is known by its software preset and by how the card's arithmetic is known; ranks without peer access are known
in direction only. A scaling efficiency is known by what it crosses; memory by the recipe alone.
"""

from __future__ import annotations

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.layout import Layout
from kentino_configurator.engine.intervals import Band
from kentino_configurator.engine.kernels import kernel_subject

RATE, SCALING, MEMORY = "rate", "scaling", "memory"


def training_class(layout: Layout, calibration: Calibration) -> str:
    """Class of case of a rate: ``tuned/measured``, ``ordinary/assumed`` and so on."""
    if layout.machines.gpu.p2p is False and layout.parallelism.tp > 1:
        return f"{layout.stack.value}/staged"
    known = card_evidence(layout, calibration) is not Evidence.ASSUMED
    return f"{layout.stack.value}/{'measured' if known else 'assumed'}"


def scaling_class(layout: Layout) -> str:
    """Class of case of a scaling efficiency: what the layout's traffic crosses."""
    if layout.parallelism.tp > 1:
        return "tensor"
    return "several_nodes" if layout.machines.nodes > 1 else "one_node"


def card_evidence(layout: Layout, calibration: Calibration) -> Evidence:
    """How the card's share of its peak is known."""
    subject = kernel_subject(calibration, "training", layout.machines.gpu, "", "product_share")
    return Evidence(calibration.parameters[("training", subject, "product_share")].evidence)


def training_width(layout: Layout, metric: str, calibration: Calibration) -> Band:
    """The band of a training ``rate``, ``scaling`` or ``memory`` figure of a layout."""
    name = {
        RATE: training_class(layout, calibration),
        SCALING: scaling_class(layout),
        MEMORY: "all",
    }[metric]
    assumed = layout.model.assumed or card_evidence(layout, calibration) is Evidence.ASSUMED
    return Band(
        down=calibration.value("training_interval", name, f"{metric}_down"),
        up=calibration.value("training_interval", name, f"{metric}_up"),
        evidence=Evidence.ASSUMED if assumed else Evidence.DERIVED,
    )

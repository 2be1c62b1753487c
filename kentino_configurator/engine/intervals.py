"""Width of a prediction: 80 % intervals by class of case, taken from residuals against measurements.

A class is the kind of model (dense or MoE) and how well the card's kernels are known: ``measured`` (tables of this
card), ``scaled`` (another card of the same make, own peaks), ``assumed`` (extrapolated), and ``staged`` (ranks without
peer access, known in direction only).
"""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.layout import Layout
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.kernels import kernel_subject
from kentino_configurator.engine.memo import SpecMemo

_KNOWN = {"measured": "measured", "derived": "scaled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Relative ends of the 80 % interval of one figure, and the evidence it carries."""

    down: float
    up: float
    evidence: Evidence

    def around(self, expected: float, unit: Unit, late: float = 0.0) -> Estimate:
        """The estimate of a figure; ``late`` is added to its high end."""
        return Estimate(
            low=expected * self.down,
            expected=expected,
            high=expected * self.up + late,
            unit=unit,
            evidence=self.evidence,
        )

    def inverse(self) -> Band:
        """The band of the reciprocal figure (a rate for a time)."""
        return Band(down=1.0 / self.up, up=1.0 / self.down, evidence=self.evidence)


_BANDS: SpecMemo[Band] = SpecMemo()


def band(layout: Layout, metric: str, calibration: Calibration) -> Band:
    """The band of ``tpot``, ``ttft``, ``throughput`` or ``prefill`` for a layout."""
    staged = _is_staged(layout)
    return _BANDS.get(
        (layout.model, layout.machines.gpu, calibration),
        (metric, staged),
        lambda: _band(layout, metric, calibration),
    )


def case_class(layout: Layout, calibration: Calibration) -> str:
    """Class of case, ``dense/measured`` and so on."""
    kind = "moe" if layout.model.is_moe else "dense"
    if _is_staged(layout):
        return f"{kind}/staged"
    subject = kernel_subject(calibration, "gemm", layout.machines.gpu, "/bf16", "mem_eff")
    evidence = calibration.parameters[("gemm", subject, "mem_eff")].evidence
    return f"{kind}/{_KNOWN.get(evidence, 'assumed')}"


def _band(layout: Layout, metric: str, calibration: Calibration) -> Band:
    name = case_class(layout, calibration)
    evidence = (
        Evidence.DERIVED
        if name.endswith(("measured", "scaled")) and not layout.model.assumed
        else Evidence.ASSUMED
    )
    return Band(
        down=calibration.value("interval", name, f"{metric}_down"),
        up=calibration.value("interval", name, f"{metric}_up"),
        evidence=evidence,
    )


def _is_staged(layout: Layout) -> bool:
    return layout.machines.gpu.p2p is False and layout.parallelism.tp > 1

"""What one layout will do: memory of its fullest GPU and performance, every figure an estimate."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPerGpu:
    """Bytes on the fullest rank. ``weights + kv_cache + activations + runtime + gradients + optimizer + kept_back +
    free == usable`` (``free`` is negative when it does not fit); ``usable`` is what the driver reports.

    ``kv_cache`` is the demand; ``kv_capacity_tokens`` is what the pool of one copy could hold and
    ``longest_context_tokens`` what each of the asked requests may have; ``None`` where nobody asked for it.
    """

    usable: float
    weights: float
    kv_cache: float
    activations: float
    runtime: float
    kept_back: float
    gradients: float = 0.0
    optimizer: float = 0.0
    kv_capacity_tokens: float = 0.0
    max_concurrency_at_context: float = 0.0
    longest_context_tokens: int | None = None

    @property
    def free(self) -> float:
        """What is left; negative: missing bytes."""
        return self.usable - self.used - self.kept_back

    @property
    def used(self) -> float:
        """Bytes that the job needs."""
        return (
            self.weights + self.kv_cache + self.activations + self.runtime + self.gradients + self.optimizer
        )

    @property
    def fits(self) -> bool:
        """Whether the demand fits below what is kept back."""
        return self.free >= 0

    @property
    def weights_share(self) -> float:
        """Weights as a share of what the driver reports: the base of the 60/70 % rule."""
        return self.weights / self.usable


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPerformance:
    """Performance of ONE copy under its load. TTFT: steady median, p95, and the burst where all ask at once."""

    ttft_s: Estimate
    ttft_p95_s: Estimate
    ttft_burst_s: Estimate
    tpot_s: Estimate
    tokens_per_s_per_user: Estimate
    output_tokens_per_s: Estimate
    prefill_tokens_per_s: Estimate
    bound_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPerformance:
    """A training run. ``scaling_efficiency`` is throughput per GPU over one GPU on the same job."""

    tokens_per_s: Estimate
    step_s: Estimate
    days: Estimate
    mfu: Estimate
    scaling_efficiency: Estimate
    flop_total: float
    bound_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Memory, performance and the reasons why a layout cannot run (empty when it can).

    ``performance`` is ``None`` when it is not modelled; ``reasons`` then says why.
    """

    memory: MemoryPerGpu
    performance: ServingPerformance | TrainingPerformance | None
    reasons: tuple[Message, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether the layout can run at all."""
        return self.memory.fits and not self.reasons

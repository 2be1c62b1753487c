"""Laws of the GPU kernels: time as a function of tokens in flight, with coefficients from measured tables.

Every law has a launch floor, a memory side and a compute side joined by ``soft_max``; efficiencies are shares of the
card's own bandwidth and dense peak. A family without a table takes the rows of its architecture.
"""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.layout import Stack
from kentino_configurator.core.llm import FOUR_BIT, KvPrecision, Precision
from kentino_configurator.engine.weights import BYTES_PER_WEIGHT

POWER_EXPONENT = 0.5
"""Compute rate against power limit; 300 W of 600 W cost 20-23 % at 32-64 requests (MiniMax-M2.7, two cards)."""


def soft_max(a: float, b: float, p: float) -> float:
    """``(a^p + b^p)^(1/p)``: the larger of two times, rounded off where they meet."""
    high, low = (a, b) if a > b else (b, a)
    if low <= 0.0:
        return high
    return float(high * (1.0 + (low / high) ** p) ** (1.0 / p))


@dataclass(frozen=True, slots=True, kw_only=True)
class GemmLaw:
    """Matrix products of one format: effective rates in bytes/s and FLOP/s, bytes per weight and per activation."""

    floor_s: float
    bytes_per_s: float
    flop_per_s: float
    fill_outputs: float
    softness: float
    weight_bytes: float
    activation_bytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeAttentionLaw:
    """One new token per sequence against its cache."""

    floor_s: float
    bytes_per_s: float
    s_per_batch_head: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillAttentionLaw:
    """Causal attention of a chunk: rate in FLOP/s, and bytes/s of reading and writing q, k, v and o."""

    floor_s: float
    flop_per_s: float
    bytes_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MoeLaw:
    """Routed experts of one layer: rates, rows of padding per touched expert, passes over the activations."""

    floor_s: float
    bytes_per_s: float
    flop_per_s: float
    pad_rows: float
    activation_bytes_per_s: float
    weight_bytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttentionLaw:
    """MLA: decode reads the latent and computes per head; prefill expands it."""

    floor_s: float
    bytes_per_s: float
    decode_flop_per_s: float
    prefill_flop_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearAttentionLaw:
    """Recurrent layers: decode reads and writes the state, prefill moves ``prefill_bytes_per_value`` per value."""

    floor_s: float
    bytes_per_s: float
    prefill_s_per_value: float


def kernel_subject(calibration: Calibration, topic: str, gpu: GpuSpec, suffix: str, probe: str) -> str:
    """The subject whose rows describe a kernel on a GPU: its family, else its architecture.

    ``suffix`` (``/bf16`` ...) may end in ``/tuned``, which falls back to the ordinary rows. Raises ``KeyError``
    when neither family nor architecture has rows of the topic.
    """
    plain = suffix.removesuffix("/tuned")
    for base in (gpu.family, gpu.architecture.split(" ")[0].lower()):
        for end in (suffix, plain):
            if calibration.has(topic, base + end, probe):
                return base + end
    raise KeyError(f"no {topic}{plain} calibration for {gpu.name}")


def compute_format(gpu: GpuSpec, stored: Precision) -> str:
    """Kernel path of a storage format: the GPU's own arithmetic, or weight-only with BF16 arithmetic."""
    if stored is Precision.BF16:
        return "bf16"
    if stored in (Precision.FP8, Precision.INT8) and gpu.fp8_flop_per_s:
        return "fp8"
    if stored is Precision.NVFP4 and gpu.fp4_flop_per_s:
        return "nvfp4"
    return "weight_only"


def peak_flop_per_s(gpu: GpuSpec, path: str) -> float:
    """Dense peak of a kernel path."""
    peaks = {"fp8": gpu.fp8_flop_per_s, "nvfp4": gpu.fp4_flop_per_s}
    return peaks.get(path) or gpu.bf16_flop_per_s


def power_factor(gpu: GpuSpec, cap_w: int | None) -> float:
    """Share of the compute rate left under a power limit; memory keeps its rate."""
    if cap_w is None or cap_w >= gpu.tdp_w:
        return 1.0
    return float((cap_w / gpu.tdp_w) ** POWER_EXPONENT)


def gemm_law(
    gpu: GpuSpec, stored: Precision, calibration: Calibration, compute_share: float = 1.0
) -> GemmLaw:
    """The law of linear layers whose weights are stored in a format."""
    path = compute_format(gpu, stored)
    subject = kernel_subject(calibration, "gemm", gpu, f"/{path}", "mem_eff")

    def value(name: str) -> float:
        return calibration.value("gemm", subject, name)

    return GemmLaw(
        floor_s=value("floor_s"),
        bytes_per_s=value("mem_eff") * gpu.memory_bandwidth_bytes_per_s,
        flop_per_s=value("compute_eff") * peak_flop_per_s(gpu, path) * compute_share,
        fill_outputs=value("fill_outputs"),
        softness=value("softness"),
        weight_bytes=BYTES_PER_WEIGHT[stored],
        activation_bytes={"fp8": 1.0, "nvfp4": 0.5625}.get(path, 2.0),
    )


def moe_law(
    gpu: GpuSpec, stored: Precision, calibration: Calibration, stack: Stack, compute_share: float = 1.0
) -> MoeLaw:
    """The law of routed experts stored in a format."""
    path = compute_format(gpu, stored)
    name = "mxfp4" if stored is Precision.MXFP4 and path == "weight_only" else path
    subject = kernel_subject(calibration, "moe", gpu, f"/{name}{_tuned(stack)}", "mem_eff")

    def value(parameter: str) -> float:
        return calibration.value("moe", subject, parameter)

    return MoeLaw(
        floor_s=value("floor_s"),
        bytes_per_s=value("mem_eff") * gpu.memory_bandwidth_bytes_per_s,
        flop_per_s=value("compute_eff") * peak_flop_per_s(gpu, path) * compute_share,
        pad_rows=value("pad_rows"),
        activation_bytes_per_s=gpu.memory_bandwidth_bytes_per_s / max(value("act_passes"), 1e-9),
        weight_bytes=BYTES_PER_WEIGHT[stored],
    )


def decode_attention_law(
    gpu: GpuSpec, kv: KvPrecision, calibration: Calibration, stack: Stack
) -> DecodeAttentionLaw:
    """The law of decode attention with a cache format."""
    suffix = f"/{_kv_name(kv)}{_tuned(stack)}"
    subject = kernel_subject(calibration, "decode_attention", gpu, suffix, "bw_eff")
    return DecodeAttentionLaw(
        floor_s=calibration.value("decode_attention", subject, "floor_s"),
        bytes_per_s=calibration.value("decode_attention", subject, "bw_eff")
        * gpu.memory_bandwidth_bytes_per_s,
        s_per_batch_head=calibration.value("decode_attention", subject, "s_per_batch_head"),
    )


def prefill_attention_law(
    gpu: GpuSpec, kv: KvPrecision, calibration: Calibration, stack: Stack, compute_share: float = 1.0
) -> PrefillAttentionLaw:
    """The law of prefill attention with a cache format; arithmetic is BF16 in every engine."""
    suffix = f"/{_kv_name(kv)}{_tuned(stack)}"
    subject = kernel_subject(calibration, "prefill_attention", gpu, suffix, "compute_eff")
    passes = calibration.value("prefill_attention", subject, "io_passes")
    efficiency = calibration.value("prefill_attention", subject, "compute_eff")
    return PrefillAttentionLaw(
        floor_s=calibration.value("prefill_attention", subject, "floor_s"),
        flop_per_s=efficiency * gpu.bf16_flop_per_s * compute_share,
        bytes_per_s=gpu.memory_bandwidth_bytes_per_s / max(passes, 1e-9),
    )


def latent_attention_law(
    gpu: GpuSpec, calibration: Calibration, compute_share: float = 1.0
) -> LatentAttentionLaw:
    """The law of MLA without its projections."""
    subject = kernel_subject(calibration, "latent_attention", gpu, "", "bw_eff")

    def value(name: str) -> float:
        return calibration.value("latent_attention", subject, name)

    return LatentAttentionLaw(
        floor_s=value("floor_s"),
        bytes_per_s=value("bw_eff") * gpu.memory_bandwidth_bytes_per_s,
        decode_flop_per_s=value("compute_eff") * gpu.bf16_flop_per_s * compute_share,
        prefill_flop_per_s=value("prefill_compute_eff") * gpu.bf16_flop_per_s * compute_share,
    )


def linear_attention_law(gpu: GpuSpec, calibration: Calibration) -> LinearAttentionLaw:
    """The law of gated delta rule, KDA and Mamba-2 layers without their projections."""
    subject = kernel_subject(calibration, "linear_attention", gpu, "", "bw_eff")
    moved = calibration.value("linear_attention", subject, "prefill_bytes_per_value")
    return LinearAttentionLaw(
        floor_s=calibration.value("linear_attention", subject, "floor_s"),
        bytes_per_s=calibration.value("linear_attention", subject, "bw_eff")
        * gpu.memory_bandwidth_bytes_per_s,
        prefill_s_per_value=moved / gpu.memory_bandwidth_bytes_per_s,
    )


def is_weight_only(gpu: GpuSpec, stored: Precision) -> bool:
    """Whether 4-bit weights are expanded to BF16 for arithmetic on this GPU."""
    return stored in FOUR_BIT and compute_format(gpu, stored) == "weight_only"


def _kv_name(kv: KvPrecision) -> str:
    return "fp8" if kv is KvPrecision.FP8 else "bf16"


def _tuned(stack: Stack) -> str:
    return "/tuned" if stack is Stack.TUNED else ""

"""In which format the weights of a ``config.json`` are stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kentino_configurator.catalog.config_fields import Config
from kentino_configurator.core.llm import Precision

_COMPRESSED = {
    "float-quantized": Precision.FP8,
    "nvfp4-pack-quantized": Precision.NVFP4,
    "mxfp4-pack-quantized": Precision.MXFP4,
    "int-quantized": Precision.INT8,
}
_ALGORITHMS = {
    "FP8": Precision.FP8,
    "NVFP4": Precision.NVFP4,
    "MIXED_PRECISION": Precision.NVFP4,
    "W4A16_AWQ": Precision.INT4_AWQ,
}
_BY_BITS = {
    "awq": {4: Precision.INT4_AWQ, 8: Precision.INT8},
    "gptq": {4: Precision.INT4_GPTQ, 8: Precision.INT8},
}


def native_precision(config: Config, beside: Mapping[str, Any]) -> Precision:
    """The format of the released weights. ``beside`` is the parsed ``hf_quant_config.json``, empty when absent.

    Unquantised files count as BF16, whatever 16- or 32-bit type they name. What stays unquantised inside a
    quantised file is reported as a warning.
    """
    quantization = _quantization(config, beside)
    if not quantization:
        return Precision.BF16
    found = _precision(quantization)
    if found is None:
        config.warnings.append(
            f"Quantisation {quantization.get('quant_method')!r} is not known; BF16 is taken."
        )
        return Precision.BF16
    config.warnings.extend(_remarks(config, quantization))
    return found


def _quantization(config: Config, beside: Mapping[str, Any]) -> Mapping[str, Any]:
    for fields in (config.outer, config.inner):
        if isinstance(found := fields.get("quantization_config"), Mapping):
            return found
    found = beside.get("quantization")
    return found if isinstance(found, Mapping) else {}


def _precision(quantization: Mapping[str, Any]) -> Precision | None:
    method = str(quantization.get("quant_method") or "")
    bits = _bits(quantization)
    if method == "compressed-tensors" and quantization.get("format") == "pack-quantized":
        return {4: Precision.INT4, 8: Precision.INT8}.get(bits or 0)
    if method == "compressed-tensors":
        return _COMPRESSED.get(str(quantization.get("format")))
    if method in _BY_BITS:
        return _BY_BITS[method].get(bits or 4)
    if method == "bitsandbytes" or quantization.get("load_in_4bit") or quantization.get("load_in_8bit"):
        return Precision.INT4 if quantization.get("load_in_4bit") else Precision.INT8
    if method in ("fp8", "fbgemm_fp8"):
        return Precision.FP8
    if method == "mxfp4":
        return Precision.MXFP4
    return _ALGORITHMS.get(str(quantization.get("quant_algo")))


def _bits(quantization: Mapping[str, Any]) -> int | None:
    for name in ("bits", "w_bit", "nbits"):
        if isinstance(quantization.get(name), int):
            return int(quantization[name])
    groups = quantization.get("config_groups")
    weights = [group.get("weights") or {} for group in groups.values()] if isinstance(groups, Mapping) else []
    return next((int(w["num_bits"]) for w in weights if isinstance(w.get("num_bits"), int)), None)


def _remarks(config: Config, quantization: Mapping[str, Any]) -> Iterator[str]:
    if quantization.get("quant_algo") == "MIXED_PRECISION":
        yield "Several formats in one file; the real size needs the list of quantised layers."
    if config.get("expert_dtype") == "fp4":
        yield "Experts are stored in FP4, the rest in FP8: the file is smaller than FP8 arithmetic says."
    kept = [
        name
        for key in ("ignore", "modules_to_not_convert", "exclude_modules")
        if isinstance(quantization.get(key), list)
        for name in quantization[key]
    ]
    if kept:
        yield f"{len(kept)} modules stay unquantised: the file is larger than plain arithmetic says."

"""Everything the catalogue knows, as one immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kentino_configurator.core.calibration import Calibration
from kentino_configurator.core.hardware import GpuSpec, PartSpec, PlatformSpec, ReferenceBuild
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogSnapshot:
    """A catalogue at one version. Look-ups by id are exact; people's spellings go through ``alias`` tables.

    ``aliases`` maps a normalised spelling to a model id; ``gpu_aliases`` to a tuple of GPU ids (families have several).
    ``eur_rates`` maps a currency to EUR per unit with its date under ``eur_rates_date``.
    """

    version: str
    date: str
    sha256: str
    gpus: Mapping[str, GpuSpec]
    models: Mapping[str, ModelSpec]
    platforms: Mapping[str, PlatformSpec]
    parts: Mapping[str, PartSpec]
    builds: tuple[ReferenceBuild, ...]
    aliases: Mapping[str, str]
    gpu_aliases: Mapping[str, tuple[str, ...]]
    policy: Policy
    calibration: Calibration
    path_bandwidth: tuple[Mapping[str, Any], ...]
    facts: Mapping[str, Any]

    def shipping_gpus(self) -> tuple[GpuSpec, ...]:
        """The GPUs Kentino ships, in catalogue order."""
        return tuple(gpu for gpu in self.gpus.values() if gpu.tier == "ships")

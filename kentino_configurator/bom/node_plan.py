"""What one node is to hold, before its parts are chosen."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.hardware import GpuSpec, PlatformSpec, ReferenceBuild


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlan:
    """What goes into one node.

    ``scratch_bytes`` is wanted space, ``front_gbps`` the speed of the site's network; ``adapter_w`` and
    ``adapter_lanes`` are power and lanes of the adapters that a network between nodes adds.
    """

    build: ReferenceBuild
    platform: PlatformSpec
    card: GpuSpec
    gpu_count: int
    scratch_bytes: float = 0.0
    front_gbps: float = 10.0
    adapter_w: float = 0.0
    adapter_lanes: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the build holds the number of cards it was made for."""
        return self.gpu_count == self.build.gpu_count

    @property
    def card_w(self) -> float:
        """Power one card may draw: its rating, or the cap where the build sets one."""
        cap = self.build.gpu_cap_w
        return float(self.card.tdp_w if cap is None else min(cap, self.card.tdp_w))

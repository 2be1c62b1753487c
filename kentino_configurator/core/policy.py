"""Every threshold of the decision, each with its unit, source and note. Loaded from ``resources/policy.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kentino_configurator.core.evidence import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyValue:
    """One threshold. ``unit`` is the symbol of ``core.units.Unit`` or empty."""

    id: str
    value: float
    unit: str
    evidence: Evidence
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy table. ``policy["weights.comfortable_share"]`` gives the number; unknown ids raise ``KeyError``."""

    values: Mapping[str, PolicyValue]

    def __getitem__(self, policy_id: str) -> float:
        return self.values[policy_id].value

    def entry(self, policy_id: str) -> PolicyValue:
        """The value with its source."""
        return self.values[policy_id]

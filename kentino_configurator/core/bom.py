"""The bill of materials: priced lines, checks with outcomes, power bottom-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.message import Arg
from kentino_configurator.core.money import Money


class BomGroup(StrEnum):
    """Where a line belongs."""

    NODE = "node"
    FABRIC = "fabric"
    STORAGE = "storage"
    SITE = "site"
    SOFTWARE = "software"
    SERVICE = "service"


class Outcome(StrEnum):
    """Result of a check. ``unknown`` is never counted as passed."""

    PASS = "pass"
    WARN = "warn"
    BLOCK = "block"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAlternative:
    """Another part that does the same job in the same place; price of one piece, ``None`` when missing."""

    sku: str
    mpn: str
    description: str
    unit_net: Money | None
    price_status: PriceStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class BomLine:
    """One asset. ``quantity`` over the whole order; ``unit_net`` is ``None`` exactly when the price is missing.

    ``spare`` parts lie on the shelf. ``price_valid_until`` is an ISO date, empty where none is stated.
    """

    line: int
    group: BomGroup
    category: str
    sku: str
    mpn: str
    maker: str
    description: str
    quantity: int
    unit_net: Money | None
    price_status: PriceStatus
    price_date: str
    source: str
    power_w: float | None = None
    notes: str = ""
    spare: bool = False
    price_valid_until: str = ""
    alternatives: tuple[LineAlternative, ...] = ()

    @property
    def net(self) -> Money | None:
        """Quantity times unit price, ``None`` when there is no price."""
        return None if self.unit_net is None else self.unit_net.times(self.quantity)


@dataclass(frozen=True, slots=True, kw_only=True)
class BomCheck:
    """A compatibility rule applied to this BOM. Texts: ``f.bom.<rule>`` or ``f.bom.generic`` / ``f.bom.unknown``.

    ``statement`` says what the rule demands, ``missing`` what is not known (empty unless unknown).
    """

    rule: str
    outcome: Outcome
    statement: Arg
    args: Mapping[str, Arg]
    missing: Arg = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Power at full load, bottom-up from the lines, and what the site must give."""

    dc_w: Estimate
    ac_w: Estimate
    btu_h: Estimate
    airflow_m3_h: Estimate
    circuits_needed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteNeeds:
    """Space and sockets; ``None`` where a part's datum is missing."""

    rack_units: int | None
    depth_mm: int | None
    mass_kg: float | None
    max_inlet_c: int | None
    outlets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BillOfMaterials:
    """Lines, totals and checks. ``net`` is a lower bound when ``unpriced_lines`` > 0."""

    lines: tuple[BomLine, ...]
    checks: tuple[BomCheck, ...]
    list_net: Money
    discount: Money
    net: Money
    vat_rate_percent: float | None
    vat: Money | None
    gross: Money | None
    unpriced_lines: int
    budgetary: bool
    power: Power
    site: SiteNeeds

    def lines_with_status(self, status: PriceStatus) -> int:
        """How many lines carry this price status."""
        return sum(line.price_status is status for line in self.lines)

"""Which cable or pair of optics joins two network ports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from kentino_configurator.bom.select import cheapest
from kentino_configurator.core.hardware import PartSpec

_ACCEPTS = {
    "SFP28": {"SFP28"},
    "QSFP28": {"QSFP28"},
    "QSFP56": {"QSFP56", "QSFP28"},
    "QSFP112": {"QSFP112", "QSFP56", "QSFP28"},
    "QSFP-DD": {"QSFP-DD", "QSFP112", "QSFP56", "QSFP28"},
}
"""Plugs a cage takes: QSFP cages are backward compatible. OSFP takes only OSFP of its own heat-sink style."""
_LIMIT_BY_KIND_M = {("DAC", 100.0): 5.0}
"""Reach of a kind and rate where a generic part states none (rule F6)."""


@dataclass(frozen=True, slots=True)
class Plug:
    """A cage or the end of a cable: connector and, for OSFP, the heat-sink style (``finned``, ``flat``)."""

    connector: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class CableEnds:
    """What a cable part joins: one ``near`` plug and ``count`` ``far`` plugs."""

    near: Plug
    far: Plug
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPlan:
    """How two ports are joined: ``parts`` with the number of each for one link (a splitter counts half)."""

    parts: tuple[tuple[float, PartSpec], ...]
    length_m: float
    limit_m: float | None

    @property
    def cable(self) -> PartSpec:
        """The part that decides the reach."""
        return self.parts[0][1]


@lru_cache(maxsize=512)
def plug(text: str) -> Plug:
    """The first connector of a catalogue text such as ``32x OSFP twin (finned)`` or ``QSFP28 + 4x SFP28``."""
    first = re.split(r"[+,]", text)[0]
    family = re.search(r"QSFP\d*(?:56|112)?-DD|QSFP\d+|SFP\d+|OSFP|MPO-12/APC|MPO-12|RJ45|LC duplex", first)
    name = family.group() if family else first.strip()
    style = next((word for word in ("finned", "flat") if word in first), "") if name == "OSFP" else ""
    return Plug("QSFP-DD" if name.endswith("-DD") and name.startswith("QSFP") else name, style)


def ends(part: PartSpec) -> CableEnds | None:
    """The ends of a cable or transceiver, ``None`` when the catalogue does not state two."""
    return _ends(part.connector)


@lru_cache(maxsize=512)
def _ends(connector: str) -> CableEnds | None:
    sides = connector.split("<->")
    if len(sides) != 2:
        return None
    count = re.match(r"\s*(\d+)x", sides[1])
    return CableEnds(plug(sides[0]), plug(sides[1]), int(count.group(1)) if count else 1)


def fits(end: Plug, cage: Plug) -> bool:
    """Whether a plug goes into a cage. An OSFP end of unstated style fits neither."""
    if cage.connector == "OSFP" or end.connector == "OSFP":
        return end == cage and bool(end.style)
    return end.connector in _ACCEPTS.get(cage.connector, {cage.connector})


def reach_m(part: PartSpec) -> float | None:
    """Longest run of a cable or optic, ``None`` when nothing states it."""
    if part.max_length_m is not None:
        return part.max_length_m
    return _LIMIT_BY_KIND_M.get((part.attributes, part.port_gbps or 0.0))


def choose_link(
    switch_cage: Plug, host_cage: Plug, rate_gbps: float, length_m: float, catalogue: Iterable[PartSpec]
) -> LinkPlan | None:
    """The cable for a route: copper that surely reaches, else optics; ``None`` when nothing fits."""
    parts = tuple(catalogue)
    for count in (1, 2):
        fitting = [p for p in parts if _is_cable(p, switch_cage, host_cage, rate_gbps, count)]
        reaching = [p for p in fitting if (reach_m(p) or 0) >= length_m]
        if cable := _shortest(reaching):
            return LinkPlan(parts=((1 / count, cable),), length_m=length_m, limit_m=reach_m(cable))
    return _optics(switch_cage, host_cage, rate_gbps, length_m, parts)


def _is_cable(part: PartSpec, near: Plug, far: Plug, rate_gbps: float, count: int) -> bool:
    its = ends(part)
    if its is None or its.count != count or part.port_gbps != rate_gbps * count:
        return False
    straight = fits(its.near, near) and fits(its.far, far)
    return straight or (count == 1 and fits(its.near, far) and fits(its.far, near))


def _shortest(parts: list[PartSpec]) -> PartSpec | None:
    """Of the parts that reach, the one made for the shortest run; priced before unpriced."""
    least = min((reach_m(part) or 0 for part in parts), default=0)
    return cheapest(part for part in parts if reach_m(part) == least)


def _optics(
    switch_cage: Plug, host_cage: Plug, rate_gbps: float, length_m: float, parts: tuple[PartSpec, ...]
) -> LinkPlan | None:
    """Two transceivers of one kind: a twin one at the switch serves two hosts."""
    at_host = [part for part in parts if _is_optic(part, host_cage, rate_gbps)]
    at_switch = [part for part in parts if _is_optic(part, switch_cage, rate_gbps)]
    choices = [
        LinkPlan(
            parts=((1.0, host), (rate_gbps / (switch.port_gbps or rate_gbps), switch)),
            length_m=length_m,
            limit_m=min(reach_m(host) or 0, reach_m(switch) or 0),
        )
        for host in at_host
        for switch in at_switch
        if host.attributes == switch.attributes and min(reach_m(host) or 0, reach_m(switch) or 0) >= length_m
    ]
    return min(choices, key=_optics_rank, default=None)


def _is_optic(part: PartSpec, cage: Plug, rate_gbps: float) -> bool:
    its = ends(part)
    return (
        its is not None
        and "optic" in part.attributes
        and fits(its.near, cage)
        and part.port_gbps == rate_gbps * its.count
    )


def _optics_rank(plan: LinkPlan) -> tuple[int, float, str]:
    prices = [(share, part.price.amount) for share, part in plan.parts]
    missing = sum(amount is None for _, amount in prices)
    known = sum(share * amount.cents for share, amount in prices if amount is not None)
    return missing, known, plan.cable.sku

"""Expected one-way rate between two GPUs of a node, from what was measured on the same kind of path.

Published figures are for RTX PRO 6000 cards on Gen5 x16 links. A slower link keeps the same share of its
line rate. A path without a published figure has no rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kentino_configurator.core.evidence import Estimate, Evidence, weakest
from kentino_configurator.core.hardware import GpuSpec, PlatformSpec, SocketLink
from kentino_configurator.core.path_facts import (
    ACROSS_2_LINKS,
    ACROSS_3_LINKS,
    SAME_CHIP,
    SAME_SOCKET,
    SAME_SWITCH,
    SEVERAL_SWITCHES,
    PathFact,
    PathFacts,
)
from kentino_configurator.core.pcie_tree import PcieTree, link_rate_bytes_per_s
from kentino_configurator.core.topology import PathClass
from kentino_configurator.core.units import GB, Unit

_MEASURED_FAMILY: Final = "rtx-pro-6000"
_MEASURED_LINK_BYTES_PER_S: Final = 63.0 * GB
_FACT_OF_CLASS: Final = {
    PathClass.PIX: SAME_SWITCH,
    PathClass.PXB: SEVERAL_SWITCHES,
    PathClass.PHB: SAME_SOCKET,
    PathClass.NODE: SAME_SOCKET,
}
_FACTS_OF_SOCKET_LINKS: Final = {
    3: (ACROSS_3_LINKS,),
    2: (ACROSS_2_LINKS,),
    None: (ACROSS_2_LINKS, ACROSS_3_LINKS),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBook:
    """Where rates of one platform and GPU are found. ``tree`` is ``None`` where the wiring is not known."""

    facts: PathFacts
    platform: PlatformSpec
    gpu: GpuSpec
    tree: PcieTree | None
    links: tuple[SocketLink, ...]

    def rate(self, path_class: PathClass, slots: tuple[str, str] | None) -> Estimate | None:
        """Expected rate of a path of this class between two slots (``None``: slots not known)."""
        if path_class is PathClass.SYS:
            return self._across_sockets(slots)
        name = self._fact_name(path_class, slots)
        return self._scaled(self.facts.get(name), slots) if name else None

    def _fact_name(self, path_class: PathClass, slots: tuple[str, str] | None) -> str | None:
        inside_socket = path_class in (PathClass.NODE, PathClass.PHB)
        if inside_socket and slots and self.tree and "Broadcom" in self.tree.shared_chip(*slots):
            return SAME_CHIP
        return _FACT_OF_CLASS.get(path_class)

    def _scaled(self, fact: PathFact | None, slots: tuple[str, str] | None) -> Estimate | None:
        if fact is None or fact.rate_bytes_per_s is None:
            return None
        share = self._link_bytes_per_s(slots) / _MEASURED_LINK_BYTES_PER_S
        seen_here = share == 1.0 and self.gpu.family == _MEASURED_FAMILY and self._is_named_in(fact.system)
        return _between(fact.rate_bytes_per_s, Evidence.MEASURED if seen_here else Evidence.DERIVED).scaled(
            share
        )

    def _across_sockets(self, slots: tuple[str, str] | None) -> Estimate | None:
        link = self._socket_link(slots)
        inside = self.rate(PathClass.NODE, None)
        if link is None or inside is None:
            return None
        over_link = self._over_link(link)
        return None if over_link is None else _slower(over_link, inside)

    def _over_link(self, link: SocketLink) -> Estimate | None:
        if link.one_way_bytes_per_s is not None:
            same_gpu = self.gpu.family == _MEASURED_FAMILY
            return _between(link.one_way_bytes_per_s, Evidence.MEASURED if same_gpu else Evidence.DERIVED)
        if link.type != "xGMI":
            return None
        facts = [self.facts.get(name) for name in _FACTS_OF_SOCKET_LINKS.get(link.count, ())]
        return spanning(
            _between(fact.rate_bytes_per_s, Evidence.DERIVED)
            for fact in facts
            if fact and fact.rate_bytes_per_s
        )

    def _socket_link(self, slots: tuple[str, str] | None) -> SocketLink | None:
        if slots is None or self.tree is None:
            return self.links[0] if len(self.links) == 1 else None
        ends = {socket.id for socket in map(self.tree.socket_of, slots) if socket is not None}
        return next((link for link in self.links if {link.a, link.b} == ends), None)

    def _link_bytes_per_s(self, slots: tuple[str, str] | None) -> float:
        """Line rate of the narrowest link of the path; never more than what the figures were measured on."""
        card = link_rate_bytes_per_s(self.gpu.pcie_gen, self.gpu.pcie_lanes) or _MEASURED_LINK_BYTES_PER_S
        way = self.tree.narrowest_bytes_per_s(*slots) if self.tree and slots else None
        return min(_MEASURED_LINK_BYTES_PER_S, card, way or card)

    def _is_named_in(self, system: str) -> bool:
        words = self.platform.name.split()
        return any(word in system for word in words if len(word) > 4 and ("-" in word or word[-1].isdigit()))


def _between(span: tuple[float, float], evidence: Evidence) -> Estimate:
    low, high = span
    return Estimate(low=low, expected=(low + high) / 2, high=high, unit=Unit.BYTES_PER_S, evidence=evidence)


def _slower(a: Estimate, b: Estimate) -> Estimate:
    """The slower of two rates in series."""
    return a if a.expected <= b.expected else b


def spanning(rates: Iterable[Estimate]) -> Estimate | None:
    """One interval over several possible rates, ``None`` of nothing."""
    known: Sequence[Estimate] = tuple(rates)
    if not known:
        return None
    span = (min(rate.low for rate in known), max(rate.high for rate in known))
    return _between(span, weakest(rate.evidence for rate in known))

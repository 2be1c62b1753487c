"""Groups F and G: adapters, cables, switches and the networks they form."""

from __future__ import annotations

from kentino_configurator.bom.checks.c_lanes import slot_generation
from kentino_configurator.bom.checks.pcie import host_link_gbps
from kentino_configurator.bom.checks.registry import THE_SITE, Result, blocked, passed, rule, unknown, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.gear import links
from kentino_configurator.bom.links import CableEnds, Plug, ends, fits, plug
from kentino_configurator.bom.network import NetworkPlan, ports_at
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import GB, Unit

_ROCE = (Fabric.ROCE_200G, Fabric.ROCE_400G)
SLOT_W = 75
"""What a PCIe slot feeds without an auxiliary lead."""
_AUXILIARY_LEAD = ("B3240",)
"""Adapters that need an auxiliary power lead (maker's documents)."""
_FULL_RATE_NEEDS_GEN = 6


@rule("F1")
def host_link(s: Subject) -> Result | None:
    """Sum of the ports in use against the link; between nodes one port of an adapter is used."""
    adapters = s.adapters()
    if not adapters:
        return None
    slot = slot_generation(s)
    if slot is None:
        return unknown("PCIe generation of the adapter slots", s.plan.platform.name)
    for _, part in adapters:
        gen, lanes, gbps = part.pcie_gen, part.pcie_lanes, part.port_gbps
        if gen is None or lanes is None or gbps is None:
            return unknown("port_rate", part.name)
        have = host_link_gbps(min(gen, slot), lanes)
        if have < gbps:
            return blocked(need=_rate(gbps), have=_rate(have))
    return passed()


def _rate(gbps: float) -> Quantity:
    return Quantity(gbps / 8 * GB, Unit.BYTES_PER_S)


def _link(s: Subject) -> tuple[NetworkPlan, PartSpec, CableEnds] | Result | None:
    """The network, its cable and the cable's ends, or the answer of a rule that has none."""
    plan = s.network
    if plan is None or plan.adapter is None:
        return None
    if plan.link is None:
        return unknown("cable", plan.adapter.name)
    its = ends(plan.link.cable)
    if its is None:
        return unknown("connectors", plan.link.cable.name)
    return plan, plan.link.cable, its


def _host_end(plan: NetworkPlan, its: CableEnds) -> Plug:
    """The end that goes into the adapter: of optics the near one, of a cable the far one."""
    return its.near if plan.link and len(plan.link.parts) > 1 else its.far


@rule("F2")
def protocol(s: Subject) -> Result | None:
    """Protocol of the switch against those of the adapter."""
    if not (s.network and s.network.adapter):
        return None
    need = "IB" if s.network.technology.infiniband else "Eth"
    ports = [part for part in (s.network.adapter, s.network.switch) if part]
    wrong = next((part for part in ports if need not in part.protocol), None)
    return passed() if wrong is None else blocked(need=need, have=wrong.protocol, option=wrong.name)


@rule("F3")
def connectors(s: Subject) -> Result | None:
    """Plug families against cages; the style of OSFP is rule F4."""
    found = _link(s)
    if not isinstance(found, tuple):
        return found
    plan, cable, its = found
    for end, cage in _joints(plan, its):
        if not fits(Plug(end.connector, cage.style), cage):
            return blocked(first=end.connector, second=cage.connector, alternative=cable.name)
    return passed()


def _joints(plan: NetworkPlan, its: CableEnds) -> list[tuple[Plug, Plug]]:
    """Pairs of a plug and the cage it goes into."""
    host = plug(plan.adapter.connector) if plan.adapter else Plug("")
    joints = [(_host_end(plan, its), host)]
    if plan.switch and plan.link and len(plan.link.parts) == 1:
        joints.append((its.near, plug(plan.switch.connector)))
    return joints


@rule("F4")
def osfp_style(s: Subject) -> Result | None:
    """Finned at the switch, flat at the adapter."""
    found = _link(s)
    if not isinstance(found, tuple):
        return None
    plan, cable, its = found
    osfp = [(end, cage) for end, cage in _joints(plan, its) if "OSFP" in (end.connector, cage.connector)]
    if not osfp:
        return None
    wrong = next(((end, cage) for end, cage in osfp if end.style != cage.style), None)
    if wrong is None:
        return passed()
    return blocked(need=wrong[1].style or "-", have=wrong[0].style or "-", option=cable.name)


@rule("F5")
def bluefield_cage(s: Subject) -> Result | None:
    """Applies when the adapter between the nodes is one."""
    found = _link(s)
    if not isinstance(found, tuple) or not found[0].adapter or "BlueField-3" not in found[0].adapter.name:
        return None
    plan, cable, its = found
    have = _host_end(plan, its).connector
    return passed() if have == "QSFP112" else blocked(need="QSFP112", have=have, option=cable.name)


@rule("F6")
def cable_reach(s: Subject) -> Result | None:
    """Planned run with slack against the reach of the part."""
    if not (s.network and s.network.link):
        return None
    link = s.network.link
    if link.limit_m is None:
        return unknown("reach", link.cable.name)
    if link.length_m <= link.limit_m:
        return passed()
    return blocked(
        cable=link.cable.mpn or link.cable.name,
        length=f"{link.length_m:g} m",
        limit=f"{link.limit_m:g} m",
        alternative="MCA7J60" if link.limit_m < 5 else "MMS4X00",
    )


@rule("F7")
def optics_pair(s: Subject) -> Result | None:
    """Applies to links of two transceivers."""
    if not (s.network and s.network.link and len(s.network.link.parts) > 1):
        return None
    kinds = sorted({part.attributes for _, part in s.network.link.parts})
    return passed() if len(kinds) == 1 else blocked(need=kinds[0], have=kinds[-1], option=kinds[0])


@rule("F8")
def link_rate(s: Subject) -> Result | None:
    """Rate of the cable over its ends against the rate of the adapter."""
    found = _link(s)
    if not isinstance(found, tuple) or not found[0].adapter:
        return None
    plan, cable, its = found
    have = (cable.port_gbps or 0.0) / its.count
    need = plan.technology.rate_gbps
    return passed() if have == need else blocked(need=need, have=have, option=cable.name)


@rule("F9")
def planned_route(s: Subject) -> Result | None:
    """Lengths are planned until a rack drawing exists: that is said, not passed."""
    if not (s.network and s.network.link):
        return None
    return unknown("cable_runs", THE_SITE)


@rule("F10")
def cable_count(s: Subject) -> Result | None:
    """Ends of the cables, or of both optics of a link, against the ports in use; a splitter may leave ends free."""
    plan = s.network
    if plan is None or plan.link is None or not s.lines:
        return None
    pieces = {part.sku: part for _, part in plan.link.parts}
    counts = {sku: its.count for sku, part in pieces.items() if (its := ends(part))}
    if len(counts) < len(pieces):
        return unknown("connectors", plan.link.cable.name)
    need = links(plan) * len(plan.link.parts)
    lines = [line for line in s.lines if line.sku in counts and line.group is BomGroup.FABRIC]
    have = sum(line.quantity * counts[line.sku] for line in lines if not line.spare)
    answer = passed if need <= have < need + max(counts.values()) else blocked
    return answer(need=need, have=have, option=plan.link.cable.name)


@rule("F11")
def optics_power(s: Subject) -> Result | None:
    """Applies to links of two transceivers whose power is stated."""
    if not (s.network and s.network.link and len(s.network.link.parts) > 1):
        return None
    missing = next((part for _, part in s.network.link.parts if part.power_w is None), None)
    return passed() if missing is None else unknown("optic_power", missing.name)


@rule("F12")
def adapter_power(s: Subject) -> Result | None:
    """Power of every adapter against what a slot feeds; some models need a lead of their own."""
    adapters = s.adapters()
    if not adapters:
        return None
    lead = next((part for _, part in adapters if any(word in part.name for word in _AUXILIARY_LEAD)), None)
    if lead is not None and not s.count("power_lead"):
        return blocked(need=1, have=0, option=lead.name)
    unstated = next((part for _, part in adapters if part.power_w is None), None)
    if unstated is not None:
        return unknown("adapter_power", unstated.name)
    most = max(part.power_w or 0.0 for _, part in adapters)
    args = {"need": Quantity(most, Unit.WATTS), "have": Quantity(SLOT_W, Unit.WATTS)}
    return passed(**args) if most <= SLOT_W else blocked(**args, option="-")


@rule("F13")
def full_rate_adapter(s: Subject) -> Result | None:
    """Applies to adapters of 800 Gb/s: one slot of a Gen5 host feeds half of it."""
    fast = next((part for _, part in s.adapters() if (part.port_gbps or 0.0) >= 800), None)
    if fast is None:
        return None
    slot = slot_generation(s)
    if slot is None:
        return unknown("slot_generation", s.plan.platform.name)
    if slot >= _FULL_RATE_NEEDS_GEN:
        return passed()
    return warned(need=_FULL_RATE_NEEDS_GEN, have=slot, option=fast.name)


@rule("G1")
def switch_ports(s: Subject) -> Result | None:
    """Ports needed against ports of the switches."""
    if not s.network or s.network.direct:
        return None
    if s.network.switch is None:
        return unknown("switch", s.network.technology.fabric or "100GbE")
    per_switch = ports_at(s.network.switch, s.network.technology.rate_gbps)
    if not per_switch:
        return unknown("ports", s.network.switch.name)
    need, have = s.network.ports_needed, per_switch * s.network.switches
    return passed(need=need, have=have) if need <= have else blocked(need=need, have=have)


@rule("G2")
def subnet_manager(s: Subject) -> Result | None:
    """On a managed switch, else as software on one of the nodes, which is part of the set-up."""
    if not (s.network and s.network.technology.infiniband):
        return None
    return passed(option="opensm" if s.network.direct else "")


@rule("G4")
def oversubscription(s: Subject) -> Result | None:
    """Ports on the far side of a switch in the way: none, as all rails of a cluster end on one tier of switches."""
    if not (s.network and s.network.technology.fabric):
        return None
    if s.network.switches <= s.network.rails:
        return passed()
    return warned(need=s.network.rails, have=s.network.switches, option="leaf-spine")


@rule("G5")
def rails_on_one_switch(s: Subject) -> Result | None:
    """Applies from two rails: a switch for each rail, or one for all of them."""
    if not (s.network and s.rails > 1 and not s.network.direct):
        return None
    need, have = s.rails, s.network.switches
    return (
        passed(need=need, have=have)
        if have <= 1 or have % need == 0
        else warned(need=need, have=have, option="-")
    )


@rule("G6")
def switchless(s: Subject) -> Result | None:
    """One cable per rail between two nodes."""
    if not (s.network and s.network.direct and s.network.link):
        return None
    return passed() if s.network.nodes == 2 else blocked(need=2, have=s.network.nodes, option="switch")


@rule("G7")
def management_network(s: Subject) -> Result | None:
    """Applies from two nodes."""
    if s.nodes < 2 or not s.lines:
        return None
    have = sum(line.quantity for line in s.lines if line.category == "switch")
    own = bool(have) and (s.network is None or have > s.network.switches)
    return passed() if own else warned(need=1, have=0, option="1GbE switch")


@rule("G8")
def lossless(s: Subject) -> Result | None:
    """No source states PFC and ECN of the switches: never passes with one."""
    if not (s.network and s.network.technology.fabric in _ROCE) or s.network.direct:
        return None
    name = s.network.switch.name if s.network.switch else str(s.network.technology.fabric)
    return unknown("lossless", name)


@rule("G9")
def small_cluster(s: Subject) -> Result | None:
    """Applies to a cluster of nodes with at most four cards."""
    if not (s.configuration and s.configuration.fabric) or s.plan.gpu_count > 4:
        return None
    return warned(
        asked=f"{s.nodes} x {s.plan.gpu_count} {s.plan.card.name}", alternative=f"1 x 8 {s.plan.card.name}"
    )

"""Group C: PCIe lanes, slots and switches."""

from __future__ import annotations

import re

from kentino_configurator.bom.checks.registry import Result, blocked, passed, rule, unknown, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.lanes import (
    LANES_PER_DRIVE,
    LANES_PER_LINK,
    card_lanes,
    cards_by_switch,
    is_epyc_pair,
    socket_lanes,
    socket_links,
)
from kentino_configurator.core.hardware import DeviceKind
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import GB, Unit

WRITE_COLLAPSE_BYTES_PER_S = 2.7 * GB
CROSS_SOCKET_BYTES_PER_S = {2: 39 * GB, 3: 50 * GB}
"""Measured one-way copies between GPUs of two sockets, by number of xGMI links."""


@rule("C1", node_only=True)
def lanes(s: Subject) -> Result | None:
    """Lanes of directly attached devices, or of the switches' uplinks, against those of all sockets.

    Boot drives of servers hang on the processors' service lanes and are not counted.
    """
    need, have = lanes_needed(s), lanes_available(s)
    if need is None:
        return unknown("gpu_wiring", s.plan.platform.name)
    if have is None:
        return unknown("cpu_lanes", s.plan.platform.name)
    fewest, most = have
    if need <= fewest:
        return passed(need=need, have=fewest)
    if need > most:
        return blocked(need=need, have=most)
    return unknown("socket_links", s.plan.platform.name)


def lanes_needed(s: Subject) -> int | None:
    """Lanes all devices of a node take, ``None`` when the wiring of switched slots is not known."""
    scratch = sum(
        quantity * (part.pcie_lanes or LANES_PER_DRIVE)
        for quantity, part in s.parts("storage_drive")
        if part.socket_or_form != "M.2"
    )
    adapters = sum(quantity * (part.pcie_lanes or LANES_PER_LINK) for quantity, part in s.adapters())
    cards = card_lanes(s.plan.platform, s.plan.card, s.plan.gpu_count)
    return None if cards is None else cards + adapters + scratch


def lanes_available(s: Subject) -> tuple[int, int] | None:
    """Fewest and most lanes of all sockets together, ``None`` when not known."""
    cpus = list(s.parts("cpu"))
    return socket_lanes(s.plan.platform, *cpus[0]) if cpus else None


@rule("C2", node_only=True)
def epyc_links(s: Subject) -> Result | None:
    """The board decides the number of links; without it the lanes left are not known."""
    cpus = list(s.parts("cpu"))
    if not cpus or not is_epyc_pair(*cpus[0]):
        return None
    if socket_links(s.plan.platform) is None:
        return unknown("socket_links", s.plan.platform.name)
    return passed()


@rule("C3")
def adapter_slots(s: Subject) -> Result | None:
    """Adapters of a node against the slots the platform has beside the GPUs'."""
    need = sum(quantity for quantity, _ in s.adapters())
    if not need:
        return None
    have = free_slots(s)
    if have is None:
        return unknown("adapter_slots", s.plan.platform.name)
    return passed(need=need, have=have) if need <= have else blocked(need=need, have=have, option="10GbE")


def free_slots(s: Subject) -> int | None:
    """Slots left for adapters: stated beside the GPU slots, or in all less those that GPUs take."""
    return stated_slots(s.plan.platform.nic_slots, s.plan.platform.gpu_slots_double)


def stated_slots(text: str, gpu_slots: int | None) -> int | None:
    """Reads catalogue texts such as ``8x PCIe Gen5 besides GPU slots`` or ``13 PCIe slots in total``."""
    if text.startswith("none"):
        return 0
    if match := re.match(r"slots? \d+ and \d+", text):
        return match.group().count("and") + 1
    counts = [int(number) for number in re.findall(r"(\d+)x? (?:PCIe|Gen5|remaining)", text)]
    if not counts:
        return None
    if re.search(r"in (?:total|all)", text):
        return None if gpu_slots is None else sum(counts) - gpu_slots
    return counts[0]


@rule("C4", node_only=True)
def effective_link(s: Subject) -> Result | None:
    """A slower card in a faster slot runs at its own speed."""
    slot = slot_generation(s)
    card = s.plan.card
    if slot is None:
        return unknown("slot_generation", s.plan.platform.name)
    if card.pcie_gen >= slot:
        return passed()
    return warned(
        gpu=card.name,
        effective=f"PCIe Gen{card.pcie_gen} x{card.pcie_lanes}",
        nominal=f"PCIe Gen{slot} x{card.pcie_lanes}",
    )


def slot_generation(s: Subject) -> int | None:
    """Generation of the platform's slots: from its map, else the one its processors have."""
    slot_map = s.plan.platform.slot_map
    found = {
        node.gen
        for node in (slot_map.nodes if slot_map else ())
        if node.kind is DeviceKind.SLOT and node.gen is not None
    }
    if found:
        return max(found)
    return next((part.pcie_gen for _, part in s.parts("cpu")), None)


def _is_switched(s: Subject) -> bool:
    return s.plan.platform.gpu_attach.startswith("switched") and s.plan.gpu_count > 1


@rule("C5", node_only=True)
def switch_lanes(s: Subject) -> Result | None:
    """Uplink and card links of a virtual switch against the lanes of its chip, where a part states them."""
    if not _is_switched(s):
        return None
    have = _chip_lanes(s)
    if have is None:
        return unknown("switch_lanes", s.plan.platform.name)
    by_switch = cards_by_switch(s.plan.platform, s.plan.gpu_count)
    if not by_switch:
        return unknown("switch_wiring", s.plan.platform.name)
    need = (1 + max(by_switch.values())) * LANES_PER_LINK
    return passed(need=need, have=have) if need <= have else blocked(need=need, have=have, option="-")


def _chip_lanes(s: Subject) -> int | None:
    """Lanes of the platform's PCIe switch, ``None`` when no part of the catalogue states them."""
    parts = [part for part in s.snapshot.parts.values() if part.category == "pcie_switch" and part.mpn]
    texts = [part.attributes for part in parts if part.mpn in s.plan.platform.switch_model]
    found = [match for text in texts if (match := re.match(r"(\d+) lanes", text))]
    return int(found[0].group(1)) if found else None


@rule("C6", node_only=True)
def oversubscription(s: Subject) -> Result | None:
    """GPU lanes of a virtual switch against its uplink."""
    if not _is_switched(s):
        return None
    by_switch = cards_by_switch(s.plan.platform, s.plan.gpu_count)
    if not by_switch:
        return unknown("switch_wiring", s.plan.platform.name)
    need, have = max(by_switch.values()) * LANES_PER_LINK, LANES_PER_LINK
    return passed() if need <= have else warned(need=need, have=have, option="ESC8000A-E13")


@rule("C7", node_only=True)
def write_collapse(s: Subject) -> Result | None:
    """Seen on Broadcom Gen5 switches with two or more cards on each of several virtual switches."""
    if not _is_switched(s):
        return None
    model, by_switch = s.plan.platform.switch_model, cards_by_switch(s.plan.platform, s.plan.gpu_count)
    if not model:
        return unknown("switch_make", s.plan.platform.name)
    if "Broadcom" not in model:
        return passed()
    if not by_switch:
        return unknown("switch_wiring", s.plan.platform.name)
    if max(by_switch.values()) < 2 or len(by_switch) < 2:
        return passed()
    return warned(rate=Quantity(WRITE_COLLAPSE_BYTES_PER_S, Unit.BYTES_PER_S))


@rule("C8")
def socket_crossing(s: Subject) -> Result | None:
    """Applies when the model is split over the cards of a node with two sockets."""
    tp = s.configuration.parallelism.tp if s.configuration else 1
    sockets = s.plan.platform.sockets
    if tp <= 1:
        return None
    if sockets is None:
        return unknown("sockets", s.plan.platform.name)
    if sockets < 2 or tp <= s.plan.gpu_count // sockets:
        return passed()
    links = socket_links(s.plan.platform)
    rate = CROSS_SOCKET_BYTES_PER_S.get(links or 0)
    if links is None or rate is None:
        return unknown("socket_rate", s.plan.platform.name)
    return warned(links=f"{links} xGMI", rate=Quantity(rate, Unit.BYTES_PER_S))


@rule("C9")
def adapter_locality(s: Subject) -> Result | None:
    """Fewer adapters than sockets are far from a part of the cards."""
    if not (s.configuration and s.configuration.fabric and s.network and s.network.adapter):
        return None
    sockets = s.plan.platform.sockets
    if sockets is None:
        return unknown("sockets", s.plan.platform.name)
    if s.rails >= sockets:
        return passed(need=sockets, have=s.rails)
    return warned(need=sockets, have=s.rails, option=s.network.adapter.name)


@rule("C10", node_only=True)
def sockets_filled(s: Subject) -> Result | None:
    """Slots and memory of an empty socket are dead."""
    need, have = s.plan.platform.sockets, s.count("cpu")
    if need is None:
        return unknown("sockets", s.plan.platform.name)
    return passed() if have == need else blocked(need=need, have=have, option=s.plan.platform.name)


@rule("C11", node_only=True)
def tray_cables(s: Subject) -> Result | None:
    """Applies to boards whose GPU slots hang on MCIO cables."""
    if "MCIO" not in s.plan.platform.gpu_attach:
        return None
    return passed() if s.count("riser") else unknown("tray_cables", s.plan.platform.name)

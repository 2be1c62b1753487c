"""Group A: do the cards fit the chassis, its air and its list?"""

from __future__ import annotations

import math
import re

from kentino_configurator.bom.checks.registry import THE_SITE, Result, blocked, passed, rule, unknown, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.message import Listing, Quantity
from kentino_configurator.core.units import Unit

TOWER_BRACKETS = 8
"""Bracket positions of a seven-slot tower board and the one beside its last slot (board drawings)."""
TWO_SLOT_PITCH_FROM = 8
"""A server with so many double slots has them two apart: there is no room for more."""
PASSIVE_CARD = "RTX PRO 6000 Blackwell Server Edition"
BLOWER_CARD = "RTX PRO 6000 Blackwell Max-Q"
SINGLE_SLOT_W = 75
SIDE_BY_SIDE_CARDS, SIDE_BY_SIDE_W = 4, 500
"""From this many open-air cards of this power the middle ones breathe the exhaust of their neighbours."""
CONSUMER_CARDS_PER_4U = 5
"""Most 4U boxes take four to five three-slot consumer cards."""


@rule("A1", node_only=True)
def slot_widths(s: Subject) -> Result | None:
    """Slot widths taken against slot widths there are."""
    count, width = s.plan.gpu_count, s.plan.card.slots_wide
    if s.is_server:
        need, have = _server_slots(s)
    else:
        need, have = count * width, TOWER_BRACKETS
    if not width:
        return unknown("slot_width", s.plan.card.name)
    if have is None:
        return unknown("gpu_slots", s.plan.platform.name)
    return passed(need=need, have=have) if need <= have else blocked(need=need, have=have)


def _server_slots(s: Subject) -> tuple[int, int | None]:
    """Single slot widths needed and there: wide cards sit in slots two apart, so three widths take four.

    How far the slots of a box with few of them are apart is not published: a wide card there is not judged.
    """
    platform, width, count = s.plan.platform, s.plan.card.slots_wide, s.plan.gpu_count
    if width == 1 and platform.gpu_slots_single:
        return count, platform.gpu_slots_single
    doubles = platform.gpu_slots_double
    pitch_known = width <= 2 or (doubles or 0) >= TWO_SLOT_PITCH_FROM
    return count * 2 * math.ceil(width / 2), 2 * doubles if doubles is not None and pitch_known else None


@rule("A2", node_only=True)
def card_size(s: Subject) -> Result | None:
    """A card on the maker's list fits; else its length against the case's room, where that is published."""
    if s.plan.build.vendor_listed:
        return passed()
    length, room = s.plan.card.length_mm, _room_mm(s)
    if room is None:
        return unknown("card_room", s.plan.platform.name)
    if length is None:
        return unknown("card_length", s.plan.card.name)
    args = {"card": Quantity(length, Unit.MILLIMETRES), "bay": Quantity(room, Unit.MILLIMETRES)}
    answer = passed if length <= room else blocked
    return answer(gpu=s.plan.card.name, **args)


def _room_mm(s: Subject) -> float | None:
    """Longest card the case of a tower takes, mm, where its part row says so."""
    texts = [part.attributes for _, part in s.parts("chassis")]
    found = [re.search(r"GPU up to (\d+) mm", text) for text in texts]
    return next((float(match.group(1)) for match in found if match), None)


@rule("A3", node_only=True)
def cooling(s: Subject) -> Result | None:
    """Passive cards need a ducted server, open-air cards disturb one."""
    style, args = s.plan.card.cooling, _cooling_args(s)
    if not style:
        return unknown("cooling", s.plan.card.name)
    if "passive" in style:
        return passed() if s.is_server else blocked(**args)
    if not s.is_server:
        return passed()
    if takes_active_cards(s):
        return passed()
    if "open-air" in style and (s.plan.platform.gpu_slots_double or 0) >= 8:
        return blocked(**args)
    return unknown("active_cards", s.plan.platform.name)


def _cooling_args(s: Subject) -> dict[str, str]:
    return {
        "cooling": s.plan.card.cooling,
        "platform": s.plan.platform.name,
        "alternative": "RTX PRO 6000 Blackwell Server Edition" if s.is_server else BLOWER_CARD,
    }


def takes_active_cards(s: Subject) -> bool:
    """Whether the maker accepts cards with their own fan in this server."""
    return bool(re.search(r"\bactive\b[^.]*\bcards|active or passive", s.plan.platform.notes, re.IGNORECASE))


@rule("A4", node_only=True)
def slot_power(s: Subject) -> Result | None:
    """Card power, or its cap, against the limit of the platform; a tower's cards have their own leads."""
    if not s.is_server:
        return None
    limit, power = s.plan.platform.gpu_max_w, s.plan.card_w
    if s.plan.build.vendor_listed:
        return passed()
    if limit is None:
        return unknown("slot_power", s.plan.platform.name)
    if power <= limit:
        return passed()
    return blocked(
        platform=s.plan.platform.name,
        limit=Quantity(limit, Unit.WATTS),
        gpu_count=s.plan.gpu_count,
        gpu=s.plan.card.name,
        power=Quantity(power, Unit.WATTS),
        alternative=BLOWER_CARD,
    )


@rule("A5", node_only=True)
def single_slot_power(s: Subject) -> Result | None:
    """Applies to single-width cards in the single-width slots of a server."""
    if s.plan.card.slots_wide != 1 or not s.is_server:
        return None
    need, have = Quantity(s.plan.card_w, Unit.WATTS), Quantity(SINGLE_SLOT_W, Unit.WATTS)
    return passed() if s.plan.card_w <= SINGLE_SLOT_W else blocked(need=need, have=have, option=BLOWER_CARD)


@rule("A6", node_only=True)
def listed_count(s: Subject) -> Result | None:
    """Only a maker's list passes; a tower of single parts has none."""
    if not s.is_server:
        return None
    if s.plan.build.vendor_listed and s.plan.gpu_count <= s.plan.build.gpu_count:
        return passed()
    return unknown("list_entry", s.plan.platform.name, count=s.plan.gpu_count, card=s.plan.card.name)


@rule("A7", node_only=True)
def geforce_in_server(s: Subject) -> Result | None:
    """Never passes without a list; more wide cards than a 4U box takes are blocked."""
    if not (s.plan.card.is_geforce and s.is_server):
        return None
    if s.plan.card.slots_wide >= 3 and s.plan.gpu_count > CONSUMER_CARDS_PER_4U:
        return blocked(
            gpu=s.plan.card.name,
            platform=s.plan.platform.name,
            alternative=BLOWER_CARD,
        )
    if s.plan.build.vendor_listed:
        return passed()
    return unknown("geforce", s.plan.platform.name, card=s.plan.card.name)


@rule("A8", node_only=True)
def one_model(s: Subject) -> Result | None:
    """Every model of card in the part list of a node."""
    models = sorted({item.description for item in s.node_items if item.category == "gpu"})
    return passed() if len(models) == 1 else warned(models=Listing(tuple(models)))


@rule("A9")
def edition(s: Subject) -> Result | None:
    """The card that is built in against the one the plan was computed with; applies where a family has editions."""
    card = s.plan.card
    sold = s.configuration.node.gpu if s.configuration else card
    if sold.id != card.id:
        return warned(need=sold.name, have=card.name, option=sold.name)
    editions = [gpu for gpu in s.snapshot.gpus.values() if gpu.family == card.family]
    return passed(need=card.name, have=card.name) if len(editions) > 1 else None


@rule("A12")
def inlet_temperature(s: Subject) -> Result | None:
    """Warmest inlet air of the site against the limit of the platform."""
    site = s.request.site.max_inlet_c if s.request else None
    limit = s.plan.platform.max_inlet_c
    if site is None:
        return unknown("site_inlet", THE_SITE)
    if limit is None:
        return unknown("inlet_limit", s.plan.platform.name)
    if site <= limit:
        return passed()
    return warned(
        site=Quantity(site, Unit.CELSIUS),
        limit=Quantity(limit, Unit.CELSIUS),
        platform=s.plan.platform.name,
        cap=Quantity(s.plan.card_w / 2, Unit.WATTS),
        alternative=BLOWER_CARD,
    )


@rule("A13", node_only=True)
def side_by_side(s: Subject) -> Result | None:
    """Blocks in towers, warns in racks."""
    card = s.plan.card
    hot = "open-air" in card.cooling and s.plan.card_w >= SIDE_BY_SIDE_W
    if not hot:
        return None
    if s.plan.gpu_count < SIDE_BY_SIDE_CARDS:
        return passed()
    answer = warned if s.is_server else blocked
    return answer(need=s.plan.gpu_count, have=SIDE_BY_SIDE_CARDS - 1, option=BLOWER_CARD)

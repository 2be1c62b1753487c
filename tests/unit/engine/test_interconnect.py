"""The wiring of a group from published slot maps, and the rates of its pairs."""

from __future__ import annotations

import pytest

from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.layout import Machines
from kentino_configurator.core.topology import PathClass
from kentino_configurator.engine.interconnect import group_wiring, pair_rate
from tests.unit.engine.helpers import PRO_6000, machines, snapshot


def on_platform(platform_id: str, gpus: int = 8, gpu: str = PRO_6000) -> Machines:
    platform = snapshot().platforms[platform_id]
    return machines(
        gpu,
        gpus,
        sockets=platform.sockets or 1,
        gpu_attach=platform.gpu_attach,
        slot_map=platform.slot_map,
    )


@pytest.mark.parametrize(
    ("platform", "gpus", "farthest", "sockets"),
    [
        ("asus-esc8000a-e13p", 2, PathClass.PIX, 1),
        ("asus-esc8000a-e13p", 4, PathClass.NODE, 1),
        ("asus-esc8000a-e13p", 8, PathClass.SYS, 2),
        ("gigabyte-g493-zb0", 4, PathClass.NODE, 1),
        ("gigabyte-g493-zb0", 8, PathClass.SYS, 2),
        ("asrock-wrx90-ws-evo-pm50100", 8, PathClass.NODE, 1),
    ],
)
def test_the_slot_map_gives_the_farthest_pair_of_a_group(
    platform: str, gpus: int, farthest: PathClass, sockets: int
) -> None:
    wiring = group_wiring(on_platform(platform), gpus)
    assert wiring.known
    assert (wiring.farthest, wiring.sockets) == (farthest, sockets)


def test_write_collapse_is_a_risk_of_broadcom_switches_with_several_cards_each() -> None:
    assert group_wiring(on_platform("asus-esc8000a-e13p"), 8).collapse_risk
    assert not group_wiring(on_platform("asus-esc8000a-e13p"), 2).collapse_risk
    assert not group_wiring(on_platform("gigabyte-g493-zb0"), 8).collapse_risk
    assert not group_wiring(on_platform("asrock-wrx90-ws-evo-pm50100"), 8).collapse_risk


def test_the_link_between_the_sockets_is_known_where_it_is_published() -> None:
    link = group_wiring(on_platform("asus-esc8000a-e13p"), 8).socket_links
    assert link is not None and link.count == 3
    assert group_wiring(on_platform("asus-esc8000a-e13p"), 4).socket_links is None


@pytest.mark.parametrize(
    ("gpus", "sockets", "attach", "farthest"),
    [
        (1, 2, "", PathClass.SELF),
        (4, 2, "direct", PathClass.NODE),
        (4, 2, "switched", PathClass.PXB),
        (8, 2, "switched", PathClass.SYS),
        (8, 1, "switched", PathClass.PXB),
    ],
)
def test_without_a_map_cards_are_spread_evenly_over_the_sockets(
    gpus: int, sockets: int, attach: str, farthest: PathClass
) -> None:
    wiring = group_wiring(machines(sockets=sockets, gpu_attach=attach), gpus)
    assert not wiring.known
    assert wiring.farthest is farthest


def test_geforce_cards_are_staged_through_the_host() -> None:
    assert group_wiring(machines("rtx-5090"), 4).staged
    assert not group_wiring(machines(), 4).staged


def rate(platform_id: str, pair: tuple[int, int], gpu: str = PRO_6000, count: int = 8):
    platform, card = snapshot().platforms[platform_id], snapshot().gpus[gpu]
    return pair_rate(platform, card, count, pair, snapshot().path_bandwidth)


def test_pairs_have_the_published_rates_with_their_evidence() -> None:
    same_switch, same_chip, across = (rate("asus-esc8000a-e13p", (0, other)) for other in (1, 2, 4))
    assert same_switch is not None and same_chip is not None and across is not None
    assert same_switch.expected == pytest.approx(55e9)
    assert same_switch.evidence is Evidence.MEASURED
    assert same_chip.expected == pytest.approx(53e9)
    assert across.expected == pytest.approx(38e9)


def test_an_older_card_keeps_its_share_of_a_slower_link() -> None:
    gen4 = rate("gigabyte-g493-zb0", (0, 1), "l40s")
    assert gen4 is not None
    assert gen4.expected < 31.5e9
    assert gen4.evidence is Evidence.DERIVED


def test_what_is_not_published_has_no_rate() -> None:
    assert rate("supermicro-as-5126gs-tnrt2", (0, 1)) is None
    assert rate("gigabyte-g493-zb0", (0, 1), "rtx-5090") is None

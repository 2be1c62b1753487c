from __future__ import annotations

import pytest

from kentino_configurator.bom.site import (
    circuit_capacity_w,
    circuits_needed,
    feed_capacity_w,
    nodes_fit,
    outlets_needed,
)
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.request import Circuit, Site


def _site(*circuits: Circuit, feeds: str = "single") -> Site:
    return Site(circuits=circuits, feeds=feeds)


_SIXTEEN = Circuit(volts=230, amps=16, phases=1, count=1)


@pytest.mark.parametrize(
    ("volts", "amps", "phases", "watts"),
    [(230, 16, 1, 2944), (230, 32, 1, 5888), (400, 16, 3, 8868), (400, 32, 3, 17736)],
)
def test_a_circuit_carries_eighty_percent_of_its_rating(
    snapshot: CatalogSnapshot, volts: int, amps: int, phases: int, watts: float
) -> None:
    site = _site(Circuit(volts=volts, amps=amps, phases=phases, count=1))
    assert circuit_capacity_w(site, snapshot.policy) == pytest.approx(watts, abs=1)


def test_a_site_without_stated_circuits_has_no_known_capacity(snapshot: CatalogSnapshot) -> None:
    assert circuit_capacity_w(Site(), snapshot.policy) is None
    assert nodes_fit(1000, 2, 1, Site(), snapshot.policy) is None


def test_four_600_w_cards_do_not_fit_one_16_a_socket_and_four_300_w_cards_do(
    snapshot: CatalogSnapshot,
) -> None:
    assert nodes_fit(3486, 1, 1, _site(_SIXTEEN), snapshot.policy) is False
    assert nodes_fit(2082, 1, 1, _site(_SIXTEEN), snapshot.policy) is True


def test_a_node_is_spread_over_circuits_by_whole_power_supplies(snapshot: CatalogSnapshot) -> None:
    three = _site(Circuit(volts=230, amps=16, phases=1, count=3))
    assert nodes_fit(6992, 6, 1, three, snapshot.policy) is True
    assert nodes_fit(6992, 2, 1, three, snapshot.policy) is False
    assert nodes_fit(6992, None, 1, three, snapshot.policy) is None


def test_two_8_card_nodes_fit_one_three_phase_feed_of_32_a(snapshot: CatalogSnapshot) -> None:
    feed = _site(Circuit(volts=400, amps=32, phases=3, count=1))
    assert nodes_fit(7278, 4, 2, feed, snapshot.policy) is True
    assert nodes_fit(7278, 4, 3, feed, snapshot.policy) is False


def test_each_of_two_feeds_counts_alone(snapshot: CatalogSnapshot) -> None:
    two = Circuit(volts=230, amps=32, phases=1, count=2)
    assert feed_capacity_w(_site(two, feeds="ab"), snapshot.policy) == pytest.approx(5888)
    assert feed_capacity_w(_site(two), snapshot.policy) == pytest.approx(11776)


def test_the_smallest_standard_circuit_is_named_for_node_and_gear(snapshot: CatalogSnapshot) -> None:
    assert circuits_needed(6992, 2, 0, "single", snapshot.policy) == ("2 x 400 V 16 A 3~",)
    assert circuits_needed(2082, 1, 400, "ab", snapshot.policy) == (
        "2 x 230 V 16 A 1~",
        "2 x 230 V 16 A 1~",
    )


def test_large_supplies_need_c19_outlets_and_unknown_ones_none() -> None:
    assert outlets_needed(3200, 8, 2) == ("16 x C19",)
    assert outlets_needed(2000, 4, 1) == ("4 x C13",)
    assert outlets_needed(None, None, 1) == ()

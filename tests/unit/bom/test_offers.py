from __future__ import annotations

from collections import defaultdict

from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.offer import Offers


def _counts(offers: Offers) -> dict[str, set[int]]:
    counts: dict[str, set[int]] = defaultdict(set)
    for offer in offers.nodes:
        if not offer.blocked_by:
            counts[offer.gpu.id].add(offer.gpu_count)
    return counts


def test_every_shipping_gpu_is_offered_in_the_counts_kentino_sells(offers: Offers) -> None:
    counts = _counts(offers)
    for gpu_id in ("rtx-pro-6000-server", "rtx-pro-6000-maxq", "rtx-5090", "l40s", "l40", "l4"):
        assert {1, 2, 4, 8} <= counts[gpu_id], gpu_id
    assert counts["rtx-pro-6000-ws"] == {1, 2}


def test_only_shipping_gpus_are_offered(offers: Offers) -> None:
    assert {offer.gpu.tier for offer in offers.nodes} == {"ships"}


def test_an_office_finds_towers_with_one_two_and_four_cards(offers: Offers) -> None:
    towers = {offer.gpu_count for offer in offers.nodes if offer.form == "tower" and not offer.blocked_by}
    assert towers == {1, 2, 4}


def test_eight_geforce_cards_are_offered_as_two_slot_cards_with_the_listing_unknown(offers: Offers) -> None:
    eight = [o for o in offers.nodes if o.gpu.id == "rtx-5090" and o.gpu_count == 8]
    assert eight
    for offer in eight:
        assert "A7" in offer.unknown_rules
        assert not offer.blocked_by
        assert offer.card.slots_wide == 2
        assert offer.card.price.status == "placeholder"


def test_ids_are_unique_and_no_platform_offers_the_same_card_and_count_twice(offers: Offers) -> None:
    assert len({offer.id for offer in offers.nodes}) == len(offers.nodes)
    keys = [(offer.platform.id, offer.card.id, offer.gpu_count) for offer in offers.nodes]
    assert len(set(keys)) == len(keys)


def test_a_lower_bound_never_exceeds_the_planning_price(offers: Offers) -> None:
    for offer in offers.nodes:
        assert offer.planning_net is not None
        assert offer.net.cents <= offer.planning_net.cents
        if offer.unpriced_lines == 0:
            assert offer.net == offer.planning_net


def test_power_grows_with_the_number_of_cards(offers: Offers) -> None:
    by_build: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for offer in offers.nodes:
        by_build[offer.build.id, offer.gpu.id].append((offer.gpu_count, offer.ac_w.expected))
    for points in by_build.values():
        assert points == sorted(points)


def test_there_is_one_network_of_every_kind(offers: Offers) -> None:
    kinds = [network.fabric for network in offers.networks]
    assert len(set(kinds)) == len(kinds)
    assert {None, *Fabric} == set(kinds)
    assert all(network.per_node_net.cents > 0 and network.max_nodes >= 2 for network in offers.networks)

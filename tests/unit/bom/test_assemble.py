from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_configurator.bom.assemble import assemble
from kentino_configurator.core.bom import BillOfMaterials, BomGroup, Outcome
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.money import Money
from kentino_configurator.core.offer import NodeOffer, Offers
from kentino_configurator.core.request import Circuit, Commercial, JobKind, Request, Site

MakeRequest = Callable[..., Request]
MakeConfiguration = Callable[..., Configuration]
_FABRICS = st.sampled_from([None, *Fabric])
_PROPERTY = settings(max_examples=100, deadline=None)


class World:
    """What the properties run on, in one argument: a failing example then prints only what was drawn."""

    def __init__(
        self,
        snapshot: CatalogSnapshot,
        offers: Offers,
        make_request: MakeRequest,
        make_configuration: MakeConfiguration,
    ) -> None:
        self.snapshot = snapshot
        self.offers = offers
        self.make_request = make_request
        self.make_configuration = make_configuration

    def __repr__(self) -> str:
        return "World()"


@pytest.fixture(scope="module")
def world(
    snapshot: CatalogSnapshot,
    offers: Offers,
    make_request: MakeRequest,
    make_configuration: MakeConfiguration,
) -> World:
    return World(snapshot, offers, make_request, make_configuration)


def _quantity(bom: BillOfMaterials, category: str, group: BomGroup = BomGroup.NODE) -> int:
    """Pieces in use; spares are counted apart."""
    used = (line for line in bom.lines if line.category == category and not line.spare)
    return sum(line.quantity for line in used if line.group is group)


def test_the_lines_of_one_node_cost_what_the_offer_said(
    snapshot: CatalogSnapshot,
    offers: Offers,
    make_request: MakeRequest,
    make_configuration: MakeConfiguration,
) -> None:
    for offer in offers.nodes:
        bom = assemble(make_request(), make_configuration(offer.id), snapshot)
        node = [line.net for line in bom.lines if line.group is BomGroup.NODE and line.net is not None]
        assert sum(net.cents for net in node) == offer.net.cents, offer.id


def test_a_server_has_one_module_per_channel_and_memory_for_its_cards(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    configuration = make_configuration("rack-8-pro6000-5u/8xrtx-pro-6000-server")
    bom = assemble(make_request(), configuration, snapshot)
    assert (_quantity(bom, "gpu"), _quantity(bom, "cpu"), _quantity(bom, "ram")) == (8, 2, 24)
    module = next(line for line in bom.lines if line.category == "ram")
    assert 24 * (snapshot.parts[module.sku].capacity_gb or 0) >= 8 * 96
    assert _quantity(bom, "power_lead") == 8


def test_quantities_are_over_the_whole_order(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    one = assemble(make_request(), make_configuration("rack-8-l40s/8xl40s", 1), snapshot)
    three = assemble(make_request(), make_configuration("rack-8-l40s/8xl40s", 3), snapshot)
    for category in ("gpu", "cpu", "ram", "chassis", "rail"):
        assert _quantity(three, category) == 3 * _quantity(one, category)


def test_every_asset_has_one_line_per_group_and_lines_are_numbered(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    bom = assemble(make_request(), make_configuration("rack-8-l40s/8xl40s", 4), snapshot)
    keys = [(line.group, line.sku, line.spare) for line in bom.lines]
    assert len(set(keys)) == len(keys)
    assert [line.line for line in bom.lines] == list(range(1, len(bom.lines) + 1))


def test_copies_add_routers_and_switch_and_a_single_node_nothing_of_a_network(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    single = assemble(make_request(), make_configuration("rack-8-l40s/8xl40s", 1), snapshot)
    copies = assemble(make_request(), make_configuration("rack-8-l40s/8xl40s", 2), snapshot)
    assert not [line for line in single.lines if line.group in (BomGroup.FABRIC, BomGroup.STORAGE)]
    assert _quantity(copies, "router_host", BomGroup.FABRIC) == 2
    assert _quantity(copies, "nic", BomGroup.FABRIC) == 4
    assert not [line for line in copies.lines if line.group is BomGroup.STORAGE]


def test_a_cluster_adds_adapters_cables_and_shared_storage(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    configuration = make_configuration(
        "rack-8-pro6000-4u/8xrtx-pro-6000-server", 4, Fabric.INFINIBAND_400G, tp=8
    )
    bom = assemble(make_request(), configuration, snapshot)
    assert _quantity(bom, "nic", BomGroup.FABRIC) == 4
    assert _quantity(bom, "cable_optic", BomGroup.FABRIC) == 2
    assert _quantity(bom, "switch", BomGroup.FABRIC) == 2
    assert _quantity(bom, "storage_server", BomGroup.STORAGE) == 1
    assert not _quantity(bom, "router_host", BomGroup.FABRIC)


def test_scratch_space_follows_the_largest_checkpoint(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    configuration = make_configuration("rack-8-l40s/8xl40s")
    serving = assemble(make_request(), configuration, snapshot)
    training = assemble(make_request(JobKind.FULL_FINETUNE), configuration, snapshot)

    def scratch_gb(bom: BillOfMaterials) -> float:
        drives = [line for line in bom.lines if line.category == "storage_drive"]
        return sum(
            line.quantity * (snapshot.parts[line.sku].capacity_gb or 0)
            for line in drives
            if snapshot.parts[line.sku].socket_or_form == "U.2"
        )

    parameters = snapshot.models["llama-3.1-70b"].text_params
    assert scratch_gb(training) * 1e9 >= 2 * 16 * parameters
    assert scratch_gb(training) > scratch_gb(serving)


def test_installation_is_a_line_of_its_own_only_when_it_is_asked(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    configuration = make_configuration("tower-1-maxq/1xrtx-pro-6000-maxq")
    plain = assemble(make_request(), configuration, snapshot)
    asked = assemble(make_request(commercial=Commercial(installation=True)), configuration, snapshot)
    assert _quantity(asked, "service", BomGroup.SERVICE) == _quantity(plain, "service", BomGroup.SERVICE) + 1


def test_a_tower_is_built_of_board_case_cooler_and_supply(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    bom = assemble(make_request(), make_configuration("tower-4-maxq/4xrtx-pro-6000-maxq"), snapshot)
    for category in ("motherboard", "chassis", "cpu_cooler", "psu"):
        assert _quantity(bom, category) == 1, category
    assert bom.site.rack_units is None


def test_prices_that_are_no_list_prices_make_the_offer_budgetary(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    bom = assemble(make_request(), make_configuration("rack-8-l40s/8xl40s"), snapshot)
    assert bom.budgetary
    assert bom.unpriced_lines == bom.lines_with_status(PriceStatus.MISSING) > 0
    assert "K5" in {check.rule for check in bom.checks if check.outcome is Outcome.WARN}


def test_two_feeds_double_the_pdus(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    configuration = make_configuration("rack-8-pro6000-direct/8xrtx-pro-6000-server", 2)
    single = assemble(make_request(), configuration, snapshot)
    both = assemble(make_request(site=Site(feeds="ab")), configuration, snapshot)
    assert _quantity(both, "pdu", BomGroup.SITE) == 2 * _quantity(single, "pdu", BomGroup.SITE)


def test_a_stated_rack_is_not_sold_again(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    configuration = make_configuration("rack-8-l40s/8xl40s", 2)
    bom = assemble(make_request(site=Site(rack_units=42)), configuration, snapshot)
    assert not _quantity(bom, "rack", BomGroup.SITE)


def _offers_without_blocks(offers: Offers) -> list[NodeOffer]:
    return [offer for offer in offers.nodes if not offer.blocked_by]


@_PROPERTY
@given(
    position=st.integers(min_value=0, max_value=1000),
    nodes=st.integers(min_value=1, max_value=20),
    fabric=_FABRICS,
    discount=st.integers(min_value=0, max_value=40),
    mode=st.sampled_from(["domestic", "export", ""]),
)
def test_any_order_adds_up_and_blocks_nothing_at_a_site_that_states_nothing(
    world: World, position: int, nodes: int, fabric: Fabric | None, discount: int, mode: str
) -> None:
    fabric = fabric if nodes > 1 else None
    sellable = [o for o in _offers_without_blocks(world.offers) if fabric is None or o.adapter_slots != 0]
    offer = sellable[position % len(sellable)]
    request = world.make_request(commercial=Commercial(discount_percent=discount, vat_mode=mode))
    configuration = world.make_configuration(offer.id, nodes, fabric, tp=offer.gpu_count)
    bom = assemble(request, configuration, world.snapshot)
    assert bom.list_net.cents == sum(line.net.cents for line in bom.lines if line.net is not None)
    assert bom.net == bom.list_net - bom.discount
    assert bom.gross is None or bom.gross == bom.net + (bom.vat or Money(0))
    assert bom.unpriced_lines == sum(line.net is None for line in bom.lines)
    assert not [check.rule for check in bom.checks if check.outcome is Outcome.BLOCK]
    for line in bom.lines:
        assert line.quantity > 0
        assert line.source
        assert (line.unit_net is None) == (line.price_status is PriceStatus.MISSING)


@_PROPERTY
@given(
    position=st.integers(min_value=0, max_value=1000),
    circuit=st.builds(
        Circuit,
        volts=st.sampled_from([230, 400]),
        amps=st.sampled_from([10, 16, 32, 63]),
        phases=st.sampled_from([1, 3]),
        count=st.integers(min_value=1, max_value=8),
    ),
)
def test_a_circuit_check_never_passes_beyond_the_stated_power(
    world: World, position: int, circuit: Circuit
) -> None:
    sellable = _offers_without_blocks(world.offers)
    offer = sellable[position % len(sellable)]
    request = world.make_request(site=Site(circuits=(circuit,)))
    bom = assemble(request, world.make_configuration(offer.id), world.snapshot)
    outcome = next(check.outcome for check in bom.checks if check.rule == "J4")
    carries = circuit.watts_each * circuit.count * 0.8
    if bom.power.ac_w.expected > carries:
        assert outcome is Outcome.BLOCK
    if outcome is Outcome.PASS:
        assert bom.power.ac_w.expected <= carries

from __future__ import annotations

import pytest

from kentino_configurator.bom.gear import adapter_items, gear_items, gear_w, link_items, links
from kentino_configurator.bom.network import TECHNOLOGIES, plan_network, ports_at
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.layout import Fabric

_CLUSTERS = [fabric for fabric in TECHNOLOGIES if fabric is not None]


@pytest.mark.parametrize("fabric", _CLUSTERS)
@pytest.mark.parametrize("nodes", [2, 3, 4, 8, 16])
def test_every_cluster_network_has_adapter_cable_and_ports(
    snapshot: CatalogSnapshot, fabric: Fabric, nodes: int
) -> None:
    plan = plan_network(fabric, nodes, snapshot)
    assert plan.adapter is not None
    assert plan.link is not None
    assert plan.adapter.port_gbps == plan.technology.rate_gbps
    if plan.switch is None:
        assert nodes == 2
    else:
        assert ports_at(plan.switch, plan.technology.rate_gbps) * plan.switches >= nodes


def test_two_nodes_of_a_cluster_are_joined_directly_by_one_cable(snapshot: CatalogSnapshot) -> None:
    plan = plan_network(Fabric.INFINIBAND_400G, 2, snapshot)
    assert (plan.direct, links(plan)) == (True, 1)


def test_copies_get_a_router_pair_and_a_port_for_each_node_router_and_uplink(
    snapshot: CatalogSnapshot,
) -> None:
    plan = plan_network(None, 3, snapshot)
    assert plan.ports_needed == 3 + 2 + 1
    gear = gear_items(plan, "none", snapshot)
    assert [item.quantity for item in gear if item.category == "router_host"] == [2]
    assert not [item for item in gear if item.category == "storage_server"]
    assert links(plan) == 5


def test_copies_in_towers_use_the_ports_on_their_boards(snapshot: CatalogSnapshot) -> None:
    plan = plan_network(None, 2, snapshot, form="tower")
    assert plan.adapter is None
    assert not list(adapter_items(plan, snapshot))
    assert [item.category for item in gear_items(plan, "none", snapshot)].count("router_host") == 1


def test_a_cluster_gets_storage_only_where_the_customer_has_none(snapshot: CatalogSnapshot) -> None:
    plan = plan_network(Fabric.ROCE_200G, 4, snapshot)
    bought = [item.category for item in gear_items(plan, "none", snapshot)]
    owned = [item.category for item in gear_items(plan, "parallel", snapshot)]
    assert "storage_server" in bought
    assert "storage_server" not in owned


def test_a_fibre_is_ordered_for_every_pair_of_optics_and_none_for_copper(
    snapshot: CatalogSnapshot,
) -> None:
    optical = plan_network(Fabric.ROCE_400G, 4, snapshot)
    copper = plan_network(Fabric.INFINIBAND_400G, 4, snapshot)
    assert [i.quantity for i in link_items(optical, snapshot) if i.category == "fibre"] == [4]
    assert not [i for i in link_items(copper, snapshot) if i.category == "fibre"]


def test_a_splitter_serves_two_nodes(snapshot: CatalogSnapshot) -> None:
    plan = plan_network(Fabric.INFINIBAND_400G, 3, snapshot)
    assert [item.quantity for item in link_items(plan, snapshot)] == [2]


def test_mixed_switches_count_only_ports_of_the_rate(snapshot: CatalogSnapshot) -> None:
    mixed = next(p for p in snapshot.parts.values() if p.name.startswith("CRS812"))
    assert (ports_at(mixed, 400.0), ports_at(mixed, 200.0), ports_at(mixed, 100.0)) == (2, 2, 0)


def test_routers_draw_power_and_the_nodes_adapters_are_not_counted_as_gear(
    snapshot: CatalogSnapshot,
) -> None:
    plan = plan_network(None, 4, snapshot)
    watts = gear_w(gear_items(plan, "none", snapshot), snapshot.policy)
    assert 400 < watts < 1500

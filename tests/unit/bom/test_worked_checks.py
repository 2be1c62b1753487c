"""The ten worked examples of the compatibility rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kentino_configurator.bom.checks.b_supplies import one_feed_lost, one_supply_lost
from kentino_configurator.bom.checks.c_lanes import lanes, lanes_needed
from kentino_configurator.bom.checks.registry import RULES, Result
from kentino_configurator.bom.checks.run import check_order
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.links import LinkPlan
from kentino_configurator.bom.network import TECHNOLOGIES, NetworkPlan, plan_network, ports_at
from kentino_configurator.core.bom import Outcome
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.request import Circuit, Request, Site
from kentino_configurator.core.units import GIB

SubjectOf = Callable[[str], Subject]


def _ask(rule_id: str, subject: Subject) -> Result:
    result = RULES[rule_id].function(subject)
    assert result is not None
    return result


def _with_site(subject: Subject, make_request: Callable[..., Request], **site: object) -> Subject:
    return replace(subject, request=make_request(site=Site(**site)))  # type: ignore[arg-type]


def test_1_four_3000_w_supplies_survive_a_supply_but_not_a_feed_until_cards_are_capped(
    subject_of: SubjectOf, make_request: Callable[..., Request]
) -> None:
    node = _with_site(subject_of("rack-8-pro6000-direct/8xrtx-pro-6000-server"), make_request, feeds="ab")
    full = replace(node, node_dc_w=6841.0)
    assert (full.supply_w, full.supply_count) == (3000, 4)
    assert one_supply_lost(full).outcome is Outcome.PASS  # type: ignore[union-attr]
    lost_feed = one_feed_lost(full)
    assert lost_feed is not None
    assert lost_feed.outcome is Outcome.WARN
    assert isinstance(lost_feed.args["cap"], Quantity)
    assert lost_feed.args["cap"].value == 500
    assert one_feed_lost(replace(node, node_dc_w=5961.0)).outcome is Outcome.PASS  # type: ignore[union-attr]


def test_2_eight_three_slot_geforce_cards_fail_width_cooling_and_peer_access(
    subject_of: SubjectOf,
    snapshot: CatalogSnapshot,
    make_configuration: Callable[..., Configuration],
) -> None:
    node = subject_of("rack-8-pro6000-direct/8xrtx-pro-6000-server")
    geforce = replace(node, plan=replace(node.plan, card=snapshot.gpus["rtx-5090"]))
    assert _ask("A1", geforce).outcome is Outcome.BLOCK
    assert _ask("A3", geforce).outcome is Outcome.BLOCK
    split = replace(
        geforce,
        configuration=make_configuration("rack-8-5090/8xrtx-5090", tp=8),
        assumes_peer_access=True,
    )
    assert _ask("H1", split).outcome is Outcome.BLOCK


def test_3_four_600_w_cards_do_not_run_on_one_16_a_socket_and_four_max_q_do(
    subject_of: SubjectOf, make_request: Callable[..., Request]
) -> None:
    socket = (Circuit(volts=230, amps=16, phases=1, count=1),)
    node = _with_site(subject_of("tower-4-maxq/4xrtx-pro-6000-maxq"), make_request, circuits=socket)
    assert _ask("J4", replace(node, node_ac_w=3486.0)).outcome is Outcome.BLOCK
    assert _ask("J4", replace(node, node_ac_w=2082.0)).outcome is Outcome.PASS
    assert _ask("J4", node).outcome is Outcome.PASS


def test_4_eight_direct_cards_and_five_adapters_exceed_two_epyc_sockets(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    node = subject_of("rack-8-5090/8xrtx-5090")
    adapter = snapshot.parts["nvidia-mcx75310aas-neat"]
    others = tuple(item for item in node.node_items if item.category not in ("nic", "storage_drive"))
    template = next(item for item in node.node_items if item.category == "nic")
    adapters = replace(template, sku=adapter.sku, quantity=5)
    loaded = replace(node, node_items=(*others, adapters))
    assert lanes_needed(loaded) == 208
    answer = lanes(loaded)
    assert answer is not None
    assert (answer.outcome, answer.args["have"]) == (Outcome.BLOCK, 160)


def test_5_a_400g_adapter_is_starved_by_a_gen4_slot(subject_of: SubjectOf, snapshot: CatalogSnapshot) -> None:
    node = subject_of("rack-8-pro6000-5u/8xrtx-pro-6000-server")
    adapter = snapshot.parts["nvidia-mcx75310aas-neat"]
    with_network = replace(node, network=_network(snapshot, adapter, None, Fabric.INFINIBAND_400G))
    assert _ask("F1", with_network).outcome is Outcome.PASS
    in_gen4 = _network(snapshot, replace(adapter, pcie_gen=4), None, Fabric.INFINIBAND_400G)
    answer = _ask("F1", replace(node, network=in_gen4))
    assert answer.outcome is Outcome.BLOCK
    assert answer.args["have"].value == pytest.approx(31.5e9, rel=0.01)  # type: ignore[union-attr]
    assert answer.args["need"].value == pytest.approx(50e9)  # type: ignore[union-attr]


def _network(
    snapshot: CatalogSnapshot,
    adapter: PartSpec,
    cable: PartSpec | None,
    fabric: Fabric,
    length_m: float = 3.0,
) -> NetworkPlan:
    link = cable and LinkPlan(parts=((0.5, cable),), length_m=length_m, limit_m=cable.max_length_m)
    return NetworkPlan(
        technology=TECHNOLOGIES[fabric],
        nodes=4,
        adapter=adapter,
        switch=snapshot.parts["nvidia-mqm9700-ns2f"],
        switches=1,
        link=link,
        ports_needed=4,
    )


def _by_mpn(snapshot: CatalogSnapshot, start: str) -> PartSpec:
    return next(part for part in snapshot.parts.values() if part.mpn.startswith(start))


def test_6_four_metres_are_too_long_for_the_passive_splitter_and_fine_for_the_active_one(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    node = subject_of("rack-8-pro6000-5u/8xrtx-pro-6000-server")
    adapter = snapshot.parts["nvidia-mcx75310aas-neat"]

    def over(cable: str) -> Outcome:
        plan = _network(snapshot, adapter, _by_mpn(snapshot, cable), Fabric.INFINIBAND_400G, 4.0)
        return _ask("F6", replace(node, network=plan)).outcome

    assert over("MCP7Y00") is Outcome.BLOCK
    assert over("MCA7J60") is Outcome.PASS


def test_7_a_bluefield_3_takes_the_qsfp112_splitter_only(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    node = subject_of("rack-8-pro6000-5u/8xrtx-pro-6000-server")
    bluefield = snapshot.parts["nvidia-900-9d3b6-00cn-ab0"]

    def into(cable: str, rule_id: str) -> Outcome:
        plan = _network(snapshot, bluefield, _by_mpn(snapshot, cable), Fabric.INFINIBAND_400G)
        return _ask(rule_id, replace(node, network=plan)).outcome

    assert into("MCP7Y00", "F5") is Outcome.BLOCK
    assert into("MCP7Y10", "F5") is Outcome.PASS
    assert into("MCP7Y10", "F3") is Outcome.PASS


def test_8_forty_eight_ports_at_200g_fit_one_switch_with_64_ports_of_400g_split_in_two(
    snapshot: CatalogSnapshot,
) -> None:
    spectrum = next(part for part in snapshot.parts.values() if part.name.endswith("SN5600"))
    assert ports_at(spectrum, 400.0) == 128
    assert ports_at(spectrum, 400.0) >= 12 * 4
    plan = plan_network(Fabric.INFINIBAND_400G, 48, snapshot)
    assert (plan.switches, plan.ports_needed) == (1, 48)


def test_9_one_module_in_every_channel_passes_and_sixteen_of_24_warn(subject_of: SubjectOf) -> None:
    node = subject_of("rack-8-pro6000-5u/8xrtx-pro-6000-server")
    assert _ask("D7", node).outcome is Outcome.PASS
    fewer = tuple(replace(item, quantity=16) if item.category == "ram" else item for item in node.node_items)
    answer = _ask("D7", replace(node, node_items=fewer))
    assert (answer.outcome, answer.args) == (Outcome.WARN, {"have": 16, "need": 24})


def test_10_eight_l40s_count_359_9_gib_with_error_correction(subject_of: SubjectOf) -> None:
    answer = _ask("H8", subject_of("rack-8-l40s/8xl40s"))
    assert answer.outcome is Outcome.PASS
    assert answer.args["have"].value / GIB == pytest.approx(359.9, abs=0.05)  # type: ignore[union-attr]


def test_rules_are_listed_in_the_order_of_their_ids(subject_of: SubjectOf) -> None:
    ids = [check.rule for check in check_order(subject_of("rack-8-l40s/8xl40s"))]
    assert ids == sorted(ids, key=lambda rule_id: (rule_id[0], int(rule_id[1:])))
    assert {"A1", "B3", "C1", "D7", "J4"} <= set(ids)

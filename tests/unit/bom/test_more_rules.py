"""Rules on editions, switches, drives, adapters, rails and phases; rules that no order asks for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kentino_configurator.bom.assemble import assemble
from kentino_configurator.bom.checks import run  # noqa: F401 - registers the rules
from kentino_configurator.bom.checks.d_host import read_bytes_per_s
from kentino_configurator.bom.checks.registry import RULES, Result
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.items import from_part, to_lines
from kentino_configurator.bom.network import NetworkPlan, plan_network
from kentino_configurator.core.bom import BomCheck, BomGroup, Outcome
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.request import Circuit, Request, Site

SubjectOf = Callable[[str], Subject]
MakeRequest = Callable[..., Request]
MakeConfiguration = Callable[..., Configuration]

_GUIDE = Path(__file__).parents[3] / "docs" / "catalog-guide.md"
_LISTED = {"A": 13, "B": 10, "C": 11, "D": 12, "E": 5, "F": 13, "G": 9, "H": 8, "J": 12, "K": 6}
_EIGHT_DIRECT = "rack-8-pro6000-direct/8xrtx-pro-6000-server"
_EIGHT_SWITCHED = "rack-8-pro6000-5u/8xrtx-pro-6000-server"
_BLOWERS = "rack-8-5090/8xrtx-5090"
_TOWER = "tower-4-maxq/4xrtx-pro-6000-maxq"


def _result(rule_id: str, subject: Subject) -> Result | None:
    return RULES[rule_id].function(subject)


def _outcome(rule_id: str, subject: Subject) -> Outcome | None:
    result = _result(rule_id, subject)
    return None if result is None else result.outcome


def _with_rails(snapshot: CatalogSnapshot, rails: int) -> CatalogSnapshot:
    entry = replace(snapshot.policy.entry("fabric.rails_per_node"), value=float(rails))
    return replace(snapshot, policy=Policy({**snapshot.policy.values, entry.id: entry}))


def _check_of(checks: tuple[BomCheck, ...], rule_id: str) -> BomCheck:
    return next(check for check in checks if check.rule == rule_id)


def test_every_rule_of_the_list_is_written_or_the_guide_says_why_no_order_asks_for_it() -> None:
    listed = {f"{group}{number}" for group, count in _LISTED.items() for number in range(1, count + 1)}
    section = _GUIDE.read_text("utf-8").split("## Rules that no order asks for")[1]
    unasked = set(re.findall(r"^\| ([A-K]\d+) \|", section, re.MULTILINE))
    assert unasked.isdisjoint(RULES)
    assert RULES.keys() | unasked == listed


def test_another_edition_than_the_computed_one_is_pointed_out(
    subject_of: SubjectOf, make_configuration: MakeConfiguration
) -> None:
    fitted = replace(subject_of(_BLOWERS), configuration=make_configuration(_BLOWERS))
    assert _outcome("A9", fitted) is Outcome.WARN
    server = replace(subject_of(_EIGHT_DIRECT), configuration=make_configuration(_EIGHT_DIRECT))
    assert _outcome("A9", server) is Outcome.PASS
    assert _outcome("A9", subject_of("rack-8-l4/8xl4")) is None


@pytest.mark.parametrize(("supplies", "outcome"), [(8, "pass"), (5, "block"), (None, "unknown")])
def test_a_maker_that_ties_supplies_to_cards_is_followed(
    subject_of: SubjectOf, supplies: int | None, outcome: str
) -> None:
    subject = subject_of(_EIGHT_DIRECT)
    assert _outcome("B7", subject) is None
    platform = replace(subject.plan.platform, id="hpe-proliant-compute-dl380a-gen12")
    moved = replace(subject, plan=replace(subject.plan, platform=platform), supply_count=supplies)
    assert _outcome("B7", moved) == outcome


def test_lanes_of_a_switch_are_unknown_unless_a_part_states_them(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    assert _outcome("C5", subject_of(_EIGHT_SWITCHED)) is Outcome.UNKNOWN
    assert _outcome("C5", subject_of(_EIGHT_DIRECT)) is None
    mapped = snapshot.platforms["asus-esc8000a-e13p"]
    subject = subject_of(_EIGHT_SWITCHED)
    platform = replace(mapped, switch_model="c-payne PM50100")
    known = replace(subject, plan=replace(subject.plan, platform=platform))
    result = _result("C5", known)
    assert result is not None and (result.outcome, result.args["need"]) == (Outcome.PASS, 48)


def test_lanes_of_drives_are_counted_or_named_as_unknown(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    subject = subject_of(_EIGHT_DIRECT)
    assert _outcome("E2", subject) is Outcome.PASS
    disk = from_part(snapshot.parts["seagate-exos-20-tb-sas-sata-hdd"], 2, BomGroup.NODE)
    assert _outcome("E2", replace(subject, node_items=(*subject.node_items, disk))) is Outcome.UNKNOWN


def test_reading_time_follows_the_drives_and_never_exceeds_their_lanes(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    drive = snapshot.parts["samsung-pm9a3-3.84-tb"]
    assert read_bytes_per_s(drive) == 6.5e9
    assert read_bytes_per_s(replace(drive, attributes="reads 14 GB/s")) == pytest.approx(7.877e9, rel=1e-3)
    assert read_bytes_per_s(replace(drive, attributes="")) is None
    bom = assemble(make_request(), make_configuration(_EIGHT_DIRECT), snapshot)
    drives = sum(line.quantity for line in bom.lines if line.sku.startswith("samsung-pm9a3"))
    seconds = _check_of(bom.checks, "E5").args["have"]
    parameters = snapshot.models["llama-3.1-70b"].text_params
    assert isinstance(seconds, Quantity)
    assert seconds.value == pytest.approx(parameters / (drives * 6.5e9), rel=0.05)


@pytest.mark.parametrize("fabric", [fabric for fabric in Fabric if fabric is not Fabric.ETHERNET_25G])
@pytest.mark.parametrize("nodes", [2, 3, 4])
@pytest.mark.parametrize("rails", [1, 2])
def test_a_cluster_has_an_adapter_and_a_cable_for_every_rail(
    snapshot: CatalogSnapshot,
    make_request: MakeRequest,
    make_configuration: MakeConfiguration,
    fabric: Fabric,
    nodes: int,
    rails: int,
) -> None:
    catalogue = _with_rails(snapshot, rails)
    configuration = make_configuration("rack-8-pro6000-4u/8xrtx-pro-6000-server", nodes, fabric, tp=8)
    bom = assemble(make_request(), configuration, catalogue)
    adapters = [line for line in bom.lines if line.category == "nic" and line.group is BomGroup.FABRIC]
    assert sum(line.quantity for line in adapters) == nodes * rails
    assert _check_of(bom.checks, "F10").outcome is Outcome.PASS
    assert not [check.rule for check in bom.checks if check.outcome is Outcome.BLOCK]
    near = Outcome.PASS if rails == 2 else Outcome.WARN
    assert _check_of(bom.checks, "C9").outcome is near


def test_rails_end_where_the_slots_end(snapshot: CatalogSnapshot) -> None:
    catalogue = _with_rails(snapshot, 4)

    def rails(slots: int | None, fabric: Fabric | None = Fabric.ROCE_200G) -> int:
        return plan_network(fabric, 3, catalogue, adapter_slots=slots).rails

    assert [rails(slots) for slots in (None, 8, 3, 2, 1)] == [4, 4, 2, 1, 1]
    assert rails(8, None) == 1


def _networked(subject: Subject, plan: NetworkPlan) -> Subject:
    return replace(subject, network=plan)


def test_a_missing_cable_and_a_second_one_in_a_port_block(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    plan = plan_network(Fabric.ROCE_200G, 3, snapshot)
    assert plan.link is not None
    subject = _networked(subject_of(_EIGHT_DIRECT), plan)

    def with_cables(count: int) -> Subject:
        assert plan.link is not None
        items = [from_part(part, count, BomGroup.FABRIC) for _, part in plan.link.parts]
        return replace(subject, lines=to_lines(items))

    outcomes = [_outcome("F10", with_cables(count)) for count in (2, 3, 4)]
    assert outcomes == [Outcome.BLOCK, Outcome.PASS, Outcome.BLOCK]


def test_adapter_power_is_judged_only_when_it_is_known(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    plan = plan_network(Fabric.ROCE_200G, 3, snapshot)
    assert plan.adapter is not None
    subject = subject_of(_TOWER)
    assert _outcome("F12", subject) is None
    assert _outcome("F12", _networked(subject, plan)) is Outcome.UNKNOWN
    for watts, outcome in ((25.0, Outcome.PASS), (90.0, Outcome.BLOCK)):
        stated = replace(plan, adapter=replace(plan.adapter, power_w=watts))
        assert _outcome("F12", _networked(subject, stated)) is outcome
    hungry = replace(plan, adapter=snapshot.parts["nvidia-900-9d3b6-00cn-ab0"])
    without = tuple(item for item in subject.node_items if item.category != "power_lead")
    assert _outcome("F12", _networked(replace(subject, node_items=without), hungry)) is Outcome.BLOCK


def test_an_800g_adapter_in_a_gen5_host_is_warned(subject_of: SubjectOf, snapshot: CatalogSnapshot) -> None:
    plan = plan_network(Fabric.ROCE_400G, 3, snapshot)
    subject = subject_of(_EIGHT_DIRECT)
    assert _outcome("F13", _networked(subject, plan)) is None
    fast = replace(plan, adapter=snapshot.parts["nvidia-connectx-8-c8180-1x800g"])
    assert _outcome("F13", _networked(subject, fast)) is Outcome.WARN


def test_rails_are_spread_over_one_switch_or_one_for_each(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    plan = replace(plan_network(Fabric.ROCE_200G, 3, snapshot), rails=2)
    subject = subject_of(_EIGHT_DIRECT)
    outcomes = [_outcome("G5", _networked(subject, replace(plan, switches=count))) for count in (1, 2, 3)]
    assert outcomes == [Outcome.PASS, Outcome.PASS, Outcome.WARN]
    assert _outcome("G4", _networked(subject, replace(plan, switches=3))) is Outcome.WARN
    assert _outcome("G4", _networked(subject, plan)) is Outcome.PASS


def test_separate_customers_on_cards_with_direct_exchange_are_warned(
    subject_of: SubjectOf, make_request: MakeRequest
) -> None:
    request = make_request()
    (workload,) = request.workloads
    subject = replace(subject_of(_EIGHT_DIRECT), request=request)
    assert _outcome("H3", subject) is Outcome.PASS
    shared = replace(request, workloads=(replace(workload, tenancy="customers"),))
    assert _outcome("H3", replace(subject, request=shared)) is Outcome.WARN
    assert _outcome("H3", replace(subject_of(_BLOWERS), request=shared)) is None


@pytest.mark.parametrize(
    ("supplies", "circuits", "outcome"), [(6, 1, "pass"), (4, 1, "warn"), (6, 2, "pass")]
)
def test_supplies_are_spread_over_three_phases(
    subject_of: SubjectOf, make_request: MakeRequest, supplies: int, circuits: int, outcome: str
) -> None:
    site = Site(circuits=(Circuit(volts=400, amps=32, phases=3, count=circuits),))
    subject = replace(subject_of(_EIGHT_DIRECT), request=make_request(site=site), supply_count=supplies)
    assert _outcome("J8", subject) == outcome
    single = Site(circuits=(Circuit(volts=230, amps=32, phases=1, count=2),))
    assert _outcome("J8", replace(subject, request=make_request(site=single))) is None


def test_an_uninterruptible_supply_needs_a_margin(subject_of: SubjectOf, snapshot: CatalogSnapshot) -> None:
    subject = subject_of(_TOWER)
    ups = snapshot.parts["apc-srt3000"]
    assert _outcome("J11", subject) is None
    lines = to_lines([from_part(ups, 1, BomGroup.SITE)])
    assert subject.node_ac_w * 1.25 < 2700 or _outcome("J11", replace(subject, lines=lines)) is Outcome.WARN
    assert _outcome("J11", replace(subject, node_ac_w=2000.0, lines=lines)) is Outcome.PASS
    assert _outcome("J11", replace(subject, node_ac_w=2500.0, lines=lines)) is Outcome.WARN


def test_an_order_of_several_nodes_has_spare_cables_and_drives_and_one_node_has_none(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    one = assemble(make_request(), make_configuration(_EIGHT_DIRECT), snapshot)
    two = assemble(make_request(), make_configuration(_EIGHT_DIRECT, 2), snapshot)
    assert not [line for line in one.lines if line.spare]
    spares = [line for line in two.lines if line.spare]
    used = {line.sku for line in two.lines if not line.spare}
    assert {line.category for line in spares} == {"cable_optic", "storage_drive"}
    assert all(line.quantity == 1 and line.sku in used and line.power_w is None for line in spares)
    assert all(line.description.endswith("(spare)") for line in spares)


def test_alternatives_do_the_same_job_and_are_no_worse(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    bom = assemble(make_request(), make_configuration(_EIGHT_DIRECT, 3), snapshot)
    offered = [(snapshot.parts[line.sku], line.alternatives) for line in bom.lines if line.alternatives]
    assert {part.category for part, _ in offered} >= {"cpu", "ram", "storage_drive", "switch"}
    for part, others in offered:
        for other in (snapshot.parts[alternative.sku] for alternative in others):
            assert other.category == part.category and other.sku != part.sku and not other.retired
            assert (other.cores or 0) >= (part.cores or 0)
            assert (other.capacity_gb or 0) >= (part.capacity_gb or 0)
            assert (other.ports or 0) >= (part.ports or 0)
            assert (other.port_gbps or 0) == (part.port_gbps or 0)


def test_alternatives_are_at_most_three_with_the_cheapest_first(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    bom = assemble(make_request(), make_configuration(_EIGHT_DIRECT, 3), snapshot)
    for line in bom.lines:
        prices = [a.unit_net.cents for a in line.alternatives if a.unit_net is not None]
        assert len(line.alternatives) <= 3 and prices == sorted(prices)
        missing = [alternative.unit_net is None for alternative in line.alternatives]
        assert missing == sorted(missing)
    card = next(line for line in bom.lines if line.category == "gpu")
    assert card.alternatives == ()

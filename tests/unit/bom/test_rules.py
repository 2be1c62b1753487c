from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from kentino_configurator.bom.assemble import assemble
from kentino_configurator.bom.bays import bays
from kentino_configurator.bom.checks import run  # noqa: F401 - registers the rules
from kentino_configurator.bom.checks.c_lanes import stated_slots
from kentino_configurator.bom.checks.k_prices import observed_on
from kentino_configurator.bom.checks.registry import RULES, Result, apply_rule
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.bom import BillOfMaterials, BomCheck, Outcome
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.hardware import PlatformSpec
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import Message, Quantity
from kentino_configurator.core.offer import Offers
from kentino_configurator.core.request import Circuit, Customer, Request, Site
from kentino_configurator.texts.catalogue import load_texts

SubjectOf = Callable[[str], Subject]
MakeRequest = Callable[..., Request]
MakeConfiguration = Callable[..., Configuration]

_EIGHT_DIRECT = "rack-8-pro6000-direct/8xrtx-pro-6000-server"
_EIGHT_SWITCHED = "rack-8-pro6000-5u/8xrtx-pro-6000-server"
_TOWER = "tower-4-maxq/4xrtx-pro-6000-maxq"
_TIGHT_SITES = (
    Site(),
    Site(
        circuits=(Circuit(volts=230, amps=16, phases=1, count=1),),
        feeds="ab",
        cooling_kw=1.0,
        max_inlet_c=40,
        rack_units=3,
        rack_depth_mm=600,
        office=True,
    ),
)


def _check(rule_id: str, subject: Subject) -> BomCheck:
    check = apply_rule(RULES[rule_id], subject)
    assert check is not None
    return check


def _result(rule_id: str, subject: Subject) -> Result:
    result = RULES[rule_id].function(subject)
    assert result is not None
    return result


def _with_platform(subject: Subject, **facts: object) -> Subject:
    platform: PlatformSpec = replace(subject.plan.platform, **facts)  # type: ignore[arg-type]
    return replace(subject, plan=replace(subject.plan, platform=platform))


def _texts_of(check: BomCheck) -> list[str]:
    """The three texts a check may be shown with."""
    kind = "unknown" if check.outcome is Outcome.UNKNOWN else check.rule
    texts = load_texts("en")
    name = kind if texts.has(f"f.bom.{kind}.text") else "generic"
    return [f"f.bom.{name}.{part}" for part in ("text", "why", "change")]


@pytest.mark.parametrize("language", ["en", "pt", "cs"])
def test_every_rule_has_a_statement_and_every_fired_check_fills_its_texts(
    snapshot: CatalogSnapshot,
    offers: Offers,
    make_request: MakeRequest,
    make_configuration: MakeConfiguration,
    language: str,
) -> None:
    texts = load_texts(language)
    assert all(texts.has(f"bom.rule.{rule_id}") for rule_id in RULES)
    for offer in offers.nodes:
        for site in _TIGHT_SITES:
            request = make_request(site=site)
            fabric = Fabric.ROCE_400G if offer.gpu_count > 1 else None
            configuration = make_configuration(offer.id, 2, fabric, tp=offer.gpu_count)
            bom = assemble(request, configuration, snapshot)
            for check in bom.checks:
                _assert_says(check, texts.say)


def _assert_says(check: BomCheck, say: Callable[..., str]) -> None:
    if check.outcome is Outcome.PASS:
        return
    for text_id in _texts_of(check):
        sentence = say(Message(text_id, check.args))
        assert not re.search(r"\[\w", sentence), (check.rule, sentence)
        assert "{" not in sentence, (check.rule, sentence)


def test_an_unknown_check_names_what_is_missing_and_of_what(subject_of: SubjectOf) -> None:
    check = _check("C1", subject_of(_EIGHT_SWITCHED))
    assert check.outcome is Outcome.UNKNOWN
    assert load_texts("en").words(check.missing) == "wiring of the GPU slots of AS-5126GS-TNRT2"


@pytest.mark.parametrize(
    ("rule_id", "fact"),
    [
        ("A1", {"gpu_slots_double": None}),
        ("A4", {"gpu_max_w": None}),
        ("C10", {"sockets": None}),
        ("D1", {"cpu_socket": ""}),
        ("D2", {"max_cpu_tdp_w": None}),
        ("D6", {"dimm_slots": None}),
        ("E1", {"nvme_bays": "", "boot": ""}),
        ("C3", {"nic_slots": ""}),
    ],
)
def test_a_rule_without_its_fact_answers_unknown(
    subject_of: SubjectOf, rule_id: str, fact: dict[str, object]
) -> None:
    assert _result(rule_id, _with_platform(subject_of(_EIGHT_DIRECT), **fact)).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("rule_id", "fact"),
    [
        ("A1", {"gpu_slots_double": 4}),
        ("A4", {"gpu_max_w": 400}),
        ("C10", {"sockets": 4}),
        ("D1", {"cpu_socket": "LGA 4710"}),
        ("D2", {"max_cpu_tdp_w": 200}),
        ("D6", {"dimm_slots": 12}),
        ("E1", {"nvme_bays": "1x 2.5 in NVMe"}),
        ("C3", {"nic_slots": "none left"}),
    ],
)
def test_a_fact_that_does_not_fit_blocks(
    subject_of: SubjectOf, rule_id: str, fact: dict[str, object]
) -> None:
    assert _result(rule_id, _with_platform(subject_of(_EIGHT_DIRECT), **fact)).outcome is Outcome.BLOCK


def test_supplies_that_are_not_known_leave_their_rules_unknown(subject_of: SubjectOf) -> None:
    bare = replace(subject_of(_EIGHT_DIRECT), supply_w=None)
    for rule_id in ("B2", "B3", "B9", "J6"):
        assert _result(rule_id, bare).outcome is Outcome.UNKNOWN, rule_id


def test_four_open_air_cards_of_600_w_block_in_a_tower_and_warn_in_a_rack(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    hot = snapshot.gpus["rtx-pro-6000-ws"]

    def outcome(offer_id: str) -> Outcome:
        node = subject_of(offer_id)
        return _result("A13", replace(node, plan=replace(node.plan, card=hot))).outcome

    assert outcome(_TOWER) is Outcome.BLOCK
    assert outcome(_EIGHT_DIRECT) is Outcome.WARN


def test_passive_cards_are_refused_in_a_tower(subject_of: SubjectOf, snapshot: CatalogSnapshot) -> None:
    node = subject_of(_TOWER)
    passive = replace(node, plan=replace(node.plan, card=snapshot.gpus["l40s"]))
    assert _result("A3", passive).outcome is Outcome.BLOCK


def test_a_geforce_card_in_a_server_never_passes_without_a_list(
    subject_of: SubjectOf, offers: Offers
) -> None:
    geforce = [offer.id for offer in offers.nodes if offer.gpu.is_geforce and offer.form == "rack"]
    assert geforce
    for offer_id in geforce:
        assert _result("A7", subject_of(offer_id)).outcome is Outcome.UNKNOWN


def test_a_pair_of_one_socket_processors_blocks(subject_of: SubjectOf) -> None:
    node = subject_of("rack-4-l4/4xl4")
    assert _result("D3", node).outcome is Outcome.PASS
    pair = tuple(replace(i, quantity=2) if i.category == "cpu" else i for i in node.node_items)
    assert _result("D3", replace(node, node_items=pair)).outcome is Outcome.BLOCK


def test_a_cap_is_told(subject_of: SubjectOf) -> None:
    check = _check("B10", subject_of("rack-4-pro6000-2u/4xrtx-pro-6000-server"))
    assert check.outcome is Outcome.WARN
    assert isinstance(check.args["cap"], Quantity)
    assert check.args["cap"].value == 450


def test_a_rack_server_in_an_office_is_warned_and_a_tower_is_not(
    subject_of: SubjectOf, make_request: MakeRequest
) -> None:
    office = make_request(customer=Customer(site="office"))
    assert _result("J12", replace(subject_of(_EIGHT_DIRECT), request=office)).outcome is Outcome.WARN
    assert RULES["J12"].function(replace(subject_of(_TOWER), request=office)) is None


def test_split_over_cards_without_peer_access_is_warned(
    subject_of: SubjectOf, make_configuration: MakeConfiguration
) -> None:
    offer_id = "tower-2-5090/2xrtx-5090"
    split = replace(subject_of(offer_id), configuration=make_configuration(offer_id, tp=2))
    assert _result("H1", split).outcome is Outcome.WARN
    alone = replace(split, configuration=make_configuration(offer_id, tp=1))
    assert RULES["H1"].function(alone) is None


def test_a_broadcom_switch_with_two_cards_on_each_of_four_parts_warns(
    subject_of: SubjectOf, snapshot: CatalogSnapshot
) -> None:
    switched = snapshot.platforms["asus-esc8000a-e13p"]
    node = subject_of(_EIGHT_DIRECT)
    behind = replace(node, plan=replace(node.plan, platform=switched))
    assert _result("C7", behind).outcome is Outcome.WARN
    assert _result("C6", behind).args == {"need": 32, "have": 16, "option": "ESC8000A-E13"}


def test_a_cluster_of_four_card_nodes_is_pointed_at_one_larger_node(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    offer_id = "rack-4-pro6000-4u/4xrtx-pro-6000-server"
    bom = assemble(make_request(), make_configuration(offer_id, 2, Fabric.ROCE_200G, tp=4), snapshot)
    assert _outcomes(bom)["G9"] is Outcome.WARN


def _outcomes(bom: BillOfMaterials) -> dict[str, Outcome]:
    return {check.rule: check.outcome for check in bom.checks}


def test_a_site_that_is_too_small_blocks_rack_depth_and_circuits(
    snapshot: CatalogSnapshot, make_request: MakeRequest, make_configuration: MakeConfiguration
) -> None:
    request = make_request(site=_TIGHT_SITES[1])
    outcomes = _outcomes(assemble(request, make_configuration(_EIGHT_SWITCHED), snapshot))
    assert outcomes["J1"] is Outcome.BLOCK
    assert outcomes["J4"] is Outcome.BLOCK
    assert outcomes["J5"] is Outcome.BLOCK
    assert outcomes["J9"] is Outcome.WARN
    assert outcomes["J2"] is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("text", "gpu_slots", "slots"),
    [
        ("8x PCIe Gen5 besides GPU slots", 8, 8),
        ("2x PCIe Gen5 beyond the GPU slots", 8, 2),
        ("13 PCIe Gen5 x16 slots in total (8 taken by GPUs)", 8, 5),
        ("none left with four 2-slot cards except by riser", 4, 0),
        ("slots 3 and 7 with two 2-slot cards in 1 and 5", 2, 2),
        ("more NIC slots than the non-P model; count not captured", 8, None),
        ("", 8, None),
    ],
)
def test_free_slots_are_read_from_the_catalogue_text(text: str, gpu_slots: int, slots: int | None) -> None:
    assert stated_slots(text, gpu_slots) == slots


@pytest.mark.parametrize(
    ("text", "form", "count"),
    [
        ("up to 6 U.2", "U.2", 6),
        ("8x 2.5 in or E3.S", "U.2", 8),
        ("8x E3.S (front)", "U.2 / E3.S", 8),
        ("8x E3.S (front)", "U.2", 0),
        ("4x M.2", "M.2", 4),
        ("4x M.2", "U.2", None),
        ("4 NVMe (16 lanes)", "U.2", None),
    ],
)
def test_bays_are_read_from_the_catalogue_text(text: str, form: str, count: int | None) -> None:
    assert bays(text, form) == count


@pytest.mark.parametrize(
    ("text", "day"), [("2026-09-27", "2026-09-27"), ("2026-03", "2026-03-01"), ("2026", "2026-01-01")]
)
def test_a_partial_date_counts_from_its_first_day(text: str, day: str) -> None:
    assert str(observed_on(text)) == day


def test_a_text_that_is_no_date_has_no_age() -> None:
    assert observed_on("undated") is None
    assert observed_on("") is None

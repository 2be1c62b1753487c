from __future__ import annotations

import pytest

from kentino_configurator.bom.links import Plug, choose_link, ends, fits, plug
from kentino_configurator.bom.select import parts_of
from kentino_configurator.core.catalog import CatalogSnapshot


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OSFP (flat top)", Plug("OSFP", "flat")),
        ("32x OSFP twin (finned)", Plug("OSFP", "finned")),
        ("QSFP28 + 4x SFP28", Plug("QSFP28")),
        ("QSFP56-DD, QSFP56, SFP56", Plug("QSFP-DD")),
        ("QSFP-DD", Plug("QSFP-DD")),
        ("QSFP112", Plug("QSFP112")),
        ("RJ45 + 4x QSFP28 100G", Plug("RJ45")),
    ],
)
def test_the_first_connector_of_a_text_is_read_with_its_heat_sink(text: str, expected: Plug) -> None:
    assert plug(text) == expected


def test_older_plugs_fit_newer_qsfp_cages_but_not_the_other_way_round() -> None:
    assert fits(Plug("QSFP28"), Plug("QSFP56"))
    assert not fits(Plug("QSFP112"), Plug("QSFP56"))


def test_an_osfp_end_fits_only_its_own_heat_sink_style() -> None:
    assert fits(Plug("OSFP", "flat"), Plug("OSFP", "flat"))
    assert not fits(Plug("OSFP", "finned"), Plug("OSFP", "flat"))
    assert not fits(Plug("OSFP"), Plug("OSFP"))


def test_a_splitter_has_two_far_ends(snapshot: CatalogSnapshot) -> None:
    splitter = next(p for p in parts_of(snapshot, "cable_optic") if p.mpn.startswith("MCP7Y10"))
    its = ends(splitter)
    assert its is not None
    assert (its.near, its.far, its.count) == (Plug("OSFP", "finned"), Plug("QSFP112"), 2)


@pytest.mark.parametrize(("length_m", "start"), [(3.0, "MCP7Y00"), (4.0, "MCA7J60"), (13.0, "MMS4X00")])
def test_copper_is_taken_while_it_reaches_and_optics_beyond(
    snapshot: CatalogSnapshot, length_m: float, start: str
) -> None:
    link = choose_link(
        Plug("OSFP", "finned"),
        Plug("OSFP", "flat"),
        400.0,
        length_m,
        parts_of(snapshot, "cable_optic"),
    )
    assert link is not None
    assert link.cable.mpn.startswith(start)
    assert link.limit_m is not None
    assert link.limit_m >= length_m


def test_no_link_is_invented_between_ports_that_nothing_joins(snapshot: CatalogSnapshot) -> None:
    cables = parts_of(snapshot, "cable_optic")
    assert choose_link(Plug("RJ45"), Plug("OSFP", "flat"), 400.0, 3.0, cables) is None


def test_both_optics_of_a_link_use_the_same_light(snapshot: CatalogSnapshot) -> None:
    cables = parts_of(snapshot, "cable_optic")
    link = choose_link(Plug("QSFP-DD"), Plug("OSFP", "flat"), 400.0, 20.0, cables)
    assert link is not None
    assert len({part.attributes for _, part in link.parts}) == 1

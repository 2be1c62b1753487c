from __future__ import annotations

from dataclasses import replace

import pytest

from kentino_configurator.bom.items import Item
from kentino_configurator.bom.power import ac_w, dc_w, order_power
from kentino_configurator.core.bom import BomGroup
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import Price, PriceStatus
from kentino_configurator.core.units import Unit

_NO_PRICE = Price(amount=None, status=PriceStatus.MISSING, observed_on="", source="")


def _piece(category: str, quantity: int, power_w: float) -> Item:
    return Item(
        group=BomGroup.NODE,
        category=category,
        sku=category,
        mpn="",
        maker="",
        description=category,
        quantity=quantity,
        price=_NO_PRICE,
        source="test",
        power_w=power_w,
    )


def _server(gpu_w: float) -> tuple[Item, ...]:
    """Eight cards, two processors of 400 W, 24 modules, 8 drives, 5 adapters."""
    return (
        _piece("gpu", 8, gpu_w),
        _piece("cpu", 2, 400),
        _piece("ram", 24, 9),
        _piece("storage_drive", 8, 16),
        _piece("nic", 5, 25),
    )


def _workstation(gpu_w: float) -> tuple[Item, ...]:
    """Four cards, one processor of 350 W, 8 modules, 2 drives, 1 adapter."""
    return (
        _piece("gpu", 4, gpu_w),
        _piece("cpu", 1, 350),
        _piece("ram", 8, 9),
        _piece("storage_drive", 2, 16),
        _piece("nic", 1, 25),
    )


@pytest.mark.parametrize(
    ("items", "form", "published_dc_w", "published_ac_w", "published_btu_h"),
    [
        (_server(600), "rack", 6841, 7278, 24831),
        (_server(575), "rack", 6621, 7044, 24032),
        (_server(350), "rack", 4641, 4937, 16845),
        (_server(300), "rack", 4201, 4469, 15248),
        (_workstation(600), "tower", 3277, 3486, 11894),
        (_workstation(575), "tower", 3167, 3369, 11495),
        (_workstation(300), "tower", 1957, 2082, 7103),
    ],
)
def test_node_power_is_within_five_percent_of_the_published_table(
    snapshot: CatalogSnapshot,
    items: tuple[Item, ...],
    form: str,
    published_dc_w: float,
    published_ac_w: float,
    published_btu_h: float,
) -> None:
    dc = dc_w(items, form, snapshot.policy)
    power = order_power(dc, 1, 0.0, (), snapshot.policy)
    assert dc.expected == pytest.approx(published_dc_w, rel=0.05)
    assert power.ac_w.expected == pytest.approx(published_ac_w, rel=0.05)
    assert power.btu_h.expected == pytest.approx(published_btu_h, rel=0.05)


def test_a_cap_lowers_the_power_of_the_cards_only(snapshot: CatalogSnapshot) -> None:
    items = _server(600)
    capped = (replace(items[0], power_w=500.0), *items[1:])
    assert dc_w(capped, "rack", snapshot.policy).expected == pytest.approx(5961, abs=1)


def test_the_interval_holds_the_lower_and_the_higher_share_of_fans(snapshot: CatalogSnapshot) -> None:
    dc = dc_w(_server(600), "rack", snapshot.policy)
    assert dc.low < dc.expected < dc.high
    assert dc.high / dc.low == pytest.approx(1.20 / 1.08)


def test_gear_beside_the_nodes_adds_to_the_wall_power_once(snapshot: CatalogSnapshot) -> None:
    dc = dc_w(_server(600), "rack", snapshot.policy)
    power = order_power(dc, 2, 500.0, (), snapshot.policy)
    assert power.ac_w.expected == pytest.approx(2 * ac_w(dc, snapshot.policy).expected + 500)
    assert power.dc_w.expected == pytest.approx(2 * dc.expected)


def test_one_kilowatt_needs_249_cubic_metres_an_hour_at_twelve_kelvin(snapshot: CatalogSnapshot) -> None:
    one_kw = dc_w((_piece("gpu", 1, (1000 * 0.94 / 1.1) - 150),), "rack", snapshot.policy)
    power = order_power(one_kw, 1, 0.0, (), snapshot.policy)
    assert power.ac_w.expected == pytest.approx(1000)
    assert power.airflow_m3_h.expected == pytest.approx(249, abs=1)
    assert power.airflow_m3_h.unit is Unit.M3_PER_H

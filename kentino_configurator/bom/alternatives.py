"""Other parts of the catalogue that do the job of a line in the same place."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from kentino_configurator.bom.items import Item
from kentino_configurator.bom.links import plug
from kentino_configurator.bom.select import parts_of
from kentino_configurator.core.bom import LineAlternative
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec

MOST_ALTERNATIVES = 3
Same = Callable[[PartSpec, PartSpec], bool]
"""Whether the second part does the job of the first."""


def alternatives(item: Item, snapshot: CatalogSnapshot) -> tuple[LineAlternative, ...]:
    """The cheapest ones, those without a price last; nothing for cards, chassis and kinds that cannot be exchanged.

    A part whose facts are of low confidence is no alternative.
    """
    part, same = snapshot.parts.get(item.sku), _SAME_JOB.get(item.category)
    if part is None or same is None:
        return ()
    others = [
        other
        for other in parts_of(snapshot, part.category)
        if other.sku != part.sku and not other.confidence.startswith("low") and same(part, other)
    ]
    return tuple(_alternative(other) for other in sorted(others, key=_rank)[:MOST_ALTERNATIVES])


def _rank(part: PartSpec) -> tuple[bool, Decimal, str]:
    amount = part.price.amount
    return amount is None, Decimal(0) if amount is None else amount.amount, part.sku


def _alternative(part: PartSpec) -> LineAlternative:
    return LineAlternative(
        sku=part.sku,
        mpn=part.mpn,
        description=part.name,
        unit_net=part.price.amount,
        price_status=part.price.status,
    )


def _at_least(first: float | None, second: float | None) -> bool:
    """Whether the second is known and no less than the first; an unknown first cannot be compared."""
    return first is not None and second is not None and second >= first


def _cpu(part: PartSpec, other: PartSpec) -> bool:
    """Same socket and kind, as many cores, no more power: fits every board the first one fits."""
    return (
        other.socket_or_form == part.socket_or_form
        and other.name.endswith("P") == part.name.endswith("P")
        and _at_least(part.cores, other.cores)
        and _at_least(other.power_w, part.power_w)
    )


def _by_capacity(part: PartSpec, other: PartSpec) -> bool:
    return other.socket_or_form == part.socket_or_form and _at_least(part.capacity_gb, other.capacity_gb)


def _nic(part: PartSpec, other: PartSpec) -> bool:
    """Same rate, ports and cage, every protocol of the first, no newer PCIe."""
    return (
        (other.port_gbps, other.ports) == (part.port_gbps, part.ports)
        and plug(other.connector) == plug(part.connector)
        and set(part.protocol.split("/")) <= set(other.protocol.split("/"))
        and _at_least(other.pcie_gen, part.pcie_gen)
    )


def _switch(part: PartSpec, other: PartSpec) -> bool:
    """Same rate and cage, as many ports; an unmanaged switch does not replace a managed one."""
    return (
        (other.port_gbps, other.protocol) == (part.port_gbps, part.protocol)
        and plug(other.connector) == plug(part.connector)
        and _at_least(part.ports, other.ports)
        and ("managed=yes" in other.attributes or "managed=yes" not in part.attributes)
        and ("role=management" in other.attributes) == ("role=management" in part.attributes)
    )


def _cable(part: PartSpec, other: PartSpec) -> bool:
    """Same ends, rate and kind, at least the reach."""
    return (other.connector, other.port_gbps, other.attributes) == (
        part.connector,
        part.port_gbps,
        part.attributes,
    ) and _at_least(part.max_length_m, other.max_length_m)


def _by_power(part: PartSpec, other: PartSpec) -> bool:
    return other.power_w is not None and other.power_w == part.power_w


def _psu(part: PartSpec, other: PartSpec) -> bool:
    return _at_least(part.power_w, other.power_w)


_SAME_JOB: dict[str, Same] = {
    "cpu": _cpu,
    "ram": _by_capacity,
    "storage_drive": _by_capacity,
    "nic": _nic,
    "switch": _switch,
    "cable_optic": _cable,
    "pdu": _by_power,
    "psu": _psu,
}

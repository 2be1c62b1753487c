"""What stands in every node and between the nodes: as bought, or as the reference build plans it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kentino_configurator.core.bom import BillOfMaterials, BomGroup, BomLine
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.topology.paths import FABRIC_GBPS

Counted = tuple[int, PartSpec]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """Parts per node, and the network.

    ``rails`` are adapters that reach the other nodes; a rail's part may be unknown. ``switch`` is ``None``
    where none is named; ``direct`` says that there is none. ``routers`` stand before copies.
    """

    cpu: PartSpec | None
    cpus: int
    dimms: Counted | None
    front_nics: tuple[PartSpec, ...]
    rails: tuple[PartSpec | None, ...]
    drives: tuple[Counted, ...]
    switch: PartSpec | None = None
    switches: int = 0
    direct: bool = False
    routers: int = 0


def equipment(
    configuration: Configuration, snapshot: CatalogSnapshot, bom: BillOfMaterials | None
) -> Equipment:
    """The equipment of a configuration: as bought where there is a bill of materials, else as planned."""
    return _as_planned(configuration, snapshot) if bom is None else _as_bought(configuration, snapshot, bom)


def _as_planned(configuration: Configuration, snapshot: CatalogSnapshot) -> Equipment:
    build = configuration.node.build
    cards = [part for count, sku in build.nics for part in [snapshot.parts.get(sku)] * count if part]
    rails = _planned_rails(configuration, cards)
    return Equipment(
        cpu=snapshot.parts.get(build.cpus[1]),
        cpus=build.cpus[0],
        dimms=_counted(build.dimms, snapshot),
        front_nics=tuple(part for part in cards if part not in rails),
        rails=rails,
        drives=(),
        direct=configuration.fabric is not None and configuration.nodes == 2,
        routers=_routers(configuration, 1),
    )


def _planned_rails(configuration: Configuration, cards: list[PartSpec]) -> tuple[PartSpec | None, ...]:
    if configuration.nodes == 1:
        return ()
    if configuration.fabric is None:
        return (min(cards, key=lambda part: part.port_gbps or 0.0, default=None),)
    needed = FABRIC_GBPS[configuration.fabric]
    return tuple(part for part in cards if (part.port_gbps or 0) >= needed) or (None,)


def _as_bought(configuration: Configuration, snapshot: CatalogSnapshot, bom: BillOfMaterials) -> Equipment:
    inside = [line for line in bom.lines if line.group is BomGroup.NODE]
    between = [line for line in bom.lines if line.group is BomGroup.FABRIC]
    switches = [found for found in _parts(between, "switch", snapshot) if not _is_management(found[1])]
    per_node = configuration.nodes
    cpu = next(_parts(inside, "cpu", snapshot), None)
    dimms = next(_parts(inside, "ram", snapshot), None)
    return Equipment(
        cpu=cpu[1] if cpu else None,
        cpus=cpu[0] // per_node if cpu else configuration.node.build.cpus[0],
        dimms=(dimms[0] // per_node, dimms[1]) if dimms else None,
        front_nics=tuple(part for n, part in _parts(inside, "nic", snapshot) for _ in range(n // per_node)),
        rails=_bought_rails(configuration, tuple(_parts(between, "nic", snapshot))),
        drives=tuple((n // per_node, part) for n, part in _drives(inside, snapshot)),
        switch=switches[0][1] if switches else None,
        switches=switches[0][0] if switches else 0,
        direct=configuration.fabric is not None and configuration.nodes == 2 and not switches,
        routers=_routers(configuration, sum(n for n, _ in _parts(between, "router_host", snapshot)) or 1),
    )


def _bought_rails(configuration: Configuration, nics: tuple[Counted, ...]) -> tuple[PartSpec | None, ...]:
    """One rail for each adapter of a node; before copies the routers have one each as well."""
    if configuration.nodes == 1:
        return ()
    if configuration.fabric is None or not nics:
        return (nics[0][1],) if nics else (None,)
    return tuple(part for count, part in nics for _ in range(max(1, count // configuration.nodes)))


def _routers(configuration: Configuration, count: int) -> int:
    return count if configuration.fabric is None and configuration.nodes > 1 else 0


def _parts(lines: Iterable[BomLine], category: str, snapshot: CatalogSnapshot) -> Iterator[Counted]:
    for line in lines:
        if line.category == category and line.sku in snapshot.parts:
            yield line.quantity, snapshot.parts[line.sku]


def _drives(lines: list[BomLine], snapshot: CatalogSnapshot) -> Iterator[Counted]:
    for category in ("boot_device", "storage_drive"):
        yield from _parts(lines, category, snapshot)


def _counted(pair: tuple[int, str], snapshot: CatalogSnapshot) -> Counted | None:
    part = snapshot.parts.get(pair[1])
    return (pair[0], part) if part else None


def _is_management(switch: PartSpec) -> bool:
    return "role=management" in switch.attributes

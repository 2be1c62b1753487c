"""What joins the nodes: cables by rail, the network switch, and the router before copies."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.message import message
from kentino_configurator.core.topology import Box, BoxKind, Link, Words
from kentino_configurator.topology.equipment import Equipment
from kentino_configurator.topology.paths import FABRIC_GBPS, port_bytes_per_s

SWITCH_ID = "switch"
ROUTER_ID = "router"


def network_boxes(configuration: Configuration, kit: Equipment) -> Iterator[Box]:
    """The network switch (several equal ones as one box) and the router."""
    if configuration.nodes > 1 and not kit.direct:
        yield Box(
            id=SWITCH_ID,
            kind=BoxKind.NETWORK_SWITCH,
            label=_switch_label(configuration, kit),
            sub_label=_switch_detail(configuration, kit),
            count=max(1, kit.switches),
        )
    if kit.routers:
        yield Box(
            id=ROUTER_ID,
            kind=BoxKind.ROUTER,
            label=message("topo.router"),
            sub_label=message("topo.router_pair", count=kit.routers) if kit.routers > 1 else "",
            count=kit.routers,
        )


def _switch_label(configuration: Configuration, kit: Equipment) -> Words:
    fabric = configuration.fabric
    kind = "infiniband" if fabric in (Fabric.INFINIBAND_200G, Fabric.INFINIBAND_400G) else "ethernet"
    gbps = (kit.switch.port_gbps if kit.switch else None) or _port_gbps(configuration, kit)
    if gbps is None:
        return message(f"topo.switch_{kind}")
    if kit.switch and kit.switch.ports:
        return message(f"topo.switch_{kind}_ports", ports=kit.switch.ports, gbps=round(gbps))
    return message(f"topo.switch_{kind}_speed", gbps=round(gbps))


def _switch_detail(configuration: Configuration, kit: Equipment) -> Words:
    used = configuration.nodes * len(kit.rails) + kit.routers
    if kit.switch is None or not kit.switch.ports:
        return message("topo.ports_used", used=used)
    count = max(1, kit.switches)
    name = kit.switch.name if count == 1 else message("topo.several", count=count, name=kit.switch.name)
    return message("topo.ports_used_of", name=name, used=used, ports=kit.switch.ports * count)


def _port_gbps(configuration: Configuration, kit: Equipment) -> float | None:
    if configuration.fabric is not None:
        return FABRIC_GBPS[configuration.fabric]
    return next((part.port_gbps for part in kit.rails if part and part.port_gbps), None)


def network_links(configuration: Configuration, kit: Equipment, detailed: int) -> Iterator[Link]:
    """Cables of every node; nodes from ``detailed`` on are closed boxes and have one bundle each."""
    if configuration.nodes < 2:
        return
    if kit.direct:
        yield from _direct_links(configuration, kit, detailed)
        return
    for node in range(configuration.nodes):
        for rail, near in enumerate(_ends(node, kit, detailed)):
            yield _cable(configuration, kit, near, SWITCH_ID, rail)
    if kit.routers:
        yield _cable(configuration, kit, SWITCH_ID, ROUTER_ID, None)


def _direct_links(configuration: Configuration, kit: Equipment, detailed: int) -> Iterator[Link]:
    far = _ends(1, kit, detailed)
    for rail, near in enumerate(_ends(0, kit, detailed)):
        yield _cable(configuration, kit, near, far[min(rail, len(far) - 1)], rail)


def _ends(node: int, kit: Equipment, detailed: int) -> tuple[str, ...]:
    if node >= detailed:
        return (f"n{node}",)
    return tuple(f"n{node}.nic{rail}" for rail in range(len(kit.rails)))


def _cable(configuration: Configuration, kit: Equipment, a: str, b: str, rail: int | None) -> Link:
    gbps = _port_gbps(configuration, kit)
    is_rail = rail is not None and configuration.fabric is not None
    return Link(
        a=a,
        b=b,
        kind="network",
        label=message("topo.rail", number=rail) if is_rail and rail is not None else "",
        bandwidth_bytes_per_s=port_bytes_per_s(gbps) if gbps else None,
        evidence=Evidence.DERIVED,
    )

"""The path of every GPU pair: class, rate, latency, and whether the cards may talk without the host.

Latencies of direct paths are left out: the published ones come from two tools and must not be compared.
"""

from __future__ import annotations

from itertools import combinations

from kentino_configurator.core.evidence import Estimate, Evidence, exact
from kentino_configurator.core.hardware import SlotMap
from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.path_facts import STAGED
from kentino_configurator.core.path_rates import RateBook, spanning
from kentino_configurator.core.pcie_tree import PcieTree
from kentino_configurator.core.topology import GpuGroup, GpuPath, PathClass, TopologyGraph
from kentino_configurator.core.units import GB, Unit

FABRIC_GBPS = {
    Fabric.ETHERNET_25G: 25,
    Fabric.ETHERNET_100G: 100,
    Fabric.ROCE_200G: 200,
    Fabric.ROCE_400G: 400,
    Fabric.INFINIBAND_200G: 200,
    Fabric.INFINIBAND_400G: 400,
}
"""Speed of one port, Gbit/s."""


def port_bytes_per_s(gbps: float) -> float:
    """Line rate of a network port in one direction."""
    return gbps * GB / 8


def node_paths(
    book: RateBook, gpu_ids: tuple[str, ...], slots: tuple[str, ...] | None
) -> tuple[GpuPath, ...]:
    """Paths of all pairs of one node's GPUs; ``slots`` is ``None`` where the wiring is not known."""
    return tuple(_node_path(book, gpu_ids, slots, pair) for pair in combinations(range(len(gpu_ids)), 2))


def _node_path(
    book: RateBook, gpu_ids: tuple[str, ...], slots: tuple[str, ...] | None, pair: tuple[int, int]
) -> GpuPath:
    first, second = pair
    ends = (slots[first], slots[second]) if slots else None
    possible = expected_classes(book.platform.slot_map, len(gpu_ids), pair)
    path_class = _path_class(book.tree, ends, possible)
    return GpuPath(
        a=gpu_ids[first],
        b=gpu_ids[second],
        path_class=path_class,
        bandwidth_bytes_per_s=_rate(book, path_class, possible, ends),
        latency_s=_staged_latency(book),
        p2p=book.gpu.p2p,
        possible=possible if len(possible) > 1 else (),
    )


def expected_classes(slot_map: SlotMap | None, count: int, pair: tuple[int, int]) -> tuple[PathClass, ...]:
    """What the published matrix for this GPU count allows for a pair, empty when it says nothing."""
    matrix = slot_map.expected_topo.get(count) if slot_map else None
    cell = matrix[pair[0]][pair[1]] if matrix else None
    return tuple(PathClass(name) for name in cell.split("|")) if cell else ()


def _path_class(
    tree: PcieTree | None, ends: tuple[str, str] | None, possible: tuple[PathClass, ...]
) -> PathClass:
    if tree and ends:
        return tree.path_class(*ends)
    return possible[0] if len(possible) == 1 else PathClass.UNKNOWN


def _rate(
    book: RateBook, path_class: PathClass, possible: tuple[PathClass, ...], ends: tuple[str, str] | None
) -> Estimate | None:
    """Staging through host memory was never measured as a rate, so such pairs have none."""
    if book.gpu.p2p is not True:
        return None
    if path_class is not PathClass.UNKNOWN:
        return book.rate(path_class, ends)
    rates = [book.rate(candidate, None) for candidate in possible]
    return spanning(rate for rate in rates if rate) if all(rates) else None


def _staged_latency(book: RateBook) -> Estimate | None:
    fact = book.facts.get(STAGED)
    if book.gpu.p2p is not False or fact is None or fact.latency_s is None:
        return None
    low, high = fact.latency_s
    return Estimate(
        low=low, expected=(low + high) / 2, high=high, unit=Unit.SECONDS, evidence=Evidence.DERIVED
    )


def network_path(a: str, b: str, fabric: Fabric) -> GpuPath:
    """Path between GPUs of two nodes over one rail: the line rate of one port, which no transfer exceeds."""
    rate = port_bytes_per_s(FABRIC_GBPS[fabric])
    return GpuPath(
        a=a,
        b=b,
        path_class=PathClass.NET,
        bandwidth_bytes_per_s=exact(rate, Unit.BYTES_PER_S, Evidence.DERIVED),
        latency_s=None,
        p2p=None,
    )


def path_between(graph: TopologyGraph, a: str, b: str) -> GpuPath | None:
    """The path of a pair in either order, ``None`` for a GPU and itself or GPUs that no fabric joins.

    GPUs of different nodes take the network; of further nodes, the path of the first node's pair.
    """
    if a == b:
        return None
    nodes = {box.id: box.node for box in graph.boxes}
    if nodes[a] != nodes[b]:
        return next((path for path in graph.paths if path.path_class is PathClass.NET), None)
    wanted = {_in_first_node(a, nodes[a]), _in_first_node(b, nodes[b])}
    return next((path for path in graph.paths if {path.a, path.b} == wanted), None)


def _in_first_node(box_id: str, node: int) -> str:
    return box_id.replace(f"n{node}.", "n0.", 1)


def slowest_path(graph: TopologyGraph, group: GpuGroup) -> GpuPath | None:
    """The slowest path inside a group: it sets the pace of every collective.

    A path of unknown rate counts as slowest. ``None`` for a group of one GPU.
    """
    pairs = (path_between(graph, a, b) for a, b in combinations(group.gpus, 2))
    return min((path for path in pairs if path is not None), key=_pace, default=None)


def _pace(path: GpuPath) -> float:
    return path.bandwidth_bytes_per_s.expected if path.bandwidth_bytes_per_s else 0.0


def route(graph: TopologyGraph, a: str, b: str) -> tuple[str, ...]:
    """Ids of devices and wires between two GPUs, both included; only these where wiring is unknown."""
    up_a, up_b = _way_up(graph, a), _way_up(graph, b)
    shared = next((box_id for box_id in up_a[::2] if box_id in up_b), None)
    if shared is not None:
        return (*up_a[: up_a.index(shared) + 1], *reversed(up_b[: up_b.index(shared)]))
    joint = [
        link.id for link in graph.links if link.kind == "socket" and {link.a, link.b} == {up_a[-1], up_b[-1]}
    ]
    return (*up_a, *joint, *reversed(up_b)) if joint else (a, b)


def _way_up(graph: TopologyGraph, box_id: str) -> list[str]:
    """Box, wire, box, wire ... up to the processor."""
    above = {link.b: link for link in graph.links if link.kind == "pcie"}
    way = [box_id]
    while way[-1] in above:
        link = above[way[-1]]
        way += [link.id, link.a]
    return way

"""All GPU pairs of a node as ``nvidia-smi topo -m`` prints them, with expected rates; checked on delivery."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.topology import BoxKind, GpuPath, PathClass, TopologyGraph, Words
from kentino_configurator.topology.paths import path_between

_INSIDE_SOCKET = frozenset({PathClass.PIX, PathClass.PXB, PathClass.PHB, PathClass.NODE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One pair. ``label`` is the class, or the classes that would all be right, joined by ``|``."""

    a: str
    b: str
    path_class: PathClass
    label: str
    bandwidth_bytes_per_s: Estimate | None
    p2p: bool | None
    possible: tuple[PathClass, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PathMatrix:
    """Rows and columns in GPU order; the diagonal has class ``SELF``."""

    gpus: tuple[str, ...]
    labels: tuple[Words, ...]
    rows: tuple[tuple[Cell, ...], ...]


def matrix(graph: TopologyGraph) -> PathMatrix:
    """The matrix of the first node."""
    gpus = [box for box in graph.boxes if box.kind is BoxKind.GPU and box.node == 0]
    return PathMatrix(
        gpus=tuple(box.id for box in gpus),
        labels=tuple(box.label for box in gpus),
        rows=tuple(tuple(_cell(graph, a.id, b.id) for b in gpus) for a in gpus),
    )


def _cell(graph: TopologyGraph, a: str, b: str) -> Cell:
    path = path_between(graph, a, b)
    return Cell(
        a=a,
        b=b,
        path_class=path.path_class if path else PathClass.SELF,
        label=class_label(path) if path else PathClass.SELF.value,
        bandwidth_bytes_per_s=path.bandwidth_bytes_per_s if path else None,
        p2p=path.p2p if path else None,
        possible=path.possible if path else (),
    )


def nearness(path_class: PathClass, possible: tuple[PathClass, ...]) -> PathClass:
    """The class as far as it is known: an open one that never leaves its socket counts as ``NODE``."""
    inside = possible and _INSIDE_SOCKET.issuperset(possible)
    return PathClass.NODE if path_class is PathClass.UNKNOWN and inside else path_class


def class_label(path: GpuPath) -> str:
    """``"NODE"``, or ``"NODE|PHB"`` where either is right."""
    return "|".join(path.possible) or path.path_class.value

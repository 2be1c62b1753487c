"""The graph of one node as a tree to lay out: sockets, what hangs below them, and what has no published place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.core.topology import Box, BoxKind, Link, TopologyGraph

GPU_LIKE = (BoxKind.GPU, BoxKind.FREE_SLOT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A device or switch with the wire from above and what hangs below it."""

    box: Box
    wire: Link
    children: tuple[Branch, ...] = ()

    def leaves(self) -> Iterator[Branch]:
        """All GPUs and free slots below, from left to right."""
        if self.box.kind in GPU_LIKE:
            yield self
        for child in self.children:
            yield from child.leaves()

    def nics(self) -> tuple[Branch, ...]:
        """Network cards directly below."""
        return tuple(child for child in self.children if child.box.kind is BoxKind.NIC)

    def below(self) -> tuple[Branch, ...]:
        """Switches and GPUs directly below."""
        return tuple(child for child in self.children if child.box.kind is not BoxKind.NIC)

    def depth(self) -> int:
        """Levels of switches."""
        if self.box.kind is not BoxKind.VIRTUAL_SWITCH:
            return 0
        return 1 + max((child.depth() for child in self.children), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketTree:
    """A socket, its processor, and the branches from left to right. ``nics`` hang on the processor itself."""

    box: Box
    cpu: Box | None
    branches: tuple[Branch, ...]
    nics: tuple[Branch, ...]

    def depth(self) -> int:
        """Levels of switches."""
        return max((branch.depth() for branch in self.branches), default=0)

    def gpu_count(self) -> int:
        """GPUs and free slots below it."""
        return sum(1 for branch in self.branches for _ in branch.leaves())


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTree:
    """One node. ``loose_*`` have no published place; ``cabled`` are ids with a network cable."""

    box: Box
    sockets: tuple[SocketTree, ...]
    loose_gpus: tuple[Box, ...]
    loose_devices: tuple[Box, ...]
    socket_links: tuple[Link, ...]
    chips: tuple[Box, ...]
    cabled: frozenset[str]


class _Index:
    """Boxes and wires of one node by what they belong to."""

    def __init__(self, graph: TopologyGraph, node: int) -> None:
        self.boxes = [box for box in graph.boxes if box.node == node]
        self.by_id = {box.id: box for box in self.boxes}
        self.wires: dict[str, list[Link]] = {}
        for link in graph.links:
            if link.kind == "pcie" and link.b in self.by_id:
                self.wires.setdefault(link.a, []).append(link)

    def branches(self, above: str) -> Iterator[Branch]:
        """What hangs below a box; root ports are passed through."""
        for wire in self.wires.get(above, ()):
            box = self.by_id[wire.b]
            if box.kind is BoxKind.ROOT_PORT:
                yield from self.branches(box.id)
            else:
                yield Branch(box=box, wire=wire, children=tuple(self.branches(box.id)))

    def children_of(self, parent: str, kind: BoxKind) -> tuple[Box, ...]:
        """Boxes of a kind that sit directly in a container."""
        return tuple(box for box in self.boxes if box.parent == parent and box.kind is kind)


def node_tree(graph: TopologyGraph, node: int) -> NodeTree:
    """The tree of a node that is drawn in full."""
    index = _Index(graph, node)
    top = index.by_id[f"n{node}"]
    loose = (*index.children_of(top.id, BoxKind.NIC), *index.children_of(top.id, BoxKind.STORAGE))
    return NodeTree(
        box=top,
        sockets=tuple(_socket(index, box) for box in index.children_of(top.id, BoxKind.SOCKET)),
        loose_gpus=index.children_of(top.id, BoxKind.GPU),
        loose_devices=loose,
        socket_links=tuple(link for link in graph.links if link.kind == "socket" and link.a in index.by_id),
        chips=tuple(box for box in index.boxes if box.kind is BoxKind.SWITCH_CHIP),
        cabled=frozenset(end for link in graph.links if link.kind == "network" for end in (link.a, link.b)),
    )


def _socket(index: _Index, box: Box) -> SocketTree:
    cpu = next(iter(index.children_of(box.id, BoxKind.CPU)), None)
    below = tuple(index.branches(f"{box.id}.cpu"))
    return SocketTree(
        box=box,
        cpu=cpu,
        branches=tuple(branch for branch in below if branch.box.kind is not BoxKind.NIC),
        nics=tuple(branch for branch in below if branch.box.kind is BoxKind.NIC),
    )

"""The drawing in words: the same devices as an indented list, for keyboards, screen readers and documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import Box, BoxKind, GpuPath, Link, TopologyGraph, Words
from kentino_configurator.topology.devices import Say, written
from kentino_configurator.topology.dimension_lines import path_words, rate_words
from kentino_configurator.topology.groups import drawn_groups
from kentino_configurator.topology.matrix import class_label
from kentino_configurator.topology.network_drawing import summarised

Line = tuple[int, str, str]
"""Indent, words, box id."""


def twin(graph: TopologyGraph, say: Say) -> tuple[Line, ...]:
    """All lines, nodes first, then the network, what runs, and the paths."""
    return tuple(_Twin(graph, say).lines())


class _Twin:
    def __init__(self, graph: TopologyGraph, say: Say) -> None:
        self._graph = graph
        self._say = say
        self._by_id = {box.id: box for box in graph.boxes}
        self._below: dict[str, list[Link]] = {}
        for link in graph.links:
            if link.kind == "pcie":
                self._below.setdefault(link.a, []).append(link)
        self._cables = {link.a: link for link in graph.links if link.kind == "network"}

    def lines(self) -> Iterator[Line]:
        nodes = [box for box in self._graph.boxes if box.kind is BoxKind.NODE]
        full = {box.node for box in self._graph.boxes if box.kind is BoxKind.GPU}
        for node in (box for box in nodes if box.node in full):
            yield from self._node(node)
        yield from self._closed([box for box in nodes if box.node not in full])
        yield from self._network()
        yield from self._groups()
        yield from self._paths()

    def _words(self, *parts: Words) -> str:
        return ", ".join(text for text in (written(part, self._say) for part in parts) if text)

    def _node(self, node: Box) -> Iterator[Line]:
        yield 0, self._words(node.label, node.sub_label, node.detail), node.id
        inside = [box for box in self._graph.boxes if box.node == node.node]
        for socket in (box for box in inside if box.kind is BoxKind.SOCKET):
            yield from self._socket(socket)
        loose = [box for box in inside if box.parent == node.id and box.kind is not BoxKind.SOCKET]
        if loose:
            note = self._graph.note or message("topo.loose")
            yield 1, written(note, self._say), ""
            for box in loose:
                yield 2, self._device(box), box.id
        for link in self._graph.links:
            if link.kind == "socket" and self._by_id[link.a].node == node.node:
                yield 1, self._words(message("topo.socket_link"), link.label), link.id

    def _socket(self, socket: Box) -> Iterator[Line]:
        yield 1, self._words(socket.label, socket.sub_label), socket.id
        cpu = self._by_id.get(f"{socket.id}.cpu")
        if cpu:
            yield 2, self._words(cpu.label, cpu.sub_label), cpu.id
            yield from self._hanging(cpu.id, 3)

    def _hanging(self, above: str, indent: int) -> Iterator[Line]:
        for link in self._below.get(above, ()):
            box = self._by_id[link.b]
            label = link.label if box.kind is not BoxKind.ROOT_PORT else box.sub_label
            yield indent, self._device(box, label if box.kind is not BoxKind.VIRTUAL_SWITCH else ""), box.id
            yield from self._hanging(box.id, indent + 1)

    def _device(self, box: Box, wire: Words = "") -> str:
        sub = box.sub_label if box.kind is not BoxKind.ROOT_PORT else ""
        cable = self._cables.get(box.id)
        return self._words(box.label, sub, wire, cable.label if cable else "")

    def _closed(self, nodes: Sequence[Box]) -> Iterator[Line]:
        single, rest = summarised(nodes)
        for node in single:
            yield 0, self._words(node.label, node.sub_label, node.detail), node.id
        if rest:
            name = message("topo.nodes_range", first=rest[0].index + 1, last=rest[-1].index + 1)
            yield 0, self._words(name, rest[0].sub_label), rest[0].id

    def _network(self) -> Iterator[Line]:
        for box in self._graph.boxes:
            if box.kind in (BoxKind.NETWORK_SWITCH, BoxKind.ROUTER):
                yield 0, self._words(box.label, box.sub_label), box.id
        direct = [link for link in self._graph.links if link.kind == "network" and link.b.startswith("n1")]
        if direct:
            text = "topo.direct_cable" if len(direct) == 1 else "topo.direct_cables"
            yield 0, self._say(message(text)), direct[0].id

    def _groups(self) -> Iterator[Line]:
        if self._graph.groups:
            yield 0, self._say(message("topo.what_runs")), ""
        for group in drawn_groups(self._graph.groups):
            boxes = [self._by_id[gpu] for gpu in group.gpus]
            where = self._words(self._by_id[f"n{boxes[0].node}"].label) if self._graph.nodes > 1 else ""
            numbers = message("topo.gpus", numbers=", ".join(str(box.index) for box in boxes))
            yield 1, self._words(group.label, where, numbers), ""

    def _paths(self) -> Iterator[Line]:
        kinds = {
            (class_label(path), path.bandwidth_bytes_per_s): path for path in reversed(self._graph.paths)
        }
        if kinds:
            yield 0, self._say(message("topo.paths")), ""
        for path in reversed(kinds.values()):
            yield 1, path_sentence(path, self._say), ""


def path_sentence(path: GpuPath, say: Say) -> str:
    """``Same switch (PIX): 54-56 GB/s one way, measured``, or why there is no figure."""
    name = path_words(path, say)
    name = name[:1].upper() + name[1:]
    label = class_label(path)
    if path.p2p is False:
        return say(message("topo.path_staged", path=name, label=label))
    rate = path.bandwidth_bytes_per_s
    if rate is None:
        return say(message("topo.path_unknown", path=name, label=label))
    evidence = say(message(f"ev.{rate.evidence.value}.label"))
    return say(
        message("topo.path_rate", path=name, label=label, rate=rate_words(rate, say), evidence=evidence)
    )

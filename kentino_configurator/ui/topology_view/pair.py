"""The chosen pair in words: which way it takes and how fast that is."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import BoxKind, GpuPath, TopologyGraph
from kentino_configurator.topology.devices import Say, written
from kentino_configurator.topology.dimension_lines import path_words, rate_words
from kentino_configurator.topology.matrix import class_label
from kentino_configurator.topology.paths import path_between, route


@dataclass(frozen=True, slots=True, kw_only=True)
class PairWords:
    """Title, class in words, rate, evidence and the way from device to device."""

    title: str
    path: str
    rate: str
    evidence: str
    way: str

    @property
    def sentence(self) -> str:
        """Everything in one line, for screen readers."""
        figure = f"{self.rate}, {self.evidence}" if self.evidence else self.rate
        return ". ".join(filter(None, (f"{self.title}: {self.path}", figure, self.way)))


def pair_words(graph: TopologyGraph, a: str, b: str, say: Say) -> PairWords | None:
    """The words of a pair, ``None`` when the graph knows no path between the two."""
    path = path_between(graph, a, b)
    if path is None:
        return None
    rate = path.bandwidth_bytes_per_s
    labels = {box.id: written(box.label, say) for box in graph.boxes}
    return PairWords(
        title=say(message("topo.pair", first=labels[a], second=labels[b])),
        path=say(message("topo.pair_path", path=path_words(path, say), label=class_label(path))),
        rate=say(message("topo.pair_rate", rate=rate_words(rate, say))) if rate else _why_no_rate(path, say),
        evidence=say(message(f"ev.{rate.evidence.value}.label")) if rate else "",
        way=_way(graph, a, b, labels, say),
    )


def _why_no_rate(path: GpuPath, say: Say) -> str:
    return say(message("topo.pair_staged" if path.p2p is False else "topo.pair_unknown"))


def _way(graph: TopologyGraph, a: str, b: str, labels: dict[str, str], say: Say) -> str:
    """Devices from one end to the other; empty where the wiring is not known."""
    ids = route(graph, a, b)
    if len(ids) < 3:
        return ""
    passed = {box.id: labels[box.id] for box in graph.boxes if box.kind is not BoxKind.ROOT_PORT}
    links = {link.id: say(message("topo.socket_link")) for link in graph.links if link.kind == "socket"}
    steps = {**passed, **links}
    return " → ".join(steps[step] for step in ids if step in steps)

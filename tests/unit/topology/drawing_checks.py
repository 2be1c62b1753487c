"""What every drawing must keep, found by geometry alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

from kentino_configurator.core.topology import (
    BoxKind,
    DisplayList,
    Label,
    Polygon,
    Polyline,
    TopologyGraph,
)
from kentino_configurator.topology.geometry import Point, Rect
from kentino_configurator.topology.text_width import CAP_HEIGHT, DESCENT, text_width_mm

DEVICES = {
    BoxKind.CPU,
    BoxKind.VIRTUAL_SWITCH,
    BoxKind.GPU,
    BoxKind.FREE_SLOT,
    BoxKind.NIC,
    BoxKind.STORAGE,
    BoxKind.NETWORK_SWITCH,
    BoxKind.ROUTER,
}
Segment = tuple[Point, Point]
EPSILON = 0.02


@dataclass(frozen=True, slots=True)
class Wire:
    """A drawn wire: id and its straight pieces."""

    id: str
    segments: tuple[Segment, ...]


def device_rects(graph: TopologyGraph, drawing: DisplayList) -> dict[str, Rect]:
    """Outlines of devices and of closed nodes; of a stack the front one."""
    full = {box.node for box in graph.boxes if box.kind is BoxKind.GPU}
    ids = {box.id for box in graph.boxes if box.kind in DEVICES}
    ids |= {box.id for box in graph.boxes if box.kind is BoxKind.NODE and box.node not in full}
    return {
        item.box_id: bounds(item.points)
        for item in drawing.items
        if isinstance(item, Polygon) and item.box_id in ids
    }


def bounds(points: tuple[Point, ...]) -> Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def label_rect(label: Label) -> Rect:
    width = text_width_mm(label.text, label.size_mm, label.weight)
    left = label.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * width
    top = label.y - label.size_mm * CAP_HEIGHT
    return Rect(left, top, width, label.size_mm * (CAP_HEIGHT + DESCENT))


def overlap(a: Rect, b: Rect, slack: float = EPSILON) -> bool:
    return (
        a.x + slack < b.right and b.x + slack < a.right and a.y + slack < b.bottom and b.y + slack < a.bottom
    )


def wires(graph: TopologyGraph, drawing: DisplayList) -> list[Wire]:
    ids = {link.id for link in graph.links}
    found: dict[str, list[Segment]] = {}
    for item in drawing.items:
        if isinstance(item, Polyline) and item.box_id in ids:
            found.setdefault(item.box_id, []).extend(pairwise(item.points))
    return [Wire(wire_id, tuple(segments)) for wire_id, segments in found.items()]


def overlapping_devices(graph: TopologyGraph, drawing: DisplayList) -> list[tuple[str, str]]:
    rects = device_rects(graph, drawing)
    return [(a, b) for a, b in combinations(rects, 2) if overlap(rects[a], rects[b])]


def outside_page(drawing: DisplayList) -> list[str]:
    """Elements that stick out by more than a hair."""
    page = Rect(0, 0, drawing.width_mm, drawing.height_mm).grown(0.3, 0.3, 0.3)
    found = []
    for item in drawing.items:
        rect = label_rect(item) if isinstance(item, Label) else bounds(item.points)
        if rect.x < page.x or rect.y < page.y or rect.right > page.right or rect.bottom > page.bottom:
            found.append(item.text if isinstance(item, Label) else item.box_id)
    return found


def texts_outside_their_device(graph: TopologyGraph, drawing: DisplayList) -> list[str]:
    rects = device_rects(graph, drawing)
    return [
        item.text
        for item in drawing.items
        if isinstance(item, Label)
        and item.box_id in rects
        and not _holds(rects[item.box_id], label_rect(item))
    ]


def _holds(outer: Rect, inner: Rect) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.right <= outer.right
        and inner.bottom <= outer.bottom
    )


def colliding_texts(drawing: DisplayList) -> list[tuple[str, str]]:
    labels = [item for item in drawing.items if isinstance(item, Label)]
    rects = [label_rect(label) for label in labels]
    return [
        (labels[a].text, labels[b].text)
        for a, b in combinations(range(len(labels)), 2)
        if overlap(rects[a], rects[b])
    ]


def texts_on_foreign_devices(graph: TopologyGraph, drawing: DisplayList) -> list[tuple[str, str]]:
    rects = device_rects(graph, drawing)
    labels = [item for item in drawing.items if isinstance(item, Label)]
    return [
        (label.text, box_id)
        for label in labels
        for box_id, rect in rects.items()
        if box_id != label.box_id and overlap(label_rect(label), rect)
    ]


def texts_crossed_by_wires(graph: TopologyGraph, drawing: DisplayList) -> list[tuple[str, str]]:
    labels = [item for item in drawing.items if isinstance(item, Label)]
    return [
        (label.text, wire.id)
        for wire in wires(graph, drawing)
        for segment in wire.segments
        for label in labels
        if overlap(label_rect(label), bounds(segment).grown(EPSILON, EPSILON, EPSILON), 0.0)
    ]


def crossing_wires(graph: TopologyGraph, drawing: DisplayList) -> list[tuple[str, str]]:
    """Pairs of wires of which one goes through the other or runs along it."""
    return [
        (a.id, b.id)
        for a, b in combinations(wires(graph, drawing), 2)
        if any(_cross(s, t) for s in a.segments for t in b.segments)
    ]


def _cross(s: Segment, t: Segment) -> bool:
    """A common point that is not the end of both."""
    a, b = bounds(s), bounds(t)
    touch = (
        a.x <= b.right + EPSILON
        and b.x <= a.right + EPSILON
        and a.y <= b.bottom + EPSILON
        and b.y <= a.bottom + EPSILON
    )
    return touch and not any(_same(p, q) for p in s for q in t)


def _same(p: Point, q: Point) -> bool:
    return abs(p[0] - q[0]) < EPSILON and abs(p[1] - q[1]) < EPSILON


def wires_through_devices(graph: TopologyGraph, drawing: DisplayList) -> list[tuple[str, str]]:
    rects = device_rects(graph, drawing)
    return [
        (wire.id, box_id)
        for wire in wires(graph, drawing)
        for segment in wire.segments
        for box_id, rect in rects.items()
        if overlap(bounds(segment).grown(EPSILON / 2, EPSILON / 2, EPSILON / 2), rect, EPSILON * 2)
    ]


def faults(graph: TopologyGraph, drawing: DisplayList) -> dict[str, list[object]]:
    """All that is wrong with a drawing, by kind; empty when nothing is."""
    found: dict[str, list[object]] = {
        "overlapping devices": list(overlapping_devices(graph, drawing)),
        "outside the page": list(outside_page(drawing)),
        "texts outside their device": list(texts_outside_their_device(graph, drawing)),
        "colliding texts": list(colliding_texts(drawing)),
        "texts on foreign devices": list(texts_on_foreign_devices(graph, drawing)),
        "texts crossed by wires": list(texts_crossed_by_wires(graph, drawing)),
        "crossing wires": list(crossing_wires(graph, drawing)),
        "wires through devices": list(wires_through_devices(graph, drawing)),
    }
    return {kind: items for kind, items in found.items() if items}

"""What joins the nodes, below them: cables, network switch, closed boxes of further nodes, router."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import Box, BoxKind, Link, Polygon, Role, TopologyGraph
from kentino_configurator.topology.devices import BEVEL_MM, TAB_MM, Say, draw_router, draw_switch, written
from kentino_configurator.topology.geometry import Fan, Rect, ports_below, rounded, spread
from kentino_configurator.topology.sheet import CABLE_MM, HAIRLINE_MM, NAME_MM, TEXT_MM, Sheet
from kentino_configurator.topology.text_width import text_width_mm, two_lines

_LANE_MM = 1.6
_RAIL_LABEL_MM = 4.6
_SWITCH_MM = 10.5
_CLOSED_MM = 17.0
_MOST_CLOSED = 6
_SHOWN_BEFORE_REST = 3
_BUNDLE_MM = 1.1
_ROUTER_GAP_MM = 7.0
_LABEL_GAP_MM = 0.9

Card = tuple[float, float, Link]
"""x of a cabled card, its lower edge, its cable."""


class NetworkDrawing:
    """Draws the network of a graph below its nodes, whose cards are in ``rects``."""

    def __init__(self, sheet: Sheet, graph: TopologyGraph, rects: Mapping[str, Rect], width: float) -> None:
        self._sheet = sheet
        self._graph = graph
        self._rects = rects
        self._width = width
        self._links = [link for link in graph.links if link.kind == "network"]
        self._label_spans: list[tuple[float, float]] = []

    def draw(self, top: float, say: Say) -> float:
        """Draw from the lower edge of the nodes down; returns the lower edge."""
        switch = next((box for box in self._graph.boxes if box.kind is BoxKind.NETWORK_SWITCH), None)
        if switch is None:
            return self._direct(top, say) if self._links else top
        y = self._switch(switch, top, say)
        closed = [
            box for box in self._graph.boxes if box.kind is BoxKind.NODE and box.id not in self._drawn_nodes()
        ]
        return self._closed_nodes(closed, y, say) if closed else y

    def _drawn_nodes(self) -> set[str]:
        return {box.id.split(".")[0] for box in self._graph.boxes if box.kind is BoxKind.GPU}

    def _cards(self) -> list[Card]:
        """x and lower edge of every cabled card from left to right, with its cable."""
        placed = [(self._rects[link.a], link) for link in self._links if link.a in self._rects]
        cards = [(rect.cx, rect.bottom + TAB_MM, link) for rect, link in placed]
        return sorted(cards, key=lambda card: card[0])

    def _switch(self, switch: Box, top: float, say: Say) -> float:
        cards = self._cards()
        lines = (written(switch.label, say), written(switch.sub_label, say))
        wide = (
            max(text_width_mm(lines[0], NAME_MM, 600), text_width_mm(lines[1], TEXT_MM)) + 2 * BEVEL_MM + 4.0
        )
        router = next((box for box in self._graph.boxes if box.kind is BoxKind.ROUTER), None)
        beside = _router_width(router, say) + _ROUTER_GAP_MM if router else 0.0
        width = min(self._width - 2 * beside, max(wide, 3.2 * len(cards) + 2 * BEVEL_MM, 60.0))
        middle = self._width / 2
        left, right = middle - width / 2 + BEVEL_MM + 1.0, middle + width / 2 - BEVEL_MM - 1.0
        starts = tuple(x for x, _, _ in cards)
        fan = Fan(starts, tuple(self._ports(starts, left, right)))
        y = self._cables_down(cards, fan, top, say)
        body = Rect(middle - width / 2, y, width, _SWITCH_MM)
        draw_switch(self._sheet, switch, body, say, lines[1])
        if router:
            self._draw_router(router, body, say)
        return body.bottom

    def _cables_down(self, cards: Sequence[Card], fan: Fan, top: float, say: Say) -> float:
        """Cables from the cards to what stands below; returns its upper edge."""
        first = top + _RAIL_LABEL_MM
        y = first + fan.lanes * _LANE_MM + 1.0
        for (x, bottom, link), line in zip(cards, fan.lines(first, first, _LANE_MM, y), strict=True):
            self._sheet.wire(((x, bottom), *line[1:]), Role.NIC, CABLE_MM, box_id=link.id)
            self._rail_label(x, [other for other, _, _ in cards if other != x], top, link, say)
        return y

    def _rail_label(self, x: float, others: Sequence[float], top: float, link: Link, say: Say) -> None:
        """Right of its cable, or left of it where the next cable is too near."""
        text = written(link.label, say)
        width = text_width_mm(text, TEXT_MM) + 2 * _LABEL_GAP_MM
        for side, anchor in ((1.0, "start"), (-1.0, "end")):
            left, right = sorted((x, x + side * width))
            taken = any(left < end and start < right for start, end in self._label_spans)
            if left >= 0.0 and not taken and not any(left < other < right for other in others):
                self._label_spans.append((left, right))
                place = x + side * _LABEL_GAP_MM
                self._sheet.text(place, top + 3.4, text, role=Role.INK2, anchor=anchor, box_id=link.id)
                return

    def _ports(self, starts: Sequence[float], left: float, right: float) -> list[float]:
        """Straight below the cards of one node; evenly spread where two nodes come together."""
        if self._graph.nodes == 2:
            return spread(len(starts), left, right, (right - left) / max(1, len(starts)))
        return ports_below(starts, left, right, 2.4)

    def _closed_nodes(self, closed: Sequence[Box], top: float, say: Say) -> float:
        boxes, rest = summarised(closed)
        count = len(boxes) + bool(rest)
        pitch = min(self._width / count, 42.0)
        lefts = [self._width / 2 - pitch * count / 2 + pitch * index for index in range(count)]
        ends = tuple(left + pitch / 2 for left in lefts)
        fan = Fan(tuple(spread(count, self._width / 2 - 22.0, self._width / 2 + 22.0, 7.0)), ends)
        y = top + 2.0 + fan.lanes * _LANE_MM + 3.2
        for index, line in enumerate(fan.lines(top, top + 2.0, _LANE_MM, y)):
            rect = Rect(lefts[index] + 1.0, y, pitch - 2.0, _CLOSED_MM)
            box = boxes[index] if index < len(boxes) else rest[0]
            self._sheet.wire(
                line, Role.NIC, _BUNDLE_MM if self._rails() > 1 else CABLE_MM, box_id=f"{box.id}>switch"
            )
            self._closed_node(box, rect, rest if index == len(boxes) else (), say)
        self._bundle_label(ends[0], y - 1.0, say)
        return y + _CLOSED_MM

    def _bundle_label(self, x: float, y: float, say: Say) -> None:
        """How many cables each bundle holds, once."""
        if self._rails() > 1:
            text = say(message("topo.cables_each", count=self._rails()))
            self._sheet.text(x + 1.2, y, text, role=Role.INK2)

    def _rails(self) -> int:
        return sum(1 for link in self._links if link.a.startswith("n0."))

    def _closed_node(self, box: Box, rect: Rect, rest: Sequence[Box], say: Say) -> None:
        if rest:
            for offset in (1.6, 0.8):
                behind = Rect(rect.x + offset, rect.y + offset, rect.width, rect.height)
                self._closed_outline(behind, box.id)
        self._closed_outline(rect, box.id)
        name = written(box.label, say)
        if rest:
            name = say(message("topo.nodes_range", first=rest[0].index + 1, last=rest[-1].index + 1))
        room = rect.width - 2.0
        running = () if rest else two_lines(written(box.detail, say), room, TEXT_MM)
        fits = all(text_width_mm(line, TEXT_MM) <= room for line in running)
        lines = [(name, NAME_MM, 600, Role.INK), (written(box.sub_label, say), TEXT_MM, 400, Role.INK2)]
        lines += [(line.rstrip(" ·"), TEXT_MM, 400, Role.INK2) for line in running] if fits else []
        y = rect.cy + 0.9 - 3.6 * (len(lines) - 1) / 2
        for text, size, weight, role in lines:
            self._sheet.text(
                rect.cx, y, text, role=role, size_mm=size, anchor="middle", weight=weight, box_id=box.id
            )
            y += 3.6

    def _closed_outline(self, rect: Rect, box_id: str) -> None:
        outline = rounded(rect, 1.6)
        self._sheet.devices.append(
            Polygon(points=outline, fill=Role.GROUND, stroke=Role.BORDER, width_mm=HAIRLINE_MM, box_id=box_id)
        )

    def _draw_router(self, router: Box, switch: Rect, say: Say) -> None:
        """Right of the switch, whose lower side belongs to the nodes."""
        width = min(_router_width(router, say), self._width - switch.right - _ROUTER_GAP_MM)
        body = Rect(switch.right + _ROUTER_GAP_MM, switch.y, width, switch.height)
        link = next(link for link in self._links if link.b == router.id)
        self._sheet.wire(((switch.right, switch.cy), (body.x, body.cy)), Role.NIC, CABLE_MM, box_id=link.id)
        draw_router(self._sheet, router, body, say)

    def _direct(self, top: float, say: Say) -> float:
        """Two nodes without a switch: one line, or all rails as one bundle."""
        closed = [box for box in self._graph.boxes if box.id in {link.b for link in self._links}]
        if any(box.kind is BoxKind.NODE for box in closed):
            return self._direct_to_closed(closed[0], top, say)
        y = top + _RAIL_LABEL_MM + 1.0
        single = self._links[0].id if len(self._links) == 1 else ""
        width = CABLE_MM if single else _BUNDLE_MM
        ends = [self._rects[end] for link in self._links for end in (link.a, link.b)]
        self._sheet.wire(
            ((min(r.cx for r in ends), y), (max(r.cx for r in ends), y)),
            Role.NIC,
            width,
            box_id=single,
        )
        for link in self._links:
            for end in (self._rects[link.a], self._rects[link.b]):
                drop = ((end.cx, end.bottom + TAB_MM), (end.cx, y))
                self._sheet.wire(drop, Role.NIC, CABLE_MM, box_id=link.id)
                others = [rect.cx for rect in ends if rect.cx != end.cx]
                self._rail_label(end.cx, others, top, link, say)
        text = say(message("topo.direct_cable")) if single else say(message("topo.direct_cables"))
        self._sheet.text(self._width / 2, y + 4.0, text, role=Role.INK2, anchor="middle", box_id=single)
        return y + 5.0

    def _direct_to_closed(self, closed: Box, top: float, say: Say) -> float:
        cards = self._cards()
        starts = tuple(x for x, _, _ in cards)
        rect = Rect(self._width / 2 - 22.0, 0.0, 44.0, _CLOSED_MM)
        fan = Fan(starts, tuple(ports_below(starts, rect.x + 4.0, rect.right - 4.0, 2.0)))
        y = self._cables_down(cards, fan, top, say)
        self._closed_node(closed, Rect(rect.x, y, rect.width, rect.height), (), say)
        return y + _CLOSED_MM


def _router_width(router: Box, say: Say) -> float:
    name = text_width_mm(written(router.label, say), NAME_MM, 600)
    return max(name, text_width_mm(written(router.sub_label, say), TEXT_MM)) + 4.0


def summarised(closed: Sequence[Box]) -> tuple[tuple[Box, ...], tuple[Box, ...]]:
    """Boxes to draw one by one, and those drawn as one stack."""
    if len(closed) <= _MOST_CLOSED:
        return tuple(closed), ()
    return tuple(closed[:_SHOWN_BEFORE_REST]), tuple(closed[_SHOWN_BEFORE_REST:])

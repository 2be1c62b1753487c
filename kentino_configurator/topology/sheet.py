"""A drawing in the making: items collected in layers, so that grounds lie under wires and wires under devices."""

from __future__ import annotations

from dataclasses import dataclass, field

from kentino_configurator.core.topology import DrawItem, Label, Polygon, Polyline, Role
from kentino_configurator.topology.geometry import Point, Rect, rounded

HAIRLINE_MM = 0.2
EDGE_MM = 0.29
CABLE_MM = 0.4
SOCKET_LINK_MM = 0.46
STRONG_MM = 0.7
DASH = (1.0, 0.7)
DOTS = (0.5, 0.6)
TEXT_MM = 2.5
NAME_MM = 2.7


@dataclass(slots=True)
class Sheet:
    """Layers from back to front."""

    grounds: list[DrawItem] = field(default_factory=list)
    wires: list[DrawItem] = field(default_factory=list)
    devices: list[DrawItem] = field(default_factory=list)
    labels: list[DrawItem] = field(default_factory=list)

    def items(self) -> tuple[DrawItem, ...]:
        """Everything, back to front."""
        return (*self.grounds, *self.wires, *self.devices, *self.labels)

    def frame(
        self,
        rect: Rect,
        fill: Role | None,
        stroke: Role,
        radius: float,
        *,
        dash: tuple[float, ...] = (),
        box_id: str = "",
    ) -> None:
        """A container with round corners."""
        outline = rounded(rect, radius)
        self.grounds.append(
            Polygon(points=outline, fill=fill, stroke=stroke, width_mm=HAIRLINE_MM, dash=dash, box_id=box_id)
        )

    def wire(
        self,
        points: tuple[Point, ...],
        role: Role,
        width_mm: float,
        *,
        dash: tuple[float, ...] = (),
        box_id: str = "",
    ) -> None:
        """A line under the devices."""
        self.wires.append(Polyline(points=points, stroke=role, width_mm=width_mm, dash=dash, box_id=box_id))

    def shape(
        self, points: tuple[Point, ...], role: Role, width_mm: float = EDGE_MM, *, box_id: str = ""
    ) -> None:
        """The outline of a device in the fill and stroke of its kind."""
        self.devices.append(Polygon(points=points, fill=role, stroke=role, width_mm=width_mm, box_id=box_id))

    def stroke(self, points: tuple[Point, ...], role: Role, width_mm: float, *, box_id: str = "") -> None:
        """A line on top of a device."""
        self.devices.append(Polyline(points=points, stroke=role, width_mm=width_mm, box_id=box_id))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        role: Role = Role.INK,
        size_mm: float = TEXT_MM,
        anchor: str = "start",
        weight: int = 400,
        box_id: str = "",
    ) -> None:
        """A line of text with its baseline at ``y``; empty text draws nothing."""
        if text:
            self.labels.append(
                Label(
                    x=x,
                    y=y,
                    text=text,
                    role=role,
                    size_mm=size_mm,
                    anchor=anchor,
                    weight=weight,
                    box_id=box_id,
                )
            )

"""The topology's display list as a vector drawing of a document: searchable text, embedded fonts."""

from __future__ import annotations

from collections.abc import Mapping

from reportlab.graphics.shapes import Drawing, Polygon, PolyLine, String
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm

from kentino_configurator.core import topology
from kentino_configurator.core.topology import DisplayList, DrawItem, Role

DEVICE_ROLES = frozenset({Role.GPU, Role.CPU, Role.SWITCH, Role.NIC, Role.STORAGE})


def drawing(
    display_list: DisplayList,
    colours: Mapping[str, str],
    fonts: Mapping[int, str],
    width_pt: float | None = None,
) -> Drawing:
    """A drawing as wide as the display list, or scaled to ``width_pt``.

    ``colours`` maps roles to ``#rrggbb``; device kinds have ``<kind>.fill`` and ``<kind>.stroke``. ``fonts`` maps
    the weights 400, 500 and 600 to names of registered fonts. A missing role or weight raises ``KeyError``.
    """
    scale = mm if width_pt is None else width_pt / display_list.width_mm
    result = Drawing(display_list.width_mm * scale, display_list.height_mm * scale)
    pen = _Pen(display_list.height_mm, scale, colours, fonts)
    for item in display_list.items:
        result.add(pen.shape(item))
    return result


class _Pen:
    """Turns millimetres with y down into points with y up."""

    def __init__(
        self, height_mm: float, scale: float, colours: Mapping[str, str], fonts: Mapping[int, str]
    ) -> None:
        self._height = height_mm
        self._scale = scale
        self._colours = colours
        self._fonts = fonts

    def shape(self, item: DrawItem) -> Polygon | PolyLine | String:
        match item:
            case topology.Polygon():
                return self._polygon(item)
            case topology.Polyline():
                return self._polyline(item)
            case topology.Label():
                return self._label(item)

    def _points(self, points: tuple[tuple[float, float], ...]) -> list[float]:
        return [value for x, y in points for value in (x * self._scale, (self._height - y) * self._scale)]

    def _colour(self, role: Role, part: str) -> Color:
        return HexColor(self._colours[f"{role}.{part}" if role in DEVICE_ROLES else role.value])

    def _polygon(self, item: topology.Polygon) -> Polygon:
        return Polygon(
            self._points(item.points),
            fillColor=self._colour(item.fill, "fill") if item.fill else None,
            strokeColor=self._colour(item.stroke, "stroke") if item.stroke else None,
            strokeWidth=item.width_mm * self._scale,
            strokeDashArray=self._dash(item.dash),
            strokeLineJoin=1,
        )

    def _polyline(self, item: topology.Polyline) -> PolyLine:
        return PolyLine(
            self._points(item.points),
            strokeColor=self._colour(item.stroke, "stroke"),
            strokeWidth=item.width_mm * self._scale,
            strokeDashArray=self._dash(item.dash),
            strokeLineJoin=0,
        )

    def _dash(self, dash: tuple[float, ...]) -> list[float] | None:
        return [length * self._scale for length in dash] or None

    def _label(self, item: topology.Label) -> String:
        return String(
            item.x * self._scale,
            (self._height - item.y) * self._scale,
            item.text,
            fontName=self._fonts[item.weight],
            fontSize=item.size_mm * self._scale,
            fillColor=self._colour(item.role, "stroke"),
            textAnchor=item.anchor,
        )

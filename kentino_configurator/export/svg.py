"""The topology as an SVG drawing of its own, with its words as title and description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from kentino_configurator.core import topology
from kentino_configurator.core.topology import DisplayList, DrawItem, Role, TopologyGraph
from kentino_configurator.export.pdf.theme import HEX
from kentino_configurator.export.pdf.topology_drawing import DEVICE_ROLES
from kentino_configurator.texts import load_texts
from kentino_configurator.topology.layout import lay_out

_FONTS: Final = "Inter, KentinoInter, Arial, sans-serif"


def topology_svg(graph: TopologyGraph, language: str, colours: Mapping[str, str] = HEX) -> bytes:
    """The drawing in millimetres, in ``en``, ``pt`` or ``cs``; another language raises ``ValueError``."""
    texts = load_texts(language)
    drawn = lay_out(graph, texts.say)
    title = texts.say("doc.alt.topology", platform=graph.platform)
    lines = [*_head(drawn, title), *(_item(item, colours) for item in drawn.items), "</svg>", ""]
    return "\n".join(lines).encode("utf-8")


def _head(drawn: DisplayList, title: str) -> Iterator[str]:
    size = f"{_number(drawn.width_mm)} {_number(drawn.height_mm)}"
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(drawn.width_mm)}mm"'
        f' height="{_number(drawn.height_mm)}mm" viewBox="0 0 {size}" font-family="{_FONTS}">'
    )
    yield f"<title>{_text(title)}</title>"
    words = "\n".join(f"{'  ' * indent}{text}" for indent, text in drawn.twin)
    yield f"<desc>{_text(words)}</desc>"


def _item(item: DrawItem, colours: Mapping[str, str]) -> str:
    match item:
        case topology.Polygon():
            points = _points(item.points)
            return f'<polygon points="{points}"{_fill(item.fill, colours)}{_stroke(item, colours)}/>'
        case topology.Polyline():
            return f'<polyline points="{_points(item.points)}" fill="none"{_stroke(item, colours)}/>'
        case topology.Label():
            return _label(item, colours)


def _label(item: topology.Label, colours: Mapping[str, str]) -> str:
    place = f'x="{_number(item.x)}" y="{_number(item.y)}" font-size="{_number(item.size_mm)}"'
    look = f'font-weight="{item.weight}" text-anchor={quoteattr(item.anchor)}'
    return f'<text {place} {look} fill="{_colour(item.role, "stroke", colours)}">{_text(item.text)}</text>'


def _fill(role: Role | None, colours: Mapping[str, str]) -> str:
    return ' fill="none"' if role is None else f' fill="{_colour(role, "fill", colours)}"'


def _stroke(item: topology.Polygon | topology.Polyline, colours: Mapping[str, str]) -> str:
    if item.stroke is None:
        return ""
    dash = f' stroke-dasharray="{" ".join(map(_number, item.dash))}"' if item.dash else ""
    width = _number(item.width_mm)
    return f' stroke="{_colour(item.stroke, "stroke", colours)}" stroke-width="{width}"{dash}'


def _colour(role: Role, part: str, colours: Mapping[str, str]) -> str:
    return colours[f"{role}.{part}" if role in DEVICE_ROLES else role.value]


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _text(text: str) -> str:
    """Escaped, without characters that XML cannot hold."""
    return escape("".join(c if c.isprintable() or c == "\n" else " " for c in text))

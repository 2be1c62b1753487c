"""Look of the PDF: colours by role, type sizes in points, page measures. No other file of the PDF names a colour."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.styles import ParagraphStyle

mm: Final = 72 / 25.4
"""One millimetre in points."""
REGULAR: Final = "KentinoInter-Regular"
MEDIUM: Final = "KentinoInter-Medium"
SEMIBOLD: Final = "KentinoInter-SemiBold"

PAGE_WIDTH: Final = 210 * mm
PAGE_HEIGHT: Final = 297 * mm
MARGIN: Final = 18 * mm
CONTENT_WIDTH: Final = PAGE_WIDTH - 2 * MARGIN
COLUMN_GAP: Final = 8 * mm
HEADER_LINE: Final = PAGE_HEIGHT - 19.5 * mm
FOOTER_LINE: Final = 17 * mm
FRAME_TOP: Final = PAGE_HEIGHT - 24 * mm
FRAME_BOTTOM: Final = 20 * mm
HAIRLINE: Final = 0.5

HEX: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bg": "#F5F5F2",
        "surface": "#FFFFFF",
        "line": "#D9D8D2",
        "border": "#85847D",
        "ink": "#17181B",
        "ink2": "#484A50",
        "ink3": "#65676D",
        "accent": "#2343C3",
        "onaccent": "#FFFFFF",
        "tint": "#EAEEFC",
        "c1": "#2343C3",
        "c2": "#6A82DE",
        "c3": "#C9D2F6",
        "block": "#A81E18",
        "blockbg": "#FBEBE9",
        "warn": "#7D4E00",
        "warnbg": "#FAF0DA",
        "ok": "#1B6A40",
        "okbg": "#E6F2EB",
        "gpu.fill": "#ECEEF6",
        "gpu.stroke": "#39426F",
        "cpu.fill": "#F5F0E4",
        "cpu.stroke": "#6F5A2A",
        "switch.fill": "#E1F0EE",
        "switch.stroke": "#1C6562",
        "nic.fill": "#F6E9F2",
        "nic.stroke": "#82366D",
        "storage.fill": "#EDEFE4",
        "storage.stroke": "#545C2A",
    }
)
_COLOURS: Final = {role: HexColor(value) for role, value in HEX.items()}


def colour(role: str) -> Color:
    """The colour of a role; an unknown role raises ``KeyError``."""
    return _COLOURS[role]


def style(
    name: str,
    size: float,
    *,
    font: str = REGULAR,
    ink: str = "ink",
    leading: float = 1.4,
    before: float = 0.0,
    after: float = 0.0,
    align: int = 0,
) -> ParagraphStyle:
    """A paragraph style; ``align`` is 0 left, 1 centre, 2 right. Long words are broken, never cut."""
    return ParagraphStyle(
        name,
        fontName=font,
        fontSize=size,
        leading=size * leading,
        textColor=colour(ink),
        spaceBefore=before,
        spaceAfter=after,
        alignment=align,
        splitLongWords=1,
        allowWidows=0,
        allowOrphans=0,
        bulletFontName=font,
        bulletFontSize=size,
    )


HEADLINE: Final = style("headline", 26, font=SEMIBOLD, leading=1.15)
HEADLINE_QUIET: Final = style("headline.quiet", 26, font=SEMIBOLD, ink="ink3", leading=1.15)
TITLE: Final = style("title", 20, font=SEMIBOLD, leading=1.2, before=9 * mm, after=1.5)
SECTION_LEAD: Final = style("section.lead", 9, ink="ink2", leading=1.45, after=4)
HEADING: Final = style("heading", 11, font=SEMIBOLD, leading=1.3, before=3.8 * mm, after=1.4 * mm)
REMARK: Final = style("remark", 8, ink="ink3", leading=1.4, align=2)
LEAD: Final = style("lead", 10.2, ink="ink2", leading=1.46, before=3, after=2)
BODY: Final = style("body", 8.8, ink="ink2", leading=1.5, after=3)
STRONG: Final = style("strong", 8.8, font=SEMIBOLD, leading=1.5, after=3)
CAPTION: Final = style("caption", 7.6, ink="ink3", leading=1.45, before=2, after=2)
CELL: Final = style("cell", 8.4, leading=1.35)
CELL_QUIET: Final = style("cell.quiet", 8.4, ink="ink2", leading=1.35)
CELL_STRONG: Final = style("cell.strong", 8.4, font=MEDIUM, leading=1.35)
CELL_WARN: Final = style("cell.warn", 8.4, ink="warn", leading=1.35)
CELL_COMPACT: Final = style("cell.compact", 7.8, leading=1.32)
CELL_COMPACT_QUIET: Final = style("cell.compact.quiet", 7.8, ink="ink2", leading=1.32)
CELL_COMPACT_STRONG: Final = style("cell.compact.strong", 7.8, font=MEDIUM, leading=1.32)
CELL_COMPACT_WARN: Final = style("cell.compact.warn", 7.8, ink="warn", leading=1.32)
CELL_NOTE: Final = style("cell.note", 7.4, ink="ink3", leading=1.38, before=0.5)
HEAD: Final = style("head", 7.6, font=MEDIUM, ink="ink3", leading=1.3)
TOTAL: Final = style("total", 9.2, font=SEMIBOLD, leading=1.35)
FIGURE_LABEL: Final = style("figure.label", 7.8, ink="ink3", leading=1.3)
FIGURE_LINE: Final = style("figure.line", 7.8, ink="ink2", leading=1.35)
POINT_TITLE: Final = style("point.title", 8.8, font=SEMIBOLD, leading=1.35)
POINT_TEXT: Final = style("point.text", 8.0, ink="ink2", leading=1.42)
SEVERITY: Final = style("severity", 7.4, font=MEDIUM, leading=1.3, align=2)
NUMBER: Final = style("number", 9, ink="ink2", leading=1.5, align=2)
NUMBER_STRONG: Final = style("number.strong", 11, font=SEMIBOLD, leading=1.25, align=2)
NUMBER_UNIT: Final = style("number.unit", 8, ink="ink2", leading=1.7)
NUMBER_HEAD: Final = style("number.head", 7.4, ink="ink3", leading=1.3, align=2)


def twin_style(indent: int) -> ParagraphStyle:
    """A line of the wiring in words, indented by its depth."""
    base = style(
        f"twin.{indent}", 8, font=MEDIUM if indent == 0 else REGULAR, ink="ink" if indent == 0 else "ink2"
    )
    base.leftIndent = indent * 4.5 * mm
    return base

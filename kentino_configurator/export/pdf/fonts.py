"""The bundled fonts: registered once, and asked whether they have a glyph."""

from __future__ import annotations

from functools import cache
from typing import Final

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from kentino_configurator.export.pdf.theme import MEDIUM, REGULAR, SEMIBOLD
from kentino_configurator.paths import resource_dir

REPLACEMENT: Final = "\u25a1"
"""Printed for a character that the fonts lack, so that nothing disappears silently."""
_LAYOUT_CHARACTERS: Final = frozenset("\u00a0\n")
FAMILY: Final = "KentinoInter"


@cache
def register_fonts() -> None:
    """Makes the three weights known to the PDF library; bold markup means semi-bold."""
    for name in (REGULAR, MEDIUM, SEMIBOLD):
        pdfmetrics.registerFont(TTFont(name, str(resource_dir() / "fonts" / f"{name}.ttf")))
    for name in (REGULAR, MEDIUM, SEMIBOLD):
        pdfmetrics.registerFontFamily(name, normal=name, bold=SEMIBOLD, italic=name, boldItalic=SEMIBOLD)


@cache
def _characters() -> frozenset[int]:
    register_fonts()
    coverage = [set(pdfmetrics.getFont(name).face.charToGlyph) for name in (REGULAR, MEDIUM, SEMIBOLD)]
    return frozenset(set.intersection(*coverage))


def has_glyph(character: str) -> bool:
    """Whether all three weights can print it."""
    return character in _LAYOUT_CHARACTERS or ord(character) in _characters()


def width_of(text: str, font: str, size: float) -> float:
    """Width of a line of text in points."""
    return float(pdfmetrics.stringWidth(text, font, size))

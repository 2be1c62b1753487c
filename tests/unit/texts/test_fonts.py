"""The bundled fonts can draw every text, and their digits have one width."""

import hashlib
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from reportlab.pdfbase.ttfonts import TTFontFace

from kentino_configurator.paths import resource_dir
from kentino_configurator.texts import LOCALES, load_texts
from kentino_configurator.texts.catalogue import catalogue

FONTS = resource_dir() / "fonts"
WEIGHTS = ("Regular", "Medium", "SemiBold")
# What formatting adds to the texts: signs of numbers, ranges, money, dates.
SIGNS = "0123456789.,-+\u2212\u2013\u00a0×€$£%·→≥≤±µ²³°áěšč"


def face(weight: str) -> TTFontFace:
    """The font as the PDF writer reads it; it refuses other than TrueType outlines."""
    return TTFontFace(str(FONTS / f"KentinoInter-{weight}.ttf"))


@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_text_is_drawable(weight: str) -> None:
    drawable = set(face(weight).charToGlyph)
    for language in (*LOCALES, "pseudo"):
        for text_id, text in load_texts(language).sentences.items():
            missing = {character for character in text + SIGNS if ord(character) not in drawable}
            assert not missing, f"{language} {text_id} needs {missing}"


@pytest.mark.parametrize("weight", WEIGHTS)
def test_all_digits_have_one_width(weight: str) -> None:
    assert len({face(weight).charWidths[ord(digit)] for digit in "0123456789"}) == 1


@pytest.mark.parametrize(
    ("weight", "family"),
    [
        ("Regular", "Kentino Inter"),
        ("Medium", "Kentino Inter Medium"),
        ("SemiBold", "Kentino Inter SemiBold"),
    ],
)
def test_derived_fonts_do_not_carry_the_name_of_the_original(weight: str, family: str) -> None:
    assert face(weight).familyName.decode() == family
    assert face(weight).name.decode() == f"KentinoInter-{weight}"


@pytest.mark.parametrize("weight", WEIGHTS)
def test_font_files_are_the_recorded_ones(weight: str) -> None:
    readme = (FONTS / "README.md").read_text(encoding="utf-8")
    recorded = dict(re.findall(r"`(KentinoInter-\w+\.ttf)` \| \d+ \| `([0-9a-f]{64})`", readme))
    path = FONTS / f"KentinoInter-{weight}.ttf"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == recorded[path.name]


def test_font_licence_lies_beside_the_fonts_and_in_about() -> None:
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert licence == (resource_dir() / "licences" / "OFL-1.1-Inter.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((resource_dir() / "icons").glob("*.svg")), ids=lambda path: path.stem)
def test_icons_are_strokes_in_the_colour_of_their_role(path: Path) -> None:
    icon = ElementTree.parse(path).getroot()
    assert (icon.get("stroke"), icon.get("fill"), icon.get("stroke-width")) == ("currentColor", "none", "1.5")
    assert icon.get("viewBox") == "0 0 24 24"
    painted = {value for part in icon.iter() for name, value in part.items() if name in ("fill", "stroke")}
    assert painted <= {"none", "currentColor"}


def test_all_three_catalogues_are_checked() -> None:
    assert all(len(catalogue(language)) > 900 for language in LOCALES)

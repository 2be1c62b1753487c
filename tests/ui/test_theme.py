"""Colours by role: contrast of both schemes, and no colour named anywhere else in the window."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from kentino_configurator import ui
from kentino_configurator.ui import icons, theme

GROUNDS = ("bg", "surface", "panel", "tint")
TEXTS = ("ink", "ink2", "ink3", "accent", "block", "warn", "ok")
MARKS = ("border", "c2")
TEXT_LIMIT, MARK_LIMIT = 4.5, 3.0
# Contrast that the drawings of the window were made with, rounded to a tenth: (light, dark) on bg.
DRAWN = {
    "ink": (16.3, 16.2),
    "ink2": (8.1, 10.1),
    "ink3": (5.2, 6.8),
    "accent": (7.2, 9.6),
    "border": (3.4, 4.4),
}
SCHEMES = (theme.LIGHT, theme.DARK)


def luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: QColor, second: QColor) -> float:
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.scheme.value)
def test_text_reaches_the_contrast_of_small_print_on_every_ground(scheme: theme.Theme) -> None:
    low = {
        (ink, ground): contrast(scheme.colour(ink), scheme.colour(ground))
        for ink in TEXTS
        for ground in GROUNDS
        if contrast(scheme.colour(ink), scheme.colour(ground)) < TEXT_LIMIT
    }
    assert low == {}


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.scheme.value)
def test_edges_and_data_marks_can_be_told_from_every_ground(scheme: theme.Theme) -> None:
    for mark in MARKS:
        for ground in GROUNDS:
            assert contrast(scheme.colour(mark), scheme.colour(ground)) >= MARK_LIMIT, (mark, ground)


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.scheme.value)
def test_words_on_coloured_grounds_are_readable(scheme: theme.Theme) -> None:
    pairs = (
        ("onaccent", "accentfill"),
        ("warn", "warnbg"),
        ("block", "blockbg"),
        ("ok", "okbg"),
        ("ink", "c3"),
    )
    for ink, ground in pairs:
        assert contrast(scheme.colour(ink), scheme.colour(ground)) >= TEXT_LIMIT, (ink, ground)


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.scheme.value)
def test_every_kind_of_device_has_a_readable_outline(scheme: theme.Theme) -> None:
    for kind in ("gpu", "cpu", "switch", "nic", "storage"):
        fill, stroke = scheme.colour(f"{kind}.fill"), scheme.colour(f"{kind}.stroke")
        assert contrast(stroke, fill) >= TEXT_LIMIT, kind
        assert contrast(scheme.colour("ink"), fill) >= 10, kind


@pytest.mark.parametrize("role", DRAWN)
def test_the_colours_are_those_of_the_drawings(role: str) -> None:
    for scheme, drawn in zip(SCHEMES, DRAWN[role], strict=True):
        assert contrast(scheme.colour(role), scheme.colour("bg")) == pytest.approx(drawn, abs=0.06)


def test_no_other_file_of_the_window_names_a_colour() -> None:
    named = re.compile(r"#[0-9A-Fa-f]{3,8}\b|GlobalColor\.(?!transparent)|QColor\(\s*[\"'\d]|\brgba?\(")
    package = Path(ui.__file__).parent
    found = {
        str(file.relative_to(package)): match.group()
        for file in package.rglob("*.py")
        if file.name != "theme.py" and (match := named.search(file.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_a_change_of_scheme_reaches_palette_and_style_sheet(qapp: QApplication) -> None:
    theme.apply(qapp, theme.DARK)
    assert qapp.palette().color(QPalette.ColorRole.WindowText) == theme.DARK.colour("ink")
    assert theme.DARK.colours["tint"] in qapp.styleSheet()
    assert theme.colour("surface") == theme.DARK.colour("surface")


def test_the_style_sheet_leaves_no_role_unfilled() -> None:
    for scheme in SCHEMES:
        assert "@" not in theme.style_sheet(scheme)


def test_the_window_uses_the_bundled_family_in_three_weights() -> None:
    for role, weight in (("body", 400), ("label", 500), ("strong", 600)):
        font = theme.font(role)
        assert QFontInfo(font).family() == theme.FAMILY
        assert font.weight() == weight


def test_twice_the_text_size_doubles_letters_and_measures(qapp: QApplication) -> None:
    before = theme.px(36), QFontInfo(theme.font("verdict")).pixelSize()
    theme.set_text_scale(qapp, 200)
    assert theme.px(36) == 2 * before[0]
    assert QFontInfo(theme.font("verdict")).pixelSize() == pytest.approx(2 * before[1], abs=1)


def test_an_icon_takes_the_colour_of_its_role() -> None:
    image = icons.icon("check", "block", 32).pixmap(32, 32).toImage()
    seen = {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }
    assert theme.colour("block").name() in seen


def test_an_icon_that_is_not_shipped_is_a_mistake_and_not_an_empty_picture() -> None:
    with pytest.raises(FileNotFoundError):
        icons.icon("no-such-icon", "ink")

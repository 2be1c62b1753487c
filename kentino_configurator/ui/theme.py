"""Colours by role, type by role, the look of Qt's own controls. No other file of the window names a colour.

Painted widgets ask ``colour(role)`` while they paint, so a change of scheme is one repaint. Sizes are
in design pixels and go through ``px``, which follows the application's font: text at 200 % enlarges all.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from kentino_configurator import paths
from kentino_configurator.settings import Theme as Preference

FAMILY: Final = "Kentino Inter"
BODY_PX: Final = 13.0
_BODY_POINTS: Final = 13.0 if sys.platform == "darwin" else 9.75


class Scheme(StrEnum):
    """The two sets of colours."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One set of colours by role."""

    scheme: Scheme
    colours: Mapping[str, str]

    def colour(self, role: str) -> QColor:
        """The colour of a role; an unknown role raises ``KeyError``."""
        return QColor(self.colours[role])


def _theme(scheme: Scheme, column: int) -> Theme:
    return Theme(
        scheme=scheme, colours=MappingProxyType({role: pair[column] for role, pair in _TOKENS.items()})
    )


_TOKENS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "bg": ("#F5F5F2", "#0F1113"),
        "surface": ("#FFFFFF", "#16191C"),
        "panel": ("#FBFBF9", "#1A1E22"),
        "line": ("#E3E2DC", "#2B3036"),
        "border": ("#85847D", "#737B85"),
        "ink": ("#17181B", "#ECEDEF"),
        "ink2": ("#484A50", "#B9BEC6"),
        "ink3": ("#65676D", "#959CA6"),
        "accent": ("#2343C3", "#A3B5FF"),
        "accentfill": ("#2343C3", "#A3B5FF"),
        "onaccent": ("#FFFFFF", "#0E1538"),
        "tint": ("#EAEEFC", "#232C4F"),
        "c1": ("#2343C3", "#A3B5FF"),
        "c2": ("#6A82DE", "#5F78DB"),
        "c3": ("#C9D2F6", "#37447E"),
        "block": ("#A81E18", "#FF9A92"),
        "blockbg": ("#FBEBE9", "#3A1E1C"),
        "warn": ("#7D4E00", "#F0C062"),
        "warnbg": ("#FAF0DA", "#362A12"),
        "ok": ("#1B6A40", "#7FD3A3"),
        "okbg": ("#E6F2EB", "#17301F"),
        "gpu.fill": ("#ECEEF6", "#23283A"),
        "gpu.stroke": ("#39426F", "#B3BBDD"),
        "cpu.fill": ("#F5F0E4", "#2B2618"),
        "cpu.stroke": ("#6F5A2A", "#D8C48C"),
        "switch.fill": ("#E1F0EE", "#14302E"),
        "switch.stroke": ("#1C6562", "#7FD0CA"),
        "nic.fill": ("#F6E9F2", "#341F2F"),
        "nic.stroke": ("#82366D", "#EBA5D6"),
        "storage.fill": ("#EDEFE4", "#26291A"),
        "storage.stroke": ("#545C2A", "#C3CC8E"),
    }
)
LIGHT: Final = _theme(Scheme.LIGHT, 0)
DARK: Final = _theme(Scheme.DARK, 1)


@dataclass(frozen=True, slots=True)
class _Type:
    """Size in design pixels, weight, and spacing in percent of each letter's own width."""

    px: float
    weight: int
    spacing_percent: float = 100.0
    alternates: bool = True


_TYPES: Final[Mapping[str, _Type]] = MappingProxyType(
    {
        "display": _Type(36, 600, 97.5),
        "verdict": _Type(30, 600, 97.5),
        "question": _Type(24, 600, 97.5),
        "title": _Type(20, 600, 98.5),
        "section": _Type(15, 600),
        "lead": _Type(15, 400),
        "project": _Type(14, 500),
        "name": _Type(14, 600),
        "value": _Type(14, 500),
        "body": _Type(13, 400),
        "label": _Type(13, 500),
        "strong": _Type(13, 600),
        "small": _Type(12, 400),
        "small.label": _Type(12, 500),
        "small.strong": _Type(12, 600),
        "micro": _Type(11, 400),
        "micro.label": _Type(11, 500),
        "code": _Type(12, 400, alternates=False),
    }
)


class _Active:
    """The theme in use; one application has one."""

    theme: Theme = LIGHT
    scale: float = 1.0


def active() -> Theme:
    """The theme in use."""
    return _Active.theme


def colour(role: str) -> QColor:
    """The colour of a role in the theme in use."""
    return _Active.theme.colour(role)


def px(design: float) -> int:
    """Design pixels (at the body size of 13) as device-independent pixels at the text size in use."""
    return round(design * _Active.scale)


@cache
def font(role: str) -> QFont:
    """The font of a type role, derived from the application's font. Shared: do not change it."""
    kind = _TYPES[role]
    base = QApplication.font()
    result = QFont(base)
    result.setPointSizeF(base.pointSizeF() * kind.px / BODY_PX)
    result.setWeight(QFont.Weight(kind.weight))
    result.setLetterSpacing(QFont.SpacingType.PercentageSpacing, kind.spacing_percent)
    if not kind.alternates:
        result.setFeature(QFont.Tag("calt"), 0)
    return result


@cache
def load_fonts() -> None:
    """Make the bundled font files known to Qt, once."""
    for file in sorted((paths.resource_dir() / "fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))


def start(app: QApplication, preference: Preference, text_scale_percent: int = 100) -> None:
    """Dress a new application: bundled font, Fusion, colours by preference."""
    load_fonts()
    app.setStyle("Fusion")
    set_text_scale(app, text_scale_percent)
    apply(app, theme_for(preference))


def set_text_scale(app: QApplication, percent: int) -> None:
    """Set the application's font size. Widgets that exist keep their fonts: build them again."""
    base = QFont(FAMILY)
    base.setPointSizeF(_BODY_POINTS * percent / 100)
    base.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    app.setFont(base)
    _Active.scale = QFontInfo(base).pixelSize() / BODY_PX
    font.cache_clear()


def theme_for(preference: Preference) -> Theme:
    """The theme of a preference; ``SYSTEM`` asks the operating system, which may not say (then light)."""
    if preference is Preference.SYSTEM:
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return DARK if dark else LIGHT
    return DARK if preference is Preference.DARK else LIGHT


def apply(app: QApplication, theme: Theme) -> None:
    """Use ``theme`` in every widget, those that exist included."""
    _Active.theme = theme
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(theme))


class SystemFollower(QObject):
    """Applies the system's scheme when it changes, as long as the preference says so."""

    def __init__(self, app: QApplication, preference: Preference) -> None:
        super().__init__(app)
        self._app = app
        self._preference = preference
        app.styleHints().colorSchemeChanged.connect(self._on_system_change)

    def set_preference(self, preference: Preference) -> None:
        """Apply a preference now and remember it."""
        self._preference = preference
        apply(self._app, theme_for(preference))

    def _on_system_change(self) -> None:
        if self._preference is Preference.SYSTEM:
            apply(self._app, theme_for(self._preference))


_PALETTE: Final[Mapping[QPalette.ColorRole, str]] = MappingProxyType(
    {
        QPalette.ColorRole.Window: "surface",
        QPalette.ColorRole.WindowText: "ink",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "surface",
        QPalette.ColorRole.Text: "ink",
        QPalette.ColorRole.PlaceholderText: "ink3",
        QPalette.ColorRole.Button: "surface",
        QPalette.ColorRole.ButtonText: "ink",
        QPalette.ColorRole.BrightText: "block",
        QPalette.ColorRole.Highlight: "accentfill",
        QPalette.ColorRole.HighlightedText: "onaccent",
        QPalette.ColorRole.Accent: "accentfill",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "accent",
        QPalette.ColorRole.ToolTipBase: "surface",
        QPalette.ColorRole.ToolTipText: "ink",
        QPalette.ColorRole.Light: "surface",
        QPalette.ColorRole.Midlight: "panel",
        QPalette.ColorRole.Mid: "border",
        QPalette.ColorRole.Dark: "border",
        QPalette.ColorRole.Shadow: "border",
    }
)


def palette(theme: Theme) -> QPalette:
    """The roles that Qt's own painting asks for."""
    result = QPalette()
    for role, token in _PALETTE.items():
        result.setColor(role, theme.colour(token))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, theme.colour("ink3"))
    return result


def style_sheet(theme: Theme) -> str:
    """The short style sheet for what is not painted by own widgets."""
    text_roles = "".join(
        f'QLabel[ink="{role}"] {{ color: {theme.colours[role]}; }}\n'
        for role in ("ink2", "ink3", "accent", "block", "warn", "ok")
    )
    rules = _STYLE
    for token in sorted(theme.colours, key=len, reverse=True):
        rules = rules.replace(f"@{token};", f"{theme.colours[token]};").replace(
            f"@{token} ", f"{theme.colours[token]} "
        )
    return text_roles + rules


_STYLE: Final = """
QWidget[ground="bg"] { background: @bg; }
QWidget[ground="surface"] { background: @surface; }
QWidget[ground="panel"] { background: @panel; }
QWidget[ground="tint"] { background: @tint; }
QFrame[rule="line"] { background: @line; }
QFrame[rule="border"] { background: @border; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QLineEdit[bare="true"], QPlainTextEdit[bare="true"] { background: transparent; border: none; padding: 0px; }
QMenu { background: @surface; border: 1px solid @border; padding: 4px 0px; }
QMenu::item { padding: 6px 24px 6px 12px; color: @ink; }
QMenu::item:selected { background: @tint; }
QMenu::item:disabled { color: @ink3; }
QMenu::separator { height: 1px; background: @line; margin: 4px 0px; }
QMenu::right-arrow { width: 8px; }
QToolTip { background: @surface; color: @ink; border: 1px solid @border; padding: 4px; }
QListView[rail="true"] { background: transparent; }
QListView[popup="true"] { border: 1px solid @border; }
QListView, QTreeView, QTableView { background: @surface; border: none; outline: none; color: @ink; }
QTableView, QTreeView { selection-background-color: @tint; selection-color: @ink; gridline-color: @line; }
QHeaderView::section { background: @surface; color: @ink3; border: none; padding: 0px 12px;
  border-bottom: 1px solid @border; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0px; }
QScrollBar::handle { background: @border; border-radius: 3px; margin: 2px; min-height: 32px;
  min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: @line; }
QFrame[popup="true"] { background: @surface; border: 1px solid @border; }
"""

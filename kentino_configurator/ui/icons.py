"""Icons: the shipped SVG files, coloured by role when they are drawn."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kentino_configurator import paths
from kentino_configurator.ui import theme

# The files are drawn 24 wide with a stroke of 1.5; shown 12 to 16 wide that would be a hair.
_DRAWN_STROKE: Final = 'stroke-width="1.5"'
_DRAWN_SIDE: Final = 24
_SHOWN_STROKE: Final = 1.3


@lru_cache(maxsize=256)
def _renderer(name: str, colour_name: str, side: int) -> QSvgRenderer:
    """The drawing of ``name`` in one colour and for one size; a missing file raises ``FileNotFoundError``."""
    svg = (paths.resource_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    svg = svg.replace("currentColor", colour_name).replace(_DRAWN_STROKE, _stroke(side))
    return QSvgRenderer(QByteArray(svg.encode()))


def _stroke(side: int) -> str:
    """The same weight of line at every size."""
    return f'stroke-width="{_SHOWN_STROKE * _DRAWN_SIDE / max(side, 1):.2f}"'


def paint(painter: QPainter, name: str, rect: QRectF, role: str) -> None:
    """Draw an icon into ``rect`` in the colour of ``role``."""
    renderer = _renderer(name, theme.colour(role).name(), round(rect.width()))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, rect)
    painter.restore()


def icon(name: str, role: str, size: int = 16) -> QIcon:
    """An icon for Qt's own controls, at single and double resolution, in the colour of the theme in use."""
    result = QIcon()
    _renderer(name, theme.colour(role).name(), size)
    for ratio in (1, 2):
        pixmap = QPixmap(QSize(size, size) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint(painter, name, QRectF(0, 0, size, size), role)
        painter.end()
        result.addPixmap(pixmap)
    return result

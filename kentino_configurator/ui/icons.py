"""Icons: the shipped SVG files, coloured by role when they are drawn."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kentino_configurator import paths
from kentino_configurator.ui import theme

# The files are drawn 24 wide with a stroke of 1.5; shown 14 to 16 wide that would be a hair.
_DRAWN_STROKE: Final = 'stroke-width="1.5"'
_STROKE: Final = 'stroke-width="2"'


@lru_cache(maxsize=256)
def _renderer(name: str, colour_name: str) -> QSvgRenderer:
    """The drawing of ``name`` in one colour; a missing file raises ``FileNotFoundError``."""
    svg = (paths.resource_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    svg = svg.replace("currentColor", colour_name).replace(_DRAWN_STROKE, _STROKE)
    return QSvgRenderer(QByteArray(svg.encode()))


def paint(painter: QPainter, name: str, rect: QRectF, role: str) -> None:
    """Draw an icon into ``rect`` in the colour of ``role``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _renderer(name, theme.colour(role).name()).render(painter, rect)
    painter.restore()


def icon(name: str, role: str, size: int = 16) -> QIcon:
    """An icon for Qt's own controls, at single and double resolution, in the colour of the theme in use."""
    result = QIcon()
    for ratio in (1, 2):
        pixmap = QPixmap(QSize(size, size) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint(painter, name, QRectF(0, 0, size, size), role)
        painter.end()
        result.addPixmap(pixmap)
    return result

"""Drawing elements as graphics items. One scene unit is one millimetre; colours are read while painting."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from kentino_configurator.core.topology import DrawItem, Label, Polygon, Polyline, Role
from kentino_configurator.ui import theme

_DEVICES: Final = frozenset({Role.GPU, Role.CPU, Role.SWITCH, Role.NIC, Role.STORAGE})
_MM_PER_PIXEL: Final = 0.23
"""Width of a screen pixel in the sizes of the display list."""
_SHAPE_FROM_MM: Final = 0.5
"""Lines from this width on are shapes (contacts, ports) and grow with the zoom."""
_EDGE_FROM_MM: Final = 0.2
"""Finer lines inside a device stay fine when it is chosen."""
_CHOSEN_MM: Final = 0.69
_FONT_PX: Final = 100


def colour_of(role: Role, part: str) -> QColor:
    """The colour of a role in the theme in use; device kinds have a ``fill`` and a ``stroke``."""
    return theme.colour(f"{role.value}.{part}" if role in _DEVICES else role.value)


class ElementItem(QGraphicsItem):
    """An element that belongs to a device or wire and can be emphasised with it."""

    def __init__(self, box_id: str) -> None:
        super().__init__()
        self.box_id = box_id
        self._chosen = False

    def set_chosen(self, chosen: bool) -> None:
        """Draw in the accent colour, or as usual."""
        if chosen != self._chosen:
            self._chosen = chosen
            self.update()

    def pen(self, role: Role, width_mm: float, dash: tuple[float, ...]) -> QPen:
        """The pen of a line; thin ones keep their width on screen at any zoom."""
        thin = width_mm < _SHAPE_FROM_MM
        width = _CHOSEN_MM if self._chosen and _EDGE_FROM_MM <= width_mm < _SHAPE_FROM_MM else width_mm
        pen = QPen(theme.colour("accent") if self._chosen else colour_of(role, "stroke"))
        pen.setCosmetic(thin)
        pen.setWidthF(width / _MM_PER_PIXEL if thin else width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        if dash:
            pen.setDashPattern([length / width for length in dash])
        return pen


class PolygonItem(ElementItem):
    """A closed outline."""

    def __init__(self, element: Polygon) -> None:
        super().__init__(element.box_id)
        self._element = element
        self._polygon = QPolygonF([QPointF(x, y) for x, y in element.points])

    def boundingRect(self) -> QRectF:
        """With room for the widest pen."""
        return self._polygon.boundingRect().adjusted(-1, -1, 1, 1)

    def shape(self) -> QPainterPath:
        """Filled outlines can be hit."""
        path = QPainterPath()
        if self._element.fill is not None:
            path.addPolygon(self._polygon)
        return path

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Fill, then edge."""
        element = self._element
        painter.setBrush(colour_of(element.fill, "fill") if element.fill else Qt.BrushStyle.NoBrush)
        painter.setPen(
            self.pen(element.stroke, element.width_mm, element.dash) if element.stroke else Qt.PenStyle.NoPen
        )
        painter.drawPolygon(self._polygon)


class PolylineItem(ElementItem):
    """An open line."""

    def __init__(self, element: Polyline) -> None:
        super().__init__(element.box_id)
        self._element = element
        self._polygon = QPolygonF([QPointF(x, y) for x, y in element.points])

    def boundingRect(self) -> QRectF:
        """With room for the widest pen."""
        margin = max(1.0, self._element.width_mm)
        return self._polygon.boundingRect().adjusted(-margin, -margin, margin, margin)

    def shape(self) -> QPainterPath:
        """Lines are not hit: the device beside them is meant."""
        return QPainterPath()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """The line."""
        element = self._element
        painter.setPen(self.pen(element.stroke, element.width_mm, element.dash))
        painter.drawPolyline(self._polygon)


class LabelItem(ElementItem):
    """Text at a baseline point."""

    def __init__(self, element: Label) -> None:
        super().__init__(element.box_id)
        self._element = element
        self._font = QFont(theme.FAMILY)
        self._font.setPixelSize(_FONT_PX)
        self._font.setWeight(QFont.Weight(element.weight))
        self._font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        self._font.setFeature(QFont.Tag("calt"), 0)
        metrics = QFontMetricsF(self._font)
        self._scale = element.size_mm / _FONT_PX
        self._width = metrics.horizontalAdvance(element.text) * self._scale
        self._ascent, self._descent = metrics.ascent() * self._scale, metrics.descent() * self._scale
        self._left = element.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[element.anchor] * self._width

    def boundingRect(self) -> QRectF:
        """The line of text."""
        return QRectF(self._left, self._element.y - self._ascent, self._width, self._ascent + self._descent)

    def shape(self) -> QPainterPath:
        """Text is not hit: the device below it is."""
        return QPainterPath()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """The words, in their own colour even where the device is chosen."""
        painter.setPen(colour_of(self._element.role, "stroke"))
        painter.setFont(self._font)
        painter.save()
        painter.translate(self._left, self._element.y)
        painter.scale(self._scale, self._scale)
        painter.drawText(QPointF(0.0, 0.0), self._element.text)
        painter.restore()


def item_of(element: DrawItem) -> ElementItem:
    """The graphics item of an element."""
    match element:
        case Polygon():
            return PolygonItem(element)
        case Polyline():
            return PolylineItem(element)
        case Label():
            return LabelItem(element)

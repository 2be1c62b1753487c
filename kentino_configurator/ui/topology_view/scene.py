"""The scene that holds one drawing, and the zoomable view on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView

from kentino_configurator.core.topology import DisplayList
from kentino_configurator.ui import theme
from kentino_configurator.ui.topology_view.items import ElementItem, item_of

_LEAST_HEIGHT_PX: Final = 180
_ZOOM_STEP: Final = 1.25
_MOST_ZOOM: Final = 12.0
_MARGIN_MM: Final = 0.4
_IMAGE_PX_PER_MM: Final = 12.0
_SVG_UNITS_PER_MM: Final = 4.0


class TopologyScene(QGraphicsScene):
    """One display list as items; the elements of a device or wire are emphasised together."""

    def __init__(self, display_list: DisplayList) -> None:
        super().__init__()
        self._by_box: dict[str, list[ElementItem]] = {}
        self.chosen: set[str] = set()
        for element in display_list.items:
            item = item_of(element)
            self.addItem(item)
            self._by_box.setdefault(item.box_id, []).append(item)
        self._page = QRectF(0, 0, display_list.width_mm, display_list.height_mm)
        self.setSceneRect(self._page.adjusted(-_MARGIN_MM, -_MARGIN_MM, _MARGIN_MM, _MARGIN_MM))

    def choose(self, ids: Iterable[str]) -> None:
        """Emphasise these devices and wires and no others."""
        self.chosen = set(ids)
        for box_id, items in self._by_box.items():
            for item in items:
                item.set_chosen(bool(box_id) and box_id in self.chosen)

    def box_at(self, x: float, y: float) -> str:
        """Id of the uppermost device at a point, empty for none."""
        for item in self.items(QRectF(x - 0.01, y - 0.01, 0.02, 0.02)):
            if isinstance(item, ElementItem) and item.box_id:
                return item.box_id
        return ""

    def svg(self) -> bytes:
        """The drawing as a vector file."""
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        target = QRectF(0, 0, self._page.width() * _SVG_UNITS_PER_MM, self._page.height() * _SVG_UNITS_PER_MM)
        generator.setSize(target.size().toSize())
        generator.setViewBox(target)
        self._paint(generator, target)
        buffer.close()
        return bytes(data.data())

    def image(self, px_per_mm: float = _IMAGE_PX_PER_MM) -> QImage:
        """The drawing as a picture on the ground of the page."""
        image = QImage((self._page.size() * px_per_mm).toSize(), QImage.Format.Format_RGB32)
        image.fill(theme.colour("surface"))
        self._paint(image, QRectF(image.rect()))
        return image

    def _paint(self, device: QImage | QSvgGenerator, target: QRectF) -> None:
        """Without the margin of the view."""
        painter = QPainter(device)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.render(painter, target, self._page)
        painter.end()


class DrawingView(QGraphicsView):
    """Zoom with Ctrl and wheel, plus and minus; 0 fits; arrows and Enter walk and choose GPUs."""

    box_clicked = Signal(str)
    moved = Signal(int)
    """Arrow key: one GPU to the left (-1) or right (+1)."""
    confirmed = Signal()
    """Enter or space on the current GPU."""

    def __init__(self) -> None:
        super().__init__()
        self._fitted = True
        self._whole = False
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(QSize(theme.px(320), theme.px(_LEAST_HEIGHT_PX)))
        self.viewport().setAutoFillBackground(False)

    def show_scene(self, scene: TopologyScene) -> None:
        """Show a drawing, fitted."""
        self.setScene(scene)
        self._limit_height()
        self.fit()

    def set_whole(self, whole: bool) -> None:
        """Whether the view takes all the height its width asks for instead of shrinking with its window."""
        self._whole = whole
        self._limit_height()

    def _limit_height(self) -> None:
        """No higher than the fitted drawing is at this width: what follows stands right below it."""
        area = self.sceneRect()
        if area.width() > 0:
            least = theme.px(_LEAST_HEIGHT_PX)
            fitted = max(least, round(self.width() * area.height() / area.width()) + 2)
            self.setMaximumHeight(fitted)
            self.setMinimumHeight(fitted if self._whole else least)

    def fit(self) -> None:
        """The whole drawing as large as the view allows."""
        self._fitted = True
        if self.scene() is not None:
            self.fitInView(self.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)

    def zoom(self, steps: float) -> None:
        """Enlarge by so many steps, shrink for a negative number; never smaller than fitted."""
        factor = _ZOOM_STEP**steps
        if factor < 1 and self.transform().m11() * factor <= self._fit_scale():
            self.fit()
            return
        if self.transform().m11() * factor <= self._fit_scale() * _MOST_ZOOM:
            self._fitted = False
            self.scale(factor, factor)

    def _fit_scale(self) -> float:
        area, room = self.sceneRect(), self.maximumViewportSize()
        return min(room.width() / max(area.width(), 1.0), room.height() / max(area.height(), 1.0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A fitted drawing stays fitted."""
        super().resizeEvent(event)
        self._limit_height()
        if self._fitted:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms, everything else scrolls."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(event.angleDelta().y() / 120)
        elif self._fitted:
            event.ignore()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys named at the class."""
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(1)
            case Qt.Key.Key_Minus:
                self.zoom(-1)
            case Qt.Key.Key_0:
                self.fit()
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                self.moved.emit(1 if event.key() == Qt.Key.Key_Right else -1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self.confirmed.emit()
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a device chooses it."""
        super().mousePressEvent(event)
        scene = self.scene()
        if event.button() == Qt.MouseButton.LeftButton and isinstance(scene, TopologyScene):
            point = self.mapToScene(event.position().toPoint())
            if box_id := scene.box_at(point.x(), point.y()):
                self.box_clicked.emit(box_id)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The drawing, and a ring while it has the focus."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))

"""Buttons: filled for the one thing to do, outlined beside it, plain and link for the rest."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from kentino_configurator.ui import icons, theme


class ButtonKind(StrEnum):
    """How much a button asks for attention."""

    FILLED = "filled"
    OUTLINE = "outline"
    PLAIN = "plain"
    LINK = "link"


_PADDING = {ButtonKind.FILLED: 17, ButtonKind.OUTLINE: 17, ButtonKind.PLAIN: 8, ButtonKind.LINK: 0}
_INK = {
    ButtonKind.FILLED: "onaccent",
    ButtonKind.OUTLINE: "ink",
    ButtonKind.PLAIN: "ink2",
    ButtonKind.LINK: "accent",
}


class Button(QAbstractButton):
    """A button with a word, optionally an icon before it and a chevron after it."""

    def __init__(
        self,
        text: str,
        kind: ButtonKind = ButtonKind.OUTLINE,
        *,
        icon: str = "",
        menu_mark: bool = False,
        type_role: str = "label",
        ink: str = "",
    ) -> None:
        super().__init__()
        self._kind = kind
        self._icon = icon
        self._menu_mark = menu_mark
        self._ink = ink or _INK[kind]
        self.setText(text)
        self.setFont(theme.font(type_role))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_look(self, text: str, ink: str, icon: str = "") -> None:
        """Other words, another ink role, another icon."""
        self.setText(text)
        self._ink, self._icon = ink, icon
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Text with its padding; 36 high, a link as high as its line."""
        metrics = QFontMetrics(self.font())
        width = metrics.horizontalAdvance(self.text()) + 2 * theme.px(_PADDING[self._kind])
        width += theme.px(22) if self._icon else 0
        width += theme.px(22) if self._menu_mark else 0
        height = theme.px(20 if self._kind is ButtonKind.LINK else 36)
        return QSize(width + 2, max(height, metrics.height()))

    def minimumSizeHint(self) -> QSize:
        """A button is never narrower than its word."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, ring, icon, word."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self._paint_content(painter)

    def _paint_ground(self, painter: QPainter) -> None:
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = theme.px(6)
        if self._kind is ButtonKind.FILLED:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._filled_colour())
            painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        elif self._kind is ButtonKind.OUTLINE:
            painter.setPen(QPen(theme.colour("border"), 1))
            painter.setBrush(theme.colour("tint" if self.underMouse() else "surface"))
            painter.drawRoundedRect(rect, radius, radius)
        elif self.underMouse() and self._kind is ButtonKind.PLAIN:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("tint"))
            painter.drawRoundedRect(rect, radius, radius)
        if self.hasFocus():
            self._paint_ring(painter, radius)

    def _filled_colour(self) -> QColor:
        ground = theme.colour("accentfill")
        return ground.darker(112) if self.isDown() else ground

    def _paint_ring(self, painter: QPainter, radius: float) -> None:
        filled = self._kind is ButtonKind.FILLED
        inset = 3.0 if filled else 1.0
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("onaccent" if filled else "accent"), 2))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius - 1, radius - 1
        )

    def _paint_content(self, painter: QPainter) -> None:
        ink = self._ink if self.isEnabled() else "ink3"
        content = self.rect().adjusted(theme.px(_PADDING[self._kind]), 0, -theme.px(_PADDING[self._kind]), 0)
        mark = theme.px(16)
        middle = (self.height() - mark) / 2
        if self._icon:
            icons.paint(painter, self._icon, QRectF(content.left(), middle, mark, mark), ink)
            content.setLeft(content.left() + theme.px(22))
        if self._menu_mark:
            icons.paint(painter, "chevron-down", QRectF(content.right() - mark + 1, middle, mark, mark), ink)
            content.setRight(content.right() - theme.px(22))
        painter.setFont(self.font())
        painter.setPen(theme.colour(ink))
        painter.drawText(content, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, self.text())


class IconButton(QAbstractButton):
    """A button that is only an icon; its name is spoken and shown as a tooltip."""

    def __init__(
        self, icon: str, name: str, *, ink: str = "ink2", icon_px: int = 16, box_px: int = 32
    ) -> None:
        super().__init__()
        self._icon = icon
        self._ink = ink
        self._icon_px = icon_px
        self._box_px = box_px
        self.set_name(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_name(self, name: str) -> None:
        """The word for what the button does."""
        self.setAccessibleName(name)
        self.setToolTip(name)

    def sizeHint(self) -> QSize:
        """A square around the icon."""
        return QSize(theme.px(self._box_px), theme.px(self._box_px))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground under the mouse, ring in focus, icon."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self.isEnabled() and self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("tint"))
            painter.drawRoundedRect(rect, theme.px(6), theme.px(6))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(rect, theme.px(6), theme.px(6))
        size = theme.px(self._icon_px)
        place = QRectF((self.width() - size) / 2, (self.height() - size) / 2, size, size)
        icons.paint(painter, self._icon, place, self._ink if self.isEnabled() else "border")

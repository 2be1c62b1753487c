"""Choices: segments for a few options, a menu behind a frame for more, ticks for several."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from kentino_configurator.ui import icons, theme
from kentino_configurator.ui.fields.field import WIDE_PX, Field, fill_row
from kentino_configurator.ui.widgets.segmented import Option, Segmented

SEGMENTS_AT_MOST = 4


class SegmentsField(Field):
    """Up to four options, all visible."""

    def __init__(self, options: tuple[Option, ...]) -> None:
        super().__init__()
        self._segments = Segmented(options)
        self._segments.setMaximumWidth(theme.px(WIDE_PX))
        self._segments.chosen.connect(self.entered)
        fill_row(self, self._segments).setAlignment(Qt.AlignmentFlag.AlignLeft)

    def show_value(self, value: Any) -> None:
        """Choose without telling."""
        self._segments.set_value(value)

    def describe(self, name: str, description: str) -> None:
        """The chosen option is the description of segments."""
        self._segments.set_name(name)
        self._segments.setToolTip(description)

    def natural_width(self) -> int:
        """As wide as the words."""
        return min(super().natural_width(), self._segments.sizeHint().width())

    def focus_target(self) -> QWidget:
        """The segments."""
        return self._segments


class MenuButton(QAbstractButton):
    """A control edge with the chosen words and a chevron; opens a menu."""

    def __init__(self, *, tight: bool = False) -> None:
        super().__init__()
        self._padding = theme.px(9 if tight else 13)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFont(theme.font("value"))
        self.setFixedHeight(theme.px(36))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """As wide as a wide field; longer words are shown in full by the menu."""
        return QSize(theme.px(WIDE_PX), theme.px(36))

    def minimumSizeHint(self) -> QSize:
        """A short word and the chevron."""
        return QSize(theme.px(56), theme.px(36))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down, Up and F4 open the menu like Space."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_F4):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Edge, words, chevron."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 2 if self.hasFocus() else 1
        painter.setPen(QPen(theme.colour("accent" if self.hasFocus() else "border"), width))
        painter.setBrush(theme.colour("surface"))
        inset = width / 2
        rect = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(rect, theme.px(6), theme.px(6))
        side = theme.px(14)
        content = self.rect().adjusted(self._padding, 0, -self._padding, 0)
        mark = QRectF(content.right() - side, (self.height() - side) / 2, side, side)
        icons.paint(painter, "chevron-down", mark, "ink2")
        content.setRight(content.right() - side - theme.px(4))
        painter.setFont(self._fitting_font(content.width()))
        painter.setPen(theme.colour("ink"))
        words = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, content.width())
        painter.drawText(content, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)

    def _fitting_font(self, width: int) -> QFont:
        """Long words are set smaller before anything is cut."""
        fits = QFontMetrics(self.font()).horizontalAdvance(self.text()) <= width
        return self.font() if fits else theme.font("small")


class MenuField(Field):
    """More options than segments can hold: a menu with a tick at the chosen one."""

    def __init__(self, options: tuple[Option, ...], *, width_px: int = WIDE_PX, tight: bool = False) -> None:
        super().__init__()
        self._options = options
        self._value: Any = None
        self._name = ""
        self.button = MenuButton(tight=tight)
        self.button.setMaximumWidth(theme.px(width_px))
        self.button.clicked.connect(self.open_menu)
        fill_row(self, self.button).setAlignment(Qt.AlignmentFlag.AlignLeft)

    def show_value(self, value: Any) -> None:
        """Choose without telling; a value that is not offered is shown as it is."""
        self._value = value
        words = next((option.words for option in self._options if option.value == value), str(value or ""))
        self.button.setText(words)
        self.button.setAccessibleName(f"{self._name}: {words}")
        self.button.setToolTip(words)

    def describe(self, name: str, description: str) -> None:
        """Name with the chosen words; they are what the button says."""
        self._name = name
        self.button.setAccessibleName(f"{name}: {self.button.text()}")
        self.button.setAccessibleDescription(description)

    def focus_target(self) -> QWidget:
        """The button."""
        return self.button

    def open_menu(self) -> None:
        """Show the options below the field."""
        menu = QMenu(self)
        menu.setFont(theme.font("body"))
        menu.setMinimumWidth(self.button.width())
        for option in self._options:
            action = self._action(menu, option)
            menu.addAction(action)
            if option.value == self._value:
                menu.setActiveAction(action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height() + 2)))

    def _action(self, menu: QMenu, option: Option) -> QAction:
        words = f"{option.words} ({option.reason})" if option.reason else option.words
        action = QAction(words.replace("&", "&&"), menu)
        action.setEnabled(not option.reason)
        if option.value == self._value:
            action.setIcon(icons.icon("check", "accent"))
        action.triggered.connect(lambda: self._choose(option.value))
        return action

    def _choose(self, value: Any) -> None:
        if value != self._value:
            self.show_value(value)
            self.entered.emit(value)


class TicksField(Field):
    """Several of the options; none chosen means all of them."""

    def __init__(self, options: tuple[Option, ...], all_words: str) -> None:
        super().__init__()
        self._options = options
        self._all_words = all_words
        self._values: tuple[Any, ...] = ()
        self._name = ""
        self.button = MenuButton()
        self.button.setMaximumWidth(theme.px(WIDE_PX))
        self.button.clicked.connect(self.open_menu)
        fill_row(self, self.button).setAlignment(Qt.AlignmentFlag.AlignLeft)

    def show_value(self, value: Any) -> None:
        """Show a list of values; ``None`` or empty means all."""
        self._values = tuple(value) if isinstance(value, (list, tuple)) else ()
        chosen = [option.words for option in self._options if option.value in self._values]
        self.button.setText(" · ".join(chosen) or self._all_words)
        self.button.setAccessibleName(f"{self._name}: {self.button.text()}")

    def describe(self, name: str, description: str) -> None:
        """Name with the chosen words."""
        self._name = name
        self.button.setAccessibleName(f"{name}: {self.button.text()}")
        self.button.setAccessibleDescription(description)

    def focus_target(self) -> QWidget:
        """The button."""
        return self.button

    def open_menu(self) -> None:
        """Show the options with a tick at each chosen one."""
        menu = QMenu(self)
        menu.setFont(theme.font("body"))
        menu.setMinimumWidth(self.button.width())
        for option in self._options:
            action = QAction(option.words.replace("&", "&&"), menu)
            if option.value in self._values:
                action.setIcon(icons.icon("check", "accent"))
            action.triggered.connect(lambda _=False, value=option.value: self._toggle(value))
            menu.addAction(action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height() + 2)))

    def _toggle(self, value: Any) -> None:
        chosen = set(self._values) ^ {value}
        ordered = [option.value for option in self._options if option.value in chosen]
        self.show_value(ordered)
        self.entered.emit(ordered or None)

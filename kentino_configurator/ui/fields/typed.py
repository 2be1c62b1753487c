"""Typed answers: a line with its unit inside the frame, and a few lines of free text."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.field import NARROW_PX, WIDE_PX, Field, Frame, fill_row
from kentino_configurator.ui.widgets.label import label


def bare_edit() -> QLineEdit:
    """A line edit without a frame of its own."""
    edit = QLineEdit()
    edit.setFrame(False)
    edit.setProperty("bare", True)
    edit.setFont(theme.font("value"))
    edit.setTextMargins(-2, 0, -2, 0)
    return edit


class LineField(Field):
    """One line of text. Hands its text over when it is left or on Enter, and only if it changed."""

    def __init__(self, unit: str = "", *, wide: bool = False, placeholder: str = "") -> None:
        super().__init__()
        self.wide = wide
        self.edit = bare_edit()
        self.edit.setPlaceholderText(placeholder)
        trailing = [label(unit, "small", "ink3")] if unit else []
        self._frame = Frame(self.edit, *trailing)
        if wide:
            self._frame.setMaximumWidth(theme.px(WIDE_PX))
        else:
            self._frame.setFixedWidth(theme.px(NARROW_PX))
        fill_row(self, self._frame).setAlignment(Qt.AlignmentFlag.AlignLeft)
        self._shown = ""
        self.edit.editingFinished.connect(self.flush)
        self.edit.textEdited.connect(self.typing.emit)

    def show_value(self, value: Any) -> None:
        """Show finished text; what is just being typed is left alone."""
        being_typed = self.edit.hasFocus() and self.edit.text() != self._shown
        self._shown = str(value)
        if not being_typed and self.edit.text() != self._shown:
            self.edit.setText(self._shown)

    def set_invalid(self, invalid: bool) -> None:
        """Ring in the colour of a block."""
        self._frame.set_invalid(invalid)

    def focus_target(self) -> QWidget:
        """The line edit."""
        return self.edit

    def flush(self) -> None:
        """Hand over a text that differs from the one shown."""
        text = self.edit.text()
        if text != self._shown:
            self._shown = text
            self.entered.emit(text)


class AreaField(Field):
    """A few lines of free text. Tab leaves it; Enter makes a new line."""

    def __init__(self) -> None:
        super().__init__()
        self.edit = QPlainTextEdit()
        self.edit.setProperty("bare", True)
        self.edit.setFont(theme.font("body"))
        self.edit.setTabChangesFocus(True)
        self.edit.document().setDocumentMargin(0)
        self.edit.installEventFilter(self)
        self._frame = Frame(self.edit)
        self._frame.set_padding(13, 8, 8, 8)
        self._frame.setFixedHeight(theme.px(76))
        self._frame.setMaximumWidth(theme.px(WIDE_PX))
        fill_row(self, self._frame).setAlignment(Qt.AlignmentFlag.AlignLeft)
        self._shown = ""
        self.edit.textChanged.connect(self._on_change)

    def _on_change(self) -> None:
        if self.edit.toPlainText() != self._shown:
            self.typing.emit(self.edit.toPlainText())

    def show_value(self, value: Any) -> None:
        """Show finished text; what is just being typed is left alone."""
        being_typed = self.edit.hasFocus() and self.edit.toPlainText() != self._shown
        self._shown = str(value)
        if not being_typed and self.edit.toPlainText() != self._shown:
            self.edit.setPlainText(self._shown)

    def set_invalid(self, invalid: bool) -> None:
        """Ring in the colour of a block."""
        self._frame.set_invalid(invalid)

    def focus_target(self) -> QWidget:
        """The text edit."""
        return self.edit

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hand over when the focus leaves; Ctrl+Enter belongs to the page."""
        if event.type() is QEvent.Type.FocusOut:
            self.flush()
        if isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        return False

    def flush(self) -> None:
        """Hand over a text that differs from the one shown."""
        text = self.edit.toPlainText()
        if text != self._shown:
            self._shown = text
            self.entered.emit(text)

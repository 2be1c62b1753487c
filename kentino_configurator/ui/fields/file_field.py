"""A file that is chosen or dropped, such as a model's config.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.field import Field, fill_row
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.label import label


class FileField(Field):
    """A button and the name of the file. Hands over the path as text."""

    def __init__(self, button_words: str, dialog_title: str, name_filter: str, nothing_words: str) -> None:
        super().__init__()
        self._dialog_title = dialog_title
        self._name_filter = name_filter
        self._nothing_words = nothing_words
        self.button = Button(button_words, ButtonKind.OUTLINE, icon="upload")
        self._file = label(nothing_words, "body", "ink3")
        self._file.setFixedHeight(theme.px(36))
        fill_row(self, self.button, self._file, stretch_last=True)
        self.button.clicked.connect(self._choose)
        self.setAcceptDrops(True)

    def show_value(self, value: Any) -> None:
        """Show the name of the file."""
        self._file.setText(Path(str(value)).name if value else self._nothing_words)
        self._file.setToolTip(str(value or ""))

    def focus_target(self) -> QWidget:
        """The button."""
        return self.button

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self._dialog_title, "", self._name_filter)
        if path:
            self.entered.emit(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """One local file may be dropped."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the dropped file."""
        self.entered.emit(event.mimeData().urls()[0].toLocalFile())

"""The few dialogs: for losing something, for what is told once. Ours, so that words and theme are ours too."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator import __version__, paths
from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.icon_label import IconLabel
from kentino_configurator.ui.widgets.label import label, set_ground

WIDTH_PX = 460
SHORTCUTS = (
    ("Alt+1 … Alt+9", "w.shortcuts.page"),
    ("Ctrl+Enter", "w.shortcuts.continue"),
    ("F6", "w.shortcuts.cycle"),
    ("Ctrl+Z", "w.shortcuts.undo"),
    ("Ctrl+Y", "w.shortcuts.redo"),
    ("Ctrl+S", "w.shortcuts.save"),
    ("Ctrl+O", "w.shortcuts.open"),
    ("Ctrl+N", "w.shortcuts.new"),
    ("Ctrl+E", "w.shortcuts.expert"),
    ("Ctrl+P", "w.shortcuts.proposal"),
    ("Ctrl+D", "w.variant.add"),
    ("F1", "w.shortcuts.help"),
)


class Leave(StrEnum):
    """What to do with changes that are not in the file."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class _Dialog(QDialog):
    """Title, content, verbs at the right."""

    def __init__(self, parent: QWidget | None, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        set_ground(self, "surface")
        self.setFixedWidth(theme.px(WIDTH_PX))
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(*(theme.px(24),) * 4)
        self.rows.setSpacing(theme.px(10))
        self.rows.addWidget(label(title, "title", wrap=True))
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.px(8))
        self._buttons.addStretch(1)

    def add_button(self, words: str, kind: ButtonKind) -> Button:
        """One more verb."""
        button = Button(words, kind)
        self._buttons.addWidget(button)
        return button

    def close_rows(self) -> None:
        """Put the verbs under the content."""
        self.rows.addSpacing(theme.px(8))
        self.rows.addLayout(self._buttons)


class LeaveDialog(_Dialog):
    """Changes would be lost: save, do not save, go on editing. Escape goes on editing."""

    def __init__(self, parent: QWidget, texts: Texts, name: str) -> None:
        super().__init__(parent, texts.say("w.leave.title"))
        self.choice = Leave.CANCEL
        self.rows.addWidget(label(texts.say("w.leave.text", name=name), "body", "ink2", wrap=True))
        kinds = {
            Leave.CANCEL: ButtonKind.PLAIN,
            Leave.DISCARD: ButtonKind.OUTLINE,
            Leave.SAVE: ButtonKind.FILLED,
        }
        for choice, kind in kinds.items():
            button = self.add_button(texts.say(f"w.leave.{choice.value}"), kind)
            button.clicked.connect(lambda _=False, choice=choice: self._choose(choice))
        self.close_rows()

    def _choose(self, choice: Leave) -> None:
        self.choice = choice
        self.accept()

    @classmethod
    def ask(cls, parent: QWidget, texts: Texts, name: str) -> Leave:
        """Show the dialog and wait for the choice."""
        dialog = cls(parent, texts, name)
        dialog.exec()
        return dialog.choice


class NoticeDialog(_Dialog):
    """What happened, what it means for the work, what to do."""

    def __init__(self, parent: QWidget | None, texts: Texts, what: str, detail: str = "") -> None:
        super().__init__(parent, what)
        if detail:
            line = QHBoxLayout()
            line.addWidget(IconLabel("octagon-alert", "block"), 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(label(detail, "body", "ink2", wrap=True), 1)
            self.rows.addLayout(line)
        self.add_button(texts.say("w.dialog.close"), ButtonKind.FILLED).clicked.connect(self.accept)
        self.close_rows()


class ShortcutsDialog(_Dialog):
    """Every key in one list, made from the table that is bound."""

    def __init__(
        self, parent: QWidget, texts: Texts, shortcuts: Sequence[tuple[str, str]] = SHORTCUTS
    ) -> None:
        super().__init__(parent, texts.say("w.shortcuts.title"))
        grid = QGridLayout()
        grid.setVerticalSpacing(theme.px(8))
        grid.setHorizontalSpacing(theme.px(24))
        for row, (keys, text_id) in enumerate(shortcuts):
            grid.addWidget(label(keys, "label"), row, 0)
            grid.addWidget(label(texts.say(text_id), "body", "ink2", wrap=True), row, 1)
        grid.setColumnStretch(1, 1)
        self.rows.addLayout(grid)
        self.add_button(texts.say("w.dialog.close"), ButtonKind.FILLED).clicked.connect(self.accept)
        self.close_rows()


class AboutDialog(_Dialog):
    """Version and licences."""

    def __init__(self, parent: QWidget, texts: Texts) -> None:
        super().__init__(parent, texts.say("w.about.title"))
        folder = str(paths.resource_dir() / "licences")
        lines = (
            texts.say("w.about.version", version=__version__),
            texts.say("w.about.text"),
            texts.say("w.about.licences", folder=folder),
        )
        for words in lines:
            self.rows.addWidget(label(words, "body", "ink2", wrap=True))
        self.add_button(texts.say("w.dialog.close"), ButtonKind.FILLED).clicked.connect(self.accept)
        self.close_rows()

"""Several named whole numbers, such as the ten that describe a model's architecture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QGridLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.field import Field
from kentino_configurator.ui.fields.typed import LineField
from kentino_configurator.ui.widgets.label import label


class NumbersField(Field):
    """A small table of name and number. Hands over ``{name: text as typed}`` of all that are filled."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(theme.px(16))
        layout.setVerticalSpacing(theme.px(4))
        self._lines: dict[str, LineField] = {}
        for row, name in enumerate(names):
            line = LineField()
            line.describe(name, "")
            line.entered.connect(self._tell)
            layout.addWidget(line, row, 0)
            layout.addWidget(label(name, "code", "ink2"), row, 1)
            self._lines[name] = line
        layout.setColumnStretch(1, 1)

    def show_value(self, value: Any) -> None:
        """Show finished texts by name."""
        given = value if isinstance(value, Mapping) else {}
        for name, line in self._lines.items():
            line.show_value(given.get(name, ""))

    def describe(self, name: str, description: str) -> None:
        """The lines have names of their own; this one is for the group."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)

    def focus_target(self) -> QWidget:
        """The first line."""
        return next(iter(self._lines.values())).focus_target()

    def set_invalid(self, invalid: bool) -> None:
        """Ring around every line."""
        for line in self._lines.values():
            line.set_invalid(invalid)

    def flush(self) -> None:
        """Hand over what was typed."""
        for line in self._lines.values():
            line.flush()

    def _tell(self, _text: str) -> None:
        given = {name: line.edit.text().strip() for name, line in self._lines.items()}
        self.entered.emit({name: text for name, text in given.items() if text} or None)

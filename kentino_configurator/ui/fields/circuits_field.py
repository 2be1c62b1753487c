"""The circuits that are free: rows of number, volts, amperes and phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.choice import MenuField
from kentino_configurator.ui.fields.field import Field
from kentino_configurator.ui.widgets.button import Button, ButtonKind, IconButton
from kentino_configurator.ui.widgets.label import label
from kentino_configurator.ui.widgets.segmented import Option

FIRST_ROW: Final[Mapping[str, int]] = {"volts": 230, "amps": 16, "phases": 1, "count": 1}
CIRCUIT_CHOICES: Final[Mapping[str, tuple[int, ...]]] = {
    "count": tuple(range(1, 21)),
    "volts": (230, 400),
    "amps": (10, 16, 32, 63),
    "phases": (1, 3),
}
_WIDTH_PX: Final[Mapping[str, int]] = {"count": 66, "volts": 82, "amps": 76, "phases": 98}


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitWords:
    """What the rows say. ``written`` maps (part, number) to its words, such as ("amps", 16) to "16 A"."""

    add: str
    remove: str
    unknown: str
    parts: Mapping[str, str]
    written: Mapping[tuple[str, int], str]


class _CircuitRow(QWidget):
    """One kind of circuit."""

    changed = Signal()
    removed = Signal()

    def __init__(self, circuit: Mapping[str, int], words: CircuitWords) -> None:
        super().__init__()
        self._circuit = dict(circuit)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(6))
        self.choices: dict[str, MenuField] = {}
        for part, numbers in CIRCUIT_CHOICES.items():
            layout.addWidget(self._choice(part, numbers, words))
        remove = IconButton("trash-2", words.remove, box_px=28)
        remove.clicked.connect(self.removed)
        layout.addWidget(remove)
        layout.addStretch(1)

    def _choice(self, part: str, numbers: tuple[int, ...], words: CircuitWords) -> MenuField:
        options = tuple(Option(value=n, words=words.written.get((part, n), str(n))) for n in numbers)
        field = MenuField(options, width_px=_WIDTH_PX[part], tight=True)
        field.setFixedWidth(theme.px(_WIDTH_PX[part]))
        field.describe(words.parts[part], "")
        field.show_value(self._circuit.get(part, FIRST_ROW[part]))
        field.entered.connect(lambda value: self._set(part, value))
        self.choices[part] = field
        return field

    def _set(self, part: str, value: int) -> None:
        self._circuit[part] = value
        self.changed.emit()

    def circuit(self) -> dict[str, int]:
        """The row as it stands in a request."""
        return {part: int(self._circuit.get(part, FIRST_ROW[part])) for part in FIRST_ROW}


class CircuitsField(Field):
    """A list of circuits; an empty list is "unknown" and limits nothing."""

    def __init__(self, words: CircuitWords) -> None:
        super().__init__()
        self._words = words
        self._rows: list[_CircuitRow] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.px(8))
        self._unknown = label(words.unknown, "body", "ink3")
        self._unknown.setFixedHeight(theme.px(24))
        self._add = Button(words.add, ButtonKind.LINK)
        self._add.clicked.connect(self._add_row)
        self._layout.addWidget(self._unknown)
        self._layout.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)

    def show_value(self, value: Any) -> None:
        """Show a list of circuits; ``None`` shows that nothing is known."""
        for row in self._rows:
            row.setParent(None)
            row.deleteLater()
        self._rows = []
        for circuit in value or ():
            self._append(circuit)
        self._unknown.setVisible(not self._rows)

    def focus_target(self) -> QWidget:
        """The first choice, or the button that adds a row."""
        return self._rows[0].choices["count"].focus_target() if self._rows else self._add

    def describe(self, name: str, description: str) -> None:
        """The parts of the rows have names of their own; this one is for the group."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)

    def _append(self, circuit: Mapping[str, int]) -> None:
        row = _CircuitRow(circuit, self._words)
        row.changed.connect(self._tell)
        row.removed.connect(lambda: self._remove(row))
        self._layout.insertWidget(self._layout.count() - 1, row)
        self._rows.append(row)

    def _add_row(self) -> None:
        self._append(FIRST_ROW)
        self._unknown.hide()
        self._tell()

    def _remove(self, row: _CircuitRow) -> None:
        self._rows.remove(row)
        row.setParent(None)
        row.deleteLater()
        self._unknown.setVisible(not self._rows)
        self._add.setFocus()
        self._tell()

    def _tell(self) -> None:
        self.entered.emit([row.circuit() for row in self._rows] or None)

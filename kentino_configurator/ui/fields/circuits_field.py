"""The circuits that are free: rows of number, volts, amperes and phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

# Kinds of circuits; equal ones are counted in one row.
MOST_ROWS: Final = 6
FIRST_ROW: Final[Mapping[str, int]] = {"volts": 230, "amps": 16, "phases": 1, "count": 1}
CIRCUIT_CHOICES: Final[Mapping[str, tuple[int, ...]]] = {
    "count": tuple(range(1, 21)),
    "volts": (230, 400),
    "amps": (10, 16, 32, 63),
    "phases": (1, 3),
}
_WIDTH_PX: Final[Mapping[str, int]] = {"count": 66, "volts": 82, "amps": 76, "phases": 98}
Circuit = dict[str, int]


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

    def __init__(self, words: CircuitWords) -> None:
        super().__init__()
        self._circuit: Circuit = dict(FIRST_ROW)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, theme.px(8))
        layout.setSpacing(theme.px(6))
        self._choices = {part: self._choice(part, words) for part in CIRCUIT_CHOICES}
        for choice in self._choices.values():
            layout.addWidget(choice)
        remove = IconButton("trash-2", words.remove, box_px=28)
        remove.clicked.connect(self.removed)
        layout.addWidget(remove)
        layout.addStretch(1)

    def _choice(self, part: str, words: CircuitWords) -> MenuField:
        numbers = CIRCUIT_CHOICES[part]
        options = tuple(Option(value=n, words=words.written.get((part, n), str(n))) for n in numbers)
        field = MenuField(options, width_px=_WIDTH_PX[part], tight=True)
        field.setFixedWidth(theme.px(_WIDTH_PX[part]))
        field.describe(words.parts[part], "")
        field.entered.connect(lambda value: self._set(part, value))
        return field

    def _set(self, part: str, value: int) -> None:
        self._circuit[part] = value
        self.changed.emit()

    def focus_target(self) -> QWidget:
        """The first choice."""
        return self._choices["count"].focus_target()

    def circuit(self) -> Circuit:
        """The row as it stands in a request."""
        return dict(self._circuit)

    def show_circuit(self, circuit: Circuit) -> None:
        """Show another circuit."""
        self._circuit = dict(circuit)
        for part, choice in self._choices.items():
            choice.show_value(circuit[part])


class CircuitsField(Field):
    """A list of circuits; an empty list is "unknown" and limits nothing.

    The rows exist from the start and are shown as needed, so that Tab finds them in order.
    """

    def __init__(self, words: CircuitWords) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._unknown = label(words.unknown, "body", "ink3")
        self._unknown.setFixedHeight(theme.px(32))
        layout.addWidget(self._unknown)
        self._rows = [self._build_row(words) for _ in range(MOST_ROWS)]
        for row in self._rows:
            layout.addWidget(row)
        self._add = Button(words.add, ButtonKind.LINK)
        self._add.clicked.connect(self._add_row)
        layout.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        self._circuits: list[Circuit] = []
        self._show([])

    def _build_row(self, words: CircuitWords) -> _CircuitRow:
        row = _CircuitRow(words)
        row.changed.connect(self._take)
        row.removed.connect(lambda: self._remove(row))
        return row

    def show_value(self, value: Any) -> None:
        """Show a list of circuits; ``None`` shows that nothing is known."""
        given = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
        self._show([complete(circuit) for circuit in given if isinstance(circuit, Mapping)])

    def focus_target(self) -> QWidget:
        """The first choice, or the button that adds a row."""
        return self._rows[0].focus_target() if self._circuits else self._add

    def describe(self, name: str, description: str) -> None:
        """The parts of the rows have names of their own; this one is for the group."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)

    def _show(self, circuits: list[Circuit]) -> None:
        self._circuits = circuits[:MOST_ROWS]
        for index, row in enumerate(self._rows):
            row.setVisible(index < len(self._circuits))
            if index < len(self._circuits):
                row.show_circuit(self._circuits[index])
        self._unknown.setVisible(not self._circuits)
        self._add.setVisible(len(self._circuits) < MOST_ROWS)

    def _take(self) -> None:
        self._tell([row.circuit() for row in self._rows[: len(self._circuits)]])

    def _add_row(self) -> None:
        self._tell([*self._circuits, dict(FIRST_ROW)])

    def _remove(self, row: _CircuitRow) -> None:
        index = self._rows.index(row)
        self._tell(self._circuits[:index] + self._circuits[index + 1 :])
        self._add.setFocus()

    def _tell(self, circuits: list[Circuit]) -> None:
        self._show(circuits)
        self.entered.emit(circuits or None)


def complete(circuit: Mapping[str, Any]) -> Circuit:
    """A circuit with every part; a part that is not usable gets that of the first row."""
    parts = {part: circuit.get(part, FIRST_ROW[part]) for part in FIRST_ROW}
    return {part: int(n) if isinstance(n, int | float) else FIRST_ROW[part] for part, n in parts.items()}

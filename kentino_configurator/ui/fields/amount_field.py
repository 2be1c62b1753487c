"""An amount with a unit that the person chooses: 1,000 pages, 3 gigabytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.choice import MenuField
from kentino_configurator.ui.fields.field import NARROW_PX, Field, fill_row
from kentino_configurator.ui.fields.typed import LineField
from kentino_configurator.ui.widgets.segmented import Option


class AmountField(Field):
    """Number and unit. Hands over ``{"amount": text as typed, "unit": chosen unit}``."""

    def __init__(self, units: tuple[Option, ...], unit_name: str) -> None:
        super().__init__()
        self.amount = LineField()
        self.unit = MenuField(units, width_px=240)
        self.unit.describe(unit_name, "")
        self._unit_value: Any = units[0].value
        layout = fill_row(self, self.amount, self.unit, stretch_last=True)
        layout.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.amount.setFixedWidth(theme.px(NARROW_PX))
        self.unit.setMinimumWidth(theme.px(NARROW_PX))
        self.amount.entered.connect(lambda text: self._tell(text))
        self.amount.typing.connect(lambda text: self.typing.emit({"amount": text, "unit": self._unit_value}))
        self.unit.entered.connect(self._take_unit)

    def _take_unit(self, unit: Any) -> None:
        self._unit_value = unit
        self._tell(self.amount.edit.text())

    def _tell(self, text: str) -> None:
        self.entered.emit({"amount": text, "unit": self._unit_value})

    def show_value(self, value: Any) -> None:
        """Show ``{"amount": finished text, "unit": unit}``."""
        if isinstance(value, Mapping):
            self._unit_value = value["unit"]
            self.amount.show_value(value["amount"])
            self.unit.show_value(value["unit"])

    def set_invalid(self, invalid: bool) -> None:
        """Ring around the number."""
        self.amount.set_invalid(invalid)

    def focus_target(self) -> QWidget:
        """The number."""
        return self.amount.focus_target()

    def flush(self) -> None:
        """Hand over the number."""
        self.amount.flush()

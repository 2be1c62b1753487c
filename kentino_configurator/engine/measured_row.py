"""What reading a row of any measurement table needs: names, numbers, the grade, and the reason to give up."""

from __future__ import annotations

import math
import re
from typing import Protocol

from kentino_configurator.core.hardware import GpuSpec
from kentino_configurator.core.llm import ModelSpec

_GRADE = re.compile(r"grade ([ABC])\b")


class SpecResolver(Protocol):
    """Finds specs by people's spellings; ``None`` when there is none."""

    def model(self, text: str) -> ModelSpec | None:
        """The model of a spelling."""

    def gpu(self, text: str) -> GpuSpec | None:
        """The GPU of a spelling."""


class SkippedRowError(Exception):
    """The row cannot be predicted; the message is the reason as a word with underscores."""


def stated_grade(notes: str) -> str:
    """The grade that remarks begin with; empty when there is none."""
    match = _GRADE.match(notes)
    return match[1] if match else ""


def positive_number(text: str, column: str) -> float:
    """The number of a cell. Raises :class:`SkippedRowError` when the cell holds none above zero."""
    number = number_or_zero(text)
    if number <= 0.0:
        raise SkippedRowError(f"unreadable_{column}")
    return number


def number_or_zero(text: str) -> float:
    """The finite number of a cell, 0 when there is none."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0

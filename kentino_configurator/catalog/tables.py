"""Reading the reviewable source files: CSV rows with their line numbers, and numbers that may be unknown."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kentino_configurator.catalog.errors import CatalogError


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a CSV file. Empty cells mean: not known."""

    cells: Mapping[str, str]
    where: str

    def text(self, column: str) -> str:
        """The cell, empty when the file has no such column."""
        return (self.cells.get(column) or "").strip()

    def required(self, column: str) -> str:
        """The cell; raises ``CatalogError`` when it is empty."""
        value = self.text(column)
        if not value:
            raise CatalogError(f"{self.where}: {column} must not be empty.")
        return value

    def number(self, column: str) -> float | None:
        """The cell as a number, ``None`` when it is empty; raises ``CatalogError`` when it is something else."""
        value = self.text(column)
        if not value:
            return None
        try:
            return float(value)
        except ValueError:
            raise CatalogError(f"{self.where}: {column} must be a number, not {value!r}.") from None

    def whole(self, column: str) -> int | None:
        """The cell rounded to a whole number, ``None`` when it is empty."""
        value = self.number(column)
        return None if value is None else round(value)

    def texts(self, columns: str) -> dict[str, Any]:
        """Several cells, columns separated by spaces."""
        return {column: self.text(column) for column in columns.split()}

    def numbers(self, columns: str) -> dict[str, float | None]:
        """Several cells as numbers, columns separated by spaces."""
        return {column: self.number(column) for column in columns.split()}

    def wholes(self, columns: str) -> dict[str, int | None]:
        """Several cells as whole numbers, columns separated by spaces."""
        return {column: self.whole(column) for column in columns.split()}

    def scaled(self, column: str, factor: float) -> float | None:
        """The cell times a factor, ``None`` when it is empty."""
        value = self.number(column)
        return None if value is None else value * factor


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a UTF-8 CSV file with a header line."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for number, cells in enumerate(csv.DictReader(file, strict=True), start=2):
                if None in cells or None in cells.values():
                    raise CatalogError(
                        f"{path.name}, row {number}: the number of cells differs from the header."
                    )
                yield Row(cells, f"{path.name}, row {number}")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CatalogError(f"{path.name}: cannot be read as CSV ({error}).") from error


def read_json(path: Path) -> Any:
    """A JSON source file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CatalogError(f"{path.name}: cannot be read as JSON ({error}).") from error


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML source file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CatalogError(f"{path.name}: cannot be read as TOML ({error}).") from error

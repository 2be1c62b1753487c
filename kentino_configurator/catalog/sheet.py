"""Tables people send: CSV as every spreadsheet writes it, and XLSX. Values only, nothing is computed or followed."""

from __future__ import annotations

import csv
import datetime
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from kentino_configurator.catalog.errors import CatalogError

LARGEST_FILE_BYTES = 20 * 2**20
LARGEST_UNPACKED_BYTES = 500 * 2**20
MOST_ROWS = 100_000
CSV_SEPARATORS = (";", ",", "\t")
ASSUMED_CODE_PAGE = "cp1250"
"""Of CSV files that are not UTF-8: Excel's on Windows in Central Europe; it reads Portuguese headers as well."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A cell that holds no value; ``why`` completes the sentence "the cell ..."."""

    why: str


Cell = str | Decimal | datetime.date | Unreadable | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table. ``rows[i]`` is what the file calls row ``i + 1``."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]


def read_sheets(path: Path) -> tuple[Sheet, ...]:
    """The tables of a file, by its suffix; a CSV file gives one for each separator it could have been meant with.

    Raises ``CatalogError`` for a file that is missing, too large, or neither CSV nor XLSX.
    """
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST_FILE_BYTES else b""
    except OSError as error:
        raise CatalogError(f"{path}: cannot be read ({error.strerror}); name a CSV or XLSX file.") from error
    if size > LARGEST_FILE_BYTES:
        raise CatalogError(f"{path}: larger than 20 MB; a price list is far smaller.")
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        return _xlsx(path, content)
    if path.suffix.lower() in (".csv", ".txt", ".tsv"):
        return _csv(path, content)
    raise CatalogError(f"{path}: the name must end in .csv or .xlsx; save the price list as one of these.")


def _csv(path: Path, content: bytes) -> tuple[Sheet, ...]:
    text = _decoded(path, content)
    sheets = []
    for separator in CSV_SEPARATORS:
        try:
            rows = tuple(
                tuple(row) for row in csv.reader(io.StringIO(text), delimiter=separator, strict=True)
            )
        except csv.Error:
            continue
        _require_fewer_rows(path, len(rows))
        sheets.append(Sheet(name="", rows=rows))
    if not sheets:
        raise CatalogError(f"{path}: cannot be read as CSV; a quotation mark is not closed.")
    return tuple(sheets)


def _decoded(path: Path, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        codes: Sequence[str] = ("utf-16",)
    else:
        codes = ("utf-8-sig", ASSUMED_CODE_PAGE)
    for code in codes:
        try:
            return content.decode(code)
        except UnicodeDecodeError:
            continue
    raise CatalogError(f"{path}: is not a text file; save it as CSV in UTF-8.")


def _xlsx(path: Path, content: bytes) -> tuple[Sheet, ...]:
    _require_sane_archive(path, content)
    from openpyxl import load_workbook

    try:
        values = load_workbook(io.BytesIO(content), data_only=True)
        formulas = load_workbook(io.BytesIO(content), data_only=False)
    except Exception as error:  # openpyxl raises whatever its parsers raise
        raise CatalogError(
            f"{path}: cannot be read as a workbook ({type(error).__name__}); save it again as XLSX."
        ) from error
    return tuple(
        Sheet(name=sheet.title, rows=tuple(_rows(path, sheet, formulas[sheet.title])))
        for sheet in values.worksheets
    )


def _require_sane_archive(path: Path, content: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile as error:
        raise CatalogError(f"{path}: is not an XLSX workbook; save the price list again as XLSX.") from error
    if unpacked > LARGEST_UNPACKED_BYTES:
        raise CatalogError(f"{path}: unpacks to more than 500 MB; a price list is far smaller.")


def _require_fewer_rows(path: Path, rows: int) -> None:
    if rows > MOST_ROWS:
        raise CatalogError(f"{path}: has more than {MOST_ROWS} rows; split the price list.")


def _rows(path: Path, values: Any, formulas: Any) -> Iterator[tuple[Cell, ...]]:
    """Rows of a worksheet; each cell of a merged range shows the value of the whole range."""
    _require_fewer_rows(path, values.max_row)
    merged = {
        (row, column): values.cell(area.min_row, area.min_col)
        for area in values.merged_cells.ranges
        for row in range(area.min_row, area.max_row + 1)
        for column in range(area.min_col, area.max_col + 1)
    }
    for number, row in enumerate(values.iter_rows(), start=1):
        shown = [merged.get((number, column), cell) for column, cell in enumerate(row, start=1)]
        yield tuple(_cell(cell, formulas.cell(cell.row, cell.column)) for cell in shown)


def _cell(value: Any, formula: Any) -> Cell:
    if formula.data_type == "f" and value.value is None:
        return Unreadable("holds a formula whose result was not saved; paste it as a value")
    if value.data_type == "e":
        return Unreadable(f"holds the error {value.value}; correct the formula")
    content = value.value
    if isinstance(content, datetime.datetime):
        return content.date()
    if isinstance(content, bool) or not isinstance(content, int | float):
        return content if content is None or isinstance(content, datetime.date) else str(content)
    return _exact(content)


def _exact(number: float) -> Decimal:
    """The number as it is shown: what a spreadsheet computed is off by less than a millionth of a cent."""
    shown = Decimal(repr(number))
    rounded = round(shown, 6)
    return rounded if abs(rounded - shown) < Decimal("1e-8") else shown

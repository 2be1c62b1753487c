"""The bill of materials as CSV for purchasing systems: one header row, decimal point, no formula can hide in a text."""

from __future__ import annotations

import csv
from decimal import Decimal
from io import StringIO
from typing import Final

from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.export.bom_table import COLUMNS, headers, items
from kentino_configurator.texts import load_texts

_RISKY: Final = ("=", "+", "-", "@", "\t", "\r")


def bom_csv(bom: BillOfMaterials, language: str, separator: str = ";") -> bytes:
    """UTF-8 with byte order mark, as spreadsheets expect it; ``separator`` is ``;``, ``,`` or a tabulator.

    Another separator or language raises ``ValueError``.
    """
    if separator not in (";", ",", "\t"):
        raise ValueError(f'separator: "{separator}" is not one of ; , or a tabulator')
    texts = load_texts(language)
    buffer = StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\r\n")
    writer.writerow(headers(texts))
    for item in items(bom, texts):
        writer.writerow([_cell(getattr(item, name)) for name in COLUMNS])
    return buffer.getvalue().encode("utf-8-sig")


def _cell(value: str | int | Decimal | None) -> str:
    """A text that a spreadsheet would run as a formula gets an apostrophe in front."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_RISKY) else value
    return f"{value:.2f}" if isinstance(value, Decimal) else str(value)

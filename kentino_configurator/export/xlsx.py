"""The bill of materials as a workbook: texts stay texts, sums are formulas with their values, no merged cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from typing import Any, Final

import xlsxwriter

from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.money import Money
from kentino_configurator.export.bom_table import COLUMNS, Item, headers, items
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.sections.compliance import Compliance, met_words
from kentino_configurator.texts import Texts, load_texts

# A fixed date: the same bill of materials gives the same bytes.
_CREATED: Final = datetime(2000, 1, 1)
_WIDTHS: Final = {
    "line": 6,
    "group": 12,
    "sku": 28,
    "maker": 18,
    "mpn": 22,
    "description": 46,
    "quantity": 10,
    "unit_net": 14,
    "line_net": 16,
    "currency": 9,
    "price_status": 16,
    "price_date": 12,
}
_QUANTITY, _UNIT, _NET = (COLUMNS.index(name) for name in ("quantity", "unit_net", "line_net"))
_COMPLIANCE_COLUMNS: Final = ("requirement", "complies", "section", "value")
_COMPLIANCE_WIDTH: Final = 44
_LABEL: Final = COLUMNS.index("description")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Formats:
    head: Any
    text: Any
    amount: Any
    strong: Any
    sum: Any


def bom_workbook(bom: BillOfMaterials, language: str, requirements: Sequence[Compliance] = ()) -> bytes:
    """The workbook in ``en``, ``pt`` or ``cs``; another language raises ``ValueError``.

    ``requirements`` of a public tender get a sheet of their own.
    """
    texts = load_texts(language)
    buffer = BytesIO()
    book = xlsxwriter.Workbook(
        buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    book.set_properties(
        {"title": texts.say("p.title.bom"), "author": "Kentino configurator", "created": _CREATED}
    )
    formats = _formats(book)
    sheet = book.add_worksheet(texts.say("doc.item.sheet"))
    _head(sheet, texts, formats)
    rows = list(items(bom, texts))
    for number, item in enumerate(rows, start=1):
        _line(sheet, number, item, formats)
    _sums(sheet, len(rows), bom, texts, formats)
    if requirements:
        _compliance(book.add_worksheet(texts.say("p.title.matrix")), requirements, texts, formats)
    book.close()
    return buffer.getvalue()


def _compliance(sheet: Any, requirements: Sequence[Compliance], texts: Texts, formats: _Formats) -> None:
    """Requirement, yes or no, section of the document, value; one header row."""
    words = Words(texts=texts, pages={})
    for column, name in enumerate(_COMPLIANCE_COLUMNS):
        sheet.write_string(0, column, texts.say(f"doc.column.{name}"), formats.head)
        sheet.set_column(column, column, _COMPLIANCE_WIDTH)
    for row, item in enumerate(requirements, start=1):
        section = texts.say(f"doc.short.{item.section}")
        cells = (
            words.plain(item.requirement),
            words.plain(met_words(item)),
            section,
            words.plain(item.value),
        )
        for column, text in enumerate(cells):
            sheet.write_string(row, column, text, formats.text)
    sheet.freeze_panes(1, 0)


def _formats(book: Any) -> _Formats:
    return _Formats(
        head=book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
        text=book.add_format({"num_format": "@", "valign": "top"}),
        amount=book.add_format({"num_format": "#,##0.00", "valign": "top"}),
        strong=book.add_format({"bold": True}),
        sum=book.add_format({"bold": True, "num_format": "#,##0.00", "top": 1}),
    )


def _head(sheet: Any, texts: Texts, formats: _Formats) -> None:
    for column, (name, title) in enumerate(zip(COLUMNS, headers(texts), strict=True)):
        sheet.write_string(0, column, title, formats.head)
        sheet.set_column(column, column, _WIDTHS[name])
    sheet.freeze_panes(1, 0)


def _line(sheet: Any, row: int, item: Item, formats: _Formats) -> None:
    for column, name in enumerate(COLUMNS):
        value = getattr(item, name)
        if isinstance(value, str):
            sheet.write_string(row, column, value, formats.text)
        elif isinstance(value, int):
            sheet.write_number(row, column, value)
        elif value is not None and name != "line_net":
            sheet.write_number(row, column, float(value), formats.amount)
    if item.line_net is not None:
        formula = f"={_at(row, _QUANTITY)}*{_at(row, _UNIT)}"
        sheet.write_formula(row, _NET, formula, formats.amount, float(item.line_net))


def _sums(sheet: Any, lines: int, bom: BillOfMaterials, texts: Texts, formats: _Formats) -> None:
    """Sum of the lines, then discount, net, VAT and total as far as they are known, each from the cell above."""
    row = lines + 1
    for label, formula, value in _sum_rows(lines, row, bom, texts):
        sheet.write_string(row, _LABEL, label, formats.strong)
        sheet.write_formula(row, _NET, formula, formats.sum, float(value.amount))
        row += 1


def _sum_rows(lines: int, row: int, bom: BillOfMaterials, texts: Texts) -> Iterator[tuple[str, str, Money]]:
    lower = "_at_least" if bom.unpriced_lines else ""
    yield texts.say("doc.item.sum_of_lines"), f"=SUM({_at(1, _NET)}:{_at(lines, _NET)})", bom.list_net
    net = row
    if bom.discount.cents:
        minus = Money(-bom.discount.cents, bom.discount.currency)
        yield texts.say("doc.item.discount"), f"={minus.amount}", minus
        yield texts.say(f"doc.sum.net{lower}"), f"={_at(row, _NET)}+{_at(row + 1, _NET)}", bom.net
        net = row + 2
    if bom.vat is not None and bom.gross is not None:
        rate = Decimal(str(bom.vat_rate_percent or 0)) / 100
        yield texts.say("doc.item.vat"), f"=ROUND({_at(net, _NET)}*{rate},2)", bom.vat
        yield texts.say(f"doc.sum.total{lower}"), f"={_at(net, _NET)}+{_at(net + 1, _NET)}", bom.gross


def _at(row: int, column: int) -> str:
    """A cell reference such as ``I12``; rows and columns count from 0."""
    return f"{chr(ord('A') + column)}{row + 1}"

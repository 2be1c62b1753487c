"""Which column of a price list is which: headers in English, Czech and Portuguese, over one row or two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kentino_configurator.catalog.sheet import Cell, Sheet
from kentino_configurator.catalog.typed_cells import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    BadCell,
    plain,
    split_digits,
    text_of,
    vat_flag_of,
)

SEARCHED_ROWS = 30
NAMES = {
    "sku": "sku|item|item id|item no|kentino sku|article|code|product code|kod|kod zbozi|kod polozky|cislo polozky"
    "|polozka|codigo|codigo do artigo|artigo|referencia",
    "mpn": "mpn|part number|part no|p n|pn|manufacturer part number|manufacturer no|cislo dilu|kod vyrobce"
    "|oznaceni vyrobce|katalogove cislo|numero de peca|codigo do fabricante|referencia do fabricante",
    "price": "price|unit price|list price|net price|gross price|amount|cena|jednotkova cena|cena za kus|cena ks"
    "|cenikova cena|preco|preco unitario|preco de tabela|valor",
    "currency": "currency|mena|moeda|divisa",
    "vat": "vat|vat included|tax|tax included|dph|vcetne dph|iva|iva incluido",
    "vat_percent": "vat rate|vat percent|vat %|tax rate|sazba dph|dph %|taxa de iva|taxa iva|iva %",
    "date": "date|price date|valid from|datum|datum ceny|platnost od|plati od|data|data do preco|valido de",
    "valid_until": "valid until|valid to|validity|expires|platnost do|plati do|platnost|valido ate|validade",
    "note": "note|remark|comment|poznamka|nota|observacao|observacoes",
}
_FIELD_OF = {name: field for field, names in NAMES.items() for name in names.split("|")}
_VAT_WORDS = re.compile(
    r"\b(?:excl(?:uding|\.)?|ex|without|incl(?:uding|\.)?|inc|with|bez|vcetne|vc\.?|s|sem|com) ?(?:vat|tax|dph|iva)\b"
)
_PUNCTUATION = re.compile(r"[^\w%]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Where the data start and what the columns are; what the header itself says of currency and VAT of the price."""

    first_data_row: int
    columns: dict[str, int]
    currency: str = ""
    vat_included: bool | None = None

    def cell(self, row: Sequence[Cell], field: str) -> Cell:
        """The cell of a field, ``None`` when the list has no such column or the row ends before it."""
        column = self.columns.get(field)
        return row[column] if column is not None and column < len(row) else None


@dataclass(frozen=True, slots=True)
class _Meaning:
    field: str
    currency: str = ""
    vat_included: bool | None = None


def find_header(sheets: Iterable[Sheet]) -> tuple[Sheet, Header] | None:
    """The first sheet with a header row that names a price and what it is the price of."""
    for sheet in sheets:
        for number in range(min(SEARCHED_ROWS, len(sheet.rows))):
            if header := _header_at(sheet.rows, number):
                return sheet, header
    return None


def _header_at(rows: Sequence[Sequence[Cell]], number: int) -> Header | None:
    """The header that begins in a row: with the row below when that only divides its columns."""
    texts = [_text(cell) for cell in rows[number]]
    header = _header(texts, number + 1)
    if header is None or number + 1 >= len(rows) or not _divides(rows[number + 1], texts, header):
        return header
    below = [_text(cell) for cell in rows[number + 1]]
    joined = [
        f"{above} {text}" if text != above else above for above, text in zip(texts, below, strict=False)
    ]
    return _header(joined, number + 2) or header


def _header(texts: Sequence[str], first_data_row: int) -> Header | None:
    columns: dict[str, int] = {}
    price = _Meaning("")
    for column, text in enumerate(texts):
        meaning = _meaning(text)
        if meaning and meaning.field not in columns:
            columns[meaning.field] = column
            price = meaning if meaning.field == "price" else price
    if "price" not in columns or not columns.keys() & {"sku", "mpn"}:
        return None
    return Header(
        first_data_row=first_data_row,
        columns=columns,
        currency=price.currency,
        vat_included=price.vat_included,
    )


def _divides(row: Sequence[Cell], above: Sequence[str], header: Header) -> bool:
    """Whether a row belongs to the header: no item of its own and no number under the price."""
    key = header.columns.get("sku", header.columns.get("mpn", 0))
    item = _text(row[key]) if key < len(row) else ""
    price = _text(header.cell(row, "price"))
    return bool(any(_text(cell) for cell in row)) and item in ("", above[key]) and not split_digits(price)


def _meaning(text: str) -> _Meaning | None:
    """What a header text names; currency and VAT words in it belong to the price."""
    words = plain(text)
    if field := _FIELD_OF.get(_bare(words)):
        return _Meaning(field)
    vat = _VAT_WORDS.search(words)
    rest = _VAT_WORDS.sub(" ", words)
    currencies = [_currency(word) for word in re.split(r"[\s()\[\]/,;:-]+", rest)]
    kept = " ".join(w for w, c in zip(re.split(r"[\s()\[\]/,;:-]+", rest), currencies, strict=True) if not c)
    field = _FIELD_OF.get(_bare(kept))
    if field != "price":
        return _Meaning(field) if field else None
    return _Meaning("price", next(filter(None, currencies), ""), vat_flag_of(vat.group()) if vat else None)


def _currency(word: str) -> str:
    code = CURRENCY_SIGNS.get(word, {"kc": "CZK", "zl": "PLN"}.get(word, word.upper()))
    return code if code in CURRENCY_CODES else ""


def _bare(words: str) -> str:
    return " ".join(_PUNCTUATION.sub(" ", words).split())


def _text(cell: Cell) -> str:
    try:
        return text_of(cell)
    except BadCell:
        return ""

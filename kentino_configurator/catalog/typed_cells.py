"""What a cell of a price list means: amounts, currencies, VAT, dates - in English, Czech and Portuguese habits."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from kentino_configurator.catalog.sheet import Cell, Unreadable

CURRENCY_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP", "kč": "CZK", "zł": "PLN", "us$": "USD"}
CURRENCY_CODES = frozenset({"EUR", "USD", "GBP", "CZK", "CHF", "PLN", "SEK", "DKK", "NOK", "HUF"})
WITHOUT_VAT = frozenset(
    {
        "without",
        "excl",
        "excluding",
        "excluded",
        "exclusive",
        "ex",
        "net",
        "netto",
        "bez",
        "sem",
        "s/",
        "s/iva",
        "no",
        "ne",
        "nao",
        "false",
        "n",
        "0",
    }
)
WITH_VAT = frozenset(
    {
        "with",
        "incl",
        "including",
        "included",
        "inclusive",
        "inc",
        "gross",
        "brutto",
        "vcetne",
        "vc",
        "s",
        "c/",
        "c/iva",
        "com",
        "yes",
        "ano",
        "sim",
        "true",
        "y",
        "1",
    }
)
_SPACES = re.compile(r"[\s\u00a0\u202f\u2009'’]+")
_DAY_FIRST = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})")
_GROUPS = re.compile(r"[+-]?\d{1,3}(?:([.,])\d{3})+")


class BadCell(ValueError):
    """A cell cannot be used; the text completes the sentence "<column> ..."."""


def plain(text: str) -> str:
    """Lower case without accents, with single spaces."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(sign for sign in bare if not unicodedata.combining(sign)).split())


def text_of(cell: Cell) -> str:
    """The cell as text; raises ``BadCell`` when it holds no value. A whole number has no decimals."""
    if isinstance(cell, Unreadable):
        raise BadCell(cell.why)
    if isinstance(cell, Decimal):
        return f"{cell.normalize():f}"
    return "" if cell is None else str(cell).strip()


def amount_of(cell: Cell, decimal_mark: str | None) -> tuple[Decimal, str]:
    """Amount and the currency written beside it (empty without one); raises ``BadCell``.

    ``decimal_mark`` settles texts such as ``1.234`` that can be read in two ways; ``None``: nothing settles them.
    """
    if isinstance(cell, Decimal):
        return _of_cents(cell), ""
    digits, currency = split_currency(text_of(cell))
    if not digits:
        raise BadCell("is empty; write an amount such as 1234.50")
    return _of_cents(_number(digits, decimal_mark)), currency


def _of_cents(amount: Decimal) -> Decimal:
    if amount <= 0:
        raise BadCell(f"is {amount}; a price must be above zero")
    if amount != round(amount, 2):
        raise BadCell(f"is {amount}; a price has at most two decimals")
    return amount


def split_currency(text: str) -> tuple[str, str]:
    """A typed amount without spaces, and its currency code or an empty text."""
    bare = _SPACES.sub("", text)
    letters = "".join(sign for sign in bare if not (sign.isdigit() or sign in ".,+-"))
    digits = "".join(sign for sign in bare if sign.isdigit() or sign in ".,+-")
    digits = digits.removesuffix(",-").removesuffix(".-")
    return digits, currency_of(letters) if letters else ""


def currency_of(text: str) -> str:
    """The code of a typed currency; raises ``BadCell`` when it is none."""
    word = text.strip()
    code = CURRENCY_SIGNS.get(word.casefold(), word.upper())
    if code not in CURRENCY_CODES:
        raise BadCell(f"is {text!r}; write a currency code such as EUR")
    return code


def decimal_mark_of(cells: Iterable[Cell]) -> str | None:
    """The decimal mark the amounts of a column agree on, ``None`` when none shows it or they disagree."""
    texts = [split_digits(cell) for cell in cells if isinstance(cell, str)]
    marks = {mark for text in texts if (mark := _clear_mark(text))}
    return marks.pop() if len(marks) == 1 else None


def split_digits(text: str) -> str:
    """Digits and marks of a typed amount; empty when something else is typed."""
    try:
        return split_currency(text)[0]
    except BadCell:
        return ""


def _clear_mark(digits: str) -> str:
    """The decimal mark an amount shows beyond doubt, empty when it shows none."""
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return ""
    mark, other = digits[last], "," if digits[last] == "." else "."
    if other in digits:
        return mark
    if digits.count(mark) > 1:
        return other
    return mark if len(digits) - last - 1 in (1, 2) else ""


def _number(digits: str, decimal_mark: str | None) -> Decimal:
    mark = _clear_mark(digits) or decimal_mark
    grouped = _GROUPS.fullmatch(digits)
    if grouped and mark is None:
        raise BadCell(f"is {digits!r}, which can be read in two ways; write it with two decimals")
    thousands = "," if mark == "." else "."
    try:
        return Decimal(digits.replace(thousands, "").replace(",", ".") if mark else digits)
    except InvalidOperation:
        raise BadCell(f"is {digits!r}; write an amount such as 1234.50") from None


def percent_of(cell: Cell) -> Decimal:
    """A VAT rate in percent: ``21``, ``21 %``, ``0.21`` of a cell formatted as percent; raises ``BadCell``."""
    if isinstance(cell, Decimal):
        rate = cell * 100 if 0 < cell < 1 else cell
    else:
        text = text_of(cell).rstrip(" %").replace(",", ".")
        try:
            rate = Decimal(text)
        except InvalidOperation:
            raise BadCell(f"is {text!r}; write a rate such as 21") from None
    if not 0 <= rate < 100:
        raise BadCell(f"is {rate}; a VAT rate lies between 0 and 100 percent")
    return rate


def vat_flag_of(text: str) -> bool:
    """Whether VAT is included: the first word that says so counts; raises ``BadCell`` when none does."""
    for word in re.split(r"[\s.]+", plain(text)):
        if word in WITHOUT_VAT:
            return False
        if word in WITH_VAT:
            return True
    raise BadCell(f"is {text!r}; write 'excl' or 'incl'")


def date_of(cell: Cell) -> datetime.date:
    """ISO, or day before month as in Czech and Portuguese; raises ``BadCell``."""
    if isinstance(cell, datetime.date):
        return cell
    text = re.sub(r"\s+", "", text_of(cell))
    match = _DAY_FIRST.fullmatch(text)
    try:
        if match:
            return datetime.date(int(match[3]), int(match[2]), int(match[1]))
        return datetime.date.fromisoformat(text[:10])
    except ValueError:
        raise BadCell(f"is {text!r}; write a date such as 2026-12-31 or 31.12.2026") from None

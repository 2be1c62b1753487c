"""A typed number: digits in the habits of several countries, with everything they could mean."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

_BLANKS: Final = re.compile(r"[\s\u00a0\u2007\u2009\u202f]+")
_START: Final = re.compile(r"([+-]?)(\d[\d.,'’ ]*(?:e[+-]?\d+)?|[.,]\d+)", re.IGNORECASE)
_EXPONENT: Final = re.compile(r"e[+-]?\d+$", re.IGNORECASE)
_GROUPED: Final = re.compile(r"\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*")
_LONGEST_TEXT: Final = 100


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """The readings of the digits, the preferred one first, and what stands behind them in lower case."""

    readings: tuple[float, ...]
    suffix: str


def read_number(text: str, *, whole: bool = False, decimal_sign: str = ".") -> TypedNumber | None:
    """Split a typed text into a number and the words behind it; ``None`` when it does not start with a number.

    Decimal comma and point are both understood, and so are blanks, thin blanks, points, commas and apostrophes
    between groups of three digits. One sign followed by three digits (``1.500``) can be either: where whole numbers are
    expected it separates thousands, elsewhere ``decimal_sign`` decides; the other reading is kept as the second.
    """
    line = _BLANKS.sub(" ", text.replace("\u2212", "-").replace("’", "'")).strip()
    match = _START.match(line) if len(line) <= _LONGEST_TEXT else None
    if match is None:
        return None
    digits = match[2].rstrip(" .,'")
    suffix = line[match.start(2) + len(digits) :].strip().lower()
    values = _readings(digits, whole, decimal_sign)
    sign = -1.0 if match[1] == "-" else 1.0
    if not values or suffix[:1].isdigit():
        return None
    return TypedNumber(tuple(sign * value for value in values), suffix)


def _readings(digits: str, whole: bool, decimal_sign: str) -> tuple[float, ...]:
    exponent = _EXPONENT.search(digits)
    if exponent is not None:
        return _finite(_decimal(digits[: exponent.start()]) + exponent[0])
    both = {sign for sign in digits if sign in ".,"}
    grouped = _GROUPED.fullmatch(digits)
    if grouped is None:
        return _finite(_without_groups(digits))
    thousands = _finite(re.sub(r"[.,' ]", "", digits))
    if digits.count(grouped[1]) > 1 or not both or digits.startswith("0"):
        return thousands if not digits.startswith("0") or not both else _finite(_decimal(digits))
    fraction = _finite(_decimal(digits))
    return thousands + fraction if whole or grouped[1] != decimal_sign else fraction + thousands


def _without_groups(digits: str) -> str:
    """A number with a fraction, its groups removed; the last of ``.`` and ``,`` starts the fraction."""
    cut = max(digits.rfind("."), digits.rfind(","))
    head, tail = (digits[:cut], digits[cut + 1 :]) if cut >= 0 else (digits, "")
    if not re.fullmatch(r"\d*", tail) or not (head.isdigit() or not head or _GROUPED.fullmatch(head)):
        return ""
    return f"{re.sub(r'[^0-9]', '', head) or '0'}.{tail or '0'}"


def _decimal(digits: str) -> str:
    return digits.replace(",", ".").replace(" ", "").replace("'", "")


def _finite(digits: str) -> tuple[float, ...]:
    try:
        value = float(digits)
    except ValueError:
        return ()
    return (value,) if math.isfinite(value) else ()

"""How many digits a number deserves. Decimal in, decimal out; nothing here knows a language."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

ESTIMATE_DIGITS = 2
STATED_DIGITS = 3
# Arithmetic on floats leaves errors far behind the twelfth digit; rounding outwards must not see them.
FLOAT_DIGITS = 12


def as_decimal(value: float | Decimal) -> Decimal:
    """The number a reader would call this value: 1.7999999999999998 is 1.8. Integers stay exact."""
    if isinstance(value, float):
        return Decimal(f"{value:.{FLOAT_DIGITS}g}")
    return Decimal(value)


def decimals_of(value: Decimal) -> int:
    """Digits shown behind the decimal sign."""
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def to_decimals(value: Decimal, decimals: int, rounding: str = ROUND_HALF_UP) -> Decimal:
    """Exactly ``decimals`` digits behind the decimal sign."""
    return value.quantize(Decimal(1).scaleb(-decimals), rounding)


def to_significant(value: Decimal, digits: int = ESTIMATE_DIGITS, rounding: str = ROUND_HALF_UP) -> Decimal:
    """``digits`` significant digits; 9.96 becomes 10, not 10.0."""
    if not value:
        return Decimal(0)
    rounded = to_decimals(value, digits - 1 - value.adjusted(), rounding)
    return to_decimals(rounded, digits - 1 - rounded.adjusted(), rounding)


def trimmed(value: Decimal) -> Decimal:
    """Without zeros at the end of the fraction: 16.0 becomes 16, 1300 stays 1300."""
    whole = value.to_integral_value()
    return whole if value == whole else value.normalize()


def to_stated(value: Decimal) -> Decimal:
    """As it is when three digits write it exactly (12.5 A was stated), else two significant digits."""
    short = value.normalize()
    if len(short.as_tuple().digits) <= STATED_DIGITS:
        return trimmed(value)
    return to_significant(value)


def to_plain(value: Decimal) -> Decimal:
    """Whole numbers exact at any size (131,072 tokens were stated), others like ``to_stated``."""
    return trimmed(value) if value == value.to_integral_value() else to_stated(value)


def outwards(
    low: Decimal, expected: Decimal, high: Decimal, *, most_decimals: int | None = None
) -> tuple[Decimal, Decimal, Decimal]:
    """An interval in two significant digits, low end down and high end up: never narrower than computed.

    The weak end is therefore never flattered, whether it is the low end (speeds) or the high end (times). The
    ends never show more decimals than the expected value, so that three columns align, except where that
    would turn them into zero. ``most_decimals`` limits the expected value too.
    """
    middle = to_significant(expected)
    if most_decimals is not None and decimals_of(middle) > most_decimals:
        middle = _limited(expected, most_decimals, ROUND_HALF_UP)
    decimals = decimals_of(middle)
    return _limited(low, decimals, ROUND_FLOOR), middle, _limited(high, decimals, ROUND_CEILING)


def _limited(value: Decimal, decimals: int, rounding: str) -> Decimal:
    rounded = to_significant(value, rounding=rounding)
    if decimals_of(rounded) <= decimals:
        return rounded
    return to_decimals(value, decimals, rounding) or to_significant(value, 1, rounding)

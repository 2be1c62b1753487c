"""Numbers in the signs of a locale.

Babel knows the signs but not CLDR's rule that Portuguese leaves four digits ungrouped, and its import takes
longer than the command line may wait for an English sentence. So digits are grouped here, with Babel's signs.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from kentino_configurator.texts import rounding

NO_BREAK_SPACE: Final = "\u00a0"
EN_DASH: Final = "\u2013"
MINUS: Final = "\u2212"
GROUP_SIZE: Final = 3
# CLDR, minimumGroupingDigits; 1 where a locale is not named.
_MINIMUM_GROUPING_DIGITS: Final = {"pt_PT": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Writes numbers with the decimal sign and the group sign of one locale."""

    decimal_sign: str
    group_sign: str
    minimum_grouping_digits: int = 1

    def write(self, value: Decimal) -> str:
        """All digits of an already rounded number."""
        whole, _, fraction = f"{abs(value):,f}".partition(".")
        digits = whole.replace(",", "")
        grouped = len(digits) >= GROUP_SIZE + self.minimum_grouping_digits
        text = whole.replace(",", self.group_sign) if grouped else digits
        if fraction:
            text += self.decimal_sign + fraction
        return MINUS + text if value < 0 else text

    def plain(self, value: float | Decimal) -> str:
        """A bare number: whole numbers exactly, others as ``rounding.to_stated`` says."""
        return self.write(rounding.to_plain(rounding.as_decimal(value)))

    def signed(self, value: float | Decimal) -> str:
        """A change: its sign is always written, with a real minus; no change is a bare 0."""
        text = self.plain(value)
        return f"+{text}" if value > 0 else text

    def dash_range(self, low: float | Decimal, high: float | Decimal) -> str:
        """Two numbers with an en dash, for tables and figures; sentences use the text ``n.range``."""
        return f"{self.plain(low)}{EN_DASH}{self.plain(high)}"


_ENGLISH: Final = Numbers(decimal_sign=".", group_sign=",")


@lru_cache
def numbers_of(locale: str) -> Numbers:
    """The number signs of a CLDR locale such as ``pt_PT``."""
    if locale.startswith("en"):
        return _ENGLISH
    from babel.numbers import get_decimal_symbol, get_group_symbol

    return Numbers(
        decimal_sign=get_decimal_symbol(locale),
        group_sign=get_group_symbol(locale),
        minimum_grouping_digits=_MINIMUM_GROUPING_DIGITS.get(locale, 1),
    )

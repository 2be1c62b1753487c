"""Money in whole cents with its currency. Sums never mix currencies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in minor units (cents) and an ISO 4217 currency code."""

    cents: int
    currency: str = "EUR"

    @property
    def amount(self) -> Decimal:
        """The amount in major units, exact."""
        return Decimal(self.cents) / 100

    def __add__(self, other: Money) -> Money:
        if other.currency != self.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: Money) -> Money:
        return self + Money(-other.cents, other.currency)

    def times(self, factor: Decimal | int) -> Money:
        """The amount multiplied and rounded half up to the cent."""
        cents = (Decimal(self.cents) * Decimal(factor)).to_integral_value(ROUND_HALF_UP)
        return Money(int(cents), self.currency)


def total(amounts: Iterable[Money], currency: str = "EUR") -> Money:
    """Sum of amounts of one currency; raises ``ValueError`` when currencies are mixed."""
    result = Money(0, currency)
    for amount in amounts:
        result += amount
    return result


def money(amount: Decimal | int | str, currency: str = "EUR") -> Money:
    """Money from major units, rounded half up to the cent."""
    return Money(int((Decimal(amount) * 100).to_integral_value(ROUND_HALF_UP)), currency)

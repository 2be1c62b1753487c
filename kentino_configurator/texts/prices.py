"""Money in words: always exact, never an estimate's digits."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from kentino_configurator.core.money import Money
from kentino_configurator.texts import rounding
from kentino_configurator.texts.numbers import NO_BREAK_SPACE, Numbers

CENT_DECIMALS = 2


class MoneyForm(StrEnum):
    """Currency code behind the amount (screen), or the locale's own sign in its place (documents)."""

    CODE = "code"
    SIGN = "sign"


def price_words(money: Money, decimals: int, numbers: Numbers, form: MoneyForm, locale: str) -> str:
    """A price with ``decimals`` digits behind the decimal sign and its currency."""
    amount = numbers.write(rounding.to_decimals(money.amount, decimals))
    if form is MoneyForm.CODE:
        return f"{amount}{NO_BREAK_SPACE}{money.currency}"
    return _with_sign(amount, money.currency, locale)


def decimals_in_sentence(money: Money) -> int:
    """Cents are written in a sentence only when there are some."""
    return CENT_DECIMALS if money.amount % Decimal(1) else 0


def _with_sign(amount: str, currency: str, locale: str) -> str:
    from babel import Locale
    from babel.numbers import get_currency_symbol

    sign = get_currency_symbol(currency, locale)
    before = Locale.parse(locale).currency_formats["standard"].pattern.startswith("\u00a4")
    return f"{sign}{amount}" if before else f"{amount}{NO_BREAK_SPACE}{sign}"

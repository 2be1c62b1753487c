"""How a message becomes words of a locale: one mechanism for window, command line and documents."""

from kentino_configurator.texts.catalogue import LOCALES, TextError, Texts, load_texts
from kentino_configurator.texts.numbers import Numbers
from kentino_configurator.texts.prices import MoneyForm
from kentino_configurator.texts.quantities import EstimateColumns

__all__ = ["LOCALES", "EstimateColumns", "MoneyForm", "Numbers", "TextError", "Texts", "load_texts"]

"""The texts of one language, and messages turned into its words.

    texts = load_texts("pt")
    texts.say(message("f.circuit_too_small.text", circuit=Quantity(2900, Unit.WATTS), power=...))

A wrong id or a missing argument is a programming error. Tests set ``KENTINO_STRICT_TEXTS`` and get a
``TextError``. The shipped program shows "[id]" and logs it instead: in front of a customer one odd word in a
sentence is better than no window.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Listing, Message, Quantity
from kentino_configurator.core.money import Money
from kentino_configurator.core.units import Unit
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts import quantities
from kentino_configurator.texts.files import read_language
from kentino_configurator.texts.numbers import Numbers, numbers_of
from kentino_configurator.texts.plurals import plural_category
from kentino_configurator.texts.prices import CENT_DECIMALS, MoneyForm, decimals_in_sentence, price_words
from kentino_configurator.texts.pseudo import pseudo_texts
from kentino_configurator.texts.quantities import EstimateColumns
from kentino_configurator.texts.rounding import as_decimal, to_plain

if TYPE_CHECKING:
    from datetime import date

LOCALES: Final[Mapping[str, str]] = MappingProxyType({"en": "en_GB", "pt": "pt_PT", "cs": "cs"})
FALLBACK: Final = "en"
PSEUDO: Final = "pseudo"
STRICT_VARIABLE: Final = "KENTINO_STRICT_TEXTS"

_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class TextError(LookupError):
    """A text id that does not exist, or an argument that its sentence needs and did not get."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The words of one language. ``sentences`` holds English where a translation is missing."""

    language: str
    locale: str
    sentences: Mapping[str, str]
    numbers: Numbers
    money_form: MoneyForm = MoneyForm.CODE

    def for_document(self) -> Texts:
        """The same language with the locale's currency sign instead of the code."""
        return replace(self, money_form=MoneyForm.SIGN)

    def has(self, text_id: str) -> bool:
        """Whether ``say`` knows this id."""
        return text_id in self.sentences

    def say(self, message: Message | str, /, **args: Arg) -> str:
        """The sentence of a message, or of a text id with ``args``. Arguments it does not name are ignored.

        The result is plain text: whoever puts it into markup escapes it.
        """
        text_id = message if isinstance(message, str) else message.id
        given = args if isinstance(message, str) else {**message.args, **args}
        sentence = self._sentence(text_id)
        return _PLACEHOLDER.sub(lambda found: self._argument(text_id, found[1], given), sentence)

    def words(self, value: Arg) -> str:
        """Any argument on its own, as ``say`` would print it."""
        match value:
            case str():
                return value
            case int() | float():
                return self.numbers.plain(value)
            case Quantity():
                return quantities.quantity_words(value, self)
            case Estimate():
                return quantities.estimate_words(value, self)
            case Money():
                return self.price(value, decimals=decimals_in_sentence(value))
            case Message():
                return self.say(value)
            case Listing():
                return self._listing([self.words(item) for item in value.items])
            case _:
                _complain(f"{value!r} is nothing a sentence can hold")
                return self.fill("n.not_known")

    def count(self, noun: str, number: float) -> str:
        """A counted noun of the texts ``u.<noun>.<category>``: ``count("node", 3)`` is "3 nodes"."""
        shown = to_plain(as_decimal(number))
        return self.fill(f"u.{noun}.{plural_category(shown, self.locale)}", count=self.numbers.write(shown))

    def price(self, money: Money, *, decimals: int = CENT_DECIMALS) -> str:
        """A price: two decimals in tables, ``decimals=0`` in headlines."""
        return price_words(money, decimals, self.numbers, self.money_form, self.locale)

    def columns(self, estimate: Estimate) -> EstimateColumns:
        """An estimate for three aligned columns with one unit."""
        return quantities.estimate_columns(estimate, self)

    def range(self, low: float, high: float, unit: Unit) -> str:
        """Two exact values with an en dash and one unit, for tables and figures."""
        return quantities.range_words(low, high, unit, self)

    def memory(self, value_bytes: float) -> str:
        """A memory size in GB with GiB in brackets."""
        return quantities.memory_words(value_bytes, self)

    def long_date(self, day: date) -> str:
        """A date as in a letter: "1 December 2026"."""
        from babel.dates import format_date

        return format_date(day, "long", locale=self.locale)

    def short_date(self, day: date) -> str:
        """A date for tables, with four digits of the year: "1 Dec 2026"."""
        from babel.dates import format_date

        return format_date(day, "medium", locale=self.locale)

    def fill(self, text_id: str, /, **written: str) -> str:
        """A sentence with finished strings in its places."""
        return self.say(text_id, **written)

    def _sentence(self, text_id: str) -> str:
        if (sentence := self.sentences.get(text_id)) is not None:
            return sentence
        _complain(f'there is no text "{text_id}"')
        return f"[{text_id}]"

    def _argument(self, text_id: str, name: str, args: Mapping[str, Arg]) -> str:
        if name in args:
            return self.words(args[name])
        _complain(f'text "{text_id}" needs "{name}"; given: {", ".join(sorted(args)) or "nothing"}')
        return f"[{name}]"

    def _listing(self, items: Sequence[str]) -> str:
        if not items:
            return self.fill("n.list_none")
        *start, last = items
        if not start:
            return last
        first = reduce(lambda left, right: self.fill("n.list_more", first=left, second=right), start)
        return self.fill("n.list_pair", first=first, second=last)


@lru_cache
def load_texts(language: str) -> Texts:
    """The texts of ``en``, ``pt``, ``cs`` or, for tests of the window, ``pseudo``.

    Raises ``ValueError`` for another language or when two texts share an id.
    """
    if language == PSEUDO:
        return _texts(PSEUDO, LOCALES[FALLBACK], pseudo_texts(catalogue(FALLBACK)))
    if language not in LOCALES:
        raise ValueError(f'language: "{language}" is not one of {", ".join(LOCALES)}')
    return _texts(language, LOCALES[language], {**catalogue(FALLBACK), **catalogue(language)})


@lru_cache
def catalogue(language: str) -> Mapping[str, str]:
    """What is written in one language, without the fallback to English."""
    return MappingProxyType(read_language(resource_dir() / "texts" / language))


def missing_ids(language: str) -> tuple[str, ...]:
    """Ids that exist in English and are still untranslated."""
    translated = catalogue(language)
    return tuple(text_id for text_id in catalogue(FALLBACK) if text_id not in translated)


def _texts(language: str, locale: str, sentences: Mapping[str, str]) -> Texts:
    return Texts(
        language=language,
        locale=locale,
        sentences=MappingProxyType(dict(sentences)),
        numbers=numbers_of(locale),
    )


def _complain(problem: str) -> None:
    if os.environ.get(STRICT_VARIABLE):
        raise TextError(problem)
    import logging

    logging.getLogger(__name__).warning(problem)

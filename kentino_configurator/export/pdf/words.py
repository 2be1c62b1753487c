"""Arguments into words of the document's language, safe for the page: escaped, and no character lost."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final
from xml.sax.saxutils import escape

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Listing, Message, Quantity
from kentino_configurator.core.money import Money
from kentino_configurator.core.units import GB
from kentino_configurator.export.pdf.fonts import REPLACEMENT, has_glyph
from kentino_configurator.export.pdf.theme import HEX
from kentino_configurator.proposal import late
from kentino_configurator.texts import EstimateColumns, Texts
from kentino_configurator.texts.rounding import as_decimal, to_decimals

_CENTS: Final = 2
# Control characters that texts do not contain; elsewhere they are printed as spaces.
_LINK_SEPARATOR: Final = "\x04"
_PAGE_LINK: Final = re.compile(f"\x02(\\w+{_LINK_SEPARATOR}\\d+)\x03")
_GLUED_UNIT: Final = re.compile(r"\d[^\d\s.,\u00a0]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The language of one document. ``pages``: page of each section; ``missing`` collects lost characters.

    ``linked`` leaves the section's id with a page number, for a link.
    """

    texts: Texts
    pages: Mapping[str, int]
    missing: set[str] = field(default_factory=set)
    linked: bool = False

    def plain(self, arg: Arg) -> str:
        """Words for drawing directly: not escaped, every character printable."""
        return self._printable(self.texts.words(self._resolved(arg)))

    def markup(self, arg: Arg) -> str:
        """Words for a paragraph: escaped, page numbers as links."""
        text = self.texts.words(replace(self, linked=True)._resolved(arg))
        pieces = _PAGE_LINK.split(text)
        return "".join(
            self._link(*piece.split(_LINK_SEPARATOR)) if place % 2 else self.escaped(self._printable(piece))
            for place, piece in enumerate(pieces)
        )

    def _link(self, section: str, page: str) -> str:
        if section not in self.pages:
            return page
        return f'<a href="#{section}" color="{HEX["accent"]}">{page}</a>'

    def escaped(self, text: str) -> str:
        """Finished words for a paragraph."""
        return escape(text).replace("\n", "<br/>")

    def say(self, text_id: str, **args: Arg) -> str:
        """A text of the document layer, not escaped."""
        return self.plain(Message(text_id, args))

    def amount(self, money: Money) -> str:
        """A price for a column that names the currency: two decimals, no sign."""
        return self.texts.numbers.write(to_decimals(money.amount, _CENTS))

    def headline_price(self, money: Money) -> str:
        """A price without cents."""
        return self.texts.price(money, decimals=0)

    def columns(self, estimate: Estimate) -> EstimateColumns:
        """Low, expected, high and unit apart."""
        return self.texts.columns(estimate)

    def _resolved(self, arg: Arg) -> Arg:
        """Replaces the stand-ins of ``proposal.late`` at any depth."""
        if isinstance(arg, Listing):
            return Listing(tuple(self._resolved(item) for item in arg.items))
        if not isinstance(arg, Message):
            return arg
        if arg.id in _LATE:
            return _LATE[arg.id](self, arg.args)
        return Message(arg.id, {name: self._resolved(value) for name, value in arg.args.items()})

    def _printable(self, text: str) -> str:
        return "".join(self._glyph(character) for character in unicodedata.normalize("NFC", text))

    def _glyph(self, character: str) -> str:
        if has_glyph(character):
            return character
        if character in "\t\r" or unicodedata.category(character) in ("Cc", "Cf"):
            return " "
        self.missing.add(character)
        return REPLACEMENT


def _page_of(words: Words, args: Mapping[str, Any]) -> Arg:
    page = words.pages.get(args["section"], 0)
    return f"\x02{args['section']}{_LINK_SEPARATOR}{page}\x03" if words.linked else page


def _date(words: Words, args: Mapping[str, Any]) -> Arg:
    return words.texts.long_date(date.fromisoformat(args["iso"])).replace(" ", "\u00a0")


def _short_date(words: Words, args: Mapping[str, Any]) -> Arg:
    return words.texts.short_date(date.fromisoformat(args["iso"])).replace(" ", "\u00a0")


def _range_of(words: Words, args: Mapping[str, Any]) -> Arg:
    columns = words.columns(args["estimate"])
    if columns.low == columns.high:
        return ""
    return words.texts.fill("n.range", low=columns.low, high=columns.high)


def _expected_of(words: Words, args: Mapping[str, Any]) -> Arg:
    columns = words.columns(args["estimate"])
    return _with_unit(columns, columns.expected, words, args["estimate"])


def _low_of(words: Words, args: Mapping[str, Any]) -> Arg:
    columns = words.columns(args["estimate"])
    return _with_unit(columns, columns.low, words, args["estimate"])


def _high_of(words: Words, args: Mapping[str, Any]) -> Arg:
    columns = words.columns(args["estimate"])
    return _with_unit(columns, columns.high, words, args["estimate"])


def _with_unit(columns: EstimateColumns, number: str, words: Words, estimate: Estimate) -> str:
    """Number and unit with what the language puts between them."""
    whole = words.texts.words(Quantity(estimate.expected, estimate.unit))
    glued = bool(_GLUED_UNIT.search(whole))
    return f"{number}{columns.unit}" if glued else f"{number}\u00a0{columns.unit}"


def _gigabytes(words: Words, args: Mapping[str, Any]) -> Arg:
    return words.texts.numbers.write(to_decimals(as_decimal(args["bytes"] / GB), 1))


def _both_units(words: Words, args: Mapping[str, Any]) -> Arg:
    return words.texts.memory(args["bytes"])


def _country(words: Words, args: Mapping[str, Any]) -> Arg:
    from babel import Locale

    name = Locale.parse(words.texts.locale).territories.get(args["code"], args["code"])
    return str(name)


_LATE: Final[Mapping[str, Callable[[Words, Mapping[str, Any]], Arg]]] = {
    late.PAGE_OF: _page_of,
    late.DATE: _date,
    late.SHORT_DATE: _short_date,
    late.RANGE_OF: _range_of,
    late.EXPECTED_OF: _expected_of,
    late.LOW_OF: _low_of,
    late.HIGH_OF: _high_of,
    late.GIGABYTES: _gigabytes,
    late.BOTH_UNITS: _both_units,
    late.COUNTRY: _country,
}

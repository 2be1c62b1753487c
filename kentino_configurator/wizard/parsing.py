"""Typed text turned into an answer, saying what was understood. Nothing typed is ever lost: a text that cannot be
used comes back as a problem that holds it.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Any, Final

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.core.message import Arg, Message, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.questions import Question, QuestionKind, questionnaire
from kentino_configurator.wizard.readers import date as date_reader
from kentino_configurator.wizard.readers import number_example, number_rule, text_rule
from kentino_configurator.wizard.readers import text as text_reader
from kentino_configurator.wizard.typed_number import TypedNumber, read_number
from kentino_configurator.wizard.typed_units import GIGABYTES, MULTIPLIERS, PAGES, TOKENS, WORDS, unit_factor

_KIBI: Final = 1024.0
_THOUSAND: Final = 1000.0
_UNITS: Final = {
    "tokens": Unit.TOKENS,
    "tokens/s": Unit.TOKENS_PER_S,
    "s": Unit.SECONDS,
    "h": Unit.HOURS,
    "days": Unit.DAYS,
    "months": Unit.MONTHS,
    "requests": Unit.REQUESTS,
    "requests/s": Unit.REQUESTS_PER_S,
    "people": Unit.PERSONS,
    "EUR": Unit.EUR,
    "EUR/kWh": Unit.EUR_PER_KWH,
    "EUR/h": Unit.EUR_PER_H,
    "mm": Unit.MILLIMETRES,
    "U": Unit.RACK_UNITS,
    "°C": Unit.CELSIUS,
    "nodes": Unit.NODES,
    "GPUs": Unit.GPUS,
}
_DAY_FIRST: Final = re.compile(r"(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{4})")


@dataclass(frozen=True, slots=True)
class Alternative:
    """The other thing a text can mean, with the words for it ("8,000 tokens")."""

    value: Any
    words: Arg


@dataclass(frozen=True, slots=True)
class Parsed:
    """A usable answer in its stored form.

    ``value`` is ``None`` for "no such requirement" and ``ABSENT`` for an emptied field that returns to its default.
    ``understood`` is set when the text was not simply the value; ``alternative`` when it can also mean something else.
    """

    text: str
    value: Any
    understood: Message | None = None
    alternative: Alternative | None = None


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """A text that cannot be used, and what would be right."""

    text: str
    message: Message


def parse(
    question: Question,
    text: str,
    *,
    tokens_per_word: float = 1.2,
    decimal_sign: str = ".",
    today: datetime.date | None = None,
    amount_unit: str = "",
) -> Parsed | ParseProblem:
    """What a typed text means as the answer to a question of the kinds text, number, amount and date.

    ``tokens_per_word`` converts pages and words; ``decimal_sign`` is that of the window's language; a date must lie
    after ``today`` when that is given; ``amount_unit`` is the unit chosen beside an amount.
    """
    if not text.strip():
        return Parsed(text, None if question.optional else ABSENT)
    match question.kind:
        case QuestionKind.NUMBER:
            return _parse_number(question, text, tokens_per_word, decimal_sign)
        case QuestionKind.AMOUNT:
            return _parse_amount(question, text, decimal_sign, amount_unit)
        case QuestionKind.DATE:
            return _parse_date(question, text, today)
        case QuestionKind.TEXT:
            value = text_reader(question)(text, "")
            return (
                ParseProblem(text, text_rule(question)) if isinstance(value, Problem) else Parsed(text, value)
            )
    raise ValueError(f"{question.id}: a {question.kind} is chosen, not typed")


def as_typed(question: Question, value: Any, decimal_sign: str = ".") -> str:
    """A stored answer as somebody would type it; ``parse`` turns it back into the same answer."""
    if value is None or value is ABSENT:
        return ""
    if question.kind is QuestionKind.AMOUNT:
        return f"{_digits(value['amount'], decimal_sign)} {value['unit']}"
    if question.kind is not QuestionKind.NUMBER:
        return str(value)
    shown = value if question.scale == 1 else round(value / question.scale, 9)
    return _digits(shown, decimal_sign)


def _digits(value: float, decimal_sign: str) -> str:
    if value == int(value):
        return str(int(value))
    return f"{value:.12f}".rstrip("0").replace(".", decimal_sign)


# ------------------------------------------------------------------ numbers


def _parse_number(
    question: Question, text: str, tokens_per_word: float, decimal_sign: str
) -> Parsed | ParseProblem:
    typed = read_number(text, whole=question.whole, decimal_sign=decimal_sign)
    if typed is None:
        return _not_a_number(question, text)
    if question.unit == "tokens" and typed.suffix in PAGES | WORDS:
        return _parse_pages(question, text, typed, tokens_per_word)
    found = unit_factor(question.unit, typed.suffix)
    if found is None:
        return _not_a_number(question, text)
    factor, multiplier = found
    values = [reading * factor for reading in typed.readings]
    if multiplier == "k" and question.unit == "tokens":
        values = _thousands_of_tokens(typed.readings[0])
    usable = [stored for value in values if (stored := _stored(question, value)) is not None]
    if not usable:
        return ParseProblem(text, number_problem(question))
    return _understood(question, text, usable, plain=factor == 1 and not multiplier)


def _thousands_of_tokens(count: float) -> list[float]:
    """``8k`` is a size of computers (8,192), ``10k`` a size of people (10,000); the other one stays possible."""
    powers = [count * _KIBI, count * _THOUSAND]
    is_power_of_two = count == int(count) and count >= 1 and not int(count) & (int(count) - 1)
    return powers if is_power_of_two and count > 1 else powers[::-1]


def _parse_pages(
    question: Question, text: str, typed: TypedNumber, tokens_per_word: float
) -> Parsed | ParseProblem:
    """Pages or words converted to tokens; the computation is what is understood."""
    count = typed.readings[0]
    per_page = questionnaire().figures["words_per_page"]
    words = count * per_page if typed.suffix in PAGES else count
    stored = _stored(question, float(round(words * tokens_per_word)))
    if stored is None:
        return ParseProblem(text, number_problem(question))
    value = Quantity(stored, Unit.TOKENS)
    if typed.suffix in PAGES:
        understood = message(
            "read.pages", pages=count, per_page=per_page, factor=tokens_per_word, value=value
        )
    else:
        understood = message("read.words", words=count, factor=tokens_per_word, value=value)
    return Parsed(text, stored, understood)


def _stored(question: Question, shown: float) -> int | float | None:
    """The stored form of a value in the unit shown, ``None`` when it is out of range or not whole."""
    if (question.minimum is not None and shown < question.minimum) or (
        question.maximum is not None and shown > question.maximum
    ):
        return None
    value = round(shown * question.scale, 12)
    if question.whole:
        return int(value) if value == int(value) else None
    return int(value) if value == int(value) and question.scale == 1 else value


def _understood(question: Question, text: str, usable: list[int | float], plain: bool) -> Parsed:
    value, *others = dict.fromkeys(usable)
    alternative = Alternative(others[0], _in_words(question, others[0])) if others else None
    if plain and alternative is None:
        return Parsed(text, value)
    words = message("read.as", text=text.strip(), value=_in_words(question, value))
    return Parsed(text, value, words, alternative)


def _in_words(question: Question, stored: float) -> Arg:
    """A stored value with its unit, for a sentence."""
    if question.unit == "%":
        return Quantity(stored if question.scale != 1 else stored / 100, Unit.SHARE)
    if question.unit == "kW":
        return Quantity(stored * 1000, Unit.WATTS)
    unit = _UNITS.get(question.unit)
    return stored if unit is None else Quantity(stored, unit)


def number_problem(question: Question) -> Message:
    """What a number of this question must be, in the unit shown."""
    if question.scale != 1:
        return message(question.text("error"), min=question.minimum or 0, max=question.maximum or 0)
    return number_rule(question)


def _not_a_number(question: Question, text: str) -> ParseProblem:
    example = number_example(question) if question.scale == 1 else f"{question.minimum or 1:g}"
    return ParseProblem(text, message("err.not_a_number", value=text.strip()[:60], example=example))


# ------------------------------------------------------------------ amounts and dates


def _parse_amount(
    question: Question, text: str, decimal_sign: str, amount_unit: str
) -> Parsed | ParseProblem:
    typed = read_number(text, whole=True, decimal_sign=decimal_sign)
    default_unit = amount_unit or question.default["unit"]
    found = None if typed is None else _amount_unit(typed.suffix, default_unit)
    if typed is None or found is None:
        return ParseProblem(text, message(question.text("error"), min=0))
    factor, unit = found
    amounts = [value for reading in typed.readings if 0 < (value := reading * factor) <= 1e15]
    if not amounts:
        return ParseProblem(text, message(question.text("error"), min=0))
    value = int(amounts[0]) if amounts[0] == int(amounts[0]) else amounts[0]
    return Parsed(text, {"amount": value, "unit": unit})


def _amount_unit(suffix: str, chosen: str) -> tuple[float, str] | None:
    """Multiplier and unit behind an amount; without a word the chosen unit counts."""
    groups = {"pages": PAGES, "words": WORDS, "tokens": TOKENS, "gigabytes": GIGABYTES}
    head, _, tail = suffix.partition(" ")
    factor = MULTIPLIERS.get(suffix) or (MULTIPLIERS.get(head) if tail else None)
    word = suffix if factor is None else "" if suffix in MULTIPLIERS else tail
    if word in ("tb", "terabytes"):
        return 1000.0, "gigabytes"
    unit = chosen if not word else next((name for name, words in groups.items() if word in words), None)
    return None if unit is None else (factor or 1.0, unit)


def _parse_date(question: Question, text: str, today: datetime.date | None) -> Parsed | ParseProblem:
    """A day as year-month-day or, as people write it in Europe, day.month.year."""
    line = text.strip()
    if match := _DAY_FIRST.fullmatch(line):
        day, month, year = (int(part) for part in match.groups())
        line = f"{year:04}-{month:02}-{day:02}"
    value = date_reader(question)(line, "")
    if not isinstance(value, str):
        return ParseProblem(text, message("wz.rule_date"))
    if today is not None and value <= today.isoformat():
        return ParseProblem(text, message(question.text("error"), date=today.isoformat()))
    understood = message("read.as", text=text.strip(), value=value) if value != text.strip() else None
    return Parsed(text, value, understood)

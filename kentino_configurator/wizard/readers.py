"""Reading one entry of a request: the value in its proper type, or the problem with it.

A reader takes a JSON value and its path. Whole numbers may be written as floats; words are matched without
regard to case; ``true`` is no number and ``"8"`` is no 8.
"""

from __future__ import annotations

import datetime
import math
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kentino_configurator.core.decision import Severity
from kentino_configurator.core.message import Message, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.wizard.countries import COUNTRIES
from kentino_configurator.wizard.problems import Problem, cannot_be_used, rule
from kentino_configurator.wizard.questions import OptionSource, Question, QuestionKind

Read = Callable[[Any, str], Any]
"""Value and path in, out comes the value in its type, a ``Problem`` or a ``Noted`` value."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A usable value that was read in a way the person should know."""

    value: Any
    note: Problem


CIRCUIT_FIELDS: Final[Mapping[str, tuple[int, ...]]] = {
    "volts": (230, 400),
    "amps": (10, 16, 32, 63),
    "phases": (1, 3),
    "count": tuple(range(1, 21)),
}
_MODEL_FORMS: Final = ("config", "architecture")
_MAX_NAME: Final = 200
_MAX_ROWS: Final = 40


def or_null(read: Read) -> Read:
    """``null`` is kept: it means "no such requirement"."""
    return lambda value, path: None if value is None else read(value, path)


def not_null(read: Read) -> Read:
    """``null`` is a problem: the entry has no such meaning."""
    return lambda value, path: (
        cannot_be_used(path, None, rule("not_null")) if value is None else read(value, path)
    )


def yes_no(value: Any, path: str) -> bool | Problem:
    """``true`` or ``false``."""
    return value if isinstance(value, bool) else cannot_be_used(path, value, rule("true_false"))


def schema_version(newest: int) -> Read:
    """The version of the format: 1 up to ``newest``; a later one is a clear refusal."""

    def read(value: Any, path: str) -> int | Problem:
        version = finite_number(value)
        if version is None or version != int(version) or version < 1:
            return cannot_be_used(path, value, rule("options", options=str(newest)))
        if version > newest:
            return Problem(path=path, message=message("err.file_version", version=f"{version:.0f}"))
        return int(version)

    return read


def one_of(values: tuple[str | int | bool, ...]) -> Read:
    """One of some words or numbers; words without regard to case."""
    listed = ", ".join(str(value) for value in values)

    def read(value: Any, path: str) -> Any | Problem:
        wanted = value.strip().lower() if isinstance(value, str) else value
        for option in values:
            own = option.lower() if isinstance(option, str) else option
            if own == wanted and not isinstance(wanted, bool):
                return option
        return cannot_be_used(path, value, rule("options", options=listed))

    return read


def choice(question: Question) -> Read:
    """A choice of the questionnaire: yes or no, listed options, a country, or a name checked later."""
    if question.is_yes_no:
        return yes_no
    if question.option_source is OptionSource.COUNTRIES:
        return country(question)
    if question.option_source is not OptionSource.NONE:
        return text(question)
    read = one_of(tuple(option.value for option in question.options) + question.also)
    return _or_empty(read) if question.default == "" else read


def _or_empty(read: Read) -> Read:
    return lambda value, path: "" if value == "" else read(value, path)


def country(question: Question) -> Read:
    """A country code in upper case."""

    def read(value: Any, path: str) -> str | Problem:
        code = value.strip().upper() if isinstance(value, str) else ""
        return code if code in COUNTRIES else cannot_be_used(path, value, message(question.text("error")))

    return read


def text(question: Question) -> Read:
    """Text within the question's length; outer blanks are dropped."""
    shortest, longest = int(question.minimum or 0), int(question.maximum or _MAX_NAME)

    def read(value: Any, path: str) -> str | Problem:
        if not isinstance(value, str):
            return cannot_be_used(path, value, rule("text"))
        words = value.strip()
        if any(unicodedata.category(sign) in ("Cc", "Cs") and sign != "\n" for sign in words):
            return cannot_be_used(path, value, rule("characters"))
        if len(words) > longest or (len(words) < shortest and not (question.optional and not words)):
            return cannot_be_used(path, value, text_rule(question))
        return words

    return read


def text_rule(question: Question) -> Message:
    """What a text of this question must look like. The VAT number's own sentence is about its form, not its length."""
    longest = int(question.maximum or _MAX_NAME)
    if question.kind is QuestionKind.TEXT and question.id != "b_vat_id":
        return message(question.text("error"), max=longest)
    return rule("length", min=int(question.minimum or 1), max=longest)


def number(question: Question) -> Read:
    """A number in the stored unit within the question's range."""
    low = None if question.minimum is None else question.minimum * question.scale
    high = None if question.maximum is None else question.maximum * question.scale

    def read(value: Any, path: str) -> int | float | Problem | Noted:
        given = finite_number(value)
        if given is None:
            return cannot_be_used(path, value, rule("number", example=number_example(question)))
        if question.scale != 1 and 1 < given <= 1 / question.scale:
            return _read_percent(given, question, path)
        if (low is not None and given < low) or (high is not None and given > high):
            return cannot_be_used(path, value, number_rule(question))
        if question.whole and given != int(given):
            return cannot_be_used(path, value, rule("whole"))
        return int(given) if question.whole else given

    return read


def _read_percent(given: float, question: Question, path: str) -> Noted | Problem:
    """A share written as a percentage; beyond the range it is a problem like any other."""
    if question.maximum is not None and given > question.maximum:
        return cannot_be_used(path, given, number_rule(question))
    share = given * question.scale
    words = message("wz.assumed_share", value=given, share=Quantity(share, Unit.SHARE))
    return Noted(share, Problem(path=path, message=words, severity=Severity.NOTE))


def number_example(question: Question) -> str:
    """A number that this question accepts, as it is written in a file."""
    low = question.minimum if question.minimum else 1
    return f"{low * question.scale:g}"


def number_rule(question: Question) -> Message:
    """What a number of this question must be; a share is explained in the form it is stored in."""
    if question.scale != 1:
        return rule("share")
    if question.id in ("d_max_context", "t_sequence_tokens"):
        return rule("range", min=question.minimum or 0, max=question.maximum or 0)
    low = 0 if question.minimum is None else question.minimum
    high = math.inf if question.maximum is None else question.maximum
    return message(question.text("error"), min=low, max=high, currency="EUR")


def finite_number(value: Any) -> int | float | None:
    """The value as a finite number, ``None`` for anything else; ``true`` is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def real(low: float, high: float) -> Read:
    """A number from ``low`` to ``high``, for entries without a question."""

    def read(value: Any, path: str) -> float | Problem:
        given = finite_number(value)
        if given is None:
            return cannot_be_used(path, value, rule("number", example=f"{low:g}"))
        return (
            given if low <= given <= high else cannot_be_used(path, value, rule("range", min=low, max=high))
        )

    return read


def whole(low: int, high: int) -> Read:
    """A whole number from ``low`` to ``high``, for entries without a question."""
    read_real = real(low, high)

    def read(value: Any, path: str) -> int | Problem:
        given = read_real(value, path)
        if isinstance(given, Problem):
            return given
        return int(given) if given == int(given) else cannot_be_used(path, value, rule("whole"))

    return read


def date(question: Question) -> Read:
    """A day as ``2027-03-31``; an empty text is none."""

    def read(value: Any, path: str) -> str | Problem:
        if value == "":
            return ""
        try:
            return datetime.date.fromisoformat(value).isoformat()
        except (TypeError, ValueError):
            return cannot_be_used(path, value, rule("date"))

    return read


def names(question: Question) -> Read:
    """A list of names; ``[]`` is the same as ``null``."""
    read_name = text(question)

    def read(value: Any, path: str) -> Any | Problem:
        if not isinstance(value, list | tuple) or len(value) > _MAX_ROWS:
            return cannot_be_used(path, value, rule("list"))
        found: list[str] = []
        for index, entry in enumerate(value):
            name = read_name(entry, f"{path}[{index}]")
            if not isinstance(name, str):
                return name
            found.append(name)
        return found or None

    return read


def amount(question: Question) -> Read:
    """A number above 0 with its unit: ``{"amount": 1000, "unit": "pages"}``."""
    units = tuple(option.value for option in question.options)

    def read(value: Any, path: str) -> dict[str, Any] | Problem:
        if not isinstance(value, Mapping) or set(value) != {"amount", "unit"}:
            return cannot_be_used(path, value, rule("amount"))
        given = finite_number(value["amount"])
        if given is None or not 0 < given <= 1e15:
            return cannot_be_used(f"{path}.amount", value["amount"], rule("amount"))
        unit = one_of(units)(value["unit"], f"{path}.unit")
        return unit if isinstance(unit, Problem) else {"amount": given, "unit": unit}

    return read


def model(question: Question) -> Read:
    """A name, ``{"config": path}`` or ``{"architecture": {...}}``; what it names is looked up later."""

    def read(value: Any, path: str) -> str | dict[str, Any] | Problem:
        if isinstance(value, str) and 0 < len(value.strip()) <= _MAX_NAME:
            return value.strip()
        if not isinstance(value, Mapping) or len(value) != 1 or next(iter(value)) not in _MODEL_FORMS:
            return cannot_be_used(path, value, rule("model"))
        form, content = next(iter(value.items()))
        expected = str if form == "config" else Mapping
        return (
            {form: content} if isinstance(content, expected) else cannot_be_used(path, value, rule("model"))
        )

    return read


def circuits(question: Question) -> Read:
    """A list of equal circuits; ``[]`` is the same as ``null``."""
    error = message(question.text("error"), volts="230, 400", amps="10, 16, 32, 63", max=20)

    def read(value: Any, path: str) -> list[dict[str, int]] | Problem | None:
        if not isinstance(value, list | tuple) or len(value) > _MAX_ROWS:
            return cannot_be_used(path, value, rule("list"))
        rows: list[dict[str, int]] = []
        for index, entry in enumerate(value):
            row = _circuit(entry)
            if row is None:
                return cannot_be_used(f"{path}[{index}]", entry, error)
            rows.append(row)
        return rows or None

    return read


def _circuit(entry: Any) -> dict[str, int] | None:
    if not isinstance(entry, Mapping) or not set(entry) <= set(CIRCUIT_FIELDS):
        return None
    given = {"phases": 1, "count": 1, **entry}
    row = {
        name: given[name]
        for name, allowed in CIRCUIT_FIELDS.items()
        if finite_number(given.get(name)) is not None and given[name] in allowed
    }
    return {name: int(value) for name, value in row.items()} if len(row) == len(CIRCUIT_FIELDS) else None


def reviewed(question: Question) -> Read:
    """Whether somebody has looked at the assumptions."""
    return yes_no

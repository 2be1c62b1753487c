"""Stand-ins in a sentence that only the printer can write: dates, page numbers, parts of an estimate.

They are messages with reserved ids, so that they may stand anywhere an argument may. No text exists for them.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Message, message

PAGE_OF: Final = "late.page_of"
DATE: Final = "late.date"
SHORT_DATE: Final = "late.short_date"
RANGE_OF: Final = "late.range_of"
EXPECTED_OF: Final = "late.expected_of"
LOW_OF: Final = "late.low_of"
HIGH_OF: Final = "late.high_of"
GIGABYTES: Final = "late.gigabytes"
BOTH_UNITS: Final = "late.both_units"
COUNTRY: Final = "late.country"


def page_of(section_id: str) -> Message:
    """The page on which a section begins."""
    return message(PAGE_OF, section=section_id)


def date_arg(day: date) -> Message:
    """A date in the reader's language."""
    return message(DATE, iso=day.isoformat())


def iso_date_arg(text: str, *, short: bool = False) -> Message | str:
    """A date from a catalogue's text, ``short`` for tables; text that is no date is printed as it is."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return message(SHORT_DATE, iso=day.isoformat()) if short else date_arg(day)


def range_of(estimate: Estimate) -> Message:
    """Low to high without unit: "0.7 to 1.8"."""
    return message(RANGE_OF, estimate=estimate)


def expected_of(estimate: Estimate) -> Message:
    """The expected value with its unit."""
    return message(EXPECTED_OF, estimate=estimate)


def low_of(estimate: Estimate) -> Message:
    """The low end with its unit."""
    return message(LOW_OF, estimate=estimate)


def high_of(estimate: Estimate) -> Message:
    """The high end with its unit."""
    return message(HIGH_OF, estimate=estimate)


def gigabytes(value_bytes: float) -> Message:
    """Gigabytes with one decimal and without unit, for a column that names it."""
    return message(GIGABYTES, bytes=value_bytes)


def both_units(value_bytes: float) -> Message:
    """A memory size in GB with GiB in brackets."""
    return message(BOTH_UNITS, bytes=value_bytes)


def country_name(code: str) -> Message:
    """Name of a country from its two-letter code."""
    return message(COUNTRY, code=code)

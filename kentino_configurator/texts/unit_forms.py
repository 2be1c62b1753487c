"""How each unit is written: which text, scaled by what, with how many digits, from which size on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Final

from kentino_configurator.core.units import DAY_S, GB, HOUR_S, MICRO, TERA, Unit
from kentino_configurator.texts import rounding

Round = Callable[[Decimal], Decimal]

KIB: Final = 2.0**10
MINUTE_S: Final = 60.0
BILLION: Final = 1e9
EXA: Final = 1e18


def _tenth(value: Decimal) -> Decimal:
    """One decimal, left out when zero; below 1 like a stated value."""
    return rounding.to_stated(value) if abs(value) < 1 else rounding.trimmed(rounding.to_decimals(value, 1))


def _cents(value: Decimal) -> Decimal:
    """At least two decimals, as prices per unit are written."""
    stated = rounding.to_stated(value)
    return rounding.to_decimals(stated, max(2, rounding.decimals_of(stated)))


_three_digits: Round = partial(rounding.to_significant, digits=rounding.STATED_DIGITS)
_one_decimal: Round = partial(rounding.to_decimals, decimals=1)
_whole: Round = partial(rounding.to_decimals, decimals=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitForm:
    """One way to write a unit. ``text_id`` names a text with ``{value}``, or a counted noun (``u.node``).

    ``divisor`` turns base units into the written unit; the form serves base values of ``at_least`` and more.
    """

    text_id: str
    round: Round = rounding.to_stated
    divisor: float = 1.0
    at_least: float = 0.0
    counted: bool = False

    def number(self, value: float) -> Decimal:
        """The digits of a base-unit value in this form. Only zero is written as zero: 0.4 % stays 0.4 %."""
        scaled = self.scaled(value)
        rounded = self.round(scaled)
        return rounding.to_significant(scaled, 1) if scaled and not rounded else rounded

    def scaled(self, value: float) -> Decimal:
        """A base-unit value in the written unit, not yet rounded."""
        return rounding.as_decimal(float(value) / self.divisor)


def _noun(name: str, *, divisor: float = 1.0, at_least: float = 0.0) -> UnitForm:
    return UnitForm(
        text_id=f"u.{name}", round=rounding.to_plain, divisor=divisor, at_least=at_least, counted=True
    )


def _unit(
    name: str, round: Round = rounding.to_stated, *, divisor: float = 1.0, at_least: float = 0.0
) -> UnitForm:
    return UnitForm(text_id=f"u.unit.{name}", round=round, divisor=divisor, at_least=at_least)


# Per unit first the usual form, which also writes zero, then forms for larger and smaller values.
FORMS: Final[Mapping[Unit, tuple[UnitForm, ...]]] = MappingProxyType(
    {
        Unit.BYTES: (
            _unit("bytes_gb", _one_decimal, divisor=GB, at_least=0.1 * GB),
            _unit("bytes_tb", _one_decimal, divisor=TERA, at_least=10 * TERA),
            _unit("bytes_mb", divisor=1e6),
        ),
        Unit.BYTES_PER_S: (_unit("gb_per_s", _tenth, divisor=GB),),
        Unit.BYTES_PER_TOKEN: (_unit("kib_per_token", _three_digits, divisor=KIB),),
        Unit.TOKENS: (
            _noun("token"),
            _unit("tokens_bn", divisor=BILLION, at_least=BILLION),
            _unit("tokens_tn", divisor=TERA, at_least=TERA),
        ),
        Unit.TOKENS_PER_S: (_unit("tokens_per_s"),),
        Unit.TOKENS_PER_S_USER: (_unit("tokens_per_s_user"),),
        Unit.REQUESTS_PER_S: (_unit("requests_per_s"),),
        Unit.SECONDS: (
            _unit("seconds", at_least=0.1),
            _noun("minute", divisor=MINUTE_S, at_least=10 * MINUTE_S),
            _noun("hour", divisor=HOUR_S, at_least=2 * HOUR_S),
            _noun("day", divisor=DAY_S, at_least=3 * DAY_S),
            _unit("milliseconds", divisor=1e-3, at_least=1e-3),
            _unit("microseconds", divisor=MICRO),
        ),
        Unit.HOURS: (_noun("hour"),),
        Unit.DAYS: (_noun("day"),),
        Unit.MONTHS: (_noun("month"),),
        Unit.YEARS: (_noun("year"),),
        Unit.GPU_MONTHS: (_noun("gpu_month"),),
        Unit.WATTS: (
            _unit("watts", _whole),
            _unit("kilowatts", _tenth, divisor=1e3, at_least=1e3),
        ),
        Unit.KWH: (_unit("kilowatt_hours"),),
        Unit.KWH_PER_YEAR: (_unit("kilowatt_hours_year"),),
        Unit.HOURS_PER_YEAR: (_unit("hours_per_year"),),
        Unit.BTU_PER_H: (_unit("btu_per_h", _whole),),
        Unit.M3_PER_H: (_unit("airflow", _whole),),
        Unit.KILOGRAMS: (_unit("kilograms", _tenth),),
        Unit.MILLIMETRES: (_unit("millimetres", _tenth),),
        Unit.RACK_UNITS: (_unit("rack_units", _tenth),),
        Unit.CELSIUS: (_unit("celsius", _tenth),),
        Unit.SHARE: (_unit("percent", _whole, divisor=0.01),),
        Unit.FACTOR: (_unit("factor"),),
        Unit.EUR: (_unit("eur", _whole),),
        Unit.EUR_PER_KWH: (_unit("eur_per_kwh", _cents),),
        Unit.EUR_PER_H: (_unit("eur_per_h", _cents),),
        Unit.PARAMETERS: (_unit("parameters_bn", _three_digits, divisor=BILLION),),
        Unit.FLOP: (_unit("eflop", _three_digits, divisor=EXA),),
        Unit.FLOP_PER_S: (_unit("tflop_per_s", _three_digits, divisor=TERA),),
        Unit.COUNT: (_unit("count", rounding.to_plain),),
        Unit.PER_YEAR: (_unit("per_year"),),
        Unit.NODES: (_noun("node"),),
        Unit.GPUS: (_noun("gpu"),),
        Unit.COPIES: (_noun("copy"),),
        Unit.REQUESTS: (_noun("request"),),
        Unit.PERSONS: (_noun("person"),),
        Unit.VOLTS: (_unit("volts", _tenth),),
        Unit.AMPERES: (_unit("amperes", _tenth),),
    }
)


def form_of(unit: Unit, value: float) -> UnitForm:
    """The form in which a value of this size (base units) is written."""
    forms = FORMS[unit]
    if not value:
        return forms[0]
    return max((form for form in forms if abs(value) >= form.at_least), key=lambda form: form.at_least)

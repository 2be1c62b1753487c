"""Units: the only place that knows 1e9 from 2**30.

Every quantity inside the program is stored in base units (bytes, bytes/s, seconds, watts, FLOP/s).
"""

from __future__ import annotations

from enum import StrEnum

GB = 1e9
GIB = 2.0**30
MIB = 2.0**20
TERA = 1e12
MICRO = 1e-6
HOUR_S = 3600.0
DAY_S = 86400.0
YEAR_H = 8760.0
GPU_MONTH_S = 730.5 * HOUR_S
BTU_PER_WATT_HOUR = 3.412


class Unit(StrEnum):
    """Unit of a quantity; the value is the symbol written into result files."""

    BYTES = "bytes"
    BYTES_PER_S = "bytes/s"
    BYTES_PER_TOKEN = "bytes/token"
    TOKENS = "tokens"
    TOKENS_PER_S = "tokens/s"
    TOKENS_PER_S_USER = "tokens/s/user"
    REQUESTS_PER_S = "requests/s"
    SECONDS = "s"
    HOURS = "h"
    DAYS = "days"
    MONTHS = "months"
    YEARS = "years"
    GPU_MONTHS = "GPU-months"
    WATTS = "W"
    KWH = "kWh"
    KWH_PER_YEAR = "kWh/year"
    HOURS_PER_YEAR = "h/year"
    BTU_PER_H = "BTU/h"
    M3_PER_H = "m3/h"
    KILOGRAMS = "kg"
    MILLIMETRES = "mm"
    RACK_UNITS = "U"
    CELSIUS = "C"
    SHARE = "share"
    FACTOR = "factor"
    EUR = "EUR"
    EUR_PER_KWH = "EUR/kWh"
    EUR_PER_H = "EUR/h"
    PARAMETERS = "parameters"
    FLOP = "FLOP"
    FLOP_PER_S = "FLOP/s"
    COUNT = "1"
    PER_YEAR = "1/year"
    NODES = "nodes"
    GPUS = "GPUs"
    COPIES = "copies"
    REQUESTS = "requests"
    PERSONS = "persons"
    VOLTS = "V"
    AMPERES = "A"

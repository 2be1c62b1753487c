"""Rows of policy, currencies, paths, reliability and calibration as database records."""

from __future__ import annotations

import re

from kentino_configurator.catalog.content import Record
from kentino_configurator.catalog.tables import Row
from kentino_configurator.core.policy import PolicyValue
from kentino_configurator.core.units import GB, MICRO

_NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def policy_record(entry: PolicyValue) -> Record:
    """The row of table ``policy``."""
    return {
        "id": entry.id,
        "value": entry.value,
        "unit": entry.unit,
        "evidence": entry.evidence.value,
        "source": entry.source,
        "note": entry.note,
    }


def currency_record(row: Row) -> Record:
    """The row of table ``currency``."""
    return row.texts("currency date evidence source note") | row.numbers("eur_per_unit")


def path_record(row: Row, position: int) -> Record:
    """The row of table ``path_bandwidth``: ranges in base units, unknown ones empty."""
    one_way = _range(row.text("one_way_gb_s"), GB)
    both = _range(row.text("both_ways_gb_s"), GB)
    latency = _range(row.text("latency_us"), MICRO)
    return row.texts("path_class meaning system gpu conditions source confidence") | {
        "position": position,
        "label": row.text("nvidia_smi_label"),
        "one_way_low_bytes_per_s": one_way[0],
        "one_way_high_bytes_per_s": one_way[1],
        "both_ways_low_bytes_per_s": both[0],
        "both_ways_high_bytes_per_s": both[1],
        "latency_low_s": latency[0],
        "latency_high_s": latency[1],
    }


def reliability_record(row: Row) -> Record:
    """The row of table ``reliability``; values stay text, they are ranges and formulas too."""
    return row.texts("id topic metric value unit scope provenance source source_date notes")


def calibration_record(row: Row) -> Record:
    """The row of table ``calibration``."""
    return row.texts("topic subject name unit evidence source") | row.numbers("value error_median error_p90")


def _range(text: str, factor: float) -> tuple[float | None, float | None]:
    """``54-56`` or ``50`` as (low, high) in base units; an empty cell as unknown."""
    numbers = [float(number) * factor for number in _NUMBERS.findall(text)]
    return (numbers[0], numbers[-1]) if numbers else (None, None)

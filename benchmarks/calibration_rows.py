"""Reading and replacing rows of ``resources/catalog/calibration.csv``."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from kentino_configurator.core.calibration import Calibration, Parameter

ROOT = Path(__file__).resolve().parents[1]
CALIBRATION = ROOT / "resources" / "catalog" / "calibration.csv"
MEASUREMENTS = ROOT / "resources" / "measurements"

Key = tuple[str, str, str]


def read_calibration() -> Calibration:
    """The calibration of the source file, not of the built catalogue."""
    return Calibration({_key(row): _parameter(row) for row in read_csv(CALIBRATION)})


def read_csv(path: Path) -> list[dict[str, str]]:
    """All rows of a table with a header."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def with_values(base: Calibration, values: Mapping[Key, float]) -> Calibration:
    """The same calibration with other numbers for some entries; new entries count as derived."""
    changed = dict(base.parameters)
    for key, value in values.items():
        changed[key] = Parameter(value=value, unit="", evidence="derived", source="")
    return Calibration(changed)


def write_rows(topics: frozenset[str], rows: Iterable[tuple[Key, Parameter]]) -> None:
    """Replaces every row of the given topics and leaves the others as they are."""
    kept = [row for row in read_csv(CALIBRATION) if row["topic"] not in topics]
    for (topic, subject, name), parameter in rows:
        kept.append(
            {
                "topic": topic,
                "subject": subject,
                "name": name,
                "value": f"{parameter.value:.6g}",
                "unit": parameter.unit,
                "evidence": parameter.evidence,
                "source": parameter.source,
                "error_median": _text(parameter.error_median),
                "error_p90": _text(parameter.error_p90),
            }
        )
    with CALIBRATION.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, fieldnames=list(kept[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)


def _key(row: Mapping[str, str]) -> Key:
    return row["topic"], row["subject"], row["name"]


def _parameter(row: Mapping[str, str]) -> Parameter:
    return Parameter(
        value=float(row["value"]),
        unit=row["unit"],
        evidence=row["evidence"],
        source=row["source"],
        error_median=_number(row["error_median"]),
        error_p90=_number(row["error_p90"]),
    )


def _number(text: str) -> float | None:
    return float(text) if text else None


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"

"""``validate``: predicts every row of a measurements file and prints how far off the numbers are."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from kentino_configurator.answer.validation import (
    UnknownTableError,
    predictor_for,
    validation_lines,
    validation_object,
)
from kentino_configurator.catalog.measured import load_measured_names
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.engine.row_outcome import RowOutcome
from kentino_configurator.inputs import UNUSABLE, Unusable, complain, open_service
from kentino_configurator.paths import resource_dir


def validate(path: Path, catalog: Path | None, *, as_json: bool) -> int:
    """Prints the report of one file; exit code as on the command line."""
    try:
        outcomes = validated_file(path, open_service(catalog).snapshot)
    except Unusable as problem:
        complain(problem.lines)
        return UNUSABLE
    if as_json:
        print(json.dumps(validation_object(outcomes), ensure_ascii=False, indent=1))
    else:
        print("\n".join(validation_lines(outcomes)))
    return 0


def validated_file(path: Path, snapshot: CatalogSnapshot) -> list[RowOutcome]:
    """Every row of a measurements file predicted or skipped; raises ``Unusable`` when it is not one."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns = reader.fieldnames or []
            rows = [{name: row.get(name) or "" for name in columns} for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Unusable((f"{path}: cannot be read as CSV in UTF-8 ({type(error).__name__}).",)) from error
    names = load_measured_names(snapshot, resource_dir() / "measurements")
    try:
        predict = predictor_for(columns, snapshot, names)
    except UnknownTableError as error:
        raise Unusable((f"{path}: is not a measurements file: {error}.",)) from error
    return [predict(row) for row in rows]

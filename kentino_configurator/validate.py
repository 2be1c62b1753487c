"""``validate``: predicts every row of a measurements file and prints how far off the numbers are."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from kentino_configurator.answer.validation import (
    ValidatedRow,
    predictor_for,
    validate_rows,
    validation_lines,
    validation_object,
)
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.inputs import UNUSABLE, Unusable, complain, open_service


def validate(path: Path, catalog: Path | None, *, as_json: bool) -> int:
    """Prints the report of one file; exit code as on the command line."""
    try:
        rows = validated_file(path, open_service(catalog).snapshot)
    except Unusable as problem:
        complain(problem.lines)
        return UNUSABLE
    if as_json:
        print(json.dumps(validation_object(rows), ensure_ascii=False, indent=1))
    else:
        print("\n".join(validation_lines(rows)))
    return 0


def validated_file(path: Path, snapshot: CatalogSnapshot) -> list[ValidatedRow]:
    """Every row of a measurements file; raises ``Unusable`` when it is not one."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns = reader.fieldnames or []
            rows = [{name: value or "" for name, value in row.items() if name} for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Unusable((f"{path}: cannot be read as CSV in UTF-8 ({type(error).__name__}).",)) from error
    predict = predictor_for(columns, snapshot)
    if predict is None:
        raise Unusable(
            (
                f"{path}: is not a measurements file; its first line names id, model, gpu, metric, value and notes.",
            )
        )
    return validate_rows(rows, predict, snapshot)

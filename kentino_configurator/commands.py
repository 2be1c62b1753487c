"""``size``, ``explain`` and ``predict``: answers printed for people or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from kentino_configurator.answer.prediction_json import prediction_object
from kentino_configurator.answer.report import explain_lines, level_lines, prediction_lines, size_lines
from kentino_configurator.answer.result_json import result_object
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.engine.level import Level, level_of
from kentino_configurator.inputs import UNUSABLE, Unusable, answer_of, complain, open_service, read_json
from kentino_configurator.texts.catalogue import load_texts
from kentino_configurator.wizard.layout_reading import read_layout


def size(path: Path, catalog: Path | None, *, as_json: bool, measured: Path | None = None) -> int:
    """Decides a request file and prints a table, or the result object; figures at the level of a benchmark if given."""
    level = None
    try:
        service = open_service(catalog)
        answer = answer_of(path, service)
        if measured is not None:
            answer, level = _at_measured_level(answer, measured, service.snapshot)
    except Unusable as problem:
        complain(problem.lines)
        return UNUSABLE
    texts = load_texts("en")
    if as_json:
        result = result_object(answer, texts) | ({} if level is None else {"measured_level": asdict(level)})
        print(json.dumps(result, ensure_ascii=False, indent=1))
    else:
        print("\n".join([*size_lines(answer, texts), *level_lines(level)]))
    return 0


def _at_measured_level(answer: Answer, path: Path, snapshot: CatalogSnapshot) -> tuple[Answer, Level]:
    """The answer at the level of a benchmark file; raises ``Unusable``."""
    from kentino_configurator.answer.measured_level import read_measured_point, with_level

    try:
        point = read_measured_point(read_json(path), snapshot, path.parent)
        level = level_of(point, snapshot.calibration, snapshot.policy)
        return with_level(answer, point, level), level
    except ValueError as error:
        raise Unusable((f"{path.name}: {error}.",)) from error


def explain(path: Path, catalog: Path | None, language: str) -> int:
    """Prints trace, findings, alternatives, tipping points and formulas in words."""
    try:
        answer = answer_of(path, open_service(catalog))
    except Unusable as problem:
        complain(problem.lines)
        return UNUSABLE
    print("\n".join(explain_lines(answer, load_texts(language))))
    return 0


def predict(path: Path, catalog: Path | None, *, as_json: bool) -> int:
    """Memory and performance of one given layout, without any search."""
    try:
        service = open_service(catalog)
        reading = read_layout(read_json(path), service.snapshot, base_dir=path.parent)
        if reading.layout is None:
            raise Unusable(tuple(f"{path.name}: {problem.line()}" for problem in reading.problems))
    except Unusable as problem:
        complain(problem.lines)
        return UNUSABLE
    texts = load_texts("en")
    result = prediction_object(reading, service.snapshot, texts)
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=1))
    else:
        print("\n".join(prediction_lines(result)))
    return 0

"""Names in the answers looked up in the catalogue: models, their own description files, GPUs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kentino_configurator.catalog.errors import ModelError
from kentino_configurator.catalog.names import nearest_gpus, nearest_models, resolve_gpus, resolve_model
from kentino_configurator.catalog.spellings import gpu_spelling
from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.message import Message, message
from kentino_configurator.wizard.problems import Problem, cannot_be_used, rule

_LARGEST_CONFIG_BYTES: Final = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Answers whose names all exist, the models of the workloads that name one, and the names that do not exist."""

    answers: Answers
    models: Mapping[int, ModelSpec]
    problems: tuple[Problem, ...]


def look_up(answers: Answers, snapshot: CatalogSnapshot, base_dir: Path) -> Found:
    """Find every model and GPU the answers name; a name that does not exist is dropped and reported."""
    models: dict[int, ModelSpec] = {}
    problems: list[Problem] = []
    for workload in range(len(answers.get("workloads") or ())):
        path = f"workloads[{workload}].model"
        entry = answers.get(path)
        found = ABSENT if entry is ABSENT else find_model(entry, snapshot, base_dir, path)
        if isinstance(found, ModelSpec):
            models[workload] = found
        elif isinstance(found, Problem):
            problems.append(found)
            answers = answers.without(path)
    answers, of_gpus = _look_up_gpus(answers, snapshot)
    return Found(answers=answers, models=models, problems=(*problems, *of_gpus))


def find_model(
    entry: str | Mapping[str, Any], snapshot: CatalogSnapshot, base_dir: Path, path: str
) -> ModelSpec | Problem:
    """The model of an entry: a name of the catalogue, a ``config.json``, or an architecture."""
    if isinstance(entry, str):
        return resolve_model(snapshot, entry) or _unknown_model(entry, snapshot, path)
    if "config" in entry:
        return _model_of_file(base_dir / str(entry["config"]), f"{path}.config")
    from kentino_configurator.catalog.hf_config import model_from_architecture

    try:
        return model_from_architecture(entry["architecture"])
    except ModelError as error:
        return _unusable_model(f"{path}.architecture", entry["architecture"], error)


def catalog_model(snapshot: CatalogSnapshot, name: str) -> ModelSpec:
    """A model that the questionnaire itself names; a catalogue without it is a defect (``LookupError``)."""
    found = resolve_model(snapshot, name)
    if found is None:
        raise LookupError(f"the catalogue has no model {name!r}, which the questionnaire uses as a default")
    return found


def gpu_ids(snapshot: CatalogSnapshot, spellings: Sequence[str]) -> tuple[str, ...]:
    """The cards that some names stand for, each once, in the order of the names."""
    cards = (gpu.id for spelling in spellings for gpu in resolve_gpus(snapshot, spelling))
    return tuple(dict.fromkeys(cards))


def planned_gpu(snapshot: CatalogSnapshot, spelling: str) -> str:
    """The card of a plan: its id, or for several editions the family's key in ``snapshot.gpu_aliases``."""
    cards = resolve_gpus(snapshot, spelling)
    return cards[0].id if len(cards) == 1 else gpu_spelling(spelling)


def _model_of_file(file: Path, path: str) -> ModelSpec | Problem:
    from kentino_configurator.catalog.hf_config import model_from_config

    try:
        if file.stat().st_size > _LARGEST_CONFIG_BYTES:
            return _unusable_file(path, file, "larger than 5 MB")
        config = json.loads(file.read_text(encoding="utf-8-sig"))
        return model_from_config(config, folder=file.parent)
    except OSError as error:
        return _unusable_file(path, file, error.strerror or type(error).__name__)
    except (ModelError, RecursionError, ValueError) as error:
        return _unusable_file(path, file, str(error) or type(error).__name__)


def _unusable_file(path: str, file: Path, reason: str) -> Problem:
    return cannot_be_used(path, file.name, rule("config", reason=reason))


def _unusable_model(path: str, entry: Any, error: ModelError) -> Problem:
    return cannot_be_used(path, entry, rule("config", reason=str(error)))


def _unknown_model(name: str, snapshot: CatalogSnapshot, path: str) -> Problem:
    return Problem(path=path, message=_not_in_catalog("m_model", name, nearest_models(snapshot, name)))


def _look_up_gpus(answers: Answers, snapshot: CatalogSnapshot) -> tuple[Answers, list[Problem]]:
    problems: list[Problem] = []
    allowed = answers.get("limits.gpus")
    for index, name in enumerate(allowed or ()):
        if not resolve_gpus(snapshot, name):
            problems.append(_unknown_gpu(f"limits.gpus[{index}]", "b_gpus", name, snapshot))
    if problems:
        answers = answers.without("limits.gpus")
    planned = answers.get("limits.requested.gpu")
    if planned is not ABSENT and not resolve_gpus(snapshot, planned):
        problems.append(_unknown_gpu("limits.requested.gpu", "j_plan_gpu", planned, snapshot))
        answers = answers.without("limits.requested.gpu")
    return answers, problems


def _unknown_gpu(path: str, question_id: str, name: str, snapshot: CatalogSnapshot) -> Problem:
    return Problem(path=path, message=_not_in_catalog(question_id, name, nearest_gpus(snapshot, name)))


def _not_in_catalog(question_id: str, name: str, nearest: tuple[str, ...]) -> Message:
    return message(f"q.{question_id}.error", value=name, nearest=", ".join(nearest) or "-")

"""What is known at one moment: the usable answers, the models they name, and the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.request import JobKind
from kentino_configurator.wizard import names
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.questions import Job, Question, questionnaire
from kentino_configurator.wizard.validation import usable_answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Usable answers with their models. Everything that follows from answers is a function of this value.

    ``models`` holds the model of each workload whose model was stated and found.
    """

    answers: Answers
    models: Mapping[int, ModelSpec]
    snapshot: CatalogSnapshot

    @property
    def workload_count(self) -> int:
        """Number of workloads; an empty questionnaire has one."""
        stated = self.answers.get("workloads")
        return len(stated) if stated else 1

    def stated(self, question: Question, workload: int = 0) -> Any:
        """The answer to a question, or ``ABSENT``."""
        return self.answers.get(question.path(workload)) if question.field else ABSENT

    def without(self, *paths: str) -> Known:
        """The same without some answers."""
        answers = self.answers
        for path in paths:
            answers = answers.without(path)
        return Known(answers=answers, models=self.models, snapshot=self.snapshot)


def know(
    answers: Answers, snapshot: CatalogSnapshot, base_dir: Path | None = None
) -> tuple[Known, tuple[Problem, ...]]:
    """The usable part of ``answers``, with the problems of the rest.

    ``base_dir`` is where relative paths of ``config.json`` files start; the working folder when ``None``.
    """
    usable = usable_answers(answers)
    found = names.look_up(usable.answers, snapshot, base_dir or Path())
    known = Known(answers=found.answers, models=found.models, snapshot=snapshot)
    return known, usable.problems + found.problems


def job_of(known: Known, workload: int = 0) -> Job:
    """The window's job kind of a workload: as stated if it agrees with the request's kind, else by that kind."""
    jobs = questionnaire().jobs
    stated = known.answers.get(f"workloads[{workload}].hints.job")
    kind = known.answers.get(f"workloads[{workload}].kind")
    if stated is ABSENT:
        return jobs["assistant"] if kind is ABSENT else _job_of_kind(kind)
    return jobs[stated] if kind in (ABSENT, jobs[stated].kind) else _job_of_kind(kind)


def kind_of(known: Known, workload: int = 0) -> JobKind:
    """The request's kind of a workload."""
    return JobKind(job_of(known, workload).kind)


def _job_of_kind(kind: str) -> Job:
    return next(job for job in questionnaire().jobs.values() if job.kind == kind)

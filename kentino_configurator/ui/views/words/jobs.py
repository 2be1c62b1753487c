"""The jobs of an answer with their results, in the order of the request."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import WorkloadResult
from kentino_configurator.core.request import Workload
from kentino_configurator.texts import Texts


def served(answer: Answer) -> Iterator[tuple[Workload, WorkloadResult]]:
    """Every job that has a result."""
    results = {result.workload: result for result in answer.decision.results}
    for workload in answer.request.workloads:
        if workload.name in results:
            yield workload, results[workload.name]


def job_title(text_id: str, workload: Workload, answer: Answer, texts: Texts) -> str:
    """A title, with the name of the job where there are several."""
    title = texts.say(text_id)
    if len(answer.request.workloads) == 1:
        return title
    return texts.fill("view.of_job", what=title, job=workload.name)

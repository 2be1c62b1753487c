"""The files inside a PDF: the project it was made from, and its data in forms that other programs read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from kentino_configurator.answer.result_json import result_object
from kentino_configurator.core.answer import Answer
from kentino_configurator.export.csv import bom_csv
from kentino_configurator.export.pdf.archive import Attachment, Relationship
from kentino_configurator.export.svg import topology_svg
from kentino_configurator.export.xlsx import bom_workbook
from kentino_configurator.project.document import Project, for_customer
from kentino_configurator.project.from_pdf import ATTACHED_PROJECT
from kentino_configurator.project.json_form import encode, project_to_json
from kentino_configurator.proposal.document import Audience
from kentino_configurator.proposal.sections.compliance import Compliance
from kentino_configurator.texts import load_texts

BOM_CSV = "bom.csv"
BOM_WORKBOOK = "bom.xlsx"
RESULT = "result.json"
TOPOLOGY = "topology.svg"
_WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def attachments_of(
    answer: Answer,
    project: Project | None,
    language: str,
    audience: Audience = Audience.CUSTOMER,
    requirements: Sequence[Compliance] = (),
) -> tuple[Attachment, ...]:
    """Everything that goes with the document of an answer; ``requirements`` are those of a public tender.

    In a customer's document the project holds the variant shown only, without internal notes.
    """
    return (
        *_project(project, language, audience),
        *_bill(answer, language, requirements),
        *_result(answer, language),
    )


def _project(project: Project | None, language: str, audience: Audience) -> Iterator[Attachment]:
    if project is not None:
        shown = for_customer(project) if audience is Audience.CUSTOMER else project
        data = encode(project_to_json(shown))
        yield _file(ATTACHED_PROJECT, "application/json", data, language, Relationship.SOURCE)


def _bill(answer: Answer, language: str, requirements: Sequence[Compliance]) -> Iterator[Attachment]:
    if answer.bom is not None:
        yield _file(BOM_CSV, "text/csv", bom_csv(answer.bom, language), language)
        workbook = bom_workbook(answer.bom, language, requirements)
        yield _file(BOM_WORKBOOK, _WORKBOOK_TYPE, workbook, language)


def _result(answer: Answer, language: str) -> Iterator[Attachment]:
    result = json.dumps(result_object(answer, load_texts(language)), ensure_ascii=False, indent=1)
    yield _file(RESULT, "application/json", result.encode("utf-8"), language)
    if answer.topology is not None:
        yield _file(TOPOLOGY, "image/svg+xml", topology_svg(answer.topology, language), language)


def _file(
    name: str, media_type: str, data: bytes, language: str, relationship: Relationship = Relationship.DATA
) -> Attachment:
    """``doc.attached.<stem>.<suffix>`` describes it."""
    return Attachment(
        name=name,
        media_type=media_type,
        description=load_texts(language).say(f"doc.attached.{name}"),
        data=data,
        relationship=relationship,
    )

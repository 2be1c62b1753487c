"""``propose``: the proposal as PDF and the bill of materials as a workbook, written all or nothing."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from kentino_configurator.answer.service import Service
from kentino_configurator.core.answer import Answer
from kentino_configurator.files import write_atomically
from kentino_configurator.inputs import UNUSABLE, Unusable, answer_of, complain, open_service, project_of

if TYPE_CHECKING:
    from kentino_configurator.project.document import Project
    from kentino_configurator.proposal.terms import SellerProfile


def propose(
    source: Path, output: Path, language: str | None, workbook: Path | None, catalog: Path | None
) -> int:
    """Writes the proposal of a request or project file; exit code as on the command line."""
    try:
        _require_distinct(source, output, workbook)
        service = open_service(catalog)
        answer = answer_of(source, service)
        chosen = language or answer.request.customer.language
        written = write_proposal(answer, service, output, chosen, project_of(source))
        if workbook is not None:
            written += write_workbook(answer, service, workbook, chosen)
    except Unusable as problem:
        complain(problem.lines)
        return UNUSABLE
    print("\n".join(str(path) for path in written))
    return 0


def _require_distinct(source: Path, output: Path, workbook: Path | None) -> None:
    """Refuses outputs that would overwrite the request or each other, and folders that do not exist."""
    outputs = [path for path in (output, workbook) if path is not None]
    places = [path.resolve() for path in (source, *outputs)]
    if len(set(places)) < len(places):
        raise Unusable(
            (f"{output}: request, proposal and workbook must be different files; choose other names.",)
        )
    for path in outputs:
        if not path.resolve().parent.is_dir():
            raise Unusable((f"{path}: its folder does not exist; make it first or choose another.",))


def write_proposal(
    answer: Answer, service: Service, output: Path, language: str, project: Project
) -> list[Path]:
    """Renders the PDF with its attachments and puts it in place in one step."""
    from kentino_configurator.export.document_file import document_file
    from kentino_configurator.project.quotes import terms_of
    from kentino_configurator.settings import load_preferences

    terms = terms_of(project, load_preferences(), _seller(), date.today())
    file = document_file(answer, service.snapshot, language, terms=terms, project=project)
    return [put(output, file.data)]


def _seller() -> SellerProfile:
    from kentino_configurator.proposal.seller_file import SellerError, load_seller

    try:
        return load_seller()
    except SellerError as error:
        raise Unusable((str(error),)) from error


def write_workbook(answer: Answer, service: Service, output: Path, language: str) -> list[Path]:
    """Writes the bill of materials; nothing when there is none."""
    from kentino_configurator.export.xlsx import bom_workbook
    from kentino_configurator.proposal.sections.compliance import requirements_of

    if answer.bom is None:
        return []
    return [put(output, bom_workbook(answer.bom, language, requirements_of(answer, service.snapshot)))]


def put(path: Path, data: bytes) -> Path:
    """Writes a whole file or nothing; raises ``Unusable`` when the place cannot be written."""
    try:
        write_atomically(path, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(
            (f"{path}: cannot be written ({reason}); choose a folder you may write to.",)
        ) from error
    return path

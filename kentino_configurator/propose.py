"""``propose``: the proposal as PDF and the bill of materials as a workbook, written all or nothing."""

from __future__ import annotations

from pathlib import Path

from kentino_configurator.answer.service import Service
from kentino_configurator.core.answer import Answer
from kentino_configurator.files import write_atomically
from kentino_configurator.inputs import UNUSABLE, Unusable, answer_of, complain, open_service


def propose(
    source: Path, output: Path, language: str | None, workbook: Path | None, catalog: Path | None
) -> int:
    """Writes the proposal of a request or project file; exit code as on the command line."""
    try:
        service = open_service(catalog)
        answer = answer_of(source, service)
        written = write_proposal(answer, service, output, language or answer.request.customer.language)
        if workbook is not None:
            written += write_workbook(answer, workbook, language or answer.request.customer.language)
    except Unusable as problem:
        complain(problem.lines)
        return UNUSABLE
    print("\n".join(str(path) for path in written))
    return 0


def write_proposal(answer: Answer, service: Service, output: Path, language: str) -> list[Path]:
    """Renders the PDF and puts it in place in one step."""
    from kentino_configurator.export.pdf.render import render_proposal
    from kentino_configurator.proposal.build import build_proposal

    return [put(output, render_proposal(build_proposal(answer, service.snapshot), language))]


def write_workbook(answer: Answer, output: Path, language: str) -> list[Path]:
    """Writes the bill of materials; nothing when there is none."""
    from kentino_configurator.export.xlsx import bom_workbook

    if answer.bom is None:
        return []
    return [put(output, bom_workbook(answer.bom, language))]


def put(path: Path, data: bytes) -> Path:
    """Writes a whole file or nothing; raises ``Unusable`` when the place cannot be written."""
    try:
        write_atomically(path, data)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Unusable(
            (f"{path}: cannot be written ({reason}); choose a folder you may write to.",)
        ) from error
    return path

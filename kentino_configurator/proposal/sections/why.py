"""The five questions with their answers, and every rule that fired."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import Finding, Formula, TraceEntry
from kentino_configurator.core.message import Message, message
from kentino_configurator.proposal.blocks import (
    Block,
    FindingNote,
    Heading,
    Paragraph,
    Role,
    TracedQuestion,
    TracedQuestions,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.sentences import finding_message, trace_message


def why_section(case: Case) -> Section:
    """Trace and findings."""
    return Section(
        id="why",
        title=message("p.title.why") if case.is_offer else message("doc.title.why_not"),
        lead=message("tr.intro"),
        blocks=tuple(_blocks(case)),
    )


def _blocks(case: Case) -> Iterator[Block]:
    yield TracedQuestions(items=tuple(_traced(entry) for entry in case.decision.trace))
    yield Paragraph(words=message("tr.order_note"), role=Role.CAPTION)
    if case.decision.disagreement is not None:
        yield Paragraph(words=case.decision.disagreement)
    if case.decision.findings:
        yield Heading(words=message("doc.findings"))
        yield from (finding_note(finding) for finding in case.decision.findings)


def _traced(entry: TraceEntry) -> TracedQuestion:
    return TracedQuestion(
        number=entry.number,
        question=message(f"tr.{entry.number}.question"),
        answer=trace_message(entry),
        decided=entry.decided,
        formulas=tuple(formula_message(formula) for formula in entry.formulas) if entry.decided else (),
    )


def formula_message(formula: Formula) -> Message:
    """A formula with its numbers filled in."""
    return message("doc.formula", expression=formula.expression, value=formula.value)


def finding_note(finding: Finding) -> FindingNote:
    """A finding with its reason and the way out."""
    return FindingNote(
        severity=finding.severity,
        title=finding_message(finding, "text"),
        why=finding_message(finding, "why"),
        change=finding_message(finding, "change"),
    )

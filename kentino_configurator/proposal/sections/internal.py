"""What only the seller's own people read: notes, where each price was seen, what the catalogue remarks on a part."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.bom import BillOfMaterials, BomLine
from kentino_configurator.core.message import message
from kentino_configurator.proposal.blocks import (
    Block,
    Cell,
    Column,
    Heading,
    Paragraph,
    Role,
    Row,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section


def internal_section(case: Case, notes: str) -> Section:
    """Notes and price sources. The catalogue holds no purchase cost, so no margin is computed, which is said."""
    return Section(
        id="internal",
        title=message("doc.title.internal"),
        lead=message("doc.internal.lead"),
        blocks=tuple(_blocks(case.bom, notes)),
    )


def _blocks(bom: BillOfMaterials | None, notes: str) -> Iterator[Block]:
    yield Heading(words=message("doc.internal.notes"))
    yield Paragraph(words=notes or message("doc.internal.no_notes"))
    yield Paragraph(words=message("doc.internal.no_cost"), role=Role.CAPTION)
    if bom is not None:
        yield Heading(words=message("doc.internal.sources"))
        yield Table(
            columns=(
                Column(title=message("doc.column.item"), width_mm=56),
                Column(title=message("doc.column.source"), quiet=True),
            ),
            rows=tuple(_row(line) for line in bom.lines),
            compact=True,
        )


def _row(line: BomLine) -> Row:
    source = line.source or message("n.not_known")
    return Row(
        cells=(Cell(words=line.description, note=line.sku, strong=True), Cell(words=source, note=line.notes))
    )

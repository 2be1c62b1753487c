"""How the machine is wired: drawing, rates between every pair, and the same in words."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import TopologyGraph
from kentino_configurator.proposal.blocks import (
    Block,
    Drawing,
    Heading,
    Paragraph,
    PathMatrix,
    Role,
    WiringWords,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import page_of

MOST_GPUS_IN_MATRIX = 8


def topology_section(case: Case, graph: TopologyGraph) -> Section:
    """Wiring of the first node and of the network."""
    return Section(
        id="topology",
        title=message("doc.title.topology"),
        lead=message("doc.topology.lead", platform=graph.platform),
        blocks=tuple(_blocks(graph)),
    )


def _blocks(graph: TopologyGraph) -> Iterator[Block]:
    yield Drawing(graph=graph)
    if graph.paths:
        yield Heading(words=message("doc.topology.matrix"), remark=message("doc.topology.unit"))
        yield PathMatrix(graph=graph)
    yield Heading(words=message("doc.topology.words"))
    yield WiringWords(graph=graph)
    yield Paragraph(words=message("doc.topology.caption", page=page_of("method")), role=Role.CAPTION)

"""How it was calculated, with which thresholds, how sure it is, and where every figure was read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kentino_configurator import __version__
from kentino_configurator.core.evidence import Evidence
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.accuracy_file import FamilyAccuracy, load_accuracy
from kentino_configurator.proposal.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Heading,
    MissingGlyphs,
    Paragraph,
    Row,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.late import iso_date_arg

_ALWAYS: Final = (
    "weights.comfortable_share",
    "weights.ceiling_share",
    "circuit.continuous_share",
    "power.overhead_factor",
    "power.psu_efficiency",
    "cost.years",
)
_OF_CLUSTERS: Final = ("efficiency.gate", "ops.added_node_factor_middle", "ops.article_factor")
_OF_SXM: Final = ("sxm.fabric_factor", "sxm.silicon_factor", "sxm.system_power_factor", "frontier.h100_mfu")
_KEY: Final = re.compile(r"[A-Z][A-Z0-9-]+")


def method_section(case: Case) -> Section:
    """Method and sources."""
    return Section(
        id="method",
        title=message("p.title.method"),
        lead=message("p.text.method_text", rules=__version__, version=case.answer.catalog_version),
        blocks=tuple(_blocks(case)),
    )


def _blocks(case: Case) -> Iterator[Block]:
    yield Paragraph(
        words=message(
            "doc.method.catalog",
            date=iso_date_arg(case.answer.catalog_date),
            hash=case.answer.catalog_sha256[:16],
        )
    )
    yield Paragraph(words=message("doc.method.estimates"))
    gaps = message("doc.method.gaps")
    yield Paragraph(words=message("p.text.method_limits", gaps=gaps))
    yield Heading(words=message("doc.method.accuracy"))
    yield Paragraph(words=message("doc.method.accuracy.text"))
    yield _accuracy()
    yield Heading(words=message("doc.method.policy"))
    yield _policy(case)
    yield Heading(words=message("doc.method.evidence"))
    yield _legend()
    yield Heading(words=message("doc.method.sources"))
    yield _sources(case)
    yield MissingGlyphs()


def _accuracy() -> Table:
    """Errors on published runs per kind of figure, each run's model and card left out of the fit."""
    return Table(
        columns=(
            Column(),
            Column(title=message("doc.column.measurements"), width_mm=30, align=Align.RIGHT),
            Column(title=message("doc.column.median_error"), width_mm=30, align=Align.RIGHT),
            Column(title=message("doc.column.coverage"), width_mm=30, align=Align.RIGHT),
        ),
        rows=tuple(_accuracy_row(each) for each in load_accuracy()),
        compact=True,
    )


def _accuracy_row(each: FamilyAccuracy) -> Row:
    return Row(
        cells=(
            Cell(words=message(f"doc.accuracy.{each.family}")),
            Cell(words=each.rows),
            Cell(words=Quantity(each.median_error, Unit.SHARE)),
            Cell(words=Quantity(each.coverage, Unit.SHARE)),
        )
    )


def _policy(case: Case) -> Table:
    return Table(
        columns=(
            Column(title=message("doc.column.threshold")),
            Column(title=message("doc.column.value"), width_mm=26),
            Column(title=message("doc.column.origin"), width_mm=70, quiet=True),
        ),
        rows=tuple(_policy_row(case, name) for name in _policy_names(case)),
        compact=True,
    )


def _policy_names(case: Case) -> tuple[str, ...]:
    configuration = case.configuration
    names: tuple[str, ...] = _ALWAYS
    if configuration is None or configuration.fabric is not None:
        names += _OF_CLUSTERS
    if case.decision.referral is not None:
        names += _OF_SXM
    return names


def _policy_row(case: Case, name: str) -> Row:
    entry = case.snapshot.policy.entry(name)
    unit = next((unit for unit in Unit if unit.value == entry.unit), None)
    value: Arg = entry.value if unit is None else Quantity(entry.value, unit)
    origin = message(
        "doc.evidence_source", evidence=message(f"ev.{entry.evidence.value}.label"), source=entry.source
    )
    return Row(
        cells=(Cell(words=message(f"doc.policy.{name}")), Cell(words=value, strong=True), Cell(words=origin))
    )


def _legend() -> Table:
    return Table(
        columns=(Column(width_mm=48), Column(quiet=True)),
        rows=tuple(
            Row(
                cells=(
                    Cell(words=message(f"ev.{kind.value}.label"), strong=True),
                    Cell(words=message(f"ev.{kind.value}.help")),
                )
            )
            for kind in Evidence
        ),
        compact=True,
    )


def _sources(case: Case) -> Table:
    return Table(
        columns=(Column(width_mm=40), Column()),
        rows=tuple(
            Row(cells=(Cell(words=about, strong=True), Cell(words="", note=text)))
            for about, text in _cited(case)
        ),
        compact=True,
    )


def _cited(case: Case) -> Iterator[tuple[Arg, Arg]]:
    """Sources of model, GPU, platform, wiring and build, as the catalogue cites them."""
    for model in {w.model.id: w.model for w in case.request.workloads}.values():
        if model.sources:
            yield model.name, "; ".join(source.text for source in model.sources)
        if model.assumed:
            yield model.name, message("doc.method.assumed_model", facts=", ".join(model.assumed))
    if case.configuration is not None:
        node = case.configuration.node
        wiring = node.platform.slot_map.source if node.platform.slot_map is not None else ""
        platform = f"{node.platform.source}; {wiring}; {node.build.source}"
        yield node.card.name, _spelled_out(node.card.source, case)
        yield message("doc.method.platform", platform=node.platform.name), _spelled_out(platform, case)
    yield message("doc.method.rules"), message("doc.method.rules.text")


def _spelled_out(cited: str, case: Case) -> str:
    """The catalogue's source keys in full; a citation without a known key stays as it is."""
    known = case.snapshot.facts.get("sources", {})
    keys = dict.fromkeys(word for word in _KEY.findall(cited) if word in known)
    return "; ".join(str(known[key]) for key in keys) or cited

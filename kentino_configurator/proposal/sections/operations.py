"""What running it takes: duties, hours as a range, interruptions, and the cost over three years."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.decision import Alternative, OpsTax, ThreeYearCost
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Align,
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
from kentino_configurator.proposal.late import expected_of, high_of, low_of

# Five kinds of duty that a cluster multiplies; the rest is in one node as well.
_CLUSTER_DUTIES = ("nccl", "fabric", "storage", "checkpoints", "scheduler")


def operations_section(case: Case, tax: OpsTax) -> Section:
    """Operation and cost."""
    return Section(
        id="operations",
        title=message("p.title.operations"),
        lead=message("p.text.ops_intro"),
        blocks=tuple(_blocks(case, tax)),
    )


def _blocks(case: Case, tax: OpsTax) -> Iterator[Block]:
    yield Heading(words=message("doc.ops.hours"))
    yield _hours(case, tax)
    yield Paragraph(words=message("doc.ops.sources"), role=Role.CAPTION)
    yield Paragraph(words=message("ops.sum.failures", **_ends(tax)))
    yield Paragraph(
        words=message(
            "ops.sum.half_capacity"
            if tax.cluster
            else "ops.sum.replicas"
            if _several(case)
            else "doc.ops.one_node"
        )
    )
    if tax.half_capacity_risk_eur is not None:
        yield Paragraph(words=message("doc.ops.half_capacity_risk", risk=tax.half_capacity_risk_eur))
    yield Heading(words=message("doc.ops.duties" if _several(case) else "doc.ops.duties_one"))
    yield _duties(tax, _several(case))
    if case.decision.three_year_cost is not None:
        yield Heading(words=message("p.title.cost3"), remark=message("doc.cost.remark"))
        yield from _cost(case, case.decision.three_year_cost)


def _several(case: Case) -> bool:
    return case.configuration is not None and case.configuration.nodes > 1


def _ends(tax: OpsTax) -> dict[str, Arg]:
    figures = tax.interruptions_per_year
    return {
        "low": Quantity(_rounded(figures.low), Unit.COUNT),
        "high": Quantity(_rounded(figures.high), Unit.COUNT),
    }


def _hours(case: Case, tax: OpsTax) -> Table:
    rate = case.request.operations.hourly_cost_eur
    columns = (tax.hours_low, tax.hours_middle, tax.hours_high, tax.article_hours)
    names = ("low", "middle", "high", "article")
    return Table(
        columns=(
            Column(width_mm=44),
            *(Column(title=message(f"doc.ops.{name}"), align=Align.RIGHT) for name in names),
        ),
        rows=(
            Row(
                cells=(
                    Cell(words=message("doc.ops.hours_a_year"), strong=True),
                    *(
                        Cell(words=Quantity(_rounded(hours), Unit.COUNT), strong=index == 1)
                        for index, hours in enumerate(columns)
                    ),
                )
            ),
            Row(
                cells=(
                    Cell(words=message("doc.ops.eur_a_year", rate=Quantity(rate, Unit.EUR_PER_H))),
                    *(Cell(words=Quantity(_rounded(hours * rate), Unit.EUR)) for hours in columns),
                )
            ),
        ),
    )


def _rounded(value: float) -> float:
    """Two significant digits: such figures are not known better."""
    return float(f"{value:.2g}")


def _duties(tax: OpsTax, several: bool) -> Table:
    return Table(
        columns=(
            Column(title=message("doc.column.duty"), width_mm=44),
            Column(title=message("doc.column.one_node"), quiet=True),
            Column(title=message("doc.column.each_more"), quiet=True),
        ),
        rows=tuple(_duty(duty, tax.cluster) for duty in _shown_duties(tax, several)),
        compact=True,
    )


def _shown_duties(tax: OpsTax, several: bool) -> tuple[str, ...]:
    """All duties of a cluster; of copies those without its network; of one node those that a cluster multiplies."""
    if several and not tax.cluster:
        return tuple(duty for duty in tax.duties if duty not in _CLUSTER_DUTIES or duty == "scheduler")
    return tuple(duty for duty in tax.duties if tax.cluster or duty in _CLUSTER_DUTIES)


def _duty(duty: str, cluster: bool) -> Row:
    return Row(
        cells=(
            Cell(words=message(f"ops.{duty}.label"), strong=True),
            Cell(words=message(f"ops.{duty}.one")),
            Cell(words=message(f"ops.{duty}.more"), strong=cluster and duty in _CLUSTER_DUTIES),
        )
    )


def _cost(case: Case, cost: ThreeYearCost) -> Iterator[Block]:
    nearest = next((a for a in case.decision.alternatives if a.three_year_eur is not None), None)
    yield Table(
        columns=(
            Column(title=message("doc.column.cost")),
            *(
                Column(title=message(f"doc.column.{name}"), width_mm=30, align=Align.RIGHT)
                for name in ("low", "expected", "high")
            ),
        ),
        rows=(
            *(
                _cost_row(message(f"doc.cost.{name}"), getattr(cost, name))
                for name in ("hardware", "energy", "operations")
            ),
            _cost_row(message("doc.cost.total"), cost.total, total=True),
            *_nearest(nearest),
        ),
    )
    yield Paragraph(words=_formula(case, cost), role=Role.CAPTION)
    if cost.eur_per_million_tokens is not None:
        yield Paragraph(
            words=message("doc.cost.per_million", cost=cost.eur_per_million_tokens), role=Role.CAPTION
        )


def _nearest(item: Alternative | None) -> Iterator[Row]:
    if item is not None and item.three_year_eur is not None:
        label = message("doc.cost.alternative", name=message(f"doc.alt.{item.kind}"))
        yield _cost_row(label, item.three_year_eur)


def _cost_row(label: Arg, estimate: Estimate, *, total: bool = False) -> Row:
    return Row(
        cells=(
            Cell(words=label, strong=total),
            *(Cell(words=end(estimate), strong=total) for end in (low_of, expected_of, high_of)),
        ),
        total=total,
    )


def _formula(case: Case, cost: ThreeYearCost) -> Arg:
    operations = case.request.operations
    return message(
        "doc.cost.formula",
        base=message(
            "p.text.cost3_text",
            price=Quantity(operations.electricity_eur_per_kwh, Unit.EUR_PER_KWH),
            pue=operations.pue,
            rate=Quantity(operations.hourly_cost_eur, Unit.EUR_PER_H),
        ),
        kwh=Quantity(_rounded(cost.kwh_per_year), Unit.KWH_PER_YEAR),
        duty=Quantity(operations.duty_percent / 100, Unit.SHARE),
    )

"""What the site must provide, beside what it said it has, and what somebody confirms before delivery."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.bom import BillOfMaterials, Outcome
from kentino_configurator.core.message import Arg, Listing, Quantity, message
from kentino_configurator.core.request import Circuit, Site
from kentino_configurator.core.units import Unit
from kentino_configurator.proposal.blocks import (
    Block,
    Cell,
    CheckItem,
    CheckList,
    Column,
    Heading,
    Paragraph,
    Role,
    Row,
    Table,
)
from kentino_configurator.proposal.case import Case
from kentino_configurator.proposal.document import Section
from kentino_configurator.proposal.sentences import check_message

SITE_RULES = "J"
"""First letter of the rules about electricity, cooling and space."""


def site_section(case: Case, bom: BillOfMaterials) -> Section:
    """Needs of the site and the checklist."""
    return Section(
        id="site",
        title=message("p.title.site"),
        lead=message("p.text.site_intro", power=bom.power.ac_w, heat=bom.power.btu_h),
        blocks=tuple(_blocks(case, bom)),
    )


def _blocks(case: Case, bom: BillOfMaterials) -> Iterator[Block]:
    yield Table(
        columns=(
            Column(title=message("doc.column.site"), width_mm=58),
            Column(title=message("doc.column.needed")),
            Column(title=message("doc.column.stated"), width_mm=50, quiet=True),
        ),
        rows=tuple(_needs(bom, case.request.site, case)),
    )
    yield Paragraph(words=message("doc.site.caption"), role=Role.CAPTION)
    yield Heading(words=message("p.title.site_check"), remark=message("doc.check.remark"))
    yield CheckList(items=tuple(_checks(bom, case)))


def _needs(bom: BillOfMaterials, site: Site, case: Case) -> Iterator[Row]:
    power, place = bom.power, bom.site
    yield _row("doc.site.ac", power.ac_w, "")
    yield _row("doc.site.dc", power.dc_w, "")
    yield _row("doc.site.heat", power.btu_h, _or_not_stated(site.cooling_kw, 1000, Unit.WATTS))
    yield _row("doc.site.air", power.airflow_m3_h, "")
    yield _row("doc.site.circuits", _list(power.circuits_needed), _circuits(site))
    yield _row("doc.site.outlets", _list(place.outlets), "")
    units: Arg = (
        message("doc.form.tower") if case_is_tower(case) else _known(place.rack_units, Unit.RACK_UNITS)
    )
    yield _row("doc.site.rack", units, _or_not_stated(site.rack_units, 1, Unit.RACK_UNITS))
    yield _row(
        "doc.site.depth",
        _known(place.depth_mm, Unit.MILLIMETRES),
        _or_not_stated(site.rack_depth_mm, 1, Unit.MILLIMETRES),
    )
    yield _row("doc.site.mass", _known(place.mass_kg, Unit.KILOGRAMS), site.access_note)
    yield _row(
        "doc.site.inlet",
        _limit(place.max_inlet_c),
        _or_not_stated(site.max_inlet_c, 1, Unit.CELSIUS),
    )
    yield _row("doc.site.network", message("doc.site.network.need"), _network(site))


def worst_site_check(case: Case) -> Arg:
    """The one condition of the site most likely to stop the project: a check that failed, else the circuits."""
    checks = () if case.bom is None else case.bom.checks
    for outcome in (Outcome.BLOCK, Outcome.WARN, Outcome.UNKNOWN):
        for check in checks:
            if check.rule.startswith(SITE_RULES) and check.outcome is outcome:
                return check_message(check)
    circuits = _list(() if case.bom is None else case.bom.power.circuits_needed)
    return message("doc.summary.circuits", needed=circuits, stated=_circuits(case.request.site))


def case_is_tower(case: Case) -> bool:
    """Whether the machine stands on the floor instead of in a rack."""
    return case.configuration is not None and case.configuration.node.form == "tower"


def _row(label: str, need: Arg, stated: Arg) -> Row:
    return Row(
        cells=(
            Cell(words=message(label)),
            Cell(words=need, strong=True),
            Cell(words=stated or message("doc.dash")),
        )
    )


def _known(value: float | None, unit: Unit) -> Arg:
    return message("n.not_known") if value is None else Quantity(value, unit)


def _limit(celsius: int | None) -> Arg:
    known = _known(celsius, Unit.CELSIUS)
    return known if celsius is None else message("n.at_most", value=known)


def _or_not_stated(value: float | None, factor: float, unit: Unit) -> Arg:
    return message("doc.not_stated") if value is None else Quantity(value * factor, unit)


def _list(items: tuple[str, ...]) -> Arg:
    return Listing(items) if items else message("n.not_known")


def _circuits(site: Site) -> Arg:
    if site.circuits is None:
        return message("doc.not_stated")
    return Listing(tuple(_circuit(circuit) for circuit in site.circuits))


def _circuit(circuit: Circuit) -> Arg:
    text_id = "u.unit.circuit_3" if circuit.phases == 3 else "u.unit.circuit_1"
    return message(text_id, count=circuit.count, volts=circuit.volts, amps=circuit.amps)


def _network(site: Site) -> Arg:
    speed = message("u.unit.gbit_per_s", value=site.network_gbps)
    return message("doc.with_ports", speed=speed, ports=site.switch_ports) if site.switch_ports else speed


def _checks(bom: BillOfMaterials, case: Case) -> Iterator[CheckItem]:
    yield CheckItem(words=message("doc.check.circuit"), note=message("p.text.site_circuit"))
    yield CheckItem(words=message("doc.check.cooling", heat=bom.power.ac_w))
    yield CheckItem(words=message("doc.check.tower" if case_is_tower(case) else "doc.check.rack"))
    yield CheckItem(words=message("doc.check.way"))
    yield CheckItem(words=message("doc.check.network"))
    yield CheckItem(words=message("doc.check.management"))
    yield CheckItem(words=message("doc.check.noise"))
    yield CheckItem(words=message("doc.check.person"))

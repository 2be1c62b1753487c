"""The bill of materials: lines, how firm each price is, totals, and the checks with the unknown apart."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials, BomCheck, Outcome
from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.views.base import ViewContext
from kentino_configurator.ui.views.page import ScrolledView
from kentino_configurator.ui.views.parts.empty_state import EmptyState
from kentino_configurator.ui.views.parts.expander import Expander
from kentino_configurator.ui.views.parts.headings import block_title, column, line, view_title
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.search_box import SearchBox
from kentino_configurator.ui.views.parts.tally_line import TallyLine
from kentino_configurator.ui.views.parts.two_columns import TwoColumns
from kentino_configurator.ui.views.saving import FileSaver, safe_name
from kentino_configurator.ui.views.words import bom as words
from kentino_configurator.ui.widgets.button import Button
from kentino_configurator.ui.widgets.icon_label import StateLine
from kentino_configurator.ui.widgets.label import Hairline, label

TOTALS_PX = 376
_FOLDED_OUTCOMES = (Outcome.UNKNOWN, Outcome.PASS)


class BomView(ScrolledView):
    """One physical item for each line. What was searched for and what was opened stays."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._context = context
        self._wanted = ""
        self._open: set[Outcome] = set()
        self._saver = FileSaver(self)
        self._told = StateLine()
        self._saver.told.connect(self._tell)

    def body(self, answer: Answer, texts: Texts) -> QWidget:
        """The list and what follows from it, or that there is none."""
        title, lead = texts.say("w.view.bom"), texts.say("view.bom.lead")
        bom = answer.bom
        if bom is None:
            empty = EmptyState(texts.say("view.bom.none"), texts.say("view.bom.none_why"))
            return column(view_title(title, lead), empty, spacing_px=16)
        copy, save = (
            Button(texts.say("view.bom.copy"), icon="copy"),
            Button(texts.say("view.save.workbook"), icon="save"),
        )
        self._table = HouseTable(title)
        self._search = SearchBox(texts.say("view.bom.search"))
        self._search.edit.setText(self._wanted)
        self._search.changed.connect(lambda wanted: self._narrow(bom, wanted, texts))
        copy.clicked.connect(self._table.copy_all)
        save.clicked.connect(lambda: self._save(bom, texts))
        self._told = StateLine()
        self._told.hide()
        self._narrow(bom, self._wanted, texts)
        return column(
            view_title(title, lead, copy, save),
            self._told,
            self._tools(bom, texts),
            self._table,
            TwoColumns(self._checks(bom, texts), _totals(bom, answer, texts), side_px=TOTALS_PX),
            spacing_px=16,
        )

    def _tools(self, bom: BillOfMaterials, texts: Texts) -> QWidget:
        counts = TallyLine(words.status_tallies(bom, texts))
        observed = label(words.observed_words(bom, texts), "small", "ink3")
        return line(counts, observed, self._search, spacing_px=16, stretch=0)

    def _narrow(self, bom: BillOfMaterials, wanted: str, texts: Texts) -> None:
        self._wanted = wanted
        self._table.set_table(
            words.line_columns(bom.net.currency, texts), words.line_rows(bom, wanted, texts)
        )

    def _checks(self, bom: BillOfMaterials, texts: Texts) -> QWidget:
        rows: list[QWidget] = [
            block_title(texts.say("view.bom.checks"), texts.say("view.bom.rules", count=len(bom.checks))),
            TallyLine(words.check_tallies(bom, texts)),
        ]
        fired = words.checks_with(bom, Outcome.BLOCK) + words.checks_with(bom, Outcome.WARN)
        if fired:
            rows.append(_check_table(texts.say("view.bom.fired"), fired, texts))
        rows += [
            self._folded(bom, outcome, texts)
            for outcome in _FOLDED_OUTCOMES
            if words.checks_with(bom, outcome)
        ]
        return column(*rows, spacing_px=8)

    def _folded(self, bom: BillOfMaterials, outcome: Outcome, texts: Texts) -> Expander:
        checks = words.checks_with(bom, outcome)
        name = texts.say(f"view.bom.show.{outcome.value}", count=len(checks))
        expander = Expander(name, _check_table(name, checks, texts), open_=outcome in self._open)
        expander.opened.connect(lambda _: self._turn(outcome))
        return expander

    def _turn(self, outcome: Outcome) -> None:
        self._open ^= {outcome}

    def _save(self, bom: BillOfMaterials, texts: Texts) -> None:
        name = safe_name(self._context.session.title, texts.say("w.view.bom"))
        self._saver.save(
            f"{name}.xlsx",
            texts.say("view.save.workbook_kind"),
            lambda: _workbook(bom, texts.language),
            texts,
        )

    def _tell(self, told: str, role: str) -> None:
        self._told.show_state(told, role)
        self._told.show()


def _workbook(bom: BillOfMaterials, language: str) -> bytes:
    """Loads the writer only when a workbook is wanted."""
    from kentino_configurator.export.xlsx import bom_workbook

    return bom_workbook(bom, language)


def _check_table(name: str, checks: tuple[BomCheck, ...], texts: Texts) -> HouseTable:
    table = HouseTable(name, head=False)
    table.set_table(words.check_columns(texts), words.check_rows(checks, texts))
    return table


def _totals(bom: BillOfMaterials, answer: Answer, texts: Texts) -> QWidget:
    sums = QWidget()
    grid = QGridLayout(sums)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setVerticalSpacing(theme.px(8))
    grid.setColumnStretch(0, 1)
    for total in words.total_lines(bom, answer, texts):
        _add_total(grid, total)
    told, role = words.sum_check(bom, texts)
    rows: list[QWidget] = [sums, StateLine(told, role)]
    if unpriced := words.unpriced_words(bom, texts):
        rows.append(StateLine(unpriced, "warn"))
    return column(*rows, spacing_px=8)


def _add_total(grid: QGridLayout, total: words.TotalLine) -> None:
    row = grid.rowCount()
    if total.main or total.strong:
        grid.addWidget(Hairline(role="border" if total.main else "line"), row, 0, 1, 2)
        row += 1
    name, value = (
        ("section", "title") if total.main else ("strong", "strong") if total.strong else ("body", "body")
    )
    ink = "ink" if total.main or total.strong else "ink2"
    grid.addWidget(label(total.name, name, ink, wrap=True), row, 0)
    grid.addWidget(label(total.value, value), row, 1, Qt.AlignmentFlag.AlignRight)

"""The table of the house: model, sharing of width, folding, keyboard, copying."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from kentino_configurator.ui import theme
from kentino_configurator.ui.views.models.table import (
    CELL_ROLE,
    KIND_ROLE,
    Cell,
    Column,
    Mark,
    MarkKind,
    Row,
    RowKind,
    TableModel,
    share_width,
)
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.table_cells import note_of
from kentino_configurator.ui.widgets.scroll import ScrollColumn

COLUMNS = (
    Column(title="No.", right=True),
    Column(title="Item", stretch=1, least_px=160),
    Column(title="Maker", fold=2),
    Column(title="Seen", fold=3),
    Column(title="Price", right=True, fold=1),
)
ROWS = (
    Row(cells=(Cell(words="Nodes"),), kind=RowKind.GROUP),
    Row(
        key="a",
        cells=(
            Cell(words="1"),
            Cell(words="Graphics card with a long name", note="96 GB"),
            Cell(words="NVIDIA"),
            Cell(words="5 Oct 2026"),
            Cell(words="14,758.29", type_role="strong"),
        ),
    ),
    Row(
        key="b",
        cells=(
            Cell(words="2"),
            Cell(words="Cable", mark=Mark(MarkKind.PRICE, "observed")),
            Cell(words="various"),
            Cell(words="1 Dec 2026"),
            Cell(words="no price", ink="warn"),
        ),
    ),
    Row(cells=(Cell(), Cell(words="Sum"), Cell(), Cell(), Cell(words="14,758.29")), kind=RowKind.TOTAL),
)


@pytest.fixture
def table(qtbot: QtBot) -> HouseTable:
    table = HouseTable("Parts")
    table.set_table(COLUMNS, ROWS)
    qtbot.addWidget(table)
    table.resize(900, 300)
    table.show()
    return table


def test_the_model_keeps_the_rules_of_item_models(qtmodeltester: ModelTester) -> None:
    model = TableModel()
    model.set_table(COLUMNS, ROWS)
    qtmodeltester.check(model)


def test_replacing_the_table_keeps_the_rules_too() -> None:
    model = TableModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.set_table(COLUMNS, ROWS)
    model.set_table(COLUMNS[:2], ROWS[1:2])
    model.set_table((), ())
    assert (model.rowCount(), model.columnCount()) == (0, 0)


def test_the_model_answers_with_words_and_says_both_lines() -> None:
    model = TableModel()
    model.set_table(COLUMNS, ROWS)
    item = model.index(1, 1)
    assert item.data() == "Graphics card with a long name"
    assert item.data(Qt.ItemDataRole.AccessibleTextRole) == "Graphics card with a long name. 96 GB"
    assert item.data(CELL_ROLE) is ROWS[1].cells[1]
    assert item.data(KIND_ROLE) == "line"
    assert model.headerData(4, Qt.Orientation.Horizontal) == "Price"
    assert model.index(0, 3).data() == ""


def test_headings_cannot_be_selected(table: HouseTable) -> None:
    assert table.table.flags(table.table.index(0, 0)) == Qt.ItemFlag.NoItemFlags
    assert table.columnSpan(0, 0) == len(COLUMNS)


@given(
    natural=st.lists(st.integers(20, 300), min_size=5, max_size=5),
    width=st.integers(min_value=1, max_value=2000),
)
def test_the_widths_add_up_whatever_is_folded(natural: list[int], width: int) -> None:
    shares = share_width(COLUMNS, natural, width)
    assert sum(shares.widths) == width
    assert all(shares.widths[index] == 0 for index in shares.folded)


@given(natural=st.lists(st.integers(20, 300), min_size=5, max_size=5))
def test_columns_fold_in_their_order_and_those_without_a_place_never(natural: list[int]) -> None:
    folded = [share_width(COLUMNS, natural, width).folded for width in range(1600, 0, -7)]
    assert {0, 1}.isdisjoint(frozenset().union(*folded))
    for wider, narrower in pairwise(folded):
        assert wider <= narrower
    assert [sorted(group) for group in dict.fromkeys(folded)] == [
        entry for entry in ([], [3], [2, 3], [2, 3, 4]) if entry in [sorted(group) for group in folded]
    ]


def test_a_column_that_fits_keeps_its_natural_width() -> None:
    shares = share_width(COLUMNS, (40, 160, 80, 90, 100), 700)
    assert shares.widths == (40, 390, 80, 90, 100)


def test_what_is_folded_stands_below_the_item_with_its_title(table: HouseTable) -> None:
    table.resize(360, 400)
    assert table.folded == {2, 3}
    assert table.isColumnHidden(3)
    assert not table.isColumnHidden(1)
    note = note_of(table.table, 1, 1, table.folded)
    assert note == "96 GB · Maker: NVIDIA · Seen: 5 Oct 2026"


def test_the_table_is_as_high_as_its_rows(qtbot: QtBot) -> None:
    page = QWidget()
    table = HouseTable("Parts")
    table.set_table(COLUMNS, ROWS)
    layout = QVBoxLayout(page)
    layout.addWidget(table)
    layout.addStretch(1)
    qtbot.addWidget(page)
    page.show()
    for width in (1000, 420, 1000):
        page.resize(width, 700)
        qtbot.wait(1)
        rows = sum(table.rowHeight(row) for row in range(len(ROWS)))
        assert table.height() == table.horizontalHeader().height() + rows + 1


def test_ctrl_c_copies_the_selected_row_and_the_head(qtbot: QtBot, table: HouseTable) -> None:
    table.selectRow(2)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines() == [
        "No.\tItem\tMaker\tSeen\tPrice",
        "2\tCable\tvarious\t1 Dec 2026\tno price",
    ]


def test_copying_everything_keeps_notes_on_their_line(table: HouseTable) -> None:
    table.copy_all()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 1 + len(ROWS)
    assert lines[2].split("\t")[1] == "Graphics card with a long name. 96 GB"


def test_home_end_and_arrows_move_between_lines_and_skip_headings(qtbot: QtBot, table: HouseTable) -> None:
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 1
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == 3
    qtbot.keyClick(table, Qt.Key.Key_Up)
    assert table.currentIndex().row() == 2


def test_tab_leaves_the_table(table: HouseTable) -> None:
    assert table.tabKeyNavigation() is False


def test_enter_tells_which_row_was_meant(qtbot: QtBot, table: HouseTable) -> None:
    table.selectRow(2)
    with qtbot.waitSignal(table.activated_key) as told:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert told.args == ["b"]


def test_the_page_follows_the_current_row(qtbot: QtBot) -> None:
    content = QWidget()
    layout = QVBoxLayout(content)
    table = HouseTable("Parts")
    table.set_table(COLUMNS, [ROWS[1]] * 30)
    layout.addWidget(table)
    scroll = ScrollColumn(content, layout)
    page = QWidget()
    QHBoxLayout(page).addWidget(scroll)
    qtbot.addWidget(page)
    page.resize(900, 300)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    table.setFocus()
    assert table.hasFocus()
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert scroll.verticalScrollBar().value() > 300


def test_a_selected_row_has_its_ground_and_rows_their_hairline(table: HouseTable) -> None:
    table.selectRow(1)
    image = table.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in (5, 400, 880) for y in range(200)}
    assert theme.colour("tint").name() in colours
    assert theme.colour("line").name() in colours

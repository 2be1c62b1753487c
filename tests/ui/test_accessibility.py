"""Everything by keyboard, every input with a name, nothing cut in longer languages, large text, small windows."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.dialogs import SHORTCUTS, AboutDialog, ShortcutsDialog
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.places import EXPERT_ID, page_key
from kentino_configurator.ui.result_panel import ResultPanel, WeightLimits
from kentino_configurator.ui.widgets.estimate_bar import EstimateBar
from kentino_configurator.ui.widgets.memory_bar import MemoryBar
from kentino_configurator.ui.widgets.segmented import Segmented
from tests.ui.conftest import OpenWindow
from tests.ui.samples import sample_answer

INPUTS = (QLineEdit, QPlainTextEdit, QAbstractButton, Segmented, QListView)


def focusable(root: QWidget) -> Iterator[QWidget]:
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            yield widget


def spoken_name(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""


def pages(window: MainWindow) -> Iterator[str]:
    assert window.workbench is not None
    keys = [key for key in window.workbench.places() if key.startswith("page:")]
    for key in (*keys, page_key(EXPERT_ID)):
        window.workbench.show_key(key)
        QApplication.processEvents()
        yield key


def test_every_input_of_every_page_has_a_name(open_window: OpenWindow) -> None:
    window = open_window()
    window.open_example("university_lab")
    nameless = [
        f"{key}: {type(widget).__name__} {widget.objectName()}"
        for key in pages(window)
        for widget in focusable(window)
        if isinstance(widget, INPUTS) and not spoken_name(widget).strip()
    ]
    assert nameless == []


def test_every_way_in_on_the_start_page_has_a_name(open_window: OpenWindow) -> None:
    window = open_window()
    assert [type(widget) for widget in focusable(window.start_page) if not spoken_name(widget).strip()] == []


def test_tab_visits_the_fields_of_a_page_from_top_to_bottom(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.open_example("assistant_200_employees")
    bench = window.workbench
    assert bench is not None
    for key in (page_key("demand"), page_key("site"), page_key("terms")):
        bench.show_key(key)
        QApplication.processEvents()
        page = bench.page
        assert page is not None
        page.focus_first()
        visited = [window.focusWidget()]
        while len(visited) < 200 and page.isAncestorOf(visited[-1]):
            qtbot.keyClick(visited[-1], Qt.Key.Key_Tab)
            visited.append(window.focusWidget())
        expected = [row.field.focus_target() for _, row in page.rows()]
        assert [widget for widget in visited if widget in expected] == expected, key


def test_a_project_is_answered_by_keyboard_alone(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    bench = window.workbench
    assert bench is not None
    qtbot.keyClicks(window.focusWidget(), "Example Lab")
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.session.answers.get("customer.name") == "Example Lab"
    assert bench.current == page_key("model")
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    assert bench.current == page_key("demand")
    choice = window.focusWidget()
    assert isinstance(choice, Segmented)
    qtbot.keyClick(choice, Qt.Key.Key_End)
    qtbot.keyClick(choice, Qt.Key.Key_Tab)
    while not isinstance(window.focusWidget(), QLineEdit):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    window.focusWidget().selectAll()  # type: ignore[attr-defined]
    qtbot.keyClicks(window.focusWidget(), "64")
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert window.session.answers.get("workloads[0].concurrent_requests") == 64
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.answers.get("workloads[0].concurrent_requests") != 64


def test_f6_goes_round_rail_page_and_answer(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.open_example("assistant_200_employees")
    window.session.evaluate_now()
    QApplication.processEvents()
    bench = window.workbench
    assert bench is not None and bench.page is not None
    visited = []
    for _ in range(3):
        bench.cycle_focus()
        visited.append(window.focusWidget())
    regions = (bench.space.panel, bench.space.rail, bench.page)
    assert all(region.isAncestorOf(widget) for region, widget in zip(regions, visited, strict=True))


def test_arrow_keys_in_the_rail_open_pages(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.new_project()
    bench = window.workbench
    assert bench is not None
    bench.space.rail.list.setFocus()
    qtbot.keyClick(bench.space.rail.list, Qt.Key.Key_Down)
    assert bench.current == page_key("model")


def test_bars_say_the_same_to_the_ear_as_to_the_pointer(qtbot: QtBot, texts: Texts) -> None:
    panel = ResultPanel(texts, WeightLimits())
    qtbot.addWidget(panel)
    panel.show()
    panel.show_answer(sample_answer())
    bars = [*panel.findChildren(EstimateBar), *panel.findChildren(MemoryBar)]
    assert len(bars) == 4
    for bar in bars:
        assert bar.accessibleName() == bar.toolTip() != ""
    first = panel.findChildren(EstimateBar)[0].accessibleName()
    assert "First word appears" in first and "0.7" in first and "1.8" in first and "Met" in first


def test_the_list_of_keys_names_only_keys_that_do_something(qtbot: QtBot, open_window: OpenWindow) -> None:
    from PySide6.QtGui import QShortcut

    window = open_window()
    bound = {shortcut.key().toString() for shortcut in window.findChildren(QShortcut)}
    for keys, _ in SHORTCUTS:
        first = keys.split(" … ")[0].replace("Ctrl+Enter", "Ctrl+Return")
        assert first in bound, keys


def test_dialogs_hold_their_words(qtbot: QtBot, texts: Texts) -> None:
    for dialog in (ShortcutsDialog(None, texts), AboutDialog(None, texts)):  # type: ignore[arg-type]
        qtbot.addWidget(dialog)
        dialog.show()
        QApplication.processEvents()
        assert cut(dialog) == []


# ---------------------------------------------------------------- nothing is cut


def cut(root: QWidget) -> list[str]:
    """Words that have less room than they need."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, QLabel) and widget.text() and not _label_fits(widget):
            found.append(f"{widget.text()!r} in {widget.width()}x{widget.height()}")
        elif (
            isinstance(widget, (QAbstractButton, Segmented))
            and widget.minimumSizeHint().width() > widget.width()
        ):
            words = widget.text() if isinstance(widget, QAbstractButton) else widget.accessibleName()
            found.append(f"{words!r} in {widget.width()}")
    return found


def _label_fits(label: QLabel) -> bool:
    if label.wordWrap():
        return label.heightForWidth(label.width()) <= label.height() + 1
    return label.sizeHint().width() <= label.width() + 1


@pytest.mark.parametrize("language", ["pseudo", "pt", "cs"])
@pytest.mark.parametrize("size", [(1440, 900), (1100, 640)], ids=["drawn", "smallest"])
def test_no_words_are_cut_in_a_longer_language(
    language: str, size: tuple[int, int], open_window: OpenWindow
) -> None:
    window = open_window(language, size)
    QApplication.processEvents()
    assert cut(window) == []
    window.open_example("university_lab")
    window.session.evaluate_now()
    for key in pages(window):
        assert cut(window) == [], key


def test_no_words_are_cut_at_twice_the_text_size(qapp: QApplication, open_window: OpenWindow) -> None:
    theme.set_text_scale(qapp, 200)
    window = open_window("en", (1920, 1080))
    window.open_example("university_lab")
    window.session.evaluate_now()
    for key in pages(window):
        assert cut(window) == [], key


def test_nothing_sticks_out_of_the_page_at_the_smallest_width(open_window: OpenWindow) -> None:
    window = open_window("en", (1100, 640))
    window.open_example("university_lab")
    window.session.evaluate_now()
    bench = window.workbench
    assert bench is not None
    for key in pages(window):
        page = bench.page
        assert page is not None and page._area is not None
        assert page._area.widget().width() <= page._area.viewport().width(), key


SCALED = """
import sys
from PySide6.QtWidgets import QApplication
from kentino_configurator.settings import Preferences, Theme
from kentino_configurator.ui import theme
from kentino_configurator.ui.main_window import MainWindow
from kentino_configurator.ui.session import Session
app = QApplication([])
theme.start(app, Theme.LIGHT)
window = MainWindow(Session(), Preferences(window_language="en"))
window.resize(1100, 700)
window.show()
app.processEvents()
image = window.grab().toImage()
print(image.width(), image.height())
window.session.close()
"""


@pytest.mark.parametrize(("factor", "width"), [("1.25", 1375), ("1.5", 1650), ("2", 2200)])
def test_the_window_is_drawn_sharp_at_every_scale_of_the_screen(
    factor: str, width: int, tmp_path: Path
) -> None:
    environment = os.environ | {"QT_SCALE_FACTOR": factor, "KENTINO_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", SCALED],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split()[0] == str(width)

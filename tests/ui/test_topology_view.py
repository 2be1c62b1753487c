"""Drawing, matrix and tree of one machine share one selection, by mouse and by keyboard."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from kentino_configurator.core.topology import TopologyGraph
from kentino_configurator.settings import Theme as Preference
from kentino_configurator.texts import load_texts
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.topology.layout import lay_out
from kentino_configurator.topology.matrix import matrix
from kentino_configurator.ui import theme
from kentino_configurator.ui.topology_view import TopologyView
from kentino_configurator.ui.topology_view.matrix_view import cell_words, ground_role
from kentino_configurator.ui.topology_view.outline_model import BOX_ID_ROLE
from kentino_configurator.ui.topology_view.scene import TopologyScene
from tests.unit.topology.drawing_checks import device_rects
from tests.unit.topology.machines import RTX_5090, configure, platform, snapshot

SAY = load_texts("en").say


def graph(machine: str = "asus-esc8000a-e13p", gpus: int = 8, **how: int) -> TopologyGraph:
    how = how or {"tp": 4, "pp": 2}
    return build_graph(configure(platform(machine), gpus, **how), snapshot())  # type: ignore[arg-type]


@pytest.fixture
def view(qtbot: QtBot) -> TopologyView:
    widget = TopologyView()
    qtbot.addWidget(widget)
    widget.resize(1208, 760)
    widget.show_graph(graph(), SAY)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def click_device(qtbot: QtBot, view: TopologyView, box_id: str) -> None:
    shown = graph()
    rect = device_rects(shown, lay_out(shown, SAY))[box_id]
    point = view.drawing.mapFromScene(QPointF(rect.x + 1.0, rect.bottom - 1.0))
    qtbot.mouseClick(view.drawing.viewport(), Qt.MouseButton.LeftButton, pos=point)


def selected_rows(view: TopologyView) -> set[str]:
    return {index.data(BOX_ID_ROLE) for index in view.tree.selectionModel().selectedIndexes()}


def chosen_items(view: TopologyView) -> set[str]:
    scene = view.drawing.scene()
    assert isinstance(scene, TopologyScene)
    return scene.chosen


def test_the_slowest_path_of_the_first_group_is_chosen_at_first(view: TopologyView) -> None:
    assert view.chosen == ("n0.gpu0", "n0.gpu2")
    assert view.strip.accessibleName().startswith(
        "GPU 0 to GPU 2: same socket (NODE). 53 GB/s one way, measured"
    )


def test_two_clicks_in_the_drawing_choose_a_pair_in_all_three_places(
    qtbot: QtBot, view: TopologyView
) -> None:
    click_device(qtbot, view, "n0.gpu1")
    click_device(qtbot, view, "n0.gpu6")
    assert view.chosen == ("n0.gpu1", "n0.gpu6")
    assert view.matrix.chosen == ("n0.gpu1", "n0.gpu6")
    assert selected_rows(view) == {"n0.gpu1", "n0.gpu6"}
    assert {"n0.gpu1", "n0.VS0", "n0.S0.cpu>n0.S1.cpu", "n0.VS3", "n0.gpu6"} <= chosen_items(view)
    assert "36–40 GB/s one way, measured" in view.strip.accessibleName()


def test_the_way_is_told_from_device_to_device(view: TopologyView) -> None:
    view.choose_pair("n0.gpu0", "n0.gpu1")
    assert view.strip.accessibleName().endswith("GPU 0 → Switch 0 → GPU 1")


def test_a_third_click_starts_over(qtbot: QtBot, view: TopologyView) -> None:
    for box_id in ("n0.gpu1", "n0.gpu6", "n0.gpu3"):
        click_device(qtbot, view, box_id)
    assert view.chosen == ("n0.gpu3",)
    assert view.matrix.chosen is None
    assert view.strip.accessibleName() == "Select a second GPU to see the way between the two."


def test_a_device_that_is_no_gpu_is_shown_alone(qtbot: QtBot, view: TopologyView) -> None:
    click_device(qtbot, view, "n0.gpu1")
    click_device(qtbot, view, "n0.S0.cpu")
    assert view.chosen == ("n0.S0.cpu",)
    assert selected_rows(view) == {"n0.S0.cpu"}


def test_arrow_keys_walk_over_the_matrix(qtbot: QtBot, view: TopologyView) -> None:
    view.choose_pair("n0.gpu0", "n0.gpu1")
    qtbot.keyClick(view.matrix, Qt.Key.Key_Right)
    assert view.chosen == ("n0.gpu0", "n0.gpu2")
    qtbot.keyClick(view.matrix, Qt.Key.Key_Down)
    assert view.chosen == ("n0.gpu1", "n0.gpu2")
    assert selected_rows(view) == {"n0.gpu1", "n0.gpu2"}


def test_a_pair_can_be_chosen_in_the_drawing_by_keyboard(qtbot: QtBot, view: TopologyView) -> None:
    qtbot.keyClick(view.drawing, Qt.Key.Key_Right)
    qtbot.keyClick(view.drawing, Qt.Key.Key_Return)
    assert view.chosen == ("n0.gpu1",)
    for _ in range(2):
        qtbot.keyClick(view.drawing, Qt.Key.Key_Right)
    qtbot.keyClick(view.drawing, Qt.Key.Key_Return)
    assert view.chosen == ("n0.gpu1", "n0.gpu3")


def test_a_row_of_the_tree_chooses_its_device(view: TopologyView) -> None:
    view.choose_pair("n0.gpu0", "n0.gpu1")
    model = view.tree.model()
    (index,) = model.match(model.index(0, 0), BOX_ID_ROLE, "n0.gpu5", 1, Qt.MatchFlag.MatchRecursive)
    view.tree.setCurrentIndex(index)
    assert view.chosen == ("n0.gpu5",)


def test_control_and_wheel_zoom_and_zero_fits_again(qtbot: QtBot, view: TopologyView) -> None:
    fitted = view.drawing.transform().m11()
    middle = view.drawing.viewport().rect().center()
    event = QWheelEvent(
        QPointF(middle),
        QPointF(view.drawing.viewport().mapToGlobal(middle)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.drawing.viewport(), event)
    assert view.drawing.transform().m11() == pytest.approx(fitted * 1.25)
    qtbot.keyClick(view.drawing, Qt.Key.Key_Plus)
    assert view.drawing.transform().m11() == pytest.approx(fitted * 1.25**2)
    qtbot.keyClick(view.drawing, Qt.Key.Key_0)
    assert view.drawing.transform().m11() == pytest.approx(fitted)


def test_it_never_shrinks_below_the_whole_drawing(qtbot: QtBot, view: TopologyView) -> None:
    fitted = view.drawing.transform().m11()
    qtbot.keyClick(view.drawing, Qt.Key.Key_Minus)
    assert view.drawing.transform().m11() == pytest.approx(fitted)


def test_copies_are_a_vector_image_and_a_picture(view: TopologyView) -> None:
    view.copy_svg()
    data = QGuiApplication.clipboard().mimeData()
    root = ElementTree.fromstring(bytes(data.data("image/svg+xml").data()))
    words = {"".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"GPU 0", "GPU 7", "socket link"} <= words
    view.copy_png()
    assert not QGuiApplication.clipboard().image().isNull()


def pixels(view: TopologyView) -> QImage:
    return view.drawing.grab().toImage()


def test_a_change_of_scheme_is_a_repaint(qapp: QApplication, view: TopologyView) -> None:
    light = pixels(view)
    theme.apply(qapp, theme.theme_for(Preference.DARK))
    assert pixels(view) != light


def test_another_graph_replaces_all_three(view: TopologyView) -> None:
    view.show_graph(graph("dell-poweredge-xe7745", tp=4, dp=2), SAY)
    assert view.chosen == ("n0.gpu0", "n0.gpu1")
    assert view.strip.accessibleName() == "GPU 0 to GPU 1: path not published (?). no published rate"
    assert view.tree.model().index(0, 0).data(BOX_ID_ROLE) == "n0"


def test_one_gpu_has_no_pair_to_show(view: TopologyView) -> None:
    view.show_graph(graph("supermicro-h13ssl-n-tower", 1, tp=1), SAY)
    assert view.chosen == ()


@pytest.mark.parametrize("language", ["pt", "cs"])
def test_every_language_can_be_shown(view: TopologyView, language: str) -> None:
    view.show_graph(graph(), load_texts(language).say)
    assert view.strip.accessibleName()
    assert view.matrix.accessibleName() == load_texts(language).say("topo.view.matrix")


def test_the_three_places_have_names_for_screen_readers(view: TopologyView) -> None:
    names = [widget.accessibleName() for widget in (view.drawing, view.matrix, view.tree)]
    assert all(names)
    assert len(set(names)) == 3


def test_a_narrow_view_puts_the_matrix_below_the_drawing(qtbot: QtBot, view: TopologyView) -> None:
    assert view.matrix.mapTo(view, QPoint()).x() > view.drawing.geometry().right()
    view.resize(760, 1800)
    qtbot.waitUntil(lambda: view.matrix.mapTo(view, QPoint()).y() > view.strip.geometry().bottom())
    assert view.drawing.width() > 700


def test_a_class_left_open_inside_a_socket_is_shown_as_same_socket(view: TopologyView) -> None:
    cells = matrix(graph("supermicro-as-4125gs-tnrt2", tp=8)).rows[0]
    assert [ground_role(cell) for cell in cells[1:]] == ["c3", "c3", "c3", "tint", "tint", "tint", "tint"]
    unknown = matrix(graph("dell-poweredge-xe7745", tp=8)).rows[0]
    assert {ground_role(cell) for cell in unknown[1:]} == {"surface"}
    assert {cell_words(cell) for cell in unknown[1:]} == {"?"}


def test_pairs_through_host_memory_show_their_class_instead_of_a_rate(view: TopologyView) -> None:
    cells = matrix(build_graph(configure(platform("gigabyte-g493-zb0"), 8, RTX_5090, dp=8), snapshot())).rows[
        0
    ]
    assert [cell_words(cell) for cell in cells] == ["", "NODE", "NODE", "NODE", "SYS", "SYS", "SYS", "SYS"]

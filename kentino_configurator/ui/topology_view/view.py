"""The topology view: drawing, matrix and tree show one graph and share one selection."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QMimeData, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from kentino_configurator.core.message import Message, message
from kentino_configurator.core.topology import BoxKind, TopologyGraph
from kentino_configurator.topology.devices import Say
from kentino_configurator.topology.layout import lay_out
from kentino_configurator.topology.matrix import matrix
from kentino_configurator.topology.paths import route, slowest_path
from kentino_configurator.ui import theme
from kentino_configurator.ui.topology_view.matrix_legend import MatrixLegend
from kentino_configurator.ui.topology_view.matrix_view import MatrixView, legend_entries
from kentino_configurator.ui.topology_view.outline_model import BOX_ID_ROLE, OutlineModel
from kentino_configurator.ui.topology_view.pair import pair_words
from kentino_configurator.ui.topology_view.pair_strip import PairStrip
from kentino_configurator.ui.topology_view.scene import DrawingView, TopologyScene
from kentino_configurator.ui.widgets.button import Button, ButtonKind, IconButton
from kentino_configurator.ui.widgets.label import Hairline, label

_SIDE_PX = 344
_NARROW_PX = 900
_TREE_PX = 120
_NARROW_TREE_PX = 260
_NO_LIMIT = 16777215
"""Qt's own value for a width without a limit."""


class TopologyView(QWidget):
    """Shows a graph. Selecting two GPUs in any of the three places describes the way between them in all three."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._graph: TopologyGraph | None = None
        self._say: Say = _no_words
        self._scene: TopologyScene | None = None
        self._outline: OutlineModel | None = None
        self._chosen: list[str] = []
        self._cursor = 0
        self._anchor = ""
        self._copy_buttons: list[Button] = []
        self.drawing = DrawingView()
        self.matrix = MatrixView()
        self.tree = _tree()
        self.strip = PairStrip()
        self._legend = MatrixLegend()
        self._build()
        self._connect()

    @property
    def chosen(self) -> tuple[str, ...]:
        """Ids of the chosen devices: a pair of GPUs, one device, or none."""
        return tuple(self._chosen)

    def show_graph(self, graph: TopologyGraph, say: Say) -> None:
        """Show a graph in the words of ``say``; the slowest path of its first group is chosen."""
        self._graph, self._say = graph, say
        self._cursor, self._anchor = 0, ""
        display_list = lay_out(graph, say)
        self._scene = TopologyScene(display_list)
        self._outline = OutlineModel(display_list)
        self.drawing.show_scene(self._scene)
        self.tree.setModel(self._outline)
        self.tree.expandAll()
        self.tree.selectionModel().currentChanged.connect(self._row_chosen)
        cells = matrix(graph)
        self.matrix.show_matrix(cells, say)
        self._legend.show_entries(legend_entries(cells, say))
        self._name_parts()
        self._set_chosen(_first_pair(graph))

    def choose_pair(self, a: str, b: str) -> None:
        """Choose two GPUs by their ids."""
        self._set_chosen([a, b])

    def copy_svg(self) -> None:
        """Put the drawing on the clipboard as a vector image."""
        if self._scene is not None:
            data = QMimeData()
            data.setData("image/svg+xml", self._scene.svg())
            data.setImageData(self._scene.image())
            QGuiApplication.clipboard().setMimeData(data)

    def copy_png(self) -> None:
        """Put the drawing on the clipboard as a picture."""
        if self._scene is not None:
            QGuiApplication.clipboard().setImage(self._scene.image())

    def _build(self) -> None:
        self._title, self._hint = label("", "title"), label("", "body", "ink2", wrap=True)
        self._matrix_title, self._matrix_unit = label("", "section"), label("", "small", "ink2", wrap=True)
        self._tree_title = label("", "section")
        self._zoom_in = IconButton("zoom-in", "")
        self._zoom_out = IconButton("zoom-out", "")
        self._fit = IconButton("maximize", "")
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.px(8))
        for button in (self._zoom_out, self._zoom_in, self._fit):
            self._buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(16))
        layout.addLayout(self._head())
        self._side = self._right_column()
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(theme.px(40))
        self._body.addLayout(self._left_column(), 1)
        self._body.addWidget(self._side)
        layout.addLayout(self._body, 1)
        self._arrange(narrow=False)

    def _head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(theme.px(2))
        words.addWidget(self._title)
        words.addWidget(self._hint)
        head = QHBoxLayout()
        head.addLayout(words, 1)
        head.addLayout(self._buttons)
        return head

    def _left_column(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(theme.px(16))
        column.addWidget(self.drawing, 1)
        column.addWidget(self.strip)
        column.addStretch(0)
        return column

    def _right_column(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(8))
        for widget in (self._matrix_title, self._matrix_unit, self.matrix, self._legend, Hairline()):
            column.addWidget(widget)
        column.addWidget(self._tree_title)
        column.addWidget(self.tree, 1)
        return side

    def _arrange(self, *, narrow: bool) -> None:
        """Matrix and tree beside the drawing, or below it in a narrow window."""
        self._narrow = narrow
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._body.setDirection(down if narrow else across)
        self._side.setMinimumWidth(0 if narrow else theme.px(_SIDE_PX))
        self._side.setMaximumWidth(_NO_LIMIT if narrow else theme.px(_SIDE_PX))
        self.tree.setMinimumHeight(theme.px(_NARROW_TREE_PX if narrow else _TREE_PX))
        self.drawing.set_whole(narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold when the drawing would become too small to read."""
        super().resizeEvent(event)
        narrow = self.width() < theme.px(_NARROW_PX)
        if narrow != self._narrow:
            self._arrange(narrow=narrow)

    def _connect(self) -> None:
        self._zoom_in.clicked.connect(lambda: self.drawing.zoom(1))
        self._zoom_out.clicked.connect(lambda: self.drawing.zoom(-1))
        self._fit.clicked.connect(self.drawing.fit)
        self.drawing.box_clicked.connect(self._box_clicked)
        self.drawing.moved.connect(self._walk)
        self.drawing.confirmed.connect(self._confirm)
        self.matrix.pair_chosen.connect(self.choose_pair)
        copy = QShortcut(QKeySequence.StandardKey.Copy, self)
        copy.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.activated.connect(self.copy_svg)

    def _name_parts(self) -> None:
        say = self._say
        self._title.setText(say(message("topo.view.title")))
        self._hint.setText(say(message("topo.view.hint")))
        self._matrix_title.setText(say(message("topo.view.matrix")))
        self._matrix_unit.setText(say(message("topo.view.matrix_unit")))
        self._tree_title.setText(say(message("topo.view.tree")))
        self.drawing.setAccessibleName(say(message("topo.view.drawing_name")))
        self.matrix.setAccessibleName(say(message("topo.view.matrix")))
        self.tree.setAccessibleName(say(message("topo.view.tree")))
        for button, text in (
            (self._zoom_in, "topo.view.zoom_in"),
            (self._zoom_out, "topo.view.zoom_out"),
            (self._fit, "topo.view.fit"),
        ):
            button.set_name(say(message(text)))
        self._show_copy_buttons()

    def _show_copy_buttons(self) -> None:
        """Made anew with each language: a button is as wide as its word."""
        for old in self._copy_buttons:
            self._buttons.removeWidget(old)
            old.deleteLater()
        self._copy_buttons.clear()
        for text, action in (("topo.view.copy_svg", self.copy_svg), ("topo.view.copy_png", self.copy_png)):
            button = Button(self._say(message(text)), ButtonKind.OUTLINE, icon="copy")
            button.clicked.connect(action)
            self._copy_buttons.append(button)
            self._buttons.addWidget(button)

    def _gpus(self) -> list[str]:
        boxes = self._graph.boxes if self._graph else ()
        return [box.id for box in boxes if box.kind is BoxKind.GPU]

    def _walk(self, step: int) -> None:
        """To the next GPU; with one end confirmed, the pair with it is shown at once."""
        gpus = self._gpus()
        if gpus:
            self._cursor = (self._cursor + step) % len(gpus)
            here = gpus[self._cursor]
            self._set_chosen([self._anchor, here] if self._anchor not in ("", here) else [here])

    def _confirm(self) -> None:
        """Fix the first end of a pair, then the second."""
        gpus = self._gpus()
        if self._anchor or not gpus:
            self._anchor = ""
        else:
            self._anchor = gpus[self._cursor]
            self._set_chosen([self._anchor])

    def _box_clicked(self, box_id: str) -> None:
        """A second GPU makes a pair; anything else starts over."""
        gpus = self._gpus()
        self._anchor = ""
        if box_id in gpus:
            self._cursor = gpus.index(box_id)
        waiting = len(self._chosen) == 1 and self._chosen[0] in gpus and self._chosen[0] != box_id
        self._set_chosen([*self._chosen, box_id] if waiting and box_id in gpus else [box_id])

    def _row_chosen(self, current: QModelIndex) -> None:
        box_id = current.data(BOX_ID_ROLE)
        if box_id and box_id not in self._chosen:
            self._box_clicked(box_id)

    def _set_chosen(self, ids: list[str]) -> None:
        self._chosen = ids
        if self._graph is None or self._scene is None:
            return
        pair = len(ids) == 2
        self._scene.choose(route(self._graph, *ids) if pair else ids)
        self.matrix.choose(*(ids if pair else ("", "")))
        self._select_rows(ids)
        words = pair_words(self._graph, ids[0], ids[1], self._say) if pair else None
        if words is not None:
            self.strip.show_words(words)
        else:
            self.strip.show_hint(self._say(message("topo.view.hint_pair" if ids else "topo.view.hint")))

    def _select_rows(self, ids: list[str]) -> None:
        selection, model = self.tree.selectionModel(), self._outline
        if model is None:
            return
        selection.clearSelection()
        for box_id in ids:
            index = model.index_of_box(box_id)
            if index.isValid():
                selection.select(index, QItemSelectionModel.SelectionFlag.Select)
                self.tree.scrollTo(index)


def _no_words(text: Message) -> str:
    """Before the first graph there is nothing to say."""
    return ""


def _first_pair(graph: TopologyGraph) -> list[str]:
    for group in graph.groups:
        path = slowest_path(graph, group)
        if path is not None:
            return [path.a, path.b]
    return []


class _RowDelegate(QStyledItemDelegate):
    """Rows as high as the design asks for."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The text's width, the design's height."""
        return QSize(super().sizeHint(option, index).width(), theme.px(24))


def _tree() -> QTreeView:
    tree = QTreeView()
    tree.setHeaderHidden(True)
    tree.setFrameShape(QFrame.Shape.NoFrame)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    tree.setUniformRowHeights(True)
    tree.setItemDelegate(_RowDelegate(tree))
    tree.setIndentation(theme.px(14))
    tree.setFont(theme.font("small"))
    tree.setTextElideMode(Qt.TextElideMode.ElideRight)
    return tree

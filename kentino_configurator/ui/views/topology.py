"""The wiring: drawing, matrix and tree of what is proposed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.topology import TopologyGraph
from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.topology_view import TopologyView
from kentino_configurator.ui.views.base import ResultView, ViewContext
from kentino_configurator.ui.views.page import SIDE_PX, TOP_PX
from kentino_configurator.ui.views.parts.empty_state import EmptyState
from kentino_configurator.ui.views.parts.headings import column, view_title
from kentino_configurator.ui.widgets.scroll import ScrollColumn

LEAST_HEIGHT_PX = 600


class WiringView(ResultView):
    """Keeps its drawing, and with it what was selected, while the machine stays the same."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._shown: tuple[TopologyGraph | None, Texts] | None = None
        self._topology = TopologyView()
        self._topology.setMinimumHeight(theme.px(LEAST_HEIGHT_PX))
        self._empty = QWidget()
        content = QWidget()
        self._column = QVBoxLayout(content)
        side, top = theme.px(SIDE_PX), theme.px(TOP_PX)
        self._column.setContentsMargins(side, top, side, top)
        self._column.addWidget(self._topology, 1)
        self._column.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(ScrollColumn(content, self._column))

    @property
    def topology(self) -> TopologyView:
        """The drawing with its twins."""
        return self._topology

    def show_answer(self, answer: Answer, texts: Texts) -> None:
        """Draw the graph again when it or the language changed."""
        graph = answer.topology
        if self._shown is not None and self._shown == (graph, texts):
            return
        self._shown = (graph, texts)
        self._topology.setVisible(graph is not None)
        self._show_empty(graph is None, texts)
        if graph is not None:
            self._topology.show_graph(graph, texts.say)

    def _show_empty(self, empty: bool, texts: Texts) -> None:
        old, self._empty = self._empty, QWidget()
        if empty:
            title = view_title(texts.say("topo.view.title"), texts.say("view.topology.lead"))
            none = EmptyState(texts.say("view.none"), texts.say("view.none_why"))
            self._empty = column(title, none, spacing_px=16)
        self._column.replaceWidget(old, self._empty)
        self._column.setAlignment(self._empty, Qt.AlignmentFlag.AlignTop)
        self._empty.setVisible(empty)
        old.setParent(None)
        old.deleteLater()

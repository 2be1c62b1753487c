"""The window with a project open: bar, rail, a page or a view in the middle, the answer at the right or on top."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.page_foot import PageFoot
from kentino_configurator.ui.rail import Rail
from kentino_configurator.ui.result_panel import ResultPanel
from kentino_configurator.ui.result_strip import ResultStrip
from kentino_configurator.ui.top_bar import TopBar
from kentino_configurator.ui.widgets.label import Hairline, label, set_ground

NARROW_PANEL_BELOW_PX = 1360
ICON_RAIL_BELOW_PX = 1240


class Workspace(QWidget):
    """Lays the parts out and follows the width of the window. It knows nothing of answers."""

    def __init__(self, texts: Texts, top_bar: TopBar, panel: ResultPanel) -> None:
        super().__init__()
        set_ground(self, "surface")
        self.top_bar = top_bar
        self.panel = panel
        self.rail = Rail(texts.say("w.rail.name"))
        self.strip = ResultStrip(texts)
        self.stack = QStackedWidget()
        self.foot = PageFoot(texts)
        self._notice: QLabel = label("", "body", "ink2", wrap=True)
        self._notice.setContentsMargins(theme.px(40), theme.px(40), theme.px(32), 0)
        self._panel_edge = Hairline(vertical=True)
        self._strip_edge = Hairline()
        self._lay_out()
        self.show_as_page(True)

    def _lay_out(self) -> None:
        centre = QVBoxLayout()
        centre.setSpacing(0)
        for part in (self.strip, self._strip_edge, self._notice):
            centre.addWidget(part)
        centre.addWidget(self.stack, 1)
        centre.addWidget(self.foot)
        self._notice.hide()
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.rail)
        body.addWidget(Hairline(vertical=True))
        body.addLayout(centre, 1)
        body.addWidget(self._panel_edge)
        body.addWidget(self.panel)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.top_bar)
        rows.addWidget(Hairline())
        rows.addLayout(body, 1)

    def show_as_page(self, is_page: bool) -> None:
        """Question pages have the panel and the foot, views the strip."""
        of_pages: tuple[QWidget, ...] = (self.panel, self._panel_edge, self.foot)
        of_views: tuple[QWidget, ...] = (self.strip, self._strip_edge)
        for part in of_pages:
            part.setVisible(is_page)
        for part in of_views:
            part.setVisible(not is_page)

    def show_notice(self, words: str) -> None:
        """A line above a view that has nothing to show; empty removes it."""
        self._notice.setText(words)
        self._notice.setVisible(bool(words))
        self.stack.setVisible(not words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrower panel, then a rail of icons."""
        design_width = event.size().width() / theme.px(100) * 100
        self.panel.set_narrow(design_width < NARROW_PANEL_BELOW_PX)
        icons_only = design_width < ICON_RAIL_BELOW_PX
        self.rail.set_icons_only(icons_only)
        self.top_bar.set_icons_only(icons_only)

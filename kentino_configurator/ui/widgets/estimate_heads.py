"""The title over estimates, with the heads low, expected, high over their columns."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.estimate_bar import EXPECTED_COLUMN_PX, HIGH_COLUMN_PX, LOW_COLUMN_PX
from kentino_configurator.ui.widgets.label import label

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class EstimateHeads(QWidget):
    """Stands over bars of the same width."""

    def __init__(self, title: str, texts: Texts, type_role: str = "strong") -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        self._title = label(title, type_role)
        self._title.setWordWrap(True)
        line.addWidget(self._title, 1)
        line.addSpacing(theme.px(8))
        line.addWidget(_head("low", texts), 0, _RIGHT)
        for name, width in _WIDTHS_PX.items():
            head = _head(name, texts)
            head.setFixedWidth(theme.px(width))
            line.addWidget(head)
        line.addSpacing(theme.px(HIGH_COLUMN_PX))

    def show_title(self, title: str) -> None:
        """Another title, such as that of another job."""
        self._title.setText(title)


_WIDTHS_PX = {"expected": LOW_COLUMN_PX - EXPECTED_COLUMN_PX, "high": EXPECTED_COLUMN_PX - HIGH_COLUMN_PX}


def _head(name: str, texts: Texts) -> QLabel:
    head = label(texts.say(f"w.panel.{name}"), "micro", "ink3")
    head.setAlignment(_RIGHT)
    return head

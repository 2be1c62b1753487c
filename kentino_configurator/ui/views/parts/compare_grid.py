"""Columns beside each other: heads, rows that differ, the chosen column on tinted ground."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.views.parts.headings import column
from kentino_configurator.ui.views.parts.tag import Tag
from kentino_configurator.ui.views.words.alternatives import CellPicture, HeadPicture, RowPicture
from kentino_configurator.ui.widgets.estimate_bar import EstimatePicture, paint_range
from kentino_configurator.ui.widgets.icon_label import STATE_ICONS, IconLabel
from kentino_configurator.ui.widgets.label import Hairline, label

NAMES_PX = 168
LEAST_COLUMN_PX = 236
_PADDING_PX = 14


class RangeStrip(QWidget):
    """The axis of one estimate, alone; the numbers stand above it."""

    def __init__(self, picture: EstimatePicture) -> None:
        super().__init__()
        self._picture = picture
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(picture.sentence)
        self.setToolTip(picture.sentence)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as a target with its flag."""
        return QSize(theme.px(200), theme.px(28))

    def minimumSizeHint(self) -> QSize:
        """Narrow."""
        return QSize(theme.px(80), theme.px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axis, range, target, ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_range(painter, theme.px(11) + 0.5, self.width(), self._picture.span, self._picture.target)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), theme.px(4), theme.px(4))


class CompareGrid(QWidget):
    """Rows have one height across all columns."""

    def __init__(self, heads: Sequence[HeadPicture], rows: Sequence[RowPicture]) -> None:
        super().__init__()
        self._heads = tuple(heads)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._grid.setColumnMinimumWidth(0, theme.px(NAMES_PX))
        for index, head in enumerate(heads, start=1):
            self._grid.setColumnStretch(index, 1)
            self._grid.addWidget(_head(head), 0, index, Qt.AlignmentFlag.AlignTop)
        self._rule("border")
        for number, row in enumerate(rows):
            if number:
                self._rule("line")
            self._add(row)

    def _rule(self, role: str) -> None:
        self._grid.addWidget(Hairline(role=role), self._grid.rowCount(), 0, 1, len(self._heads) + 1)

    def _add(self, row: RowPicture) -> None:
        place = self._grid.rowCount()
        name = column(
            label(row.name, "label", wrap=True),
            *([label(row.note, "small", "ink2", wrap=True)] if row.note else []),
            spacing_px=2,
            margins_px=(0, 10, 12, 10),
        )
        name.setMaximumWidth(theme.px(NAMES_PX))
        self._grid.addWidget(name, place, 0, Qt.AlignmentFlag.AlignTop)
        for index, cell in enumerate(row.cells, start=1):
            self._grid.addWidget(_cell(cell, row.name), place, index, Qt.AlignmentFlag.AlignTop)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground of the chosen column."""
        chosen = next((i for i, head in enumerate(self._heads, start=1) if head.chosen), 0)
        if not chosen:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("tint"))
        place = self._grid.cellRect(0, chosen)
        ground = QRectF(place.left(), 0, place.width(), self.height())
        painter.drawRoundedRect(ground, theme.px(8), theme.px(8))


def _head(head: HeadPicture) -> QWidget:
    title = QWidget()
    line = QHBoxLayout(title)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(theme.px(10))
    line.addWidget(label(head.letter, "section", "ink3"), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(label(head.title, "section", wrap=True), 1)
    return column(
        title,
        label(head.machine, "small", "ink2", wrap=True),
        Tag(head.tag, filled=head.chosen),
        spacing_px=6,
        margins_px=(_PADDING_PX, 14, _PADDING_PX, 14),
    )


def _cell(cell: CellPicture, name: str) -> QWidget:
    result = QWidget()
    result.setAccessibleName(f"{name}: {cell.value} {cell.remark} {cell.note}".strip())
    rows = QVBoxLayout(result)
    padding = theme.px(_PADDING_PX)
    rows.setContentsMargins(padding, theme.px(10), padding, theme.px(10))
    rows.setSpacing(theme.px(2))
    rows.addLayout(_value_line(cell))
    if cell.bar is not None:
        rows.addWidget(RangeStrip(cell.bar))
    if cell.note:
        ink = "warn" if cell.state == "warn" else "ink2"
        rows.addWidget(label(cell.note, "small", ink, wrap=True))
    return result


def _value_line(cell: CellPicture) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(theme.px(6))
    top = Qt.AlignmentFlag.AlignTop
    if cell.state:
        line.addWidget(IconLabel(STATE_ICONS[cell.state], cell.state), 0, top)
    line.addWidget(
        label(cell.value, "name" if cell.bar else "label", wrap=not cell.bar), 0 if cell.bar else 1, top
    )
    if cell.remark:
        line.addWidget(label(cell.remark, "small", "ink2"), 1)
    if cell.change:
        line.addWidget(label(cell.change, "small", "ink2"), 0, top)
    return line

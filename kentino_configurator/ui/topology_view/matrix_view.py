"""The matrix of all GPU pairs, painted: rate or class in each cell, one cell chosen."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from kentino_configurator.core.message import message
from kentino_configurator.core.topology import PathClass
from kentino_configurator.core.units import GB
from kentino_configurator.topology.devices import Say, written
from kentino_configurator.topology.matrix import Cell, PathMatrix, nearness
from kentino_configurator.ui import theme

_GROUND: Final = {
    PathClass.PIX: "c1",
    PathClass.PXB: "c1",
    PathClass.PHB: "c3",
    PathClass.NODE: "c3",
    PathClass.SYS: "tint",
}
_INK: Final = {"c1": "onaccent", "c3": "ink", "tint": "ink2", "surface": "ink3"}
_HEAD_PX: Final = 24
_SIDE_PX: Final = 62
_CELL_HEIGHT_PX: Final = 34
_MOST_WIDE_PX: Final = 48


def cell_words(cell: Cell) -> str:
    """The expected rate in whole GB/s, or the class where there is no figure."""
    if cell.path_class is PathClass.SELF:
        return ""
    if cell.bandwidth_bytes_per_s is not None:
        return f"{round(cell.bandwidth_bytes_per_s.expected / GB)}"
    return cell.label.split("|")[0] if "|" not in cell.label else "?"


def ground_role(cell: Cell) -> str:
    """Colour role of a cell's ground; a class that is not known has none of its own."""
    return _GROUND.get(nearness(cell.path_class, cell.possible), "surface")


def legend_entries(matrix: PathMatrix, say: Say) -> tuple[tuple[str, str], ...]:
    """Colour role and words of every class that occurs, nearest first."""
    present = {nearness(cell.path_class, cell.possible) for row in matrix.rows for cell in row}
    ordered = [path_class for path_class in (*_GROUND, PathClass.UNKNOWN) if path_class in present]
    return tuple((_GROUND.get(c, "surface"), say(message(f"topo.path.{c.name.lower()}"))) for c in ordered)


class MatrixView(QWidget):
    """One focusable element; arrow keys move the chosen cell."""

    pair_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._matrix: PathMatrix | None = None
        self._labels: tuple[str, ...] = ()
        self._chosen: tuple[int, int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_matrix(self, matrix: PathMatrix, say: Say) -> None:
        """Show another matrix, without a choice."""
        self._matrix = matrix
        self._labels = tuple(written(label, say) for label in matrix.labels)
        self._chosen = None
        self.updateGeometry()
        self.update()

    @property
    def chosen(self) -> tuple[str, str] | None:
        """The chosen pair, ``None`` for none."""
        if self._chosen is None or self._matrix is None:
            return None
        row, column = self._chosen
        return self._matrix.gpus[row], self._matrix.gpus[column]

    def choose(self, a: str, b: str) -> None:
        """Mark the cell of a pair; a pair outside this node unmarks all."""
        gpus = self._matrix.gpus if self._matrix else ()
        self._chosen = (gpus.index(a), gpus.index(b)) if a in gpus and b in gpus else None
        self.update()

    def sizeHint(self) -> QSize:
        """All rows at their usual height."""
        count = len(self._labels)
        return QSize(theme.px(_SIDE_PX + 34 * count), theme.px(_HEAD_PX) + self._row_height() * count)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for the smallest window."""
        return QSize(theme.px(_SIDE_PX + 22 * len(self._labels)), self.sizeHint().height())

    def _row_height(self) -> int:
        return theme.px(_CELL_HEIGHT_PX if len(self._labels) <= 8 else 24)

    def _cell_rect(self, row: int, column: int) -> QRectF:
        side = theme.px(_SIDE_PX)
        width = min((self.width() - side) / max(len(self._labels), 1), theme.px(_MOST_WIDE_PX))
        height = self._row_height()
        return QRectF(side + column * width, theme.px(_HEAD_PX) + row * height, width - 2, height - 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Heads, cells, the chosen cell, the focus ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._matrix is None:
            return
        self._paint_heads(painter)
        for row, cells in enumerate(self._matrix.rows):
            for column, cell in enumerate(cells):
                self._paint_cell(painter, cell, self._cell_rect(row, column))
        if self._chosen is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("ink"), 2))
            painter.drawRect(self._cell_rect(*self._chosen))
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def _paint_heads(self, painter: QPainter) -> None:
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("ink2"))
        for index, label in enumerate(self._labels):
            cell = self._cell_rect(index, index)
            head = QRectF(cell.x(), 0, cell.width(), theme.px(_HEAD_PX) - 4)
            side = QRectF(4, cell.y(), theme.px(_SIDE_PX) - 8, cell.height())
            painter.drawText(head, Qt.AlignmentFlag.AlignCenter, str(index))
            painter.drawText(side, Qt.AlignmentFlag.AlignVCenter, label)

    def _paint_cell(self, painter: QPainter, cell: Cell, rect: QRectF) -> None:
        if cell.path_class is PathClass.SELF:
            painter.setPen(QPen(theme.colour("line"), 1))
            painter.drawLine(QPointF(rect.topLeft()), QPointF(rect.bottomRight()))
            return
        ground = ground_role(cell)
        painter.fillRect(rect, theme.colour(ground))
        painter.setPen(theme.colour(_INK[ground]))
        has_rate = cell.bandwidth_bytes_per_s is not None
        painter.setFont(
            theme.font("micro" if not has_rate else "small.strong" if ground == "c1" else "small")
        )
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, cell_words(cell))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a cell chooses its pair."""
        for row in range(len(self._labels)):
            for column in range(len(self._labels)):
                if self._cell_rect(row, column).contains(event.position()):
                    self._set_chosen(row, column)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move the chosen cell."""
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or len(self._labels) < 2:
            super().keyPressEvent(event)
            return
        row, column = self._chosen or (0, 0)
        last = len(self._labels) - 1
        self._set_chosen(min(max(row + step[0], 0), last), min(max(column + step[1], 0), last))

    def _set_chosen(self, row: int, column: int) -> None:
        self._chosen = (row, column)
        self.update()
        if self._matrix is not None and row != column:
            self.pair_chosen.emit(self._matrix.gpus[row], self._matrix.gpus[column])

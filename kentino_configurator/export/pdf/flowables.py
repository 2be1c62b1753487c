"""Blocks that are drawn: headline, key figures, machine card, memory bar, lines to write on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable
from reportlab.platypus import Table as GridTable

from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg, Quantity
from kentino_configurator.core.money import Money
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.units import Unit
from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.fonts import width_of
from kentino_configurator.export.pdf.marks import fill_area
from kentino_configurator.export.pdf.structure import Tag, TaggedCanvas
from kentino_configurator.export.pdf.tables import grid
from kentino_configurator.export.pdf.tagged import GridTags, Paragraph, figure_box
from kentino_configurator.export.pdf.theme import mm
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.blocks import KeyFigure, KeyFigures, MachineCard, MemoryBar, Sign

_TRACKING = -0.025
_FIGURE_SIZE = 20.0
_FIGURE_SMALLEST = 11.0
_UNIT_SIZE = 9.0


class TightParagraph(Paragraph):
    """A paragraph set a little tighter than its measured width, as large type needs it."""

    def draw(self) -> None:
        """Sets the character spacing for this paragraph only."""
        self.canv.saveState()
        self.canv._code.append(f"{_TRACKING * self.style.fontSize:.3f} Tc")
        super().draw()
        self.canv.restoreState()


def key_figures(block: KeyFigures, words: Words, width: float) -> GridTable:
    """Up to four figures side by side, each under a rule of its own."""
    gap = 4 * mm
    count = max(len(block.items), 1)
    column = (width - gap * (count - 1)) / count
    cells: list[Any] = []
    widths: list[float] = []
    commands: list[tuple[Any, ...]] = [
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 2 * mm),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1 * mm),
    ]
    for index, item in enumerate(block.items):
        if index:
            cells.append("")
            widths.append(gap)
        place = len(cells)
        commands.append(("LINEABOVE", (place, 0), (place, 0), 0.9, theme.colour("ink")))
        cells.append(list(_figure(item, words, column)))
        widths.append(column)
    result = grid([cells], widths, commands)
    result.spaceBefore = 5 * mm
    return result


def _figure(item: KeyFigure, words: Words, width: float) -> Iterator[Paragraph]:
    yield Paragraph(words.markup(item.label), theme.FIGURE_LABEL)
    number, unit = number_and_unit(item.value, words)
    size = _fitting(number, unit, width)
    style = ParagraphStyle(
        "figure",
        fontName=theme.SEMIBOLD,
        fontSize=size,
        leading=_FIGURE_SIZE * 1.32,
        textColor=theme.colour("ink"),
    )
    tail = f' <font name="{theme.MEDIUM}" size="{_UNIT_SIZE}" color="{theme.HEX["ink2"]}">{_escaped(unit)}</font>'
    yield Paragraph(_escaped(number) + (tail if unit else ""), style)
    for line in item.lines:
        text = words.markup(line)
        if text:
            yield Paragraph(text, theme.FIGURE_LINE)


def number_and_unit(value: Arg, words: Words) -> tuple[str, str]:
    """A figure split for large and small type; words have no unit."""
    if isinstance(value, Estimate):
        columns = words.columns(value)
        return columns.expected, columns.unit
    if isinstance(value, Money):
        return words.headline_price(value), ""
    text = words.plain(value)
    if isinstance(value, Quantity):
        number, _, unit = text.partition("\u00a0")
        while unit[:1].isdigit():
            head, _, unit = unit.partition("\u00a0")
            number += "\u00a0" + head
        return number, unit
    return text, ""


def _fitting(number: str, unit: str, width: float) -> float:
    room = width - (width_of(f" {unit}", theme.MEDIUM, _UNIT_SIZE) + 2 if unit else 0)
    wide = width_of(number, theme.SEMIBOLD, _FIGURE_SIZE)
    return _FIGURE_SIZE if wide <= room else max(_FIGURE_SMALLEST, _FIGURE_SIZE * room / wide)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class MachinePicture(Flowable):  # type: ignore[misc]
    """GPUs of one node in their sockets, the further nodes behind it, facts at the right."""

    _GPU_WIDTH = 7.0 * mm
    _GPU_HEIGHT = 9.2 * mm
    _GPU_GAP = 1.5 * mm
    _PAD = 3.6 * mm

    def __init__(self, card: MachineCard, words: Words, width: float) -> None:
        super().__init__()
        self._card = card
        self._words = words
        self.width = width
        drawn = self._rows_of_gpus()
        self._picture_width = (
            self._PAD * 2 + max(len(row) for row in drawn) * (self._GPU_WIDTH + self._GPU_GAP) + 3 * mm
        )
        self._picture_width = max(self._picture_width, 0.2 * width)
        self._facts = self._fact_table(width - self._picture_width - self._PAD)
        self.spaceAfter = 2 * mm

    def _rows_of_gpus(self) -> list[list[int]]:
        count = self._card.gpus_per_node
        return [list(range(count))]

    def _fact_table(self, width: float) -> GridTable:
        rows = [
            [
                Paragraph(self._words.markup(name), theme.CELL_STRONG),
                Paragraph(self._words.markup(text), theme.CELL_QUIET),
            ]
            for name, text in self._card.facts
        ]
        return grid(
            rows,
            [24 * mm, width - 24 * mm],
            [("TOPPADDING", (0, 0), (-1, -1), 0.6 * mm), ("BOTTOMPADDING", (0, 0), (-1, -1), 0.6 * mm)],
            tags=GridTags(Tag.TABLE, header_column=0),
        )

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """The higher of picture and facts."""
        _, facts = self._facts.wrap(self.width - self._picture_width - self._PAD, availHeight)
        self.height = max(self._GPU_HEIGHT + 10.5 * mm, facts + 5 * mm)
        self._facts_height = facts
        return self.width, self.height

    def draw(self) -> None:
        """The picture, then the facts beside it."""
        canvas: TaggedCanvas = self.canv
        box = figure_box(canvas, self._picture_width, self.height)
        with canvas.element(Tag.FIGURE, alt=self._alternative(), box=box):
            self._picture(canvas)
        facts_x = self._picture_width + self._PAD / 2
        self._facts.drawOn(canvas, facts_x, (self.height - self._facts_height) / 2)

    def _alternative(self) -> str:
        nodes = Quantity(self._card.nodes, Unit.NODES)
        gpus = Quantity(self._card.gpus_per_node, Unit.GPUS)
        return self._words.say("doc.alt.machine", nodes=nodes, gpus=gpus)

    def _picture(self, canvas: TaggedCanvas) -> None:
        """Ground, stacked nodes, GPUs."""
        canvas.setFillColor(theme.colour("bg"))
        canvas.roundRect(0, 0, self.width, self.height, 2 * mm, stroke=0, fill=1)
        y = (self.height - self._GPU_HEIGHT) / 2
        self._stack(canvas, y)
        x = self._PAD
        for index in range(self._card.gpus_per_node):
            if index and index == self._half():
                x += 2.6 * mm
            self._gpu(canvas, x, y)
            x += self._GPU_WIDTH + self._GPU_GAP
        self._socket_lines(canvas, y)

    def _half(self) -> int:
        count, sockets = self._card.gpus_per_node, self._card.sockets
        return count // 2 if sockets > 1 and count > 1 else count

    def _right(self, count: int) -> float:
        gap = 2.6 * mm if count > self._half() else 0
        return self._PAD + count * (self._GPU_WIDTH + self._GPU_GAP) - self._GPU_GAP + gap

    def _stack(self, canvas: TaggedCanvas, y: float) -> None:
        """Frames of the further nodes, at most three of them, behind the first."""
        if self._card.nodes < 2:
            return
        right = self._right(self._card.gpus_per_node)
        for step in range(min(self._card.nodes - 1, 3), -1, -1):
            shift = step * 1.3 * mm
            canvas.setFillColor(theme.colour("surface"))
            canvas.setStrokeColor(theme.colour("border"))
            canvas.setLineWidth(0.6)
            canvas.roundRect(
                self._PAD - 1.6 * mm + shift,
                y - 2.4 * mm + shift,
                right - self._PAD + 3.2 * mm,
                self._GPU_HEIGHT + 4.4 * mm,
                1 * mm,
                fill=1,
            )

    def _gpu(self, canvas: TaggedCanvas, x: float, y: float) -> None:
        canvas.setFillColor(theme.colour("gpu.fill"))
        canvas.setStrokeColor(theme.colour("gpu.stroke"))
        canvas.setLineWidth(0.8)
        canvas.rect(x, y, self._GPU_WIDTH, self._GPU_HEIGHT, fill=1)
        canvas.setFillColor(theme.colour("gpu.stroke"))
        tooth = self._GPU_WIDTH / 11
        for index in range(5):
            canvas.rect(x + tooth * (2 * index + 1), y + self._GPU_HEIGHT, tooth, 0.7 * mm, stroke=0, fill=1)
        canvas.setFillColor(theme.colour("ink"))
        canvas.setFont(theme.MEDIUM, 5.6)
        canvas.drawCentredString(x + self._GPU_WIDTH / 2, y + 5.4 * mm, "GPU")
        canvas.setFillColor(theme.colour("ink2"))
        canvas.setFont(theme.REGULAR, 5.6)
        canvas.drawCentredString(x + self._GPU_WIDTH / 2, y + 2.6 * mm, f"{self._card.gpu_memory_gb} GB")

    def _socket_lines(self, canvas: TaggedCanvas, y: float) -> None:
        canvas.setStrokeColor(theme.colour("gpu.stroke"))
        canvas.setLineWidth(0.9)
        count, half = self._card.gpus_per_node, self._half()
        line_y = y - 1.2 * mm
        canvas.line(self._PAD, line_y, self._right(half) if half < count else self._right(count), line_y)
        if half < count:
            start = self._PAD + half * (self._GPU_WIDTH + self._GPU_GAP) + 2.6 * mm
            canvas.line(start, line_y, self._right(count), line_y)


MEMORY_PARTS = (
    ("weights", Sign.FILL_STRONG),
    ("training_state", Sign.FILL_MIDDLE),
    ("kv_cache", Sign.FILL_MIDDLE),
    ("activations", Sign.FILL_GREY),
    ("runtime", Sign.FILL_CLOSE),
    ("free", Sign.FILL_OPEN),
    ("kept_back", Sign.FILL_WIDE),
)


def memory_parts(memory: MemoryPerGpu) -> Iterator[tuple[str, float, Sign]]:
    """Parts of the bar in its order; those that are not there are left out."""
    training = memory.gradients + memory.optimizer
    for name, sign in MEMORY_PARTS:
        value = training if name == "training_state" else getattr(memory, name)
        if value > 0:
            yield name, value, sign


_VALUED_PARTS = ("weights", "training_state", "kv_cache")


class MemoryPicture(Flowable):  # type: ignore[misc]
    """The memory of one GPU to scale, with the two limits for the weights above it."""

    _BAR = 8.4 * mm
    _ABOVE = 6.2 * mm
    _BELOW = 2.4 * mm

    def __init__(self, block: MemoryBar, words: Words, width: float) -> None:
        super().__init__()
        self._block = block
        self._words = words
        self.width = width
        self.spaceAfter = 1.5 * mm

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """Bar with room for the limits."""
        self.height = self._ABOVE + self._BAR + self._BELOW
        return self.width, self.height

    def draw(self) -> None:
        """Segments with their values, then the limits."""
        x = 0.0
        memory = self._block.memory
        scale = self.width / max(memory.usable, memory.used + memory.kept_back)
        for name, value, sign in memory_parts(memory):
            length = value * scale
            fill_area(self.canv, sign, x, self._BELOW, max(length - 0.8, 0.4), self._BAR)
            self._value(name, value, x, length)
            x += length
        self._limit(
            memory.usable * scale, self._block.comfortable_share, "doc.memory.comfortable", before=True
        )
        self._limit(memory.usable * scale, self._block.ceiling_share, "doc.memory.refused", before=False)

    def _value(self, name: str, value: float, x: float, length: float) -> None:
        text = self._words.plain(Quantity(value, Unit.BYTES))
        half = width_of(text, theme.SEMIBOLD, 8) / 2 + 3
        middle = x + length / 2
        crossed = any(abs(limit - middle) < half for limit in self._limits())
        if name not in _VALUED_PARTS or length < 2 * half or crossed:
            return
        self.canv.setFillColor(theme.colour("onaccent" if name == "weights" else "ink"))
        self.canv.setFont(theme.SEMIBOLD, 8)
        self.canv.drawCentredString(x + length / 2, self._BELOW + self._BAR / 2 - 2.8, text)

    def _limits(self) -> tuple[float, float]:
        """Positions of the two limits."""
        memory = self._block.memory
        full = memory.usable * self.width / max(memory.usable, memory.used + memory.kept_back)
        return full * self._block.comfortable_share, full * self._block.ceiling_share

    def _limit(self, full: float, share: float, text_id: str, *, before: bool) -> None:
        canvas: TaggedCanvas = self.canv
        x = full * share
        canvas.setStrokeColor(theme.colour("ink"))
        canvas.setLineWidth(0.9)
        canvas.line(x, self._BELOW - 1.4 * mm, x, self._BELOW + self._BAR + 2.2 * mm)
        canvas.setFillColor(theme.colour("ink2"))
        canvas.setFont(theme.REGULAR, 7)
        text = self._words.say(text_id, share=Quantity(share, Unit.SHARE))
        y = self._BELOW + self._BAR + 1.4 * mm
        if before:
            canvas.drawRightString(x - 1.4 * mm, y, text)
        else:
            canvas.drawString(x + 1.4 * mm, y, text)


class CaptionedLine(Flowable):  # type: ignore[misc]
    """A line to write on with a caption below, and an optional second caption at its right end."""

    def __init__(self, width: float, caption: str, right: str = "", above: float = 9 * mm) -> None:
        super().__init__()
        self.width = width
        self._caption = caption
        self._right = right
        self._above = above

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """Room to write above the line, the caption below."""
        self.height = self._above + 4.2 * mm
        return self.width, self.height

    def draw(self) -> None:
        """Line and captions."""
        canvas: TaggedCanvas = self.canv
        with canvas.artifact():
            canvas.setStrokeColor(theme.colour("border"))
            canvas.setLineWidth(0.7)
            canvas.line(0, 4.2 * mm, self.width, 4.2 * mm)
        with canvas.element(Tag.P):
            canvas.setFillColor(theme.colour("ink3"))
            canvas.setFont(theme.REGULAR, 7.4)
            canvas.drawString(0, 1.2 * mm, self._caption)
            canvas.drawRightString(self.width, 1.2 * mm, self._right)

"""The building blocks of a document: what stands there, not how it looks. Words are arguments of a message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.decision import Severity
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Arg
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.topology import TopologyGraph
from kentino_configurator.core.units import Unit


class Sign(StrEnum):
    """A small drawn mark beside words; it never carries a meaning alone."""

    NONE = ""
    TICK = "tick"
    WARN = "warn"
    BLOCK = "block"
    NOTE = "note"
    UNKNOWN = "unknown"
    BOX = "box"
    DASH = "dash"
    PRICE_KENTINO_LIST = "price.kentino_list"
    PRICE_OBSERVED = "price.observed"
    PRICE_ESTIMATED = "price.estimated"
    PRICE_PLACEHOLDER = "price.placeholder"
    PRICE_MISSING = "price.missing"
    FILL_STRONG = "fill.strong"
    FILL_MIDDLE = "fill.middle"
    FILL_GREY = "fill.grey"
    FILL_CLOSE = "fill.close"
    FILL_OPEN = "fill.open"
    FILL_WIDE = "fill.wide"


class Role(StrEnum):
    """What a paragraph is for."""

    LEAD = "lead"
    BODY = "body"
    STRONG = "strong"
    CAPTION = "caption"


class Align(StrEnum):
    """Where the words of a column stand; numbers stand right."""

    LEFT = "left"
    RIGHT = "right"
    CENTER = "center"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading of a block inside a section, with a remark at the right edge."""

    words: Arg
    remark: Arg = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text."""

    words: Arg
    role: Role = Role.BODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """Short sentences of equal rank."""

    items: tuple[Arg, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The verdict: what to do, and in grey what not to do or what limits it."""

    do: Arg
    do_not: Arg = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFigure:
    """One large figure with up to two lines below. ``value`` may be an estimate, a price, a quantity or words."""

    label: Arg
    value: Arg
    lines: tuple[Arg, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFigures:
    """Up to four key figures side by side."""

    items: tuple[KeyFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCard:
    """The machines in small: GPUs of one node in sockets, how many such nodes, and facts beside them."""

    gpus_per_node: int
    sockets: int
    nodes: int
    gpu_memory_gb: int
    router: bool
    fabric: bool
    facts: tuple[tuple[Arg, Arg], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A numbered reason or risk."""

    title: Arg
    text: Arg = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Numbered reasons or risks under one heading."""

    items: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Words of a table cell, a second line in small, and a mark before them."""

    words: Arg
    note: Arg = ""
    strong: bool = False
    sign: Sign = Sign.NONE
    warn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column. ``width_mm`` ``None`` shares what is left; ``quiet`` prints its words in the secondary ink."""

    title: Arg = ""
    width_mm: float | None = None
    align: Align = Align.LEFT
    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A table row. ``total`` closes a sum, ``chosen`` is the proposed one, ``group`` names the rows below it.

    ``note`` stands below the cells over the whole width.
    """

    cells: tuple[Cell, ...]
    total: bool = False
    chosen: bool = False
    group: bool = False
    note: Arg = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns and rows. The head is repeated on every page; without titles there is no head.

    ``compact`` sets long lists closer.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    compact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two columns of blocks side by side; ``left_share`` of the width belongs to the left one."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]
    left_share: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingNote:
    """A finding: severity, what, why and the way out."""

    severity: Severity
    title: Arg
    why: Arg = ""
    change: Arg = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedQuestion:
    """One of the five questions with its answer."""

    number: int
    question: Arg
    answer: Arg
    decided: bool
    formulas: tuple[Arg, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedQuestions:
    """The five questions in the article's order."""

    items: tuple[TracedQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBar:
    """Memory of one GPU to scale with the two limits for the weights, as shares of what the driver reports."""

    memory: MemoryPerGpu
    comfortable_share: float
    ceiling_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """An estimate on an axis. ``target`` is in the estimate's unit; ``at_most`` tells on which side it is met."""

    name: Arg
    note: Arg
    estimate: Estimate | None
    target: float | None = None
    target_words: Arg = ""
    at_most: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the weak end meets the target; ``None`` without a target or an estimate."""
        if self.target is None or self.estimate is None:
            return None
        return self.estimate.high <= self.target if self.at_most else self.estimate.low >= self.target


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRows:
    """Estimates in three aligned columns, each with its bar."""

    rows: tuple[EstimateRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """Estimate ``y`` at ``x``."""

    x: float
    y: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveMark:
    """A value of ``x`` that matters, named on its line."""

    x: float
    name: Arg
    now: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A band from low to high with the expected line, a demand that grows with ``x``, and marked values of ``x``."""

    points: tuple[CurvePoint, ...]
    x_name: Arg
    y_unit: Unit
    demand_per_x: float | None = None
    demand_name: Arg = ""
    marks: tuple[CurveMark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The wiring as a drawing."""

    graph: TopologyGraph


@dataclass(frozen=True, slots=True, kw_only=True)
class WiringWords:
    """The same wiring in words."""

    graph: TopologyGraph


@dataclass(frozen=True, slots=True, kw_only=True)
class PathMatrix:
    """Rate between every pair of GPUs of one node."""

    graph: TopologyGraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """Marks and what they mean."""

    items: tuple[tuple[Sign, Arg], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckItem:
    """A point somebody confirms by name and date."""

    words: Arg
    note: Arg = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckList:
    """Boxes to tick with a place for name and date."""

    items: tuple[CheckItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteLine:
    """An empty line to write on, with its caption below."""

    caption: Arg


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    """Signature blocks side by side, each with its party."""

    parties: tuple[Arg, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingGlyphs:
    """Place for the list of characters that the document's fonts lack; empty when there are none."""


Block = (
    Heading
    | Paragraph
    | Bullets
    | Headline
    | KeyFigures
    | MachineCard
    | Points
    | Table
    | Pair
    | FindingNote
    | TracedQuestions
    | MemoryBar
    | EstimateRows
    | Curve
    | Drawing
    | WiringWords
    | PathMatrix
    | Legend
    | CheckList
    | WriteLine
    | Signatures
    | MissingGlyphs
)

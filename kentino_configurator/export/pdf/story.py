"""Sections and blocks into what the layout engine takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from reportlab.platypus import (
    AnchorFlowable,
    BalancedColumns,
    CondPageBreak,
    Flowable,
    PageBreak,
    Spacer,
)

from kentino_configurator.core.decision import Severity
from kentino_configurator.core.message import Message
from kentino_configurator.core.topology import DisplayList, TopologyGraph
from kentino_configurator.core.topology import Words as TopologyWords
from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.alternatives import curve_alternative, memory_alternative
from kentino_configurator.export.pdf.charts import CurvePicture, RangePicture
from kentino_configurator.export.pdf.flowables import (
    CaptionedLine,
    MachinePicture,
    MemoryPicture,
    TightParagraph,
    key_figures,
)
from kentino_configurator.export.pdf.path_matrix import path_matrix
from kentino_configurator.export.pdf.structure import Tag
from kentino_configurator.export.pdf.tables import SignedCell, WritingLine, grid, hairline, table
from kentino_configurator.export.pdf.tagged import Figure, GridTags, Paragraph
from kentino_configurator.export.pdf.theme import mm
from kentino_configurator.export.pdf.topology_drawing import drawing
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal import blocks
from kentino_configurator.proposal.blocks import Block, Sign
from kentino_configurator.proposal.document import Proposal, Section
from kentino_configurator.topology.layout import lay_out

FONTS: Final = {400: theme.REGULAR, 500: theme.MEDIUM, 600: theme.SEMIBOLD}
ROOM_FOR_SECTION: Final = 68 * mm
WHOLE_PAGE: Final = theme.FRAME_TOP - theme.FRAME_BOTTOM - 1
SCALES: Final = (1.0, 0.97, 0.94, 0.91, 0.88, 0.85, 0.8, 0.75)
ROOM_FOR_TITLE: Final = 26 * mm
ROOM_FOR_HEADING: Final = 30 * mm
HEADING_SHARE: Final = 0.58
LITTLE_PADDING: Final = [
    ("TOPPADDING", (0, 0), (-1, -1), 0.7 * mm),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 0.7 * mm),
]
NO_PADDING: Final = [("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)]
TALLEST_DRAWING: Final = 205 * mm
_SEVERITY_SIGNS: Final = {Severity.BLOCK: Sign.BLOCK, Severity.WARN: Sign.WARN, Severity.NOTE: Sign.NOTE}
_SEVERITY_INK: Final = {Severity.BLOCK: "block", Severity.WARN: "warn", Severity.NOTE: "ink3"}


class SectionStart(AnchorFlowable):  # type: ignore[misc]
    """Marks where a section begins: bookmark, outline entry and page number. Takes no room."""

    def __init__(self, section: Section, number: int, words: Words) -> None:
        super().__init__(section.id)
        self.section_id = section.id
        self.short_name = f"{number}  {words.say(f'doc.short.{section.id}')}"
        self._entry = f"{number} {words.plain(section.title)}"

    def draw(self) -> None:
        """Begins the section in the structure; sets bookmark and outline entry. Who follows them keeps the zoom."""
        self.canv.begin_section()
        self.canv.bookmarkPage(self.section_id, fit="XYZ", left=0, top=theme.PAGE_HEIGHT, zoom=0)
        self.canv.addOutlineEntry(self._entry, self.section_id, level=0)


def story(proposal: Proposal, words: Words) -> list[Flowable]:
    """The whole document."""
    result: list[Flowable] = []
    for number, section in enumerate(proposal.sections, start=1):
        if number > 1 and proposal.sections[number - 2].own_page:
            result.append(PageBreak())
        result += _section(section, number, words)
    return result


def _section(section: Section, number: int, words: Words) -> Iterator[Flowable]:
    if section.own_page:
        yield SectionStart(section, number, words)
        yield OnePage(section.blocks, words)
        return
    content = [*_title(section, words), *_blocks(section.blocks, words, theme.CONTENT_WIDTH)]
    together = _height(content) if section.keep_together else _room_for_section(section, words)
    yield CondPageBreak(min(together, WHOLE_PAGE))
    yield SectionStart(section, number, words)
    yield from content


def _title(section: Section, words: Words) -> Iterator[Flowable]:
    yield TightParagraph(words.markup(section.title), theme.TITLE)
    if section.lead:
        yield Paragraph(words.markup(section.lead), theme.SECTION_LEAD)
    yield Spacer(1, 2 * mm)


def _height(content: list[Flowable], width: float = theme.CONTENT_WIDTH) -> float:
    """Height of flowables below each other; a little too much where spaces would merge."""
    return float(
        sum(
            flowable.getSpaceBefore() + flowable.wrap(width, WHOLE_PAGE)[1] + flowable.getSpaceAfter()
            for flowable in content
            if not isinstance(flowable, CondPageBreak)
        )
    )


class OnePage(Flowable):  # type: ignore[misc]
    """Blocks that fill exactly one page: what would run over is set smaller, over the same width."""

    def __init__(self, items: tuple[Block, ...], words: Words) -> None:
        super().__init__()
        self._items = items
        self._words = words
        self._content: list[Flowable] = []
        self._scale = 1.0

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        """Tries one size after the other until everything fits."""
        self.width, self.height = theme.CONTENT_WIDTH, WHOLE_PAGE
        for scale in SCALES:
            width = theme.CONTENT_WIDTH / scale
            self._content = list(_blocks(self._items, self._words, width, breaks=False))
            self._scale = scale
            if _height(self._content, width) <= WHOLE_PAGE / scale:
                break
        return self.width, self.height

    def draw(self) -> None:
        """Everything below each other from the top."""
        self.canv.saveState()
        self.canv.scale(self._scale, self._scale)
        y = WHOLE_PAGE / self._scale
        for number, flowable in enumerate(self._content):
            height = flowable.wrap(theme.CONTENT_WIDTH / self._scale, WHOLE_PAGE)[1]
            y -= height + (flowable.getSpaceBefore() if number else 0)
            flowable.drawOn(self.canv, 0, y)
            y -= flowable.getSpaceAfter()
        self.canv.restoreState()


def _room_for_section(section: Section, words: Words) -> float:
    """Title and lead with the first block, and never less than a quarter of a page."""
    kinds = [block for block in section.blocks if not isinstance(block, blocks.Heading)]
    return max(ROOM_FOR_SECTION, ROOM_FOR_TITLE + _room_with(kinds[0] if kinds else None, words))


def _blocks(
    items: tuple[Block, ...], words: Words, width: float, *, breaks: bool = True
) -> Iterator[Flowable]:
    for index, block in enumerate(items):
        following = items[index + 1] if index + 1 < len(items) else None
        if breaks and isinstance(block, blocks.Heading):
            yield CondPageBreak(_room_with(following, words))
        yield from _BUILD[type(block)](block, words, width)


def _room_with(following: Block | None, words: Words) -> float:
    """Height a heading wants to keep together with what follows it."""
    if isinstance(following, blocks.Curve):
        return CurvePicture.HEIGHT + 14 * mm
    if isinstance(following, blocks.PathMatrix):
        return 76 * mm
    if isinstance(following, blocks.MemoryBar):
        return 42 * mm
    if isinstance(following, blocks.Drawing):
        return _drawing_height(following, words) + 6 * mm
    if isinstance(following, blocks.Pair):
        return 60 * mm
    return ROOM_FOR_HEADING


def _heading(block: blocks.Heading, words: Words, width: float) -> Iterator[Flowable]:
    left = Paragraph(words.markup(block.words), theme.HEADING)
    if not block.remark:
        yield left
        return
    share = HEADING_SHARE * width
    right = Paragraph(words.markup(block.remark), theme.REMARK)
    heading = grid(
        [[left, right]], [share, width - share], [*NO_PADDING, ("VALIGN", (0, 0), (-1, -1), "BOTTOM")]
    )
    heading.spaceBefore, heading.spaceAfter = theme.HEADING.spaceBefore, theme.HEADING.spaceAfter
    yield heading


def _paragraph(block: blocks.Paragraph, words: Words, width: float) -> Iterator[Flowable]:
    styles = {
        blocks.Role.LEAD: theme.LEAD,
        blocks.Role.BODY: theme.BODY,
        blocks.Role.STRONG: theme.STRONG,
        blocks.Role.CAPTION: theme.CAPTION,
    }
    yield Paragraph(words.markup(block.words), styles[block.role])


def _bullets(block: blocks.Bullets, words: Words, width: float) -> Iterator[Flowable]:
    whole = object()
    for item in block.items:
        rows = [[Paragraph("–", theme.BODY), Paragraph(words.markup(item), theme.BODY)]]
        yield grid(rows, [4 * mm, width - 4 * mm], NO_PADDING, tags=GridTags(Tag.LIST, key=whole))


def _headline(block: blocks.Headline, words: Words, width: float) -> Iterator[Flowable]:
    yield TightParagraph(words.markup(block.do), theme.HEADLINE)
    if block.do_not:
        yield TightParagraph(words.markup(block.do_not), theme.HEADLINE_QUIET)
    yield Spacer(1, 1.5 * mm)


def _key_figures(block: blocks.KeyFigures, words: Words, width: float) -> Iterator[Flowable]:
    yield key_figures(block, words, width)


def _machine(block: blocks.MachineCard, words: Words, width: float) -> Iterator[Flowable]:
    yield MachinePicture(block, words, width)


def _points(block: blocks.Points, words: Words, width: float) -> Iterator[Flowable]:
    rows = []
    for number, point in enumerate(block.items, start=1):
        mark = Paragraph(f'<font color="{theme.HEX["accent"]}">{number}</font>', theme.POINT_TITLE)
        text = [Paragraph(words.markup(point.title), theme.POINT_TITLE)]
        if point.text:
            text.append(Paragraph(words.markup(point.text), theme.POINT_TEXT))
        rows.append([mark, text])
    if rows:
        rules = [("LINEABOVE", (0, 0), (-1, -1), theme.HAIRLINE, theme.colour("line"))]
        yield grid(rows, [5 * mm, width - 5 * mm], rules, tags=GridTags(Tag.LIST))


def _table(block: blocks.Table, words: Words, width: float) -> Iterator[Flowable]:
    if block.rows:
        yield table(block, words, width)
        yield Spacer(1, 1.6 * mm)


def _pair(block: blocks.Pair, words: Words, width: float) -> Iterator[Flowable]:
    left = (width - theme.COLUMN_GAP) * block.left_share
    right = width - theme.COLUMN_GAP - left
    cells = [
        list(_blocks(block.left, words, left, breaks=False)),
        "",
        list(_blocks(block.right, words, right, breaks=False)),
    ]
    padding = [
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        *NO_PADDING,
    ]
    pair = grid([cells], [left, theme.COLUMN_GAP, right], padding)
    pair.spaceBefore = theme.HEADING.spaceBefore
    yield pair


def _finding(block: blocks.FindingNote, words: Words, width: float) -> Iterator[Flowable]:
    body = [Paragraph(words.markup(block.title), theme.POINT_TITLE)]
    if block.why:
        body.append(Paragraph(words.markup(block.why), theme.POINT_TEXT))
    if block.change:
        body.append(
            Paragraph(words.markup(Message("doc.change", {"change": block.change})), theme.POINT_TEXT)
        )
    ink = theme.HEX[_SEVERITY_INK[block.severity]]
    label = words.markup(Message(f"sev.{block.severity.value}.label"))
    severity = Paragraph(f'<font color="{ink}">{label}</font>', theme.SEVERITY)
    sign = SignedCell(_SEVERITY_SIGNS[block.severity], body, 3.4 * mm)
    yield grid(
        [[sign, severity]],
        [width - 32 * mm, 32 * mm],
        [("LINEABOVE", (0, 0), (-1, 0), theme.HAIRLINE, theme.colour("line"))],
    )


def _questions(block: blocks.TracedQuestions, words: Words, width: float) -> Iterator[Flowable]:
    rows: list[list[Any]] = []
    commands: list[tuple[Any, ...]] = [hairline(0, -1), ("LEFTPADDING", (0, 0), (0, -1), 2.4 * mm)]
    for index, item in enumerate(block.items):
        rows.append(
            [Paragraph(str(item.number), theme.POINT_TITLE), _question(item, words), _decided(item, words)]
        )
        if item.decided:
            commands.append(("BACKGROUND", (0, index), (-1, index), theme.colour("tint")))
            commands.append(("LINEBEFORE", (0, index), (0, index), 2.2, theme.colour("accent")))
            commands.append(("RIGHTPADDING", (-1, index), (-1, index), 2 * mm))
    yield grid(rows, [9 * mm, width - 37 * mm, 28 * mm], commands, tags=GridTags(Tag.LIST))


def _question(item: blocks.TracedQuestion, words: Words) -> list[Flowable]:
    result = [
        Paragraph(words.markup(item.question), theme.POINT_TITLE),
        Paragraph(words.markup(item.answer), theme.POINT_TEXT),
    ]
    return result + [Paragraph(words.markup(formula), theme.CELL_NOTE) for formula in item.formulas]


def _decided(item: blocks.TracedQuestion, words: Words) -> Flowable:
    if not item.decided:
        return Spacer(1, 1)
    label = words.markup(Message("doc.decided_here"))
    return Paragraph(f'<font color="{theme.HEX["accent"]}">{label}</font>', theme.SEVERITY)


def _memory(block: blocks.MemoryBar, words: Words, width: float) -> Iterator[Flowable]:
    yield Figure(MemoryPicture(block, words, width), memory_alternative(block, words))


def _estimates(block: blocks.EstimateRows, words: Words, width: float) -> Iterator[Flowable]:
    numbers = [16 * mm, 20 * mm, 17 * mm, 26 * mm]
    name = 48 * mm
    picture = width - name - sum(numbers)
    head = [
        Spacer(1, 1),
        Spacer(1, 1),
        *(_number_head(words, key) for key in ("low", "expected", "high")),
        Spacer(1, 1),
    ]
    rows: list[list[Any]] = [head]
    rows += [_estimate(row, words, picture - 5 * mm) for row in block.rows]
    commands = [
        hairline(0, -1),
        ("TOPPADDING", (0, 0), (-1, 0), 0),
        ("BOTTOMPADDING", (0, 0), (-1, 0), 1 * mm),
        ("TOPPADDING", (0, 1), (-1, -1), 1.8 * mm),
        ("RIGHTPADDING", (1, 0), (1, -1), 5 * mm),
    ]
    tags = GridTags(Tag.TABLE, header_column=0)
    yield grid(rows, [name, picture, *numbers], commands, head_rows=1, tags=tags)
    yield Spacer(1, 1.6 * mm)


def _number_head(words: Words, name: str) -> Paragraph:
    return Paragraph(words.markup(Message(f"doc.{name}")), theme.NUMBER_HEAD)


def _estimate(row: blocks.EstimateRow, words: Words, width: float) -> list[Any]:
    name = [
        Paragraph(words.markup(row.name), theme.POINT_TITLE),
        Paragraph(words.markup(row.note), theme.CELL_NOTE),
    ]
    picture = RangePicture(row, words, width)
    if row.estimate is None:
        unknown = Paragraph(words.markup(Message("doc.cannot_say")), theme.NUMBER)
        return [name, picture, Spacer(1, 1), unknown, Spacer(1, 1), Spacer(1, 1)]
    columns = words.columns(row.estimate)
    return [
        name,
        picture,
        Paragraph(columns.low, theme.NUMBER),
        Paragraph(columns.expected, theme.NUMBER_STRONG),
        Paragraph(columns.high, theme.NUMBER),
        Paragraph(columns.unit, theme.NUMBER_UNIT),
    ]


def _curve(block: blocks.Curve, words: Words, width: float) -> Iterator[Flowable]:
    yield Figure(CurvePicture(block, words, width), curve_alternative(block, words))


def _say(words: Words) -> Callable[..., str]:
    """The topology's way to ask for words: a message or an id with arguments."""

    def say(text: TopologyWords, /, **args: Any) -> str:
        return words.say(text, **args) if isinstance(text, str) else words.plain(text)

    return say


def _display(graph: TopologyGraph, words: Words) -> DisplayList:
    return lay_out(graph, _say(words), theme.CONTENT_WIDTH / mm)


def _drawing_height(block: blocks.Drawing, words: Words) -> float:
    return min(TALLEST_DRAWING, _display(block.graph, words).height_mm * mm)


def _drawing(block: blocks.Drawing, words: Words, width: float) -> Iterator[Flowable]:
    display = _display(block.graph, words)
    scale = min(1.0, TALLEST_DRAWING / (display.height_mm * mm))
    picture = drawing(display, theme.HEX, FONTS, width * scale)
    picture.initialFontName = theme.REGULAR
    yield Figure(picture, words.say("doc.alt.topology", platform=block.graph.platform))
    yield Spacer(1, 3 * mm)


def _wiring(block: blocks.WiringWords, words: Words, width: float) -> Iterator[Flowable]:
    """The twin of the drawing in two columns; it may run over several pages."""
    lines = [
        Paragraph(words.escaped(text), theme.twin_style(indent))
        for indent, text in _display(block.graph, words).twin
    ]
    yield BalancedColumns(lines, nCols=2, innerPadding=theme.COLUMN_GAP, needed=20 * mm, vLinesStrokeWidth=0)


def _matrix(block: blocks.PathMatrix, words: Words, width: float) -> Iterator[Flowable]:
    yield path_matrix(block.graph, words, width)


def _legend(block: blocks.Legend, words: Words, width: float) -> Iterator[Flowable]:
    rows = [
        [SignedCell(sign, [Paragraph(words.markup(text), theme.POINT_TEXT)])] for sign, text in block.items
    ]
    if rows:
        yield grid(rows, [width], LITTLE_PADDING, tags=GridTags(Tag.LIST))


def _check_list(block: blocks.CheckList, words: Words, width: float) -> Iterator[Flowable]:
    line = 52 * mm
    rows = [
        [SignedCell(Sign.BOX, list(_check(item, words)), 3.2 * mm), WritingLine()] for item in block.items
    ]
    commands = [hairline(0, -1), ("RIGHTPADDING", (0, 0), (0, -1), 5 * mm)]
    yield grid(rows, [width - line, line], commands, tags=GridTags(Tag.TABLE, header_column=0))


def _check(item: blocks.CheckItem, words: Words) -> Iterator[Paragraph]:
    yield Paragraph(words.markup(item.words), theme.CELL)
    if item.note:
        yield Paragraph(words.markup(item.note), theme.CELL_NOTE)


def _write_line(block: blocks.WriteLine, words: Words, width: float) -> Iterator[Flowable]:
    yield CaptionedLine(width, words.plain(block.caption))


def _signatures(block: blocks.Signatures, words: Words, width: float) -> Iterator[Flowable]:
    gap = theme.COLUMN_GAP
    column = (width - gap) / 2
    cells: list[Any] = []
    for party in block.parties:
        line = CaptionedLine(column, words.say("doc.sign.name"), words.say("doc.sign.date"), above=13 * mm)
        cells += (
            ["", [Paragraph(words.markup(party), theme.HEADING), line]]
            if cells
            else [[Paragraph(words.markup(party), theme.HEADING), line]]
        )
    yield CondPageBreak(32 * mm)
    yield Spacer(1, 4 * mm)
    yield grid([cells], [column, gap, column], [("RIGHTPADDING", (0, 0), (-1, -1), 0)])


def _missing_glyphs(block: blocks.MissingGlyphs, words: Words, width: float) -> Iterator[Flowable]:
    if words.missing:
        codes = ", ".join(f"U+{ord(character):04X}" for character in sorted(words.missing))
        yield Paragraph(
            words.markup(Message("doc.method.missing_glyphs", {"characters": codes})), theme.CAPTION
        )


_BUILD: Final[Mapping[type, Callable[[Any, Words, float], Iterator[Flowable]]]] = {
    blocks.Heading: _heading,
    blocks.Paragraph: _paragraph,
    blocks.Bullets: _bullets,
    blocks.Headline: _headline,
    blocks.KeyFigures: _key_figures,
    blocks.MachineCard: _machine,
    blocks.Points: _points,
    blocks.Table: _table,
    blocks.Pair: _pair,
    blocks.FindingNote: _finding,
    blocks.TracedQuestions: _questions,
    blocks.MemoryBar: _memory,
    blocks.EstimateRows: _estimates,
    blocks.Curve: _curve,
    blocks.Drawing: _drawing,
    blocks.WiringWords: _wiring,
    blocks.PathMatrix: _matrix,
    blocks.Legend: _legend,
    blocks.CheckList: _check_list,
    blocks.WriteLine: _write_line,
    blocks.Signatures: _signatures,
    blocks.MissingGlyphs: _missing_glyphs,
}

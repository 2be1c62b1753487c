"""Page furniture: header with section and identity, footer with project, catalogue and page number."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator import __version__
from kentino_configurator.core.message import Message
from kentino_configurator.export.pdf import theme
from kentino_configurator.export.pdf.fonts import width_of
from kentino_configurator.export.pdf.structure import Artifact, TaggedCanvas
from kentino_configurator.export.pdf.theme import mm
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.document import Audience, DocumentKind, Proposal
from kentino_configurator.proposal.late import date_arg, iso_date_arg

_LEFT = theme.MARGIN
_RIGHT = theme.PAGE_WIDTH - theme.MARGIN
_SIZE = 7.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Furniture:
    """Everything that stands at the same place on every page."""

    proposal: Proposal
    words: Words
    pages: int

    def draw(self, canvas: TaggedCanvas, page: int, section: str) -> None:
        """Header and footer of one page; ``section`` is the number and title of what begins or goes on here."""
        canvas.saveState()
        with canvas.artifact(Artifact.PAGE_FURNITURE):
            self._header(canvas, section)
            self._footer(canvas, page)
        canvas.restoreState()

    def _header(self, canvas: TaggedCanvas, section: str) -> None:
        y = theme.HEADER_LINE + 3.2 * mm
        _mark(canvas, _LEFT, y - 0.6 * mm)
        canvas.setFillColor(theme.colour("ink"))
        canvas.setFont(theme.SEMIBOLD, 9.5)
        canvas.drawString(_LEFT + 7 * mm, y, "Kentino")
        identity = self.identity()
        room = _RIGHT - width_of(identity, theme.REGULAR, _SIZE) - 6 * mm
        canvas.setFillColor(theme.colour("ink3"))
        canvas.setFont(theme.REGULAR, _SIZE)
        canvas.drawRightString(_RIGHT, y, identity)
        left = _LEFT + 22 * mm
        canvas.drawString(left, y, _shortened(section, room - left))
        _line(canvas, theme.HEADER_LINE)
        self._tags(canvas, theme.HEADER_LINE + 8 * mm)

    def identity(self) -> str:
        """Kind, number, revision and dates of the document."""
        terms, words = self.proposal.terms, self.words
        if self.proposal.kind is DocumentKind.SUMMARY:
            return f"{words.plain(self.proposal.title)} · {words.plain(date_arg(terms.issued))}"
        text_id = "doc.furniture.number" if terms.number else "doc.furniture.no_number"
        args = {"kind": self.proposal.title, "number": terms.number, "revision": terms.revision}
        parts = [words.plain(Message(text_id, args)), words.plain(date_arg(terms.issued))]
        if self.proposal.valid_until is not None:
            until = date_arg(self.proposal.valid_until)
            parts.append(words.plain(Message("doc.valid_until", {"date": until})))
        return " · ".join(parts)

    def _tags(self, canvas: TaggedCanvas, y: float) -> None:
        """Draft and budgetary, as words on a ground of their own, at the right above the identity."""
        x = _RIGHT
        if self.proposal.budgetary:
            x = _tag(canvas, self.words.say("doc.tag.budgetary"), x, y) - 2 * mm
        if self.proposal.terms.draft:
            x = _tag(canvas, self.words.say("doc.tag.draft"), x, y) - 2 * mm
        if self.proposal.audience is Audience.INTERNAL:
            _tag(canvas, self.words.say("doc.tag.internal"), x, y)

    def _footer(self, canvas: TaggedCanvas, page: int) -> None:
        _line(canvas, theme.FOOTER_LINE)
        y = theme.FOOTER_LINE - 4.4 * mm
        numbers = self.words.say("doc.page", page=page, pages=self.pages)
        catalog = self.words.say(
            "doc.furniture.catalog",
            version=self.proposal.catalog_version,
            date=iso_date_arg(self.proposal.catalog_date),
            rules=__version__,
        )
        canvas.setFillColor(theme.colour("ink3"))
        canvas.setFont(theme.REGULAR, _SIZE)
        canvas.drawRightString(_RIGHT, y, numbers)
        room = _RIGHT - _LEFT - width_of(f"{numbers} · {catalog}", theme.REGULAR, _SIZE) - 6 * mm
        project = _shortened(self.words.plain(self.proposal.project), room)
        canvas.drawString(_LEFT, y, f"{project} · {catalog}")


def _line(canvas: TaggedCanvas, y: float) -> None:
    canvas.setStrokeColor(theme.colour("line"))
    canvas.setLineWidth(theme.HAIRLINE)
    canvas.line(_LEFT, y, _RIGHT, y)


def _mark(canvas: TaggedCanvas, x: float, y: float) -> None:
    """Eight small bars in two rows: the eight slots of a node."""
    canvas.setFillColor(theme.colour("accent"))
    width, height, gap = 0.85 * mm, 1.75 * mm, 0.35 * mm
    for column in range(4):
        for row in range(2):
            canvas.rect(x + column * (width + gap), y + row * (height + gap), width, height, stroke=0, fill=1)


def _tag(canvas: TaggedCanvas, text: str, right: float, y: float) -> float:
    """A word on a tinted ground; returns its left edge."""
    width = width_of(text, theme.MEDIUM, 7) + 3.6 * mm
    canvas.setFillColor(theme.colour("warnbg"))
    canvas.roundRect(right - width, y - 1.5 * mm, width, 4.6 * mm, 1.2 * mm, stroke=0, fill=1)
    canvas.setFillColor(theme.colour("warn"))
    canvas.setFont(theme.MEDIUM, 7)
    canvas.drawString(right - width + 1.8 * mm, y, text)
    return right - width


def _shortened(text: str, room: float) -> str:
    """The text, or its beginning with an ellipsis where it is longer than the line."""
    if width_of(text, theme.REGULAR, _SIZE) <= room:
        return text
    while text and width_of(f"{text}…", theme.REGULAR, _SIZE) > room:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""

"""The logical structure of a document: headings, lists, tables and figures, apart from where they stand on a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from reportlab.pdfgen.canvas import Canvas


class Tag(StrEnum):
    """The standard structure types that are used (ISO 32000-1, 14.8.4)."""

    DOCUMENT = "Document"
    SECTION = "Sect"
    H1 = "H1"
    H2 = "H2"
    P = "P"
    LIST = "L"
    ITEM = "LI"
    LABEL = "Lbl"
    ITEM_BODY = "LBody"
    TABLE = "Table"
    ROW = "TR"
    HEADER_CELL = "TH"
    CELL = "TD"
    FIGURE = "Figure"
    LINK = "Link"


class Artifact(StrEnum):
    """Paint without meaning, which a screen reader leaves out."""

    LAYOUT = "Layout"
    PAGE_FURNITURE = "Pagination"


@dataclass(frozen=True, slots=True)
class Marked:
    """A run of marked content: page from 0, number within the page."""

    page: int
    number: int


@dataclass(frozen=True, slots=True)
class LinkArea:
    """A link annotation: page from 0, place in the page's list of annotations."""

    page: int
    place: int


@dataclass(slots=True, eq=False)
class Element:
    """A structure element. ``scope`` is that of a header cell, ``columns`` how many columns a cell spans.

    ``box`` is the bounding box of a figure in points: left, bottom, right, top.
    """

    tag: Tag
    alt: str = ""
    scope: str = ""
    columns: int = 1
    box: tuple[float, float, float, float] | None = None
    kids: list[Element | Marked | LinkArea] = field(default_factory=list)


class TaggedCanvas(Canvas):  # type: ignore[misc]
    """A canvas that knows which structure element its paint belongs to.

    What is painted inside marked content belongs to it as a whole: further marks in there are left out.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.structure = Element(Tag.DOCUMENT)
        self._open = [self.structure]
        self._begun: dict[object, Element] = {}
        self._depth = 0
        self._next_number = 0

    def showPage(self) -> None:
        """Numbers of marked content begin anew on every page."""
        super().showPage()
        self._next_number = 0

    def begin_section(self) -> None:
        """Everything up to the next section belongs to it."""
        section = Element(Tag.SECTION)
        self.structure.kids.append(section)
        self._open = [self.structure, section]

    def begin(self, tag: Tag, *, key: object = None, **attributes: Any) -> Element:
        """Opens an element. With the ``key`` of an earlier one it goes on with that, as after a page break."""
        element = self._begun.get(key) if key is not None else None
        if element is None:
            element = Element(tag, **attributes)
            self._open[-1].kids.append(element)
            if key is not None:
                self._begun[key] = element
        self._open.append(element)
        return element

    def end(self) -> None:
        """Closes the element opened last."""
        self._open.pop()

    def begin_content(self) -> None:
        """Marks the paint that follows as content of the open element."""
        if not self._depth:
            element = self._open[-1]
            element.kids.append(Marked(self.getPageNumber() - 1, self._next_number))
            self._code.append(f"/{element.tag} <</MCID {self._next_number}>> BDC")
            self._next_number += 1
        self._depth += 1

    def begin_artifact(self, kind: Artifact = Artifact.LAYOUT) -> None:
        """Marks the paint that follows as decoration."""
        if not self._depth:
            self._code.append(f"/Artifact <</Type /{kind}>> BDC")
        self._depth += 1

    def end_marked(self) -> None:
        """Ends what ``begin_content`` or ``begin_artifact`` began."""
        self._depth -= 1
        if not self._depth:
            self._code.append("EMC")

    @contextmanager
    def element(self, tag: Tag, *, key: object = None, **attributes: Any) -> Iterator[None]:
        """An element whose content is painted inside."""
        if self._depth:
            yield
            return
        self.begin(tag, key=key, **attributes)
        self.begin_content()
        yield
        self.end_marked()
        self.end()

    @contextmanager
    def artifact(self, kind: Artifact = Artifact.LAYOUT) -> Iterator[None]:
        """Decoration painted inside."""
        self.begin_artifact(kind)
        yield
        self.end_marked()

    def linkRect(self, contents: str, destinationname: str, *args: Any, **options: Any) -> Any:
        """A link inside the document, which becomes an element of its own."""
        link = Element(Tag.LINK, kids=[LinkArea(self.getPageNumber() - 1, len(self._annotationrefs))])
        self._open[-1].kids.append(link)
        return super().linkRect(contents, destinationname, *args, **options)

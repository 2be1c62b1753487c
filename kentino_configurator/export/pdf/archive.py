"""From a printed document to PDF/A-3b: structure tree, colour profile, metadata and attached files.

Everything is written with fixed dates and a checksum as the file's id: the same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from kentino_configurator.export.pdf.structure import Element, LinkArea, Marked, Tag
from kentino_configurator.paths import resource_dir

if TYPE_CHECKING:
    import pikepdf

PART: Final = "3"
CONFORMANCE: Final = "B"
_PRINT_FLAG: Final = 4


class Relationship(StrEnum):
    """What an attached file is to the document (ISO 19005-3)."""

    SOURCE = "Source"
    DATA = "Data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file inside the document."""

    name: str
    media_type: str
    description: str
    data: bytes
    relationship: Relationship


def archived(
    printed: bytes, structure: Element, language: str, issued: date, attachments: Sequence[Attachment] = ()
) -> bytes:
    """The PDF/A-3b of a printed document. ``language`` is a tag such as ``pt-PT``."""
    import pikepdf

    with pikepdf.open(BytesIO(printed)) as pdf:
        _tidy_pages(pdf)
        _Tree(pdf).write(structure)
        _colours(pdf)
        _attach(pdf, attachments, issued)
        _metadata(pdf, language)
        result = BytesIO()
        pdf.save(
            result,
            deterministic_id=True,
            linearize=False,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
        )
    return result.getvalue()


def _tidy_pages(pdf: pikepdf.Pdf) -> None:
    """Removes empty entries that PDF/A refuses."""
    for page in pdf.pages:
        if "/Trans" in page.obj:
            del page.obj["/Trans"]


class _Tree:
    """Writes the structure tree and the way back from paint to structure."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        from pikepdf import Dictionary, Name

        self._pdf = pdf
        self._pages = [page.obj for page in pdf.pages]
        self._root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        self._of_content: list[dict[int, pikepdf.Object]] = [{} for _ in self._pages]
        self._of_links: list[tuple[pikepdf.Object, pikepdf.Object]] = []

    def write(self, structure: Element) -> None:
        """The whole tree, then the parents of every marked content and link."""
        from pikepdf import Array, Dictionary

        self._root.K = Array([self._element(structure, self._root)])
        numbers: list[Any] = []
        for number, (page, parents) in enumerate(zip(self._pages, self._of_content, strict=True)):
            page.StructParents = number
            page.Tabs = self._name("S")
            numbers += [number, self._pdf.make_indirect(Array([parents[n] for n in sorted(parents)]))]
        for number, (annotation, element) in enumerate(self._of_links, start=len(self._pages)):
            annotation.StructParent = number
            numbers += [number, element]
        self._root.ParentTree = self._pdf.make_indirect(Dictionary(Nums=Array(numbers)))
        self._root.ParentTreeNextKey = len(self._pages) + len(self._of_links)
        self._pdf.Root.StructTreeRoot = self._root
        self._pdf.Root.MarkInfo = Dictionary(Marked=True)

    def _element(self, element: Element, parent: pikepdf.Object) -> pikepdf.Object:
        from pikepdf import Array, Dictionary, String

        written = self._pdf.make_indirect(
            Dictionary(Type=self._name("StructElem"), S=self._name(element.tag), P=parent)
        )
        if element.alt:
            written.Alt = String(element.alt)
        attributes = self._attributes(element)
        if attributes is not None:
            written.A = attributes
        if element.kids:
            written.K = Array([self._kid(kid, written) for kid in element.kids])
        return written

    def _kid(self, kid: Element | Marked | LinkArea, parent: pikepdf.Object) -> pikepdf.Object:
        if isinstance(kid, Element):
            return self._element(kid, parent)
        return self._content(kid, parent) if isinstance(kid, Marked) else self._link(kid, parent)

    def _content(self, marked: Marked, parent: pikepdf.Object) -> pikepdf.Object:
        from pikepdf import Dictionary

        self._of_content[marked.page][marked.number] = parent
        return Dictionary(Type=self._name("MCR"), Pg=self._pages[marked.page], MCID=marked.number)

    def _link(self, area: LinkArea, parent: pikepdf.Object) -> pikepdf.Object:
        from pikepdf import Dictionary

        annotation = self._pages[area.page].Annots[area.place]
        annotation.F = _PRINT_FLAG
        self._of_links.append((annotation, parent))
        return Dictionary(Type=self._name("OBJR"), Pg=self._pages[area.page], Obj=annotation)

    def _attributes(self, element: Element) -> pikepdf.Object | None:
        from pikepdf import Array, Dictionary

        if element.tag in (Tag.HEADER_CELL, Tag.CELL):
            entries: dict[str, Any] = {"/O": self._name("Table")}
            if element.scope:
                entries["/Scope"] = self._name(element.scope)
            if element.columns > 1:
                entries["/ColSpan"] = element.columns
            return Dictionary(entries) if len(entries) > 1 else None
        if element.box is not None:
            box = Array([round(value, 2) for value in element.box])
            return Dictionary(O=self._name("Layout"), BBox=box)
        return None

    @staticmethod
    def _name(name: str) -> pikepdf.Object:
        from pikepdf import Name

        return Name(f"/{name}")


def _colours(pdf: pikepdf.Pdf) -> None:
    from pikepdf import Array, Dictionary, Name, String

    profile = pdf.make_stream(_srgb_profile())
    profile.N = 3
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFA1,
        OutputConditionIdentifier=String("sRGB"),
        DestOutputProfile=profile,
    )
    pdf.Root.OutputIntents = Array([intent])


@cache
def _srgb_profile() -> bytes:
    return (resource_dir() / "colour" / "sRGB.icc").read_bytes()


def _attach(pdf: pikepdf.Pdf, attachments: Sequence[Attachment], issued: date) -> None:
    from pikepdf import Array, AttachedFileSpec, Name

    day = f"D:{issued:%Y%m%d}000000Z"
    for attachment in attachments:
        pdf.attachments[attachment.name] = AttachedFileSpec(
            pdf,
            attachment.data,
            filename=attachment.name,
            mime_type=attachment.media_type,
            description=attachment.description,
            relationship=Name(f"/{attachment.relationship}"),
            creation_date=day,
            mod_date=day,
        )
    if attachments:
        pdf.Root.AF = Array([pdf.attachments[attachment.name].obj for attachment in attachments])


def _metadata(pdf: pikepdf.Pdf, language: str) -> None:
    with pdf.open_metadata(set_pikepdf_as_editor=False) as metadata:
        del pdf.docinfo["/Trapped"]
        metadata.load_from_docinfo(pdf.docinfo)
        metadata["pdfaid:part"] = PART
        metadata["pdfaid:conformance"] = CONFORMANCE
        metadata["dc:language"] = [language]

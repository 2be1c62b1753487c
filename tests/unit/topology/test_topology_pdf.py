"""The display list as vectors of a document."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pypdfium2
import pytest
from reportlab.graphics import renderPDF
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from kentino_configurator.core.topology import DisplayList, Label, Role
from kentino_configurator.export.pdf.topology_drawing import DEVICE_ROLES, drawing
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts import load_texts
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.topology.layout import lay_out
from tests.unit.topology.machines import configure, platform, snapshot

FONTS = {400: "TopologyRegular", 500: "TopologyMedium", 600: "TopologySemiBold"}
GREY = {role.value: "#444444" for role in Role} | {
    f"{role}.{part}": "#666666" for role in DEVICE_ROLES for part in ("fill", "stroke")
}


@pytest.fixture(scope="module")
def display_list() -> DisplayList:
    graph = build_graph(configure(platform("asus-esc8000a-e13p"), 8, tp=4, pp=2), snapshot())
    return lay_out(graph, load_texts("pt").say)


@pytest.fixture(scope="module")
def page(display_list: DisplayList) -> Iterator[pypdfium2.PdfPage]:
    for weight, name in FONTS.items():
        file = {400: "Regular", 500: "Medium", 600: "SemiBold"}[weight]
        pdfmetrics.registerFont(TTFont(name, resource_dir() / "fonts" / f"KentinoInter-{file}.ttf"))
    picture = drawing(display_list, GREY, FONTS)
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(picture.width, picture.height), initialFontName=FONTS[400])
    renderPDF.draw(picture, canvas, 0, 0)
    canvas.save()
    document = pypdfium2.PdfDocument(target.getvalue())
    yield document[0]
    document.close()


def test_every_label_can_be_searched(display_list: DisplayList, page: pypdfium2.PdfPage) -> None:
    text = page.get_textpage()
    labels = {item.text for item in display_list.items if isinstance(item, Label)}
    assert [label for label in labels if text.search(label.replace("\u00a0", " ")).get_next() is None] == []


def test_the_page_has_the_size_of_the_drawing(display_list: DisplayList, page: pypdfium2.PdfPage) -> None:
    millimetre = 72 / 25.4
    expected = (display_list.width_mm * millimetre, display_list.height_mm * millimetre)
    assert page.get_size() == pytest.approx(expected, abs=0.1)


def test_a_narrower_drawing_keeps_its_proportions(display_list: DisplayList) -> None:
    picture = drawing(display_list, GREY, FONTS, width_pt=300.0)
    assert picture.width == pytest.approx(300.0)
    assert picture.height / picture.width == pytest.approx(display_list.height_mm / display_list.width_mm)


def test_a_missing_colour_names_its_role(display_list: DisplayList) -> None:
    with pytest.raises(KeyError, match=r"gpu\.fill"):
        drawing(display_list, {k: v for k, v in GREY.items() if k != "gpu.fill"}, FONTS)

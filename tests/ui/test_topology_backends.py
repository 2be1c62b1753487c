"""Window and document draw the same list alike."""

from __future__ import annotations

import io

import pypdfium2
import pytest
from PySide6.QtGui import QImage
from reportlab.graphics import renderPDF
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.topology import DisplayList
from kentino_configurator.export.pdf.topology_drawing import drawing
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts import load_texts
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.topology.layout import lay_out
from kentino_configurator.ui import theme
from kentino_configurator.ui.topology_view.scene import TopologyScene
from tests.unit.topology.machines import FOUR_RAILS, configure, platform, snapshot

WIDTH = 700
FONTS = {400: "BackendRegular", 500: "BackendMedium", 600: "BackendSemiBold"}
FILES = {400: "Regular", 500: "Medium", 600: "SemiBold"}
CELL = 10
"""Pixels of a cell whose mean darkness is compared: edges may lie half a pixel apart."""


def display_list(machine: str, nodes: int) -> DisplayList:
    fabric = Fabric.ROCE_200G if nodes > 1 else None
    wired = configure(platform(machine), 8, nodes=nodes, tp=8, pp=nodes, fabric=fabric, cards=FOUR_RAILS)
    return lay_out(build_graph(wired, snapshot()), load_texts("en").say)


def on_screen(shown: DisplayList) -> QImage:
    return TopologyScene(shown).image(WIDTH / shown.width_mm)


def in_document(shown: DisplayList) -> QImage:
    for weight, name in FONTS.items():
        file = resource_dir() / "fonts" / f"KentinoInter-{FILES[weight]}.ttf"
        pdfmetrics.registerFont(TTFont(name, file))
    picture = drawing(shown, theme.LIGHT.colours, FONTS)
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(picture.width, picture.height), initialFontName=FONTS[400])
    renderPDF.draw(picture, canvas, 0, 0)
    canvas.save()
    document = pypdfium2.PdfDocument(target.getvalue())
    bitmap = document[0].render(scale=WIDTH / picture.width, rev_byteorder=False)
    bytes_ = bytes(bitmap.buffer)
    image = QImage(
        bytes_, bitmap.width, bitmap.height, bitmap.stride, QImage.Format.Format_RGB888
    ).rgbSwapped()
    document.close()
    return image


def darkness(image: QImage) -> dict[tuple[int, int], float]:
    """Mean grey of every cell, 0 to 255."""
    small = image.convertToFormat(QImage.Format.Format_Grayscale8)
    return {
        (x, y): sum(small.pixelColor(x + i, y + j).value() for i in range(CELL) for j in range(CELL))
        / CELL**2
        for x in range(0, small.width() - CELL, CELL)
        for y in range(0, small.height() - CELL, CELL)
    }


@pytest.mark.parametrize(("machine", "nodes"), [("asus-esc8000a-e13p", 1), ("dell-poweredge-xe7745", 3)])
def test_screen_and_document_look_alike(machine: str, nodes: int) -> None:
    shown = display_list(machine, nodes)
    screen, document = darkness(on_screen(shown)), darkness(in_document(shown))
    common = screen.keys() & document.keys()
    apart = [abs(screen[cell] - document[cell]) for cell in common]
    assert len(common) > 1500
    assert sum(apart) / len(apart) < 2.0
    assert max(apart) < 30.0

"""Widths of the bundled font, and the twin of the drawing in words."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont

from kentino_configurator.core.layout import Fabric
from kentino_configurator.core.topology import BoxKind
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts import LOCALES, load_texts
from kentino_configurator.topology import text_width
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.topology.layout import lay_out
from kentino_configurator.topology.text_width import text_width_mm, two_lines
from tests.unit.topology.machines import FOUR_RAILS, configure, platform, snapshot

FILES = {400: "Regular", 500: "Medium", 600: "SemiBold"}


@pytest.mark.parametrize("weight", FILES)
def test_the_width_table_is_that_of_the_shipped_font(weight: int) -> None:
    font = TTFont(resource_dir() / "fonts" / f"KentinoInter-{FILES[weight]}.ttf")
    glyphs, advances, units = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    for character in text_width._CHARACTERS:
        expected = advances[glyphs[ord(character)]][0] / units
        assert text_width_mm(character, 1.0, weight) == pytest.approx(expected), character


@pytest.mark.parametrize("language", LOCALES)
def test_the_table_knows_every_character_of_the_drawings_texts(language: str) -> None:
    sentences = load_texts(language).sentences
    used = {c for text_id, text in sentences.items() if text_id.startswith(("topo.", "ev.")) for c in text}
    assert used - set(text_width._CHARACTERS) == set()


def test_a_long_name_is_broken_into_halves_of_nearly_equal_width() -> None:
    assert two_lines("Threadripper PRO 9965WX", 20.0, 2.7) == ("Threadripper", "PRO 9965WX")


def test_a_single_long_word_stays_whole() -> None:
    assert two_lines("Wiring", 1.0, 2.7) == ("Wiring",)


@pytest.mark.parametrize("machine", ["asus-esc8000a-e13p", "dell-poweredge-xe7745"])
@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_every_device_has_its_line_in_the_twin(machine: str, nodes: int) -> None:
    fabric = Fabric.ROCE_200G if nodes > 1 else None
    wired = configure(platform(machine), 8, nodes=nodes, tp=8, pp=nodes, fabric=fabric, cards=FOUR_RAILS)
    graph = build_graph(wired, snapshot())
    drawing = lay_out(graph, load_texts("en").say)
    assert len(drawing.twin) == len(drawing.twin_box_ids)
    silent = {box.id for box in graph.boxes if box.kind is not BoxKind.SWITCH_CHIP} - set(
        drawing.twin_box_ids
    )
    assert silent == set()


def test_the_twin_nests_like_the_machine() -> None:
    graph = build_graph(configure(platform("asus-esc8000a-e13p"), 8, tp=8), snapshot())
    drawing = lay_out(graph, load_texts("en").say)
    depth = dict(zip(drawing.twin_box_ids, (indent for indent, _ in drawing.twin), strict=True))
    way = [depth[box_id] for box_id in ("n0", "n0.S0", "n0.S0.cpu", "n0.RP0", "n0.VS0", "n0.gpu0")]
    assert way == [0, 1, 2, 3, 4, 5]


def test_the_twin_tells_the_rates() -> None:
    graph = build_graph(configure(platform("asus-esc8000a-e13p"), 8, tp=8), snapshot())
    words = [text for _, text in lay_out(graph, load_texts("en").say).twin]
    assert "Across sockets (SYS): 36–40 GB/s one way, measured" in words


def test_unknown_wiring_is_said_in_drawing_and_twin() -> None:
    graph = build_graph(configure(platform("dell-poweredge-xe7745"), 8, tp=8), snapshot())
    drawing = lay_out(graph, load_texts("en").say)
    note = "Wiring not published: which GPU hangs on which processor is not known."
    assert note in [text for _, text in drawing.twin]
    assert note in [getattr(item, "text", "") for item in drawing.items]

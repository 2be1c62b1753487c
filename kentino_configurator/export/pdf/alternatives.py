"""Figures in words, for readers who cannot see them."""

from __future__ import annotations

from kentino_configurator.core.message import Listing, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.export.pdf.flowables import memory_parts
from kentino_configurator.export.pdf.words import Words
from kentino_configurator.proposal.blocks import Curve, MemoryBar
from kentino_configurator.proposal.late import expected_of, range_of


def memory_alternative(block: MemoryBar, words: Words) -> str:
    """Every part of the memory bar with its size, and the two limits of the weights."""
    parts = tuple(
        message("doc.memory.part", name=message(f"doc.memory.{name}"), value=Quantity(value, Unit.BYTES))
        for name, value, _ in memory_parts(block.memory)
    )
    return words.say(
        "doc.alt.memory",
        parts=Listing(parts),
        comfortable=Quantity(block.comfortable_share, Unit.SHARE),
        ceiling=Quantity(block.ceiling_share, Unit.SHARE),
    )


def curve_alternative(block: Curve, words: Words) -> str:
    """First and last point of the curve with their ranges, and every marked value."""
    ends = (block.points[0], block.points[-1])
    points = tuple(
        message("doc.alt.curve_point", x=point.x, expected=expected_of(point.y), range=range_of(point.y))
        for point in ends
    )
    marks = tuple(mark.name for mark in block.marks)
    return words.say(
        "doc.alt.curve", name=block.x_name, points=Listing(points), marks=Listing(marks) if marks else "–"
    )

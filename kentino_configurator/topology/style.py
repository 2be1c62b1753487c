"""Sizes of a node drawing: one node over the whole width, or two side by side."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Millimetres. ``detailed``: with memory, uncabled cards, drives and link widths."""

    detailed: bool
    node_pad: float
    socket_pad: float
    socket_gap: float
    gpu_gap: float
    branch_gap: float
    corridor: float
    gpu_max: float
    gpu_height: float
    cpu_height: float
    switch_height: float
    device_height: float
    header: float
    lane: float
    label_room: float


FULL = Style(
    detailed=True,
    node_pad=2.2,
    socket_pad=2.4,
    socket_gap=2.0,
    gpu_gap=1.6,
    branch_gap=4.0,
    corridor=2.4,
    gpu_max=19.0,
    gpu_height=12.5,
    cpu_height=14.5,
    switch_height=8.4,
    device_height=9.0,
    header=7.0,
    lane=1.4,
    label_room=4.4,
)
COMPACT = Style(
    detailed=False,
    node_pad=1.2,
    socket_pad=1.0,
    socket_gap=1.0,
    gpu_gap=0.6,
    branch_gap=1.6,
    corridor=1.9,
    gpu_max=15.0,
    gpu_height=8.8,
    cpu_height=9.6,
    switch_height=6.4,
    device_height=8.4,
    header=6.2,
    lane=1.2,
    label_room=0.6,
)

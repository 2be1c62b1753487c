"""The heights of a node drawing: one set of rows for all sockets, so that equal things stand level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kentino_configurator.topology.columns import ColumnPlanner, Columns
from kentino_configurator.topology.devices import BEVEL_MM, CONTACT_MM
from kentino_configurator.topology.geometry import Fan, ports_below
from kentino_configurator.topology.node_tree import Branch, NodeTree, SocketTree
from kentino_configurator.topology.style import Style

FAN_MARGIN_MM = 1.5
PORT_PITCH_MM = 1.6
CHIP_HEAD_MM = 3.2
CHIP_FOOT_MM = 1.6
SIDE_CARD_GAP_MM = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Upper edges of the rows. ``switches`` by level; ``nics`` is the row below the GPUs (absent without cards)."""

    socket: float
    cpu: float
    cpu_height: float
    fan: float
    switches: tuple[float, ...]
    gpus: float
    gpu_bottom: float
    nics: float | None
    bottom: float


def cpu_targets(socket: SocketTree, planner: ColumnPlanner, columns: Columns) -> list[tuple[float, Branch]]:
    """What the processor feeds downwards, from left to right, with the x where each wire arrives."""
    fed = [(columns.middle(branch.box.id), branch) for branch in socket.branches]
    fed += [(columns.corridors[card.box.id], card) for card in planner.row_cards(socket)]
    return sorted(fed, key=lambda target: target[0])


def switch_targets(branch: Branch, columns: Columns) -> list[tuple[float, Branch]]:
    """What a switch feeds, from left to right."""
    fed = [(columns.middle(child.box.id), child) for child in branch.below()]
    fed += [(columns.corridors[nic.box.id], nic) for nic in branch.nics()]
    return sorted(fed, key=lambda target: target[0])


def fan_below(
    span: tuple[float, float], inset: float, targets: Sequence[tuple[float, Branch]], pitch: float
) -> Fan:
    """Lines from the lower edge of a box to its targets."""
    left, width = span
    ends = tuple(x for x, _ in targets)
    starts = ports_below(ends, left + inset, left + width - inset, pitch)
    return Fan(tuple(starts), ends)


def plan_rows(tree: NodeTree, planner: ColumnPlanner, columns: Columns, style: Style, top: float) -> Rows:
    """Rows of a node with known wiring whose sockets start at ``top``."""
    cpu_height = _cpu_height(tree, planner, style)
    fan = top + style.header + cpu_height
    depth = max((socket.depth() for socket in tree.sockets), default=0)
    chips = CHIP_HEAD_MM if tree.chips and style.detailed else 0.0
    foot = CHIP_FOOT_MM if tree.chips and style.detailed else 0.0
    y = fan + _fan_height(_cpu_lanes(tree, planner, columns), style) + style.label_room
    switches: list[float] = []
    for level in range(depth):
        y += chips
        switches.append(y)
        y += style.switch_height + foot + _fan_height(_switch_lanes(tree, columns, level), style)
    gpus = y + CONTACT_MM
    gpu_bottom = gpus + style.gpu_height
    nics = gpu_bottom + 3.4 if columns.corridors else None
    bottom = (nics + style.device_height + 1.4 if nics else gpu_bottom) + style.socket_pad
    return Rows(
        socket=top,
        cpu=top + style.header,
        cpu_height=cpu_height,
        fan=fan,
        switches=tuple(switches),
        gpus=gpus,
        gpu_bottom=gpu_bottom,
        nics=nics,
        bottom=bottom,
    )


def _cpu_height(tree: NodeTree, planner: ColumnPlanner, style: Style) -> float:
    """High enough for the cards beside it."""
    beside = max((len(planner.side_cards(socket)) for socket in tree.sockets), default=0)
    return max(style.cpu_height, beside * (style.device_height + SIDE_CARD_GAP_MM) - SIDE_CARD_GAP_MM)


def _fan_height(lanes: int, style: Style) -> float:
    return 2 * FAN_MARGIN_MM + (lanes - 1) * style.lane


def _cpu_lanes(tree: NodeTree, planner: ColumnPlanner, columns: Columns) -> int:
    fans = (
        fan_below(columns.spans[s.cpu.id], FAN_MARGIN_MM * 2, cpu_targets(s, planner, columns), PORT_PITCH_MM)
        for s in tree.sockets
        if s.cpu
    )
    return max((fan.lanes for fan in fans), default=1)


def _switch_lanes(tree: NodeTree, columns: Columns, level: int) -> int:
    fans = (
        fan_below(columns.spans[b.box.id], BEVEL_MM, switch_targets(b, columns), PORT_PITCH_MM)
        for socket in tree.sockets
        for b in at_level(socket.branches, level)
    )
    return max((fan.lanes for fan in fans), default=1)


def at_level(branches: Iterable[Branch], level: int) -> list[Branch]:
    """Switches at a depth below the processor, 0 directly below it."""
    switches = [branch for branch in branches if branch.depth()]
    if level == 0:
        return switches
    return [deep for branch in switches for deep in at_level(branch.children, level - 1)]

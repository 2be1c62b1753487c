"""What a PCIe link moves."""

from __future__ import annotations

_GBIT_PER_LANE = {3: 8.0 * 128 / 130, 4: 16.0 * 128 / 130, 5: 32.0 * 128 / 130, 6: 64.0 * 242 / 256}


def lane_gbps(gen: int) -> float:
    """Usable rate of a PCIe lane one way, Gb/s: line rate times its encoding."""
    return _GBIT_PER_LANE[gen]


def host_link_gbps(gen: int, lanes: int) -> float:
    """What a PCIe link moves one way, Gb/s."""
    return lane_gbps(gen) * lanes

"""GPUs, platforms and parts as catalogue facts. ``None`` means: not known, never zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from kentino_configurator.core.money import Money


class Tier(StrEnum):
    """Whether Kentino ships a GPU; other tiers serve prediction and comparison only."""

    SHIPS = "ships"
    ADJACENT = "adjacent"
    WATCH = "watch"
    REFERENCE_ONLY = "reference_only"


class PriceStatus(StrEnum):
    """How firm a price is."""

    KENTINO_LIST = "kentino_list"
    OBSERVED = "observed"
    ESTIMATED = "estimated"
    PLACEHOLDER = "placeholder"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A dated net price in EUR. ``amount`` is ``None`` exactly when the status is ``missing``.

    ``valid_until`` is an ISO date, empty where the source states none.
    """

    amount: Money | None
    status: PriceStatus
    observed_on: str
    source: str
    note: str = ""
    valid_until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuSpec:
    """One edition of a GPU. Rates are dense, tensor cores with FP32 accumulation; ``None`` = no such path."""

    id: str
    name: str
    family: str
    aliases: tuple[str, ...]
    tier: Tier
    architecture: str
    form_factor: str
    vram_bytes: int
    marketed_gb: int
    memory_bandwidth_bytes_per_s: float
    bf16_flop_per_s: float
    fp8_flop_per_s: float | None
    fp4_flop_per_s: float | None
    int8_op_per_s: float | None
    pcie_gen: int
    pcie_lanes: int
    nvlink_bytes_per_s: float
    p2p: bool | None
    tdp_w: int
    slots_wide: int
    length_mm: int | None
    cooling: str
    power_connector: str
    mig: bool
    is_geforce: bool
    part_number: str
    price: Price
    source: str
    confidence: str
    notes: str

    @property
    def is_sxm(self) -> bool:
        """Whether the GPU sits on an NVLink baseboard that Kentino does not build."""
        return self.nvlink_bytes_per_s > 0 and "SXM" in self.form_factor.upper()


class DeviceKind(StrEnum):
    """Kinds of boxes in a PCIe tree."""

    SOCKET = "socket"
    HOST_BRIDGE = "host_bridge"
    ROOT_PORT = "root_port"
    VIRTUAL_SWITCH = "virtual_switch"
    SLOT = "slot"
    ONBOARD = "onboard"


@dataclass(frozen=True, slots=True, kw_only=True)
class PcieNode:
    """One element of a platform's PCIe tree. ``parent`` is empty for a socket; ``chip`` names the physical switch."""

    id: str
    kind: DeviceKind
    parent: str
    gen: int | None = None
    lanes: int | None = None
    intended: str = ""
    width: str = ""
    chip: str = ""
    numa_node: int | None = None
    confidence: str = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketLink:
    """Link between two sockets (xGMI or UPI) with measured GPU-to-GPU copy over it, bytes/s, when known."""

    a: str
    b: str
    type: str
    count: int | None
    one_way_bytes_per_s: tuple[float, float] | None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotMap:
    """PCIe tree of a platform. ``gpu_order`` maps a GPU count to slot ids in bus order.

    ``tree_known`` is false where only sockets and counts are published: such a map is drawn as unknown.
    """

    id: str
    name: str
    tree_known: bool
    nodes: tuple[PcieNode, ...]
    links: tuple[SocketLink, ...]
    gpu_order: Mapping[int, tuple[str, ...]]
    expected_topo: Mapping[int, tuple[tuple[str | None, ...], ...]]
    confidence: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformSpec:
    """A chassis or board Kentino may build on. Watts are nominal at 230 V."""

    id: str
    name: str
    vendor: str
    class_: str
    tier: str
    form: str
    rack_units: int | None
    depth_mm: int | None
    weight_kg: float | None
    sockets: int | None
    cpu_socket: str
    max_cpu_tdp_w: int | None
    dimm_slots: int | None
    memory_channels: int | None
    gpu_slots_double: int | None
    gpu_slots_single: int | None
    gpu_max_w: int | None
    gpu_attach: str
    switch_model: str
    switch_count: int | None
    nic_slots: str
    nvme_bays: str
    boot: str
    psu_count: int | None
    psu_w: int | None
    psu_redundancy: str
    max_inlet_c: int | None
    slot_map: SlotMap | None
    price: Price
    source: str
    confidence: str
    notes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSpec:
    """Any other orderable thing: CPU, DIMM, NIC, switch, cable, PDU, service. Unknown numbers are ``None``."""

    sku: str
    category: str
    name: str
    vendor: str
    mpn: str
    socket_or_form: str
    cores: int | None
    memory_channels: int | None
    memory_speed: str
    capacity_gb: float | None
    pcie_gen: int | None
    pcie_lanes: int | None
    ports: int | None
    port_gbps: float | None
    protocol: str
    connector: str
    max_length_m: float | None
    power_w: float | None
    rack_units: int | None
    attributes: str
    price: Price
    source: str
    confidence: str
    notes: str
    retired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceBuild:
    """A sensible build of the line-up: a platform with CPUs, DIMMs, NICs and supplies that go together.

    Part fields hold ``(quantity, sku)``. ``vendor_listed`` is true only where a maker's list confirms the cards.
    ``parts`` are board, case, cooler and the like of a machine put together from single parts; a barebone has none.
    """

    id: str
    name: str
    gpu_ids: tuple[str, ...]
    gpu_count: int
    platform_id: str
    form: str
    cpus: tuple[int, str]
    dimms: tuple[int, str]
    nics: tuple[tuple[int, str], ...]
    psus: tuple[tuple[int, str], ...]
    psu_w: int | None
    psu_count: int | None
    vendor_listed: bool | None
    gpu_cap_w: int | None
    notes: str
    source: str
    parts: tuple[tuple[int, str], ...] = ()

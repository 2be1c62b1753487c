"""Groups D and E: processors, memory and local drives."""

from __future__ import annotations

import re

from kentino_configurator.bom.bays import bays
from kentino_configurator.bom.checkpoint import largest_checkpoint_bytes
from kentino_configurator.bom.checks.pcie import lane_gbps
from kentino_configurator.bom.checks.registry import Result, blocked, passed, rule, unknown, warned
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.hardware import PartSpec
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import GB, GIB, Unit

_SINGLE_SOCKET = re.compile(r"EPYC \d+P$")


def _cpu(s: Subject) -> tuple[int, PartSpec]:
    return next(s.parts("cpu"))


def _memory(s: Subject) -> tuple[int, PartSpec]:
    return next(s.parts("ram"))


def memory_channels(s: Subject) -> int | None:
    """Memory channels of all sockets: as the board has them, else as its processors have."""
    if s.plan.platform.memory_channels is not None:
        return s.plan.platform.memory_channels
    quantity, cpu = _cpu(s)
    return None if cpu.memory_channels is None else quantity * cpu.memory_channels


@rule("D1", node_only=True)
def cpu_socket(s: Subject) -> Result | None:
    """Socket of the processor against that of the board."""
    _, cpu = _cpu(s)
    have = s.plan.platform.cpu_socket
    if not have:
        return unknown("cpu_socket", s.plan.platform.name)
    if cpu.socket_or_form == have:
        return passed(need=cpu.socket_or_form, have=have)
    return blocked(need=cpu.socket_or_form, have=have, option=have)


@rule("D2", node_only=True)
def cpu_power(s: Subject) -> Result | None:
    """Rated power of a processor against the platform's limit."""
    _, cpu = _cpu(s)
    limit = s.plan.platform.max_cpu_tdp_w
    if limit is None or cpu.power_w is None:
        return unknown("cpu_power", s.plan.platform.name)
    need, have = Quantity(cpu.power_w, Unit.WATTS), Quantity(limit, Unit.WATTS)
    return passed() if cpu.power_w <= limit else blocked(need=need, have=have, option=s.plan.platform.name)


@rule("D3", node_only=True)
def one_socket_processor(s: Subject) -> Result | None:
    """EPYC models with the suffix P do not work in pairs."""
    quantity, cpu = _cpu(s)
    if not _SINGLE_SOCKET.match(cpu.name):
        return None
    return passed() if quantity == 1 else blocked(need=1, have=quantity, option=cpu.name.rstrip("P"))


@rule("D4", node_only=True)
def equal_processors(s: Subject) -> Result | None:
    """Every part number of processors in a node."""
    models = len({part.sku for _, part in s.parts("cpu")})
    return passed() if models == 1 else blocked(need=1, have=models, option=_cpu(s)[1].name)


@rule("D5", node_only=True)
def memory_kind(s: Subject) -> Result | None:
    """Registered modules on every board with these sockets."""
    _, dimm = _memory(s)
    have = dimm.socket_or_form
    return passed() if have == "RDIMM" else blocked(need="RDIMM", have=have, option="RDIMM")


@rule("D6", node_only=True)
def memory_slots(s: Subject) -> Result | None:
    """Modules against slots, at most two on a channel."""
    need, have = s.count("ram"), s.plan.platform.dimm_slots
    if have is None:
        return unknown("memory_slots", s.plan.platform.name)
    return passed(need=need, have=have) if need <= have else blocked(need=need, have=have, option="-")


@rule("D7", node_only=True)
def channels_filled(s: Subject) -> Result | None:
    """Modules against channels of all sockets."""
    have, need = s.count("ram"), memory_channels(s)
    if need is None:
        return unknown("memory_channels", s.plan.platform.name)
    return passed(have=have, need=need) if have and have % need == 0 else warned(have=have, need=need)


@rule("D8", node_only=True)
def equal_modules(s: Subject) -> Result | None:
    """Every part number of modules in a node."""
    models = len({part.sku for _, part in s.parts("ram")})
    return passed() if models == 1 else blocked(need=1, have=models, option=_memory(s)[1].name)


@rule("D9", node_only=True)
def module_speed(s: Subject) -> Result | None:
    """Two modules on a channel run slower."""
    have, need = s.count("ram"), memory_channels(s)
    if need is None:
        return None
    return passed() if have <= need else warned(need=need, have=have, option=_memory(s)[1].name)


@rule("D10", node_only=True)
def memory_size(s: Subject) -> Result | None:
    """Modules are sold in binary gigabytes, as the driver counts GPU memory."""
    quantity, dimm = _memory(s)
    have = quantity * (dimm.capacity_gb or 0) * GIB
    need = s.plan.gpu_count * s.plan.card.marketed_gb * GIB * s.snapshot.policy["host.ram_per_vram"]
    args = {"have": Quantity(have, Unit.BYTES), "need": Quantity(need, Unit.BYTES)}
    return passed(**args) if have >= need else warned(**args, modules=f"{quantity} x 128 GB")


@rule("D11", node_only=True)
def cores(s: Subject) -> Result | None:
    """Cores of a node over its cards."""
    quantity, cpu = _cpu(s)
    if cpu.cores is None:
        return unknown("cores", cpu.name)
    need = round(s.plan.gpu_count * s.snapshot.policy["host.cores_per_gpu_minimum"])
    have = quantity * cpu.cores
    return passed(need=need, have=have) if have >= need else warned(need=need, have=have, option=cpu.name)


@rule("D12", node_only=True)
def memory_limit(s: Subject) -> Result | None:
    """Read from the platform's notes where they state a maximum in TB."""
    match = re.search(r"(?:maximum|up to) (\d+(?:\.\d+)?) TB (?:of )?(?:RAM|memory)", s.plan.platform.notes)
    if match is None:
        return unknown("memory_limit", s.plan.platform.name)
    quantity, dimm = _memory(s)
    need, have = quantity * (dimm.capacity_gb or 0), float(match.group(1)) * 1024
    return passed() if need <= have else blocked(need=need, have=have, option=dimm.name)


@rule("E1", node_only=True)
def drive_bays(s: Subject) -> Result | None:
    """Drives of every form against the bays of it; a server's boot mirror has its own places."""
    for form in dict.fromkeys(part.socket_or_form for _, part in s.parts("storage_drive")):
        if form == "M.2" and s.is_server:
            continue
        need = sum(quantity for quantity, part in s.parts("storage_drive") if part.socket_or_form == form)
        have = bays(f"{s.plan.platform.nvme_bays}; {s.plan.platform.boot}", form)
        if have is None or (have == 0 and not s.is_server):
            return unknown("bays", s.plan.platform.name, form=form)
        if need > have:
            return blocked(need=need, have=have, option=form)
    return passed()


@rule("E2", node_only=True)
def drive_lanes(s: Subject) -> Result | None:
    """Lanes of the drives that hang on the processors: rule C1 counts them."""
    drives = [(quantity, part) for quantity, part in s.parts("storage_drive") if part.socket_or_form != "M.2"]
    if not drives:
        return None
    unstated = next((part for _, part in drives if part.pcie_lanes is None), None)
    if unstated is not None:
        return unknown("drive_lanes", unstated.name)
    lanes = sum(quantity * (part.pcie_lanes or 0) for quantity, part in drives)
    return passed(need=lanes, have=lanes)


@rule("E3", node_only=True)
def boot_mirror(s: Subject) -> Result | None:
    """Two M.2 drives, or a boot card that mirrors two."""
    m2 = sum(q for q, part in s.parts("storage_drive") if part.socket_or_form == "M.2")
    if m2 >= 2 or s.count("boot_device"):
        return passed()
    return warned(need=2, have=m2, option="M.2 NVMe")


@rule("E4")
def scratch_space(s: Subject) -> Result | None:
    """Capacity of the scratch drives against the space the workloads need."""
    need = s.plan.scratch_bytes
    drives = _scratch(s)
    if any(part.capacity_gb is None for _, part in drives):
        return unknown("capacity", next(part.name for _, part in drives if part.capacity_gb is None))
    have = sum(quantity * (part.capacity_gb or 0) * GB for quantity, part in drives)
    args = {"have": Quantity(have, Unit.BYTES), "need": Quantity(need, Unit.BYTES)}
    return passed(**args) if have >= need else warned(**args)


@rule("E5")
def load_time(s: Subject) -> Result | None:
    """How long the drives take to read the largest checkpoint: their stated rate, at most that of their lanes."""
    drives = _scratch(s)
    if not s.request or not s.configuration or not drives:
        return None
    rates = [(quantity, read_bytes_per_s(part)) for quantity, part in drives]
    if any(rate is None for _, rate in rates):
        return unknown("drive_rate", next(part.name for _, part in drives if read_bytes_per_s(part) is None))
    checkpoint = largest_checkpoint_bytes(s.request, s.configuration.weights_precision)
    seconds = checkpoint / sum(quantity * (rate or 0.0) for quantity, rate in rates)
    return passed(need=Quantity(checkpoint, Unit.BYTES), have=Quantity(seconds, Unit.SECONDS))


def read_bytes_per_s(drive: PartSpec) -> float | None:
    """Sequential read of a drive as its row states it, at most what its lanes move."""
    match = re.search(r"reads? ([\d.]+) GB/s", drive.attributes)
    if match is None:
        return None
    stated = float(match.group(1)) * GB
    if drive.pcie_gen is None or drive.pcie_lanes is None:
        return stated
    return min(stated, lane_gbps(drive.pcie_gen) * drive.pcie_lanes / 8 * GB)


def _scratch(s: Subject) -> list[tuple[int, PartSpec]]:
    """Drives that are not the boot mirror: it is the first pair unless a boot card holds it."""
    drives = list(s.parts("storage_drive"))
    return drives if s.count("boot_device") else drives[1:]

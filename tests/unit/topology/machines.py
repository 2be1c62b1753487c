"""Configurations to draw: any board with a slot map, any count of GPUs and nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.catalog.slot_map_entry import slot_map_from_entry
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.hardware import GpuSpec, PlatformSpec, ReferenceBuild, SlotMap
from kentino_configurator.core.layout import Fabric, Parallelism
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.money import Money
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.units import Unit
from kentino_configurator.paths import resource_dir

PRO_6000 = "rtx-pro-6000-server"
RTX_5090 = "rtx-5090"


@cache
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


@cache
def entries() -> tuple[Mapping[str, Any], ...]:
    path = resource_dir() / "catalog" / "slot_maps.json"
    return tuple(json.loads(path.read_text(encoding="utf-8"))["platforms"])


@cache
def slot_maps() -> dict[str, SlotMap]:
    return {entry["id"]: slot_map_from_entry(entry) for entry in entries()}


def drawable_maps() -> dict[str, SlotMap]:
    """Maps with a tree. One that was only inferred counts as known here: the drawing must cope with it."""
    return {name: replace(found, tree_known=True) for name, found in slot_maps().items() if found.gpu_order}


def board(slot_map: SlotMap | None, sockets: int = 2) -> PlatformSpec:
    """A platform with this slot map and room for 16 cards."""
    if slot_map is not None:
        sockets = sum(1 for node in slot_map.nodes if node.kind == "socket")
    base = snapshot().platforms["asus-esc8000a-e13p"]
    name = slot_map.name if slot_map else "Board without a map"
    return replace(
        base, name=name, slot_map=slot_map, sockets=sockets, gpu_slots_double=16, gpu_slots_single=16
    )


def platform(platform_id: str) -> PlatformSpec:
    return snapshot().platforms[platform_id]


def nics(*counted: tuple[int, str]) -> tuple[tuple[int, str], ...]:
    """``nics((4, "ConnectX-7 2x200G"))``: parts by name."""
    by_name = {part.name: sku for sku, part in snapshot().parts.items() if part.category == "nic"}
    return tuple((count, by_name[name]) for count, name in counted)


FOUR_RAILS = ((4, "ConnectX-7 2x200G"), (1, "ConnectX-6 Lx 2x25G"))


def configure(
    machine: PlatformSpec,
    gpus: int = 8,
    gpu: str = PRO_6000,
    *,
    nodes: int = 1,
    tp: int = 1,
    pp: int = 1,
    dp: int = 1,
    fabric: Fabric | None = None,
    cards: tuple[tuple[int, str], ...] = ((1, "ConnectX-7 2x200G"), (1, "ConnectX-6 Lx 2x25G")),
) -> Configuration:
    base = next(build for build in snapshot().builds if build.gpu_count == 8)
    build = replace(base, cpus=(machine.sockets or 1, base.cpus[1]), nics=nics(*cards))
    return Configuration(
        node=_offer(machine, snapshot().gpus[gpu], gpus, build),
        nodes=nodes,
        replicas=dp,
        parallelism=Parallelism(tp=tp, pp=pp, dp=dp),
        weights_precision=Precision.FP8,
        kv_precision=KvPrecision.BF16,
        fabric=fabric,
    )


def _offer(machine: PlatformSpec, gpu: GpuSpec, gpus: int, build: ReferenceBuild) -> NodeOffer:
    watts = Estimate(low=6000.0, expected=6900.0, high=7500.0, unit=Unit.WATTS, evidence=Evidence.DERIVED)
    return NodeOffer(
        id="test",
        name="test",
        gpu=gpu,
        gpu_count=gpus,
        platform=machine,
        build=build,
        net=Money(0),
        unpriced_lines=0,
        dc_w=watts,
        ac_w=watts,
        rack_units=4,
        form="rack",
        max_inlet_c=None,
    )

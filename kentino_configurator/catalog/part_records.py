"""Rows of GPUs, platforms, parts and reference builds as database records. Empty cells stay unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kentino_configurator.catalog.content import Record, compact_json
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.tables import Row
from kentino_configurator.core.units import GB, MIB, TERA

_QUANTITY = re.compile(r"(\d+)x (\S+)$")
_YES_NO = {"yes": 1, "no": 0}
_GPU_SOURCES = "vram_source mem_bw_source tensor_source bus_source power_source physical_source"


def gpu_record(row: Row, position: int) -> Record:
    """The row of table ``gpu``: VRAM in bytes as the driver reports it, dense rates with FP32 accumulation.

    Generation and lanes are 0 for a superchip that has no PCIe link to its host.
    """
    return (
        row.texts("id name family tier architecture form_factor cooling power_connector part_number")
        | row.texts("confidence notes")
        | row.wholes("tdp_w length_mm")
        | _gpu_rates(row)
        | {
            "position": position,
            "aliases": compact_json([alias for alias in row.text("aliases").split("|") if alias]),
            "vram_bytes": int(float(row.required("vram_mib")) * MIB),
            "marketed_gb": row.whole("vram_gb"),
            "pcie_gen": row.whole("pcie_gen") or 0,
            "pcie_lanes": row.whole("pcie_lanes") or 0,
            "p2p": _YES_NO.get(row.text("p2p_pcie").split(" ")[0]),
            "slots_wide": row.whole("slots_planning") or 0,
            "mig": int(row.text("mig").startswith("yes")),
            "is_geforce": int(row.text("name").startswith("GeForce")),
            "source": "; ".join(dict.fromkeys(filter(None, row.texts(_GPU_SOURCES).values()))),
        }
    )


def _gpu_rates(row: Row) -> Record:
    return {
        "memory_bandwidth_bytes_per_s": row.scaled("mem_bw_gb_s", GB),
        "bf16_flop_per_s": row.scaled("bf16_dense_tflops", TERA),
        "fp8_flop_per_s": row.scaled("fp8_dense_tflops_fp32acc", TERA),
        "fp4_flop_per_s": row.scaled("fp4_dense_tflops", TERA),
        "int8_op_per_s": row.scaled("int8_dense_tops", TERA),
        "nvlink_bytes_per_s": row.scaled("nvlink_gb_s", GB) or 0.0,
    }


def platform_record(row: Row, position: int) -> Record:
    """The row of table ``platform``."""
    return (
        row.texts("id name vendor class tier form cpu_socket gpu_attach switch_model nic_slots nvme_bays")
        | row.texts("boot psu_redundancy source confidence notes")
        | row.wholes("rack_units depth_mm sockets max_cpu_tdp_w dimm_slots memory_channels")
        | row.wholes("gpu_slots_double gpu_slots_single gpu_max_w switch_count psu_count psu_w max_inlet_c")
        | row.numbers("weight_kg")
        | {"position": position, "slot_map_id": row.text("slot_map_id") or None}
    )


def part_record(row: Row, position: int) -> Record:
    """The row of table ``part``; a retired part stays in the file."""
    return (
        row.texts("sku category name vendor mpn socket_or_form memory_speed protocol connector attributes")
        | row.texts("source confidence notes")
        | row.wholes("cores memory_channels pcie_gen pcie_lanes ports rack_units")
        | row.numbers("capacity_gb port_gbps max_length_m power_w")
        | {"position": position, "retired": int(row.text("retired") == "yes")}
    )


def build_record(row: Row, position: int) -> Record:
    """The row of table ``build``."""
    return (
        row.texts("id name form notes source")
        | row.wholes("gpu_count psu_w psu_count gpu_cap_w")
        | {
            "position": position,
            "platform_id": row.required("platform"),
            "vendor_listed": _YES_NO.get(row.text("vendor_listed")),
        }
    )


def build_gpu_records(row: Row) -> Iterator[Record]:
    """The cards a build may hold, best first."""
    for position, gpu_id in enumerate(row.required("gpus").split(" | ")):
        yield {"build_id": row.text("id"), "position": position, "gpu_id": gpu_id}


def build_part_records(row: Row) -> Iterator[Record]:
    """The parts of a build by role; raises ``CatalogError`` for a cell that is not ``2x some-sku | ...``."""
    for role in ("cpus", "dimms", "nics", "psus", "parts"):
        for position, text in enumerate(filter(None, row.text(role).split(" | "))):
            match = _QUANTITY.match(text)
            if match is None:
                raise CatalogError(f"{row.where}: {role} must read like '2x some-sku', not {text!r}.")
            yield {
                "build_id": row.text("id"),
                "role": role,
                "position": position,
                "quantity": int(match[1]),
                "sku": match[2],
            }

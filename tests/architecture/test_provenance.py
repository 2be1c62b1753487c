"""No number without a source: every row of the catalogue's sources says where it was read and how sure it is."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from kentino_configurator.catalog.build import PART_FILES
from kentino_configurator.core.evidence import Evidence
from kentino_configurator.paths import resource_dir

CATALOG = resource_dir() / "catalog"
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}$")
PARTIAL_DATE = re.compile(r"(\d{4}(-\d{2}(-\d{2})?)?)?$")
GPU_GROUPS = {
    "vram_source": ("vram_gb", "vram_mib"),
    "mem_bw_source": ("mem_bw_gb_s",),
    "tensor_source": ("bf16_dense_tflops", "fp8_dense_tflops_fp32acc", "fp4_dense_tflops", "int8_dense_tops"),
    "bus_source": ("pcie_gen", "pcie_lanes", "p2p_pcie"),
    "power_source": ("tdp_w",),
    "physical_source": ("slots", "length_mm", "power_connector"),
}
# The two-slot blower exists in press photos only: its slots and cooling are what the photos show.
KNOWN_WITHOUT_PHYSICAL_SOURCE = {"rtx-pro-5500"}


def rows(name: str) -> list[dict[str, str]]:
    with (CATALOG / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", [*PART_FILES, "platforms.csv"])
def test_every_part_and_platform_has_source_confidence_and_date(name: str) -> None:
    for row in rows(name):
        assert row["source"] and row["confidence"], (name, row)
        assert ISO_DATE.match(row["checked"]), (name, row)


@pytest.mark.parametrize(("source", "columns"), GPU_GROUPS.items())
def test_every_figure_of_a_card_has_the_source_of_its_group(source: str, columns: tuple[str, ...]) -> None:
    naked = [
        row["id"]
        for row in rows("gpus.csv")
        if any(row[column] for column in columns)
        and not row[source]
        and row["id"] not in KNOWN_WITHOUT_PHYSICAL_SOURCE
    ]
    assert naked == []


def test_every_card_says_how_its_video_memory_is_known() -> None:
    for row in rows("gpus.csv"):
        assert row["vram_basis"] == "driver" or row["vram_basis"].startswith("derived: "), row["id"]
        assert (row["vram_basis"] == "driver") == bool(row["vram_mib_driver"]), row["id"]


def test_every_price_has_currency_vat_kind_and_source() -> None:
    for row in rows("prices.csv"):
        assert all(row[column] for column in ("currency", "vat", "vat_percent", "kind", "source")), row
        assert PARTIAL_DATE.match(row["observed"]), row


def test_every_other_table_has_a_source_in_every_row() -> None:
    for name in (
        "currencies.csv",
        "path_bandwidth.csv",
        "reliability.csv",
        "reference_builds.csv",
        "calibration.csv",
    ):
        assert [row for row in rows(name) if not row["source"]] == [], name


def test_every_calibration_figure_says_what_kind_of_evidence_it_is() -> None:
    kinds = {kind.value for kind in Evidence}
    assert {row["evidence"] for row in rows("calibration.csv")} <= kinds


def test_every_threshold_has_evidence_source_and_note() -> None:
    tree = tomllib.loads((resource_dir() / "policy.toml").read_text("utf-8"))
    entries = list(leaves(tree))
    assert len(entries) > 50
    for entry in entries:
        assert entry["source"] and entry["evidence"] and entry["note"], entry


def leaves(tree: dict[str, Any]) -> list[dict[str, Any]]:
    if "value" in tree:
        return [tree]
    return [leaf for child in tree.values() for leaf in leaves(child)]


def test_every_model_names_its_sources_and_its_licence() -> None:
    for entry in json.loads((CATALOG / "models.json").read_text("utf-8"))["models"]:
        assert entry["sources"] and all(item["ref"] for item in entry["sources"]), entry["id"]
        assert entry["license"]["name"] and entry["license"]["commercial"], entry["id"]
        assert ISO_DATE.match(entry["checked"]), entry["id"]


def test_every_known_element_of_a_slot_map_has_a_source() -> None:
    maps = json.loads((CATALOG / "slot_maps.json").read_text("utf-8"))["platforms"]
    parts = ("host_bridges", "root_ports", "switch_chips", "virtual_switches", "slots")
    naked = [
        (entry["id"], item["id"])
        for entry in maps
        for part in parts
        for item in entry[part]
        if item["confidence"] != "unknown" and not item.get("source")
    ]
    assert naked == []


def test_source_keys_are_explained_once() -> None:
    keys = [row["key"] for row in rows("sources.csv")]
    assert len(keys) == len(set(keys)) and all(row["what"] for row in rows("sources.csv"))


def test_no_source_file_is_forgotten_by_the_build() -> None:
    read = {*PART_FILES, "gpus.csv", "platforms.csv", "prices.csv", "currencies.csv", "path_bandwidth.csv"}
    read |= {"reliability.csv", "reference_builds.csv", "calibration.csv", "sources.csv"}
    assert {path.name for path in Path(CATALOG).glob("*.csv")} == read

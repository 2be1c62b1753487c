"""Opening a catalogue: what it holds, how fast, and what a bad file says."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.repository import load_snapshot, open_catalog
from kentino_configurator.catalog.schema import SCHEMA_VERSION
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.units import MIB


def test_the_cards_kentino_ships_are_the_seven_of_the_line_up(snapshot: CatalogSnapshot) -> None:
    assert [gpu.id for gpu in snapshot.shipping_gpus()] == [
        "rtx-5090",
        "rtx-pro-6000-ws",
        "rtx-pro-6000-maxq",
        "rtx-pro-6000-server",
        "l40",
        "l40s",
        "l4",
    ]


def test_video_memory_is_what_the_driver_reports(snapshot: CatalogSnapshot) -> None:
    assert snapshot.gpus["rtx-pro-6000-server"].vram_bytes == 97887 * MIB
    assert snapshot.gpus["rtx-5090"].vram_bytes == 32607 * MIB
    assert snapshot.gpus["l40s"].vram_bytes == 46068 * MIB


def test_the_server_edition_reads_memory_slower_than_the_workstation_edition(
    snapshot: CatalogSnapshot,
) -> None:
    assert snapshot.gpus["rtx-pro-6000-server"].memory_bandwidth_bytes_per_s == 1597e9
    assert snapshot.gpus["rtx-pro-6000-ws"].memory_bandwidth_bytes_per_s == 1792e9


def test_geforce_rates_are_those_with_fp32_accumulation_and_without_peer_access(
    snapshot: CatalogSnapshot,
) -> None:
    card = snapshot.gpus["rtx-5090"]
    assert (card.bf16_flop_per_s, card.fp8_flop_per_s) == (209.5e12, 419e12)
    assert card.p2p is False and card.is_geforce
    assert snapshot.gpus["l40s"].p2p is True


def test_only_data_centre_modules_count_as_sxm(snapshot: CatalogSnapshot) -> None:
    assert {gpu.id for gpu in snapshot.gpus.values() if gpu.is_sxm} == {
        "a100-sxm-80gb",
        "h100-sxm",
        "h200-sxm",
        "b200",
        "b300",
    }


def test_a_card_without_known_tensor_rates_is_listed_but_never_computed(
    snapshot: CatalogSnapshot, database: Path
) -> None:
    connection = open_catalog(database)
    unknown = {row[0] for row in connection.execute("SELECT id FROM gpu WHERE bf16_flop_per_s IS NULL")}
    connection.close()
    assert unknown == {"rtx-pro-5500", "rtx-pro-4000", "rtx-pro-4000-sff"}
    assert not unknown & set(snapshot.gpus)


def test_a_price_has_no_amount_exactly_when_it_is_missing(snapshot: CatalogSnapshot) -> None:
    priced = [*snapshot.gpus.values(), *snapshot.platforms.values(), *snapshot.parts.values()]
    for item in priced:
        assert (item.price.amount is None) == (item.price.status is PriceStatus.MISSING), item
        if item.price.amount is not None:
            assert item.price.amount.currency == "EUR" and item.price.source and item.price.observed_on


def test_no_price_claims_to_be_a_price_of_kentino(snapshot: CatalogSnapshot) -> None:
    priced = [*snapshot.gpus.values(), *snapshot.platforms.values(), *snapshot.parts.values()]
    assert not [item for item in priced if item.price.status is PriceStatus.KENTINO_LIST]


def test_every_reference_build_names_things_that_exist(snapshot: CatalogSnapshot) -> None:
    assert len(snapshot.builds) >= 12
    for build in snapshot.builds:
        assert set(build.gpu_ids) <= set(snapshot.gpus), build.id
        assert build.platform_id in snapshot.platforms, build.id
        for _, sku in (build.cpus, build.dimms, *build.nics, *build.psus):
            assert sku in snapshot.parts, (build.id, sku)


def test_every_card_of_the_line_up_has_a_build(snapshot: CatalogSnapshot) -> None:
    built = {gpu_id for build in snapshot.builds for gpu_id in build.gpu_ids}
    assert {gpu.id for gpu in snapshot.shipping_gpus()} <= built


def test_eight_geforce_cards_are_confirmed_by_no_list(snapshot: CatalogSnapshot) -> None:
    (build,) = [b for b in snapshot.builds if b.gpu_ids[0] == "rtx-5090" and b.gpu_count == 8]
    assert build.vendor_listed is None


def test_a_tree_is_known_only_where_its_root_ports_were_read(snapshot: CatalogSnapshot) -> None:
    known = {p.id for p in snapshot.platforms.values() if p.slot_map and p.slot_map.tree_known}
    assert "asus-esc8000a-e13p" in known and "gigabyte-g493-zb0" in known
    assert "asus-esc8000a-e13" not in known
    assert "dell-poweredge-xe7745" not in known


def test_the_tree_of_the_switched_asus_box_is_complete(snapshot: CatalogSnapshot) -> None:
    tree = snapshot.platforms["asus-esc8000a-e13p"].slot_map
    assert tree is not None
    by_id = {node.id: node for node in tree.nodes}
    assert len(by_id) == len(tree.nodes)
    first, second = (by_id[slot] for slot in tree.gpu_order[8][:2])
    assert first.parent == second.parent
    assert by_id[first.parent].chip == "Broadcom PEX890xx Gen5 A"
    assert tree.expected_topo[8][0][:3] == ("X", "PIX", "NODE")
    assert tree.links[0].one_way_bytes_per_s == (36e9, 40e9)


def test_every_parent_in_a_tree_exists(snapshot: CatalogSnapshot) -> None:
    for platform in snapshot.platforms.values():
        if platform.slot_map is not None:
            ids = {node.id for node in platform.slot_map.nodes} | {""}
            assert {node.parent for node in platform.slot_map.nodes} <= ids, platform.id


def test_currency_rates_are_dated_and_marked_as_planning_rates(snapshot: CatalogSnapshot) -> None:
    assert snapshot.facts["eur_rates"]["EUR"] == 1
    assert snapshot.facts["eur_rates_date"]["USD"] == "2026-09-27"
    assert "confirm" in snapshot.facts["eur_rates_note"]["USD"]


def test_path_classes_come_in_base_units(snapshot: CatalogSnapshot) -> None:
    same_switch = snapshot.path_bandwidth[0]
    assert same_switch["label"] == "PIX"
    assert (same_switch["one_way_low_bytes_per_s"], same_switch["one_way_high_bytes_per_s"]) == (54e9, 56e9)
    assert same_switch["latency_high_s"] == pytest.approx(0.45e-6)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"none\.db: there is no catalogue; name one with --catalog"):
        load_snapshot(tmp_path / "none.db")


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("not a database")
    with pytest.raises(CatalogError, match="this is not a catalogue file"):
        load_snapshot(path)


@pytest.mark.parametrize("size", [100, 4096, 40_960, 500_000])
def test_a_cut_file_is_refused_in_one_sentence(database: Path, tmp_path: Path, size: int) -> None:
    path = tmp_path / "cut.db"
    path.write_bytes(database.read_bytes()[:size])
    with pytest.raises(CatalogError) as caught:
        load_snapshot(path)
    assert "\n" not in str(caught.value) and "cut.db" in str(caught.value)


def test_a_newer_catalogue_asks_for_a_newer_program(database: Path, tmp_path: Path) -> None:
    path = _with_version(database, tmp_path, SCHEMA_VERSION + 1)
    with pytest.raises(CatalogError, match=r"newer .* than this program .*; update the program"):
        load_snapshot(path)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(CatalogError, match="format 0"):
        load_snapshot(path)


def test_a_catalogue_that_lost_a_table_is_called_damaged(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "lost.db"
    path.write_bytes(database.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE price")
    connection.close()
    with pytest.raises(CatalogError, match="damaged"):
        load_snapshot(path)


def test_a_catalogue_in_a_folder_that_cannot_be_written_is_read(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir()
    path = folder / "catalog.db"
    path.write_bytes(database.read_bytes())
    folder.chmod(0o555)
    try:
        assert load_snapshot(path).version
        assert [file.name for file in folder.iterdir()] == ["catalog.db"]
    finally:
        folder.chmod(0o755)


def _with_version(database: Path, folder: Path, version: int) -> Path:
    path = folder / "version.db"
    path.write_bytes(database.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    return path


def test_a_line_up_name_says_form_height_and_number_of_cards(snapshot: CatalogSnapshot) -> None:
    names = [build.name for build in snapshot.builds]
    assert len(set(names)) == len(names)
    for build in snapshot.builds:
        height = snapshot.platforms[build.platform_id].rack_units
        form = "Tower " if build.form == "tower" else f"Server {height}U-"
        assert build.name.startswith(f"{form}{build.gpu_count} "), build.id


def test_tensor_rates_are_dense_and_of_one_kind(snapshot: CatalogSnapshot) -> None:
    """A sparse figure, or one with FP16 accumulation, in one of two columns would double or halve the ratio."""
    for gpu in snapshot.gpus.values():
        if gpu.fp8_flop_per_s is not None:
            assert gpu.fp8_flop_per_s / gpu.bf16_flop_per_s == pytest.approx(2, rel=0.02), gpu.id

"""From a price list to a new catalogue: preview, and all or nothing."""

from __future__ import annotations

import datetime
import shutil
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from kentino_configurator.catalog import price_apply
from kentino_configurator.catalog.commands import main
from kentino_configurator.catalog.content import Records
from kentino_configurator.catalog.diff import differences
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.last_good import open_last_good, previous_of
from kentino_configurator.catalog.price_apply import apply, with_prices
from kentino_configurator.catalog.price_list import read_price_list
from kentino_configurator.catalog.price_preview import Effect, Preview, preview
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.catalog.verify import price_warnings, read_verified
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.core.money import Money

TODAY = datetime.date(2026, 12, 1)
NOW = datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.UTC)
HEADER = "SKU,MPN,Price,Currency,VAT,VAT rate,Date,Valid until\n"


@pytest.fixture
def records(database: Path) -> Records:
    return read_verified(database)


@pytest.fixture
def catalog(database: Path, tmp_path: Path) -> Path:
    path = tmp_path / "catalog.db"
    shutil.copyfile(database, path)
    return path


def _previewed(tmp_path: Path, records: Records, *rows: str, kind: str = "kentino_list") -> Preview:
    path = tmp_path / "list.csv"
    path.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    return preview(read_price_list(path, TODAY), records, kind)


def test_a_preview_tells_added_changed_and_unchanged_apart(tmp_path: Path, records: Records) -> None:
    shown = _previewed(
        tmp_path,
        records,
        "rtx-5090,,5500.00,EUR,excl,,2026-11-30,2026-12-31",
        "dell-poweredge-xe7745,,8000.00,EUR,excl,,2026-11-30,",
    )
    changed, added = shown.changes
    assert (changed.effect, added.effect) == (Effect.CHANGED, Effect.ADDED)
    assert changed.new["net_cents"] == 550_000 and changed.new["status"] == "kentino_list"
    assert changed.share == (Decimal(550_000) - changed.old["net_cents"]) / changed.old["net_cents"]
    assert added.old["net_cents"] is None and added.share is None
    assert not shown.rejected and not shown.is_empty


def test_vat_is_taken_out_and_the_currency_converted(tmp_path: Path, records: Records) -> None:
    shown = _previewed(
        tmp_path,
        records,
        "rtx-5090,,6655.00,EUR,incl,21,2026-11-30,",
        "l4,,2000.00,USD,excl,,2026-11-30,",
    )
    with_vat, converted = (change.new for change in shown.changes)
    assert (with_vat["net_cents"], with_vat["status"]) == (550_000, "kentino_list")
    assert (converted["net_cents"], converted["status"]) == (184_000, "estimated")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("rtx-5091,,1.00,EUR,excl,,2026-11-30,", "SKU 'rtx-5091' is unknown; the nearest is rtx-5090"),
        (",MCX755106AS-HEAX,1.00,EUR,excl,,2026-11-30,", "the nearest is mcx755106as-heat"),
        (",,1.00,EUR,excl,,2026-11-30,", "neither SKU nor MPN is given"),
        ("l40s,MCX755106AS-HEAT,1.00,EUR,excl,,2026-11-30,", "are different parts"),
        ("l40s,,1.00,CZK,excl,,2026-11-30,", "no rate for CZK; known are EUR, USD"),
    ],
)
def test_a_row_that_fits_no_item_is_rejected(tmp_path: Path, records: Records, row: str, words: str) -> None:
    shown = _previewed(tmp_path, records, row)
    assert words in shown.rejected[0].reason and not shown.changes


def test_a_part_number_alone_finds_its_part_also_among_several(tmp_path: Path, records: Records) -> None:
    shown = _previewed(
        tmp_path,
        records,
        ",mcx755106as-heat,1500.00,EUR,excl,,2026-11-30,",
        ",4X77A90966,900.00,EUR,excl,,2026-11-30,",
    )
    found = [change.item_id for change in shown.changes]
    assert found == ["nvidia-mcx755106as-heat", "lenovo-rdimm-ddr5-6400-64-gb"]


def test_the_same_item_twice_is_rejected(tmp_path: Path, records: Records) -> None:
    rows = ("l40s,,8000.00,EUR,excl,,2026-11-30,", "L40S,,8100.00,EUR,excl,,2026-11-30,")
    shown = _previewed(tmp_path, records, *rows)
    assert shown.rejected[0].row == 3 and "row 2 has a price for l40s already" in shown.rejected[0].reason


def test_a_retired_part_is_rejected(tmp_path: Path, records: Records) -> None:
    part = records["part"][0]
    retired = records | {"part": [part | {"retired": 1}, *records["part"][1:]]}
    shown = _previewed(tmp_path, retired, f"{part['sku']},,10.00,EUR,excl,,2026-11-30,")
    assert "is retired" in shown.rejected[0].reason


def test_a_change_beyond_half_the_price_is_pointed_out(tmp_path: Path, records: Records) -> None:
    shown = _previewed(tmp_path, records, "rtx-5090,,55000.00,EUR,excl,,2026-11-30,")
    assert shown.changes[0].is_unusual


def test_applying_writes_a_catalogue_with_the_prices_and_an_audit_row(tmp_path: Path, catalog: Path) -> None:
    before = catalog.read_bytes()
    shown = _previewed(tmp_path, read_verified(catalog), "rtx-5090,,5500.00,EUR,excl,,2026-11-30,2026-12-31")
    digest = apply(shown, catalog, "Jana Nováková", NOW)
    snapshot = load_snapshot(catalog)
    price = snapshot.gpus["rtx-5090"].price
    assert (price.amount, price.status) == (Money(550_000), PriceStatus.KENTINO_LIST)
    assert (price.observed_on, price.valid_until) == ("2026-11-30", "2026-12-31")
    assert "list.csv, row 2" in price.source
    (audit,) = snapshot.facts["price_imports"]
    assert (audit["author"], audit["file_name"]) == ("Jana Nováková", "list.csv")
    assert (audit["added"], audit["changed"], audit["unchanged"]) == (0, 1, 0)
    assert audit["imported_at"] == "2026-12-01T12:00:00+00:00"
    assert audit["file_sha256"] == shown.price_list.sha256
    assert snapshot.sha256 == digest and snapshot.version.endswith("+1")
    assert previous_of(catalog).read_bytes() == before


def test_nothing_but_the_listed_prices_moves(tmp_path: Path, catalog: Path) -> None:
    before = read_verified(catalog)
    apply(_previewed(tmp_path, before, "rtx-5090,,5500.00,EUR,excl,,2026-11-30,"), catalog, "a", NOW)
    lines = list(differences(before, read_verified(catalog)))
    assert [line.split(":")[0] for line in lines] == ["price rtx-5090", "price list list.csv"]
    assert "-> 5500.00 EUR kentino_list 2026-11-30  (-5.7 %)" in lines[0]


def test_the_same_list_again_changes_nothing(tmp_path: Path, catalog: Path) -> None:
    row = "rtx-5090,,5500.00,EUR,excl,,2026-11-30,"
    apply(_previewed(tmp_path, read_verified(catalog), row), catalog, "a", NOW)
    again = _previewed(tmp_path, read_verified(catalog), row)
    assert again.is_empty and again.having(Effect.UNCHANGED)
    later = _previewed(tmp_path, read_verified(catalog), row.replace("2026-11-30", "2026-12-01"))
    assert later.renewed == 1 and not later.is_empty


def test_an_older_list_is_rejected_and_a_correction_of_the_day_is_taken(
    tmp_path: Path, catalog: Path
) -> None:
    row = "rtx-5090,,5500.00,EUR,excl,,2026-11-30,"
    apply(_previewed(tmp_path, read_verified(catalog), row), catalog, "a", NOW)
    records = read_verified(catalog)
    older = _previewed(tmp_path, records, row.replace("2026-11-30", "2026-11-29"))
    assert "before the price of 2026-11-30" in older.rejected[0].reason
    corrected = _previewed(tmp_path, records, row.replace("5500.00", "5400.00"))
    assert corrected.changes[0].new["net_cents"] == 540_000


def test_a_rejected_row_keeps_the_whole_list_out(tmp_path: Path, catalog: Path) -> None:
    before = catalog.read_bytes()
    rows = ("rtx-5090,,5500.00,EUR,excl,,2026-11-30,", "nonsense,,1.00,EUR,excl,,2026-11-30,")
    shown = _previewed(tmp_path, read_verified(catalog), *rows)
    with pytest.raises(CatalogError, match="nothing was applied"):
        apply(shown, catalog, "a", NOW)
    assert catalog.read_bytes() == before and not previous_of(catalog).exists()


def test_a_failure_while_writing_leaves_the_old_catalogue(
    tmp_path: Path, catalog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = catalog.read_bytes()
    shown = _previewed(tmp_path, read_verified(catalog), "rtx-5090,,5500.00,EUR,excl,,2026-11-30,")

    def fail(path: Path) -> None:
        raise CatalogError("the draft cannot be opened")

    monkeypatch.setattr(price_apply, "load_snapshot", fail)
    with pytest.raises(CatalogError, match="cannot be opened"):
        apply(shown, catalog, "a", NOW)
    assert catalog.read_bytes() == before
    assert {path.name for path in catalog.parent.iterdir()} == {"catalog.db", "list.csv"}


def test_undated_prices_do_not_grow_younger_with_an_import(tmp_path: Path, records: Records) -> None:
    shown = _previewed(tmp_path, records, "rtx-5090,,5500.00,EUR,excl,,2026-11-30,")
    later = with_prices(records, shown, "a", datetime.datetime(2027, 6, 1, tzinfo=datetime.UTC))
    old = {price["item_id"]: price for price in records["price"]}
    moved = [price["item_id"] for price in later["price"] if price != old[price["item_id"]]]
    assert moved == ["rtx-5090"]


def test_a_price_whose_validity_ended_is_to_be_renewed(tmp_path: Path, records: Records) -> None:
    shown = _previewed(tmp_path, records, "rtx-5090,,5500.00,EUR,excl,,2026-11-30,2026-12-31")
    changed = with_prices(records, shown, "a", NOW)
    soon = [w for w in price_warnings(changed, TODAY) if w.startswith("rtx-5090:")]
    later = [w for w in price_warnings(changed, datetime.date(2027, 1, 1)) if w.startswith("rtx-5090:")]
    assert (soon, later) == ([], ["rtx-5090: valid until 2026-12-31"])


def _import(*words: str) -> int:
    return main(["import", *words])


def test_the_command_previews_and_writes_only_when_told(
    tmp_path: Path, catalog: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = catalog.read_bytes()
    path = tmp_path / "list.csv"
    path.write_text(HEADER + "rtx-5090,,5500.00,EUR,excl,,2026-11-30,\n", encoding="utf-8")
    assert _import(str(path), "--catalog", str(catalog)) == 0
    out = capsys.readouterr().out
    assert "changed    row 2     rtx-5090: 5833.29 EUR observed 2026-10-07 -> 5500.00" in out
    assert "0 added, 1 changed, 0 unchanged" in out and "Not applied" in out
    assert catalog.read_bytes() == before
    assert _import(str(path), "--catalog", str(catalog), "--apply", "--author", "Jana") == 0
    assert "written, content" in capsys.readouterr().out
    assert _import(str(path), "--catalog", str(catalog), "--apply") == 0
    assert "Nothing to apply" in capsys.readouterr().out
    assert main(["verify", str(catalog)]) == 0
    assert "price_import: 1" in capsys.readouterr().out


def test_the_command_refuses_a_list_with_a_rejected_row(
    tmp_path: Path, catalog: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(HEADER + "rtx-5090,,free,EUR,excl,,2026-11-30,\n", encoding="utf-8")
    assert _import(str(path), "--catalog", str(catalog), "--apply") == 2
    captured = capsys.readouterr()
    assert "rejected   row 2     rtx-5090: the price" in captured.out
    assert captured.err.count("\n") == 1


def test_a_catalogue_whose_tables_were_altered_is_refused(catalog: Path) -> None:
    with closing(sqlite3.connect(catalog)) as connection, connection:
        connection.execute("ALTER TABLE price ADD COLUMN bonus TEXT")
    with pytest.raises(CatalogError, match="table price is not that of this program"):
        read_verified(catalog)


def test_a_truncated_catalogue_is_refused(catalog: Path) -> None:
    catalog.write_bytes(catalog.read_bytes()[: 300 * 1024])
    with pytest.raises(CatalogError, match="damaged"):
        read_verified(catalog)


def test_an_item_without_a_price_entry_is_refused(catalog: Path) -> None:
    with closing(sqlite3.connect(catalog)) as connection, connection:
        connection.execute("DELETE FROM price WHERE item_id = 'rtx-5090'")
    with pytest.raises(CatalogError, match="rtx-5090 has no entry in the table of prices"):
        read_verified(catalog)


def test_instead_of_a_damaged_catalogue_the_one_before_it_is_used(tmp_path: Path, catalog: Path) -> None:
    row = "rtx-5090,,5500.00,EUR,excl,,2026-11-30,"
    apply(_previewed(tmp_path, read_verified(catalog), row), catalog, "a", NOW)
    assert open_last_good(catalog).refusal == ""
    catalog.write_bytes(b"SQLite format 3\x00" + b"garbage" * 100)
    opened = open_last_good(catalog)
    assert opened.path == previous_of(catalog) and opened.snapshot.version.count("+") == 0
    assert "damaged" in opened.refusal and f"Used instead: {previous_of(catalog)}" in opened.refusal


def test_instead_of_a_newer_catalogue_the_shipped_one_is_used(catalog: Path) -> None:
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute("PRAGMA user_version = 99")
    opened = open_last_good(catalog)
    assert "update the program" in opened.refusal and "Used instead" in opened.refusal
    assert opened.snapshot.gpus


def test_a_misspelt_catalogue_is_not_replaced_by_another(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="there is no catalogue"):
        open_last_good(tmp_path / "none.db")

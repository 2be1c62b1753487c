"""``kentino-configurator catalog ...``: build, verify and export a catalogue.

Exit codes: 0 done, 2 the files are not usable (one line on stderr).
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from kentino_configurator.catalog.build import build_catalog
from kentino_configurator.catalog.content import Records, content_hash, read_records
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.repository import load_snapshot, open_catalog
from kentino_configurator.paths import catalog_path, resource_dir

UNUSABLE = 2
LATER = ("import", "diff", "sign", "install")


def main(words: Sequence[str]) -> int:
    """Runs one catalogue command and returns its exit code."""
    arguments = _parser().parse_args(words)
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return run(arguments)
    except (CatalogError, OSError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return UNUSABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kentino-configurator catalog")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    build = commands.add_parser("build", help="sources to catalog.db")
    build.add_argument("--sources", type=Path, default=resource_dir() / "catalog", metavar="FOLDER")
    build.add_argument("--policy", type=Path, default=resource_dir() / "policy.toml", metavar="FILE")
    build.add_argument("-o", "--output", type=Path, default=catalog_path(), metavar="FILE")
    build.set_defaults(run=_build)
    verify = commands.add_parser("verify", help="check a catalogue from end to end")
    verify.add_argument("file", type=Path, nargs="?", default=catalog_path())
    verify.set_defaults(run=_verify)
    export = commands.add_parser("export", help="every table as a CSV file")
    export.add_argument("file", type=Path, nargs="?", default=catalog_path())
    export.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    export.set_defaults(run=_export)
    for name in LATER:
        later = commands.add_parser(name, help="not available yet")
        later.add_argument("rest", nargs=argparse.REMAINDER)
        later.set_defaults(run=_not_available, name=name)
    return parser


def _build(arguments: argparse.Namespace) -> int:
    digest = build_catalog(arguments.sources, arguments.policy, arguments.output)
    print(f"{arguments.output}: built, content {digest}")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    records = _checked_records(arguments.file)
    snapshot = load_snapshot(arguments.file)
    for model_id in snapshot.models:
        snapshot.models[model_id]
    for platform_id in snapshot.platforms:
        snapshot.platforms[platform_id]
    print(f"{arguments.file}: version {snapshot.version} of {snapshot.date}, content {snapshot.sha256}")
    for table in ("gpu", "model", "platform", "part", "build", "price", "policy", "calibration"):
        print(f"  {table}: {len(records[table])}")
    return 0


def _checked_records(path: Path) -> Records:
    """All tables, after SQLite's own checks and a comparison with the recorded hash."""
    with closing(open_catalog(path)) as connection:
        findings = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        findings += [
            f"a row of {row[0]} points nowhere" for row in connection.execute("PRAGMA foreign_key_check")
        ]
        if findings:
            raise CatalogError(f"{path}: damaged ({findings[0]}); build it again.")
        records = read_records(connection)
        (recorded,) = connection.execute("SELECT value FROM meta WHERE key = 'sha256'").fetchone()
    if content_hash(records) != recorded:
        raise CatalogError(f"{path}: the content was changed after the build; build it again.")
    return records


def _export(arguments: argparse.Namespace) -> int:
    records = _checked_records(arguments.file)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for table, rows in records.items():
        if rows:
            with (arguments.output / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    print(f"{arguments.output}: {len(records)} tables")
    return 0


def _not_available(arguments: argparse.Namespace) -> int:
    print(
        f"catalog {arguments.name}: not available yet; edit the source files and use 'catalog build'.",
        file=sys.stderr,
    )
    return UNUSABLE

"""``kentino-configurator catalog ...``: build, verify, import, diff and export a catalogue.

Exit codes: 0 done, 2 the files are not usable (one line on stderr) or a price list has rejected rows.
"""

from __future__ import annotations

import argparse
import datetime
import getpass
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from kentino_configurator.catalog.build import build_catalog
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.prices import KINDS, OWN_LIST
from kentino_configurator.catalog.verify import price_warnings, read_verified
from kentino_configurator.paths import catalog_path, resource_dir

UNUSABLE = 2
LATER = ("sign", "install")
COUNTED = ("gpu", "model", "platform", "part", "build", "price", "price_import", "policy", "calibration")
WARNINGS_SHOWN = 20


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
    _add_import(commands)
    diff = commands.add_parser("diff", help="what differs between two catalogues")
    diff.add_argument("old", type=Path)
    diff.add_argument("new", type=Path)
    diff.set_defaults(run=_diff)
    export = commands.add_parser("export", help="every table as a CSV file, or the price list")
    export.add_argument("file", type=Path, nargs="?", default=catalog_path())
    export.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="for all tables")
    export.add_argument("--prices", type=Path, metavar="FILE.csv", help="the form that import reads")
    export.set_defaults(run=_export)
    for name in LATER:
        later = commands.add_parser(name, help="not available yet")
        later.add_argument("rest", nargs=argparse.REMAINDER)
        later.set_defaults(run=_not_available, name=name)
    return parser


def _add_import(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("import", help="preview a price list, and apply it")
    parser.add_argument("file", type=Path, metavar="FILE.csv|.xlsx")
    parser.add_argument("--apply", action="store_true", help="write it; without, it is only shown")
    parser.add_argument("--catalog", type=Path, default=catalog_path(), metavar="PATH")
    parser.add_argument("--author", metavar="NAME", help="who imports; the name of the login by default")
    parser.add_argument(
        "--kind", choices=sorted(KINDS), default=OWN_LIST, help=f"what the list is; {OWN_LIST} by default"
    )
    parser.set_defaults(run=_import)


def _build(arguments: argparse.Namespace) -> int:
    digest = build_catalog(arguments.sources, arguments.policy, arguments.output)
    print(f"{arguments.output}: built, content {digest}")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    records = read_verified(arguments.file)
    meta = {record["key"]: record["value"] for record in records["meta"]}
    print(f"{arguments.file}: version {meta['version']} of {meta['date']}, content {meta['sha256']}")
    for table in COUNTED:
        print(f"  {table}: {len(records[table])}")
    warnings = list(price_warnings(records, _today()))
    print(f"  prices to renew: {len(warnings)}")
    for warning in warnings[:WARNINGS_SHOWN]:
        print(f"    {warning}")
    if len(warnings) > WARNINGS_SHOWN:
        print(f"    and {len(warnings) - WARNINGS_SHOWN} more")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from kentino_configurator.catalog.import_report import report
    from kentino_configurator.catalog.last_good import previous_of
    from kentino_configurator.catalog.price_apply import apply
    from kentino_configurator.catalog.price_list import read_price_list
    from kentino_configurator.catalog.price_preview import preview

    records = read_verified(arguments.catalog)
    shown = preview(read_price_list(arguments.file, _today()), records, arguments.kind)
    for line in report(shown):
        print(line)
    if shown.rejected:
        print(f"{arguments.file}: nothing is applied while a row is rejected.", file=sys.stderr)
        return UNUSABLE
    if shown.is_empty or not arguments.apply:
        print("Nothing to apply." if shown.is_empty else "Not applied: add --apply to write it.")
        return 0
    now = datetime.datetime.now(datetime.UTC)
    digest = apply(shown, arguments.catalog, arguments.author or _login(), now)
    print(f"{arguments.catalog}: written, content {digest}; before: {previous_of(arguments.catalog)}")
    return 0


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError) as error:
        raise CatalogError("The login has no name; say who imports with --author NAME.") from error


def _today() -> datetime.date:
    return datetime.datetime.now().astimezone().date()


def _diff(arguments: argparse.Namespace) -> int:
    from kentino_configurator.catalog.diff import differences

    lines = list(differences(read_verified(arguments.old), read_verified(arguments.new)))
    for line in lines:
        print(line)
    print(f"{len(lines)} differences" if lines else "no difference")
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from kentino_configurator.catalog.export import export_price_list, export_tables

    if arguments.output is None and arguments.prices is None:
        raise CatalogError("Nothing to write: name a folder with -o or a file with --prices.")
    records = read_verified(arguments.file)
    if arguments.output is not None:
        print(f"{arguments.output}: {export_tables(records, arguments.output)} tables")
    if arguments.prices is not None:
        print(f"{arguments.prices}: {export_price_list(records, arguments.prices)} prices")
    return 0


def _not_available(arguments: argparse.Namespace) -> int:
    print(
        f"catalog {arguments.name}: not available yet; edit the source files and use 'catalog build'.",
        file=sys.stderr,
    )
    return UNUSABLE

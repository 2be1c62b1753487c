"""The command line: the same engine without a window. Qt is never imported here except to open one.

Exit codes: 0 an answer was given (any verdict), 2 the input is not usable (one line per problem), 1 a bug.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from kentino_configurator import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.run
    try:
        code = command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output (head, less) has seen enough; the interpreter must not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kentino-configurator",
        description="Sizes PCIe GPU servers. Without a command it opens the window.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.set_defaults(run=_open, file=None, catalog=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    _add(commands, "open", _open, "open the window", file=("?", "a .kentino project"))
    size = _add(commands, "size", _size, "decide a request", file=(None, "REQUEST.json"))
    size.add_argument("--json", action="store_true", help="print the result object")
    size.add_argument(
        "--measured", type=Path, metavar="BENCHMARK.json", help="a benchmark of the customer's own machine"
    )
    explain = _add(commands, "explain", _explain, "the reasons in words", file=(None, "REQUEST.json"))
    explain.add_argument("--lang", choices=("en", "pt", "cs"), default="en")
    predict = _add(commands, "predict", _predict, "one given layout", file=(None, "LAYOUT.json"))
    predict.add_argument("--json", action="store_true", help="print the result object")
    propose = _add(
        commands, "propose", _propose, "write the proposal", file=(None, "REQUEST.json or .kentino")
    )
    propose.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.pdf")
    propose.add_argument("--lang", choices=("en", "pt", "cs"))
    propose.add_argument("--xlsx", type=Path, metavar="OUT.xlsx", help="also write the BOM workbook")
    validate = _add(
        commands, "validate", _validate, "predict published measurements", file=(None, "MEASUREMENTS.csv")
    )
    validate.add_argument("--json", action="store_true", help="print the report object")
    _add(commands, "self-test", _self_test, "prove this installation")
    demo = _add(commands, "demo", _demo, "proposal, workbook and pictures of a shipped example")
    demo.add_argument("--out", type=Path, default=Path("out"), metavar="FOLDER")
    _add_catalog(commands)
    return parser


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Callable[[argparse.Namespace], int],
    text: str,
    file: tuple[str | None, str] | None = None,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text[:1].upper() + text[1:] + ".")
    parser.set_defaults(run=run)
    parser.add_argument("--catalog", type=Path, metavar="PATH", help="another catalog.db")
    if file is not None:
        parser.add_argument("file", type=Path, nargs=file[0], metavar=file[1].replace(" ", "_"))
    return parser


def _add_catalog(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("catalog", help="build, verify or export the catalog")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="build|verify|import|diff|sign|install|export"
    )
    parser.set_defaults(run=_catalog, catalog=None)


def _catalog(arguments: argparse.Namespace) -> int:
    from kentino_configurator.catalog.commands import main as catalog_main

    return catalog_main(arguments.words)


def _open(arguments: argparse.Namespace) -> int:
    from kentino_configurator.app import run

    return run(arguments.file, arguments.catalog)


def _size(arguments: argparse.Namespace) -> int:
    from kentino_configurator.commands import size

    return size(arguments.file, arguments.catalog, measured=arguments.measured, as_json=arguments.json)


def _explain(arguments: argparse.Namespace) -> int:
    from kentino_configurator.commands import explain

    return explain(arguments.file, arguments.catalog, arguments.lang)


def _predict(arguments: argparse.Namespace) -> int:
    from kentino_configurator.commands import predict

    return predict(arguments.file, arguments.catalog, as_json=arguments.json)


def _propose(arguments: argparse.Namespace) -> int:
    from kentino_configurator.propose import propose

    return propose(arguments.file, arguments.output, arguments.lang, arguments.xlsx, arguments.catalog)


def _validate(arguments: argparse.Namespace) -> int:
    from kentino_configurator.validate import validate

    return validate(arguments.file, arguments.catalog, as_json=arguments.json)


def _self_test(arguments: argparse.Namespace) -> int:
    from kentino_configurator.self_test import run

    return run(arguments.catalog)


def _demo(arguments: argparse.Namespace) -> int:
    from kentino_configurator.demo import run

    return run(arguments.out)

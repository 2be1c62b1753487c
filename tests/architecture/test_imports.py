"""Who may import whom. The contracts themselves stand in pyproject.toml."""

from __future__ import annotations

import subprocess
import sys

from tests.architecture.source_tree import ROOT, imports, modules

# LGPL, and part of the frozen program. Charts, graphs, data visualisation, virtual keyboard and the like are
# GPL or commercial; QtNetwork would open the door to the network.
ALLOWED_QT = {
    "QtCore",
    "QtGui",
    "QtPdf",
    "QtPdfWidgets",
    "QtPrintSupport",
    "QtSvg",
    "QtSvgWidgets",
    "QtTest",
    "QtWidgets",
}
WITH_QT = ("kentino_configurator.ui", "kentino_configurator.app", "kentino_configurator.demo")
HEAVY = ("PySide6", "babel", "pikepdf", "reportlab", "sqlite_utils", "xlsxwriter")
NETWORK = ("urllib.request", "urllib.error", "xmlrpc", "webbrowser", "socketserver", "imaplib", "telnetlib")

IMPORT_WITHOUT = """
import importlib, sys
for name in {blocked}:
    sys.modules[name] = None
for name in {names}:
    importlib.import_module(name)
"""


def test_the_import_contracts_are_kept() -> None:
    """In a process of its own: import-linter reconfigures logging for everyone."""
    lint = "from importlinter.cli import lint_imports; exit(lint_imports(no_cache=True, no_logo=True))"
    done = subprocess.run([sys.executable, "-c", lint], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_only_qt_modules_that_may_be_shipped_are_imported() -> None:
    imported = {
        (module, name.split(".")[1])
        for module, tree in modules().items()
        for name in imports(tree)
        if name.startswith("PySide6.")
    }
    assert {(module, name) for module, name in imported if name not in ALLOWED_QT} == set()


def test_nothing_imports_a_module_that_reaches_a_network() -> None:
    reached = [
        f"{module} imports {name}"
        for module, tree in modules().items()
        for name in imports(tree)
        if name.startswith(NETWORK)
    ]
    assert reached == []


def test_everything_but_the_window_can_be_imported_on_a_machine_without_qt() -> None:
    names = [name for name in modules() if not name.startswith(WITH_QT) and not name.endswith("__main__")]
    script = IMPORT_WITHOUT.format(blocked=["PySide6", "shiboken6"], names=names)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_sizing_on_the_command_line_loads_no_library_that_starts_slowly() -> None:
    request = ROOT / "resources" / "presets" / "coding_team_25.json"
    script = f"""
import sys
for name in {HEAVY}:
    sys.modules[name] = None
from kentino_configurator.__main__ import main
sys.exit(main(["size", {str(request)!r}]))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

"""``self-test``: proves an installation: catalogue, one case of each verdict, drawing, PDF, window."""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from kentino_configurator import __version__
from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answer import Answer
from kentino_configurator.inputs import UNUSABLE
from kentino_configurator.wizard.presets import load_preset

PRESET_OF_VERDICT = {
    "single_node": "assistant_200_employees",
    "single_node_int4": "team_671b_int4",
    "replicas": "growing_service",
    "multi_node": "production_405b",
    "refer_sxm": "pretrain_70b",
    "no_answer": "cannot_405b_office",
}
LIBRARIES = ("PySide6_Essentials", "pydantic", "reportlab", "sqlite-utils", "babel", "xlsxwriter")


def run(catalog: Path | None) -> int:
    """Prints one line per step; 0 when all pass, 1 otherwise."""
    print(f"kentino-configurator {__version__}, Python {platform.python_version()}, {platform.platform()}")
    print(", ".join(f"{name} {_version(name)}" for name in LIBRARIES))
    try:
        service = Service(load_snapshot(catalog))
    except CatalogError as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    print(f"ok    catalog {service.snapshot.version} of {service.snapshot.date}")
    failed = [name for name, step in _steps(service) if not _passes(name, step)]
    print("self-test passed" if not failed else f"self-test FAILED: {', '.join(failed)}")
    return 1 if failed else 0


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(bundled)"


def _steps(service: Service) -> list[tuple[str, Callable[[], str]]]:
    verdicts = [(f"verdict {name}", _decide(service, preset)) for name, preset in PRESET_OF_VERDICT.items()]
    return [
        *verdicts,
        ("drawing", lambda: _draw(service)),
        ("proposal", lambda: _render(service)),
        ("window", _window),
    ]


def _passes(name: str, step: Callable[[], str]) -> bool:
    try:
        print(f"ok    {name}: {step()}")
    except Exception:
        print(f"FAIL  {name}", file=sys.stderr)
        traceback.print_exc()
        return False
    return True


def _answer(service: Service, preset: str) -> Answer:
    answer = service.evaluate(load_preset(preset)).answer
    assert answer is not None
    return answer


def _decide(service: Service, preset: str) -> Callable[[], str]:
    return lambda: _answer(service, preset).decision.verdict.value


def _draw(service: Service) -> str:
    from kentino_configurator.texts.catalogue import load_texts
    from kentino_configurator.topology.layout import lay_out

    graph = _answer(service, PRESET_OF_VERDICT["single_node"]).topology
    assert graph is not None
    return f"{len(lay_out(graph, load_texts('en').say).items)} elements"


def _render(service: Service) -> str:
    from kentino_configurator.export.document_file import document_file

    answer = _answer(service, PRESET_OF_VERDICT["single_node"])
    data = document_file(answer, service.snapshot, "pt").data
    assert data.startswith(b"%PDF")
    return f"{len(data):,} bytes"


def _window() -> str:
    from kentino_configurator.app import open_and_close

    return open_and_close()

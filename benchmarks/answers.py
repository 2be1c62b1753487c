"""Time from a request to its answer, as ratios to a bare Python that imports pydantic, measured in one run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from benchmarks.stopwatch import best_seconds, show
from kentino_configurator.answer.service import Service
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.engine.decide import decide
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts.catalogue import load_texts
from kentino_configurator.topology.layout import lay_out
from kentino_configurator.wizard.presets import load_preset, presets
from kentino_configurator.wizard.reading import read_request


def main() -> None:
    """Entry point."""
    bare = best_seconds(_process("-c", "import pydantic"), runs=5)
    show("bare Python that imports pydantic", bare, "itself", bare)
    request = str(resource_dir() / "presets" / "assistant_200_employees.json")
    command = _process("-m", "kentino_configurator", "size", request, "--json")
    show("size as a whole process", best_seconds(command, runs=5), "bare Python", bare)
    service = Service(load_snapshot())
    for preset in presets():
        _decisions(service, preset.name, bare)
    _reading_and_drawing(service, bare)


def _process(*words: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)


def _decisions(service: Service, preset: str, bare: float) -> None:
    """Live result and complete decision of one preset."""
    request = read_request(load_preset(preset), service.snapshot).request
    assert request is not None
    live = best_seconds(lambda: decide(request, service.snapshot, service.offers, quick=True), runs=3)
    whole = best_seconds(lambda: decide(request, service.snapshot, service.offers), runs=3)
    show(f"{preset}: live", live, "bare Python", bare)
    show(f"{preset}: complete", whole, "bare Python", bare)


def _reading_and_drawing(service: Service, bare: float) -> None:
    answers = load_preset("university_lab")
    show(
        "reading a request",
        best_seconds(lambda: read_request(answers, service.snapshot)),
        "bare Python",
        bare,
    )
    graph = service.evaluate(load_preset("production_405b")).answer
    assert graph is not None
    assert graph.topology is not None
    topology, say = graph.topology, load_texts("en").say
    show(
        "laying out two nodes and their fabric",
        best_seconds(lambda: lay_out(topology, say)),
        "bare Python",
        bare,
    )


if __name__ == "__main__":
    main()

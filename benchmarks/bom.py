"""How fast offers and bills of materials are put together.

    python benchmarks/bom.py

Ratios of times measured in one run: they say the same on a fast and on a slow machine.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.stopwatch import best_seconds, show
from kentino_configurator.answer.service import Service
from kentino_configurator.bom.assemble import assemble
from kentino_configurator.bom.offers import build_offers
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answers import Answers
from kentino_configurator.paths import resource_dir

PRESETS = ("rag_law_firm", "growing_service", "qlora_405b")
"""One machine, copies behind a router, and the largest model on one machine."""
WANTED_S = 0.010


def main() -> int:
    """Prints the ratios."""
    snapshot = load_snapshot()
    opening = best_seconds(load_snapshot)
    show("all offers of the catalogue", best_seconds(lambda: build_offers(snapshot)), "opening it", opening)
    service = Service(snapshot)
    for preset in PRESETS:
        _assembly(service, preset)
    return 0


def _assembly(service: Service, preset: str) -> None:
    answers = Answers(json.loads((resource_dir() / "presets" / f"{preset}.json").read_text(encoding="utf-8")))
    answer = service.evaluate(answers).answer
    configuration = answer.decision.configuration if answer else None
    if answer is None or configuration is None:
        print(f"{preset}: no machine, nothing to assemble")
        return
    whole = best_seconds(lambda: service.answer(answer.request), runs=3)
    parts = best_seconds(lambda: assemble(answer.request, configuration, service.snapshot))
    name = f"bill of materials, {preset}"
    show(name, parts, "the whole answer", whole)
    show(name, parts, "the 10 ms that were asked for", WANTED_S)


if __name__ == "__main__":
    sys.exit(main())

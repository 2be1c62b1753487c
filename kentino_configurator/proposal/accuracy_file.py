"""How close the engine came to published measurements: the figures written when it was judged, shipped with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from kentino_configurator.paths import resource_dir

FILE_NAME = "accuracy.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyAccuracy:
    """One kind of figure: measurements, median relative error, share of them inside the printed range."""

    family: str
    rows: int
    median_error: float
    coverage: float


@cache
def load_accuracy() -> tuple[FamilyAccuracy, ...]:
    """All kinds of figures in the order of the file, serving before training."""
    entries = json.loads((resource_dir() / FILE_NAME).read_text(encoding="utf-8"))
    return tuple(FamilyAccuracy(family=family, **figures) for family, figures in entries.items())

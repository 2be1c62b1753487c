"""How one part is picked among several that would do."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import PartSpec


def parts_of(snapshot: CatalogSnapshot, category: str) -> tuple[PartSpec, ...]:
    """Parts of a category that may be ordered."""
    return tuple(part for part in snapshot.parts.values() if part.category == category and not part.retired)


def cheapest(parts: Iterable[PartSpec]) -> PartSpec | None:
    """The cheapest priced part; without any price the first by SKU; ``None`` of nothing.

    A part whose facts are of low confidence loses against any other.
    """
    return min(parts, key=_rank, default=None)


def _rank(part: PartSpec) -> tuple[bool, bool, Decimal, str]:
    amount = part.price.amount
    return (
        part.confidence.startswith("low"),
        amount is None,
        Decimal(0) if amount is None else amount.amount,
        part.sku,
    )


def named(snapshot: CatalogSnapshot, category: str, word: str) -> PartSpec | None:
    """The cheapest part of a category whose name contains ``word``."""
    return cheapest(part for part in parts_of(snapshot, category) if word in part.name)

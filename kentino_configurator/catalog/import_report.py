"""A previewed price list in lines a person checks before it is applied."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.catalog.diff import change_words, price_words
from kentino_configurator.catalog.price_preview import Effect, Preview, PriceChange


def report(preview: Preview) -> Iterator[str]:
    """Every row that changes something or is rejected, then the counts."""
    for change in preview.changes:
        if change.effect is not Effect.UNCHANGED:
            yield _change_line(change)
    for rejected in preview.rejected:
        yield f"rejected   row {rejected.row:<5} {rejected.item or '-'}: {rejected.reason}"
    yield (
        f"{preview.price_list.file_name}: {len(preview.having(Effect.ADDED))} added, "
        f"{len(preview.having(Effect.CHANGED))} changed, {len(preview.having(Effect.UNCHANGED))} unchanged "
        f"({preview.renewed} of them renewed), {len(preview.rejected)} rejected, "
        f"{preview.price_list.unpriced} without a price"
    )


def _change_line(change: PriceChange) -> str:
    line = f"{change.effect.value:<10} row {change.row:<5} {change.item_id}: "
    line += f"{price_words(change.old)} -> {price_words(change.new)}{change_words(change.old, change.new)}"
    return f"{line}  check: unusual" if change.is_unusual else line

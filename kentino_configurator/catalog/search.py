"""Finding things of the catalogue by words: every word must begin a word of the entry, accents do not matter."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

_QUERY = """
SELECT t.kind, t.item_id, t.name, t.maker, t.mpn
FROM search_text_fts AS f JOIN search_text AS t ON t.rowid = f.rowid
WHERE search_text_fts MATCH ?
ORDER BY f.rank, t.rowid
LIMIT ?
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One found entry. ``kind`` is ``gpu``, ``platform``, ``part`` or ``model``."""

    kind: str
    item_id: str
    name: str
    maker: str
    mpn: str


def search(connection: sqlite3.Connection, text: str, limit: int = 20) -> tuple[Hit, ...]:
    """Entries that match all words of ``text``, best first; nothing for a text without words."""
    words = [word.replace('"', '""') for word in text.replace("\0", " ").split()]
    if not words:
        return ()
    expression = " ".join(f'"{word}"*' for word in words)
    rows = connection.execute(_QUERY, (expression, limit))
    return tuple(Hit(kind=r[0], item_id=r[1], name=r[2], maker=r[3], mpn=r[4]) for r in rows)

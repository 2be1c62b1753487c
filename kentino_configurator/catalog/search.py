"""Finding things of the catalogue by words: every word must begin a word of the entry, accents do not matter.

Ranking by word frequency would have to look at every match of every keystroke; so the first matches in the order
of the catalogue are taken and those put first whose name or part number holds the words.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from dataclasses import dataclass

MOST_CANDIDATES = 200
"""Matches that are looked at: a text with more of them is not finished yet."""

_QUERY = """
SELECT t.kind, t.item_id, t.name, t.maker, t.mpn
FROM (SELECT rowid FROM search_text_fts WHERE search_text_fts MATCH ? LIMIT ?) AS found
JOIN search_text AS t ON t.rowid = found.rowid
"""
_WORD = re.compile(r"[^\W_]+")


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
    rows = connection.execute(_QUERY, (expression, MOST_CANDIDATES))
    hits = [Hit(kind=r[0], item_id=r[1], name=r[2], maker=r[3], mpn=r[4]) for r in rows]
    typed = _folded(text)
    return tuple(sorted(hits, key=lambda hit: _rank(hit, typed))[:limit])


def _rank(hit: Hit, typed: list[str]) -> tuple[int, int]:
    """Typed words that are in neither name nor part number, then the length of the name."""
    own = _folded(f"{hit.name} {hit.mpn}")
    return sum(not any(word.startswith(start) for word in own) for start in typed), len(hit.name)


def _folded(text: str) -> list[str]:
    """The words of a text without case and accents."""
    folded = text.casefold()
    if not folded.isascii():
        folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return _WORD.findall(folded)

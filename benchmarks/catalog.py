"""How fast a catalogue opens and answers while somebody types.

    python benchmarks/catalog.py

Ratios of times measured in one run: they say the same on a fast and on a slow machine.
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.stopwatch import best_seconds, show
from kentino_configurator.catalog.build import collect, write_database
from kentino_configurator.catalog.content import TABLES, Record, Records
from kentino_configurator.catalog.repository import load_snapshot, open_catalog
from kentino_configurator.catalog.search import search
from kentino_configurator.paths import catalog_path, resource_dir

PARTS = 100_000
TYPED = "connectx 7 qsfp112"
SCREEN_FRAME_S = 1 / 60


def main() -> int:
    """Prints the ratios."""
    bare_start = best_seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    _opening(bare_start)
    with TemporaryDirectory() as folder:
        large = Path(folder) / "large.db"
        write_database(_grown(collect(resource_dir() / "catalog", resource_dir() / "policy.toml")), large)
        _typing(large)
    return 0


def _opening(bare_start_s: float) -> None:
    opening = best_seconds(load_snapshot)
    show("open the catalogue", opening, "start of a bare Python", bare_start_s)
    show("open the catalogue", opening, "reading all its rows with plain sqlite3", best_seconds(_read_all))


def _read_all() -> None:
    with closing(sqlite3.connect(catalog_path())) as connection:
        for table in TABLES:
            connection.execute(f"SELECT * FROM {table}").fetchall()


def _typing(large: Path) -> None:
    keystrokes = [TYPED[:length] for length in range(1, len(TYPED) + 1)]
    with closing(open_catalog(large)) as many, closing(open_catalog(catalog_path())) as few:
        slowest = max(best_seconds(lambda text=text: search(many, text)) for text in keystrokes)  # type: ignore[misc]
        same = max(best_seconds(lambda text=text: search(few, text)) for text in keystrokes)  # type: ignore[misc]
        scan = best_seconds(lambda: _scan(many, TYPED))
    name = f"slowest keystroke in {PARTS:,} parts"
    show(name, slowest, "the shipped catalogue", same)
    show(name, slowest, "looking through every row", scan)
    show(name, slowest, "one frame of a 60 Hz screen", SCREEN_FRAME_S)


def _scan(connection: sqlite3.Connection, text: str) -> None:
    words = [f"%{word}%" for word in text.split()]
    wanted = " AND ".join("name || ' ' || mpn || ' ' || description LIKE ?" for _ in words)
    connection.execute(f"SELECT item_id FROM search_text WHERE {wanted} LIMIT 20", words).fetchall()


def _grown(records: Records) -> Records:
    """The records with as many more search texts as make 100,000 parts: real words, shuffled."""
    known = records["search_text"]
    return records | {"search_text": [*known, *_invented(known, PARTS - len(known))]}


def _invented(known: list[Record], count: int) -> Iterator[Record]:
    draw = random.Random(1)
    words = sorted({word for row in known for word in f"{row['name']} {row['description']}".split()})
    for number in range(count):
        yield {
            "rowid": len(known) + 1 + number,
            "kind": "part",
            "item_id": f"invented-{number}",
            "name": " ".join(draw.choices(words, k=4)),
            "maker": draw.choice(words),
            "mpn": f"{draw.choice(words)}-{number}",
            "description": " ".join(draw.choices(words, k=8)),
        }


if __name__ == "__main__":
    sys.exit(main())

"""Reading the text files: all parts of one language as one table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

# A literal number in a sentence keeps its thousands and its unit on one line, like the formatted ones.
_NUMBER_GOES_ON: Final = re.compile(r"(?<=\d) (?=(?:\d{3}|%|[kMGT]?i?B(?:/s)?|Gb/s|k?W|V|A|U)(?!\w))")
# In texts of units the number and what follows it belong together.
_PLACEHOLDER_SPACE: Final = re.compile(r"(?<=\}) (?=[^\s(])")


def read_language(folder: Path) -> dict[str, str]:
    """All ``*.json`` parts of a language folder merged. Two entries with one id raise ``ValueError``."""
    texts: dict[str, str] = {}
    for path in sorted(folder.glob("*.json")):
        for text_id, text in _read_part(path):
            if text_id in texts:
                raise ValueError(f'{path}: text "{text_id}" exists twice; keep one of them')
            texts[text_id] = _joined(text_id, text)
    return texts


def _read_part(path: Path) -> list[tuple[str, str]]:
    """The entries of one file in order, duplicates included."""
    entries: list[tuple[str, str]] = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    return entries


def _joined(text_id: str, text: str) -> str:
    if text_id.startswith("u."):
        text = _PLACEHOLDER_SPACE.sub("\u00a0", text)
    return _NUMBER_GOES_ON.sub("\u00a0", text)

"""A language for tests of the window: English, accented and longer: cut or untranslated text shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

GROWTH: Final = 0.4
_ACCENTS: Final = str.maketrans("aceinosuyzACEINOSUYZ", "áčěíñõšůýžÁČĚÍÑÕŠŮÝŽ")
_PLACEHOLDER: Final = re.compile(r"(\{\w+\})")
_FILLER: Final = "ěřů "


def pseudo_texts(english: Mapping[str, str]) -> dict[str, str]:
    """Every text accented and about 40 % longer. Placeholders and the texts of units stay as they are."""
    return {
        text_id: text if text_id.startswith("u.unit.") else _pseudo(text) for text_id, text in english.items()
    }


def _pseudo(text: str) -> str:
    parts = _PLACEHOLDER.split(text)
    accented = "".join(part if _PLACEHOLDER.fullmatch(part) else part.translate(_ACCENTS) for part in parts)
    letters = len(_PLACEHOLDER.sub("", text))
    return accented + _padding(round(letters * GROWTH))


def _padding(length: int) -> str:
    """Filler words that can be wrapped like a sentence."""
    return (" " + _FILLER * length)[:length].rstrip()

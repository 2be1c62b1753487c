"""The words of a question: plain words, and the term of the trade in brackets behind them."""

from __future__ import annotations

import re

_TERM = re.compile(r"(.*\S)\s*\(([^()]+)\)$")


def split_label(words: str) -> tuple[str, str]:
    """Plain words and the term of the trade: "How many? (nodes)" -> ("How many?", "nodes")."""
    match = _TERM.fullmatch(words)
    return (match[1], match[2]) if match else (words, "")

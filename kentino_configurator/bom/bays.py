"""Drive bays as catalogue texts state them."""

from __future__ import annotations

import re

_BAY = re.compile(r"(\d+)x? (U\.2|2\.5 in|E3\.S|E1\.S|M\.2|SFF)")
_SAME_BAY = {"2.5 in": "U.2", "SFF": "U.2"}


def bays(text: str, form: str) -> int | None:
    """Bays of a form in a catalogue text such as ``4x 2.5 in NVMe + 2 SATA``, ``None`` when it states none."""
    stated = [(int(count), _SAME_BAY.get(kind, kind)) for count, kind in _BAY.findall(text)]
    wanted = {_SAME_BAY.get(part.strip(), part.strip()) for part in form.split("/")}
    drives = [count for count, kind in stated if kind != "M.2" or "M.2" in wanted]
    return max((count for count, kind in stated if kind in wanted), default=0) if drives else None

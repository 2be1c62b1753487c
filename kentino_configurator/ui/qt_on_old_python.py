"""One repair for PySide6 6.12 on Python 3.11, to be made before the first call into Qt.

The bindings are compiled for Python 3.12 and later, where ``None`` is never counted. There, returning ``None``
takes no reference; under 3.11 each call of a C++ function without a result therefore takes one away too many, and
after some thousand calls the interpreter ends with "deallocating None". Seen with 6.12.0 (1,000 calls of
``setObjectName`` lower ``sys.getrefcount(None)`` by 1,000), not with 6.11.3.
"""

from __future__ import annotations

import ctypes
import sys

_MANY = 1 << 40


def keep_none_alive() -> None:
    """Give ``None`` so many references that it outlives any run, as Python 3.12 does by itself."""
    if sys.version_info < (3, 12):
        ctypes.c_ssize_t.from_address(id(None)).value += _MANY

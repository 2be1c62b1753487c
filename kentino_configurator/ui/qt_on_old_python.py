"""One repair for PySide6 6.12 on Python 3.11, to be made before the first call into Qt.

The bindings are compiled for Python 3.12 and later, where ``None``, ``True`` and ``False`` are never counted. There,
returning one of them takes no reference; under 3.11 each call of a C++ function without a result, and each signal that
carries a bool, therefore takes one away too many, and after some thousand calls the interpreter ends with "deallocating
None" or "deallocating True or False". Seen with 6.12.0: 1,000 calls of ``setObjectName`` lower
``sys.getrefcount(None)`` by 1,000, and some hundred emissions of a ``Signal(bool)`` end the interpreter. Not seen
with 6.11.3.
"""

from __future__ import annotations

import ctypes
import sys

_MANY = 1 << 40


def keep_constants_alive() -> None:
    """Give the constants so many references that they outlive any run, as Python 3.12 does by itself."""
    if sys.version_info < (3, 12):
        for constant in (None, True, False):
            ctypes.c_ssize_t.from_address(id(constant)).value += _MANY

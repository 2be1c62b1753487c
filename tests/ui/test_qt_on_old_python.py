"""The repair of the bindings under Python 3.11: constants outlive any number of calls into Qt."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

import kentino_configurator.ui  # noqa: F401 - importing it is what repairs


class _Teller(QObject):
    told = Signal(bool)


def test_a_signal_with_a_bool_may_be_sent_as_often_as_one_likes() -> None:
    teller, heard = _Teller(), []
    teller.told.connect(heard.append)
    for turn in range(20_000):
        teller.told.emit(turn % 2 == 0)
    assert heard.count(True) == heard.count(False) == 10_000

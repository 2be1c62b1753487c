"""What is open in a view, beside its name in the rail. Cheap: asked for every answer."""

from __future__ import annotations

from typing import Final

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Severity
from kentino_configurator.core.hardware import PriceStatus
from kentino_configurator.texts import Texts
from kentino_configurator.ui.views.base import Badge

_ROLES: Final = {Severity.BLOCK: "block", Severity.WARN: "warn"}
_OPEN_PRICES: Final = (PriceStatus.PLACEHOLDER, PriceStatus.MISSING)


def decision_badge(answer: Answer, texts: Texts) -> Badge:
    """How many findings block; else how many decisions are open."""
    for severity, role in _ROLES.items():
        count = sum(finding.severity is severity for finding in answer.decision.findings)
        if count:
            return Badge(words=texts.numbers.plain(count), role=role)
    return Badge()


def bom_badge(answer: Answer, texts: Texts) -> Badge:
    """How many lines have no price that can be offered."""
    if answer.bom is None:
        return Badge()
    count = sum(answer.bom.lines_with_status(status) for status in _OPEN_PRICES)
    return Badge(words=texts.say("view.bom.open", count=count)) if count else Badge()

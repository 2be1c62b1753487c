"""The views of the result, in the order of the rail."""

from __future__ import annotations

from typing import Final

from kentino_configurator.core.answer import Answer
from kentino_configurator.texts import Texts
from kentino_configurator.ui.views.base import Badge, ResultView, ViewContext, ViewSpec, no_badge


def _decision(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.decision import DecisionView

    return DecisionView(context)


def _decision_badge(answer: Answer, texts: Texts) -> Badge:
    from kentino_configurator.ui.views.badges import decision_badge

    return decision_badge(answer, texts)


def _memory(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.memory import MemoryView

    return MemoryView(context)


def _performance(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.performance import PerformanceView

    return PerformanceView(context)


def _topology(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.topology import WiringView

    return WiringView(context)


def _alternatives(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.alternatives import AlternativesView

    return AlternativesView(context)


def _operations(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.operations import OperationsView

    return OperationsView(context)


def _bom(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.bom import BomView

    return BomView(context)


def _bom_badge(answer: Answer, texts: Texts) -> Badge:
    from kentino_configurator.ui.views.badges import bom_badge

    return bom_badge(answer, texts)


def _proposal(context: ViewContext) -> ResultView:
    from kentino_configurator.ui.views.proposal import ProposalView

    return ProposalView(context)


# Every factory imports its view when it is first shown, so that the window opens fast.
VIEWS: Final[tuple[ViewSpec, ...]] = (
    ViewSpec(id="decision", icon="milestone", factory=_decision, badge=_decision_badge),
    ViewSpec(id="memory", icon="memory-stick", factory=_memory),
    ViewSpec(id="performance", icon="gauge", factory=_performance),
    ViewSpec(id="topology", icon="network", factory=_topology),
    ViewSpec(id="alternatives", icon="columns-3", factory=_alternatives),
    ViewSpec(id="operations", icon="clock", factory=_operations),
    ViewSpec(id="bom", icon="list", factory=_bom, badge=_bom_badge),
    ViewSpec(id="proposal", icon="file-text", factory=_proposal),
)

__all__ = ["VIEWS", "Badge", "ResultView", "ViewContext", "ViewSpec", "no_badge"]
